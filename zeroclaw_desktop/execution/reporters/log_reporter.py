"""The log as a destination: normal life at INFO, one ERROR record for a fault."""

from __future__ import annotations

from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.foundation.log import logger

_log = logger("execution")


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
