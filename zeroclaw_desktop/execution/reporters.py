"""Reporters (EX-12): where the story of each action goes. One interface; stack as many as wanted."""

from __future__ import annotations

from typing import Any, Protocol

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition
from zeroclaw_desktop.foundation.log import logger

_log = logger("execution")


class Reporter(Protocol):
    """Receives every transition of every action."""

    def report(self, transition: ActionTransition) -> None:
        """Take note; must not block."""


def status_row(result: ActionResult) -> dict[str, Any]:
    """The status shape of EX-12."""
    return {
        "task_id": result.task_id,
        "action": result.action,
        "state": result.state.value,
        "elapsed_ms": round(result.elapsed_ms, 3),
        "error_code": result.error_code,
        "hardware_states": dict(result.hardware_states),
        "device_id": result.device_id,
        "seq": result.seq,
        "source": result.source,
    }


class LogReporter:
    """Normal life at INFO; a fault adds one ERROR record with parameters and hardware snapshot."""

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        payload, result = transition.payload, transition.result
        note = f" ({transition.note})" if transition.note else ""
        _log.info("%s %s %s%s", payload.task_id, payload.action, transition.state.value, note)
        if result is not None and result.faults:
            _log.error(
                "%s %s: 0x%02X %s params=%s observed=%s",
                payload.task_id,
                payload.action,
                result.error_code,
                "; ".join(fault.message for fault in result.faults),
                dict(payload.params),
                dict(result.hardware_states),
            )


class BusReporter:
    """Publishes each transition for the window."""

    def __init__(self, bus: EventBus) -> None:
        self._bus = bus

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        self._bus.publish(transition)
