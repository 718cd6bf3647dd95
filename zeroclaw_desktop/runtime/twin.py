"""Simulate first: what a list of payloads would do, tried on a simulated twin of a board.

The twin runs the same firmware in a process of its own, gets the pin states of the real board as far as they
are known, and the payloads go through an execution layer of its own. Nothing of it touches the real board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionPayload, ActionResult, Constraints
from zeroclaw_desktop.contracts.boards import BoardProfile, PinState
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.handlers.builtin import register_builtin
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.simulator.board_process import Edge
from zeroclaw_desktop.hardware.simulator.machine import Snapshot
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.simulators import UNO_TYPE, Simulators, simulated_kinds

TWIN_ID = "twin"
MAX_PAYLOADS = 50
TWIN_SAMPLES = 10_000


@dataclass(frozen=True)
class PinTrace:
    """What one pin did.

    Attributes:
        levels: (seconds since the first payload began, level) of each change.
        level: level at the end.
        duty: PWM duty at the end, None when there is none.
    """

    pin: int
    levels: tuple[tuple[float, int], ...]
    level: int
    duty: float | None


@dataclass(frozen=True)
class TwinReport:
    """Outcome of a trial: the results of the payloads in order, and every pin that changed by them."""

    results: tuple[ActionResult, ...]
    traces: tuple[PinTrace, ...]

    @property
    def ok(self) -> bool:
        """Whether all payloads completed."""
        return all(result.ok for result in self.results)


class Twin:
    """A simulated board with an execution layer of its own; used once.

    Args:
        runner: starts the simulator process.
    """

    def __init__(self, runner: ChildRunner) -> None:
        bus = EventBus()
        self._roster = BoardRoster(bus, TelemetryStore(TWIN_SAMPLES), lambda: ())
        self._simulators = Simulators(self._roster, runner, bus)
        registry = CommandRegistry()
        register_builtin(registry, self._roster, self._flash, self._stop)
        self._executor = Executor(registry, self._roster, SystemClock(), [], lambda: False)
        self._executor.dry_run = False

    async def _flash(self, _board_id: str, _request: FlashRequest) -> Mapping[str, object]:
        raise ZeroClawError("A trial does not flash.", code="flash_unsupported")

    async def _stop(self, source: str) -> EmergencyStopChanged:
        raise ZeroClawError("A trial does not stop anything.", code="simulator", details={"source": source})

    async def try_out(
        self, payloads: Sequence[ActionPayload], pins: Mapping[int, PinState], kind: str = UNO_TYPE
    ) -> TwinReport:
        """Run payloads one after another until one fails.

        Args:
            payloads: at most MAX_PAYLOADS; their board is replaced by the twin.
            pins: pins of the real board as last observed.
            kind: key of its board file; one that cannot be simulated is tried on an Uno.

        Raises:
            ZeroClawError: the twin does not start, or there are too many payloads.
        """
        if len(payloads) > MAX_PAYLOADS:
            raise ZeroClawError(f"A trial takes {MAX_PAYLOADS} payloads at most, not {len(payloads)}.")
        try:
            profile = _profile_of(kind)
            await self._simulators.start(TWIN_ID, kind=profile.key)
            await self._take_over(pins)
            process = self._simulators.process(TWIN_ID)
            await process.query()
            seen, before = len(process.edges), process.snapshot
            results: list[ActionResult] = []
            for payload in payloads:
                results.append(await self._executor.submit(self._on_twin(payload)))
                if not results[-1].ok:
                    break
            after = await process.query()
            edges = list(process.edges)[seen:]
        finally:
            await self._roster.shut_down()
            await self._simulators.shut_down()
        shown = _moved_pins(edges, before, after) - _idle_pulses(before, after, results)
        shown -= {pin.number for pin in profile.pins if pin.reserved}
        edges = [edge for edge in edges if edge.pin in shown]
        begin = edges[0].seconds if edges else 0.0
        traces = tuple(
            PinTrace(
                pin,
                tuple((round(edge.seconds - begin, 4), edge.level) for edge in edges if edge.pin == pin),
                after.levels[pin],
                after.pwm[pin][1] if pin in after.pwm else None,
            )
            for pin in sorted(shown)
        )
        return TwinReport(tuple(results), traces)

    @staticmethod
    def _on_twin(payload: ActionPayload) -> ActionPayload:
        """The same action on the twin, allowed to run: the question is what it does, not whether it may."""
        return replace(
            payload,
            device_id=TWIN_ID,
            source="manual",
            constraints=Constraints(payload.constraints.timeout),
        )

    async def _take_over(self, pins: Mapping[int, PinState]) -> None:
        """Bring the twin's outputs to what the real board's are."""
        for number, state in pins.items():
            if state.mode == "output":
                await self._set("digital_write", {"pin": number, "value": state.level or 0})
            elif state.mode == "pwm" and state.duty is not None:
                await self._set("pwm_write", {"pin": number, "duty": state.duty})
            elif state.mode == "servo" and state.angle is not None:
                await self._set("servo_move", {"pin": number, "angle": max(0.0, min(180.0, state.angle))})
            elif state.mode == "input_pullup":
                await self._set("pin_mode", {"pin": number, "mode": "input_pullup"})

    async def _set(self, action: str, params: Mapping[str, object]) -> None:
        await self._executor.submit(make_payload(action, params, source="manual", device_id=TWIN_ID))


def _moved_pins(edges: Sequence[Edge], before: Snapshot, after: Snapshot) -> set[int]:
    return {edge.pin for edge in edges} | {
        pin
        for pin in range(len(after.levels))
        if after.levels[pin] != before.levels[pin] or after.pwm.get(pin) != before.pwm.get(pin)
    }


def _idle_pulses(before: Snapshot, after: Snapshot, results: Sequence[ActionResult]) -> set[int]:
    """Pins whose PWM or servo pulses went on through the trial as they were: no payload touched them."""
    touched = {change.pin for result in results for change in result.commanded}
    return {pin for pin, pulses in before.pwm.items() if after.pwm.get(pin) == pulses} - touched


def _profile_of(kind: str) -> BoardProfile:
    """The kind itself where it can be simulated, else the Uno."""
    kinds = {profile.key: profile for profile in simulated_kinds()}
    return kinds.get(kind, kinds[UNO_TYPE])


async def simulate(
    runner: ChildRunner,
    payloads: Sequence[ActionPayload],
    pins: Mapping[int, PinState],
    kind: str = UNO_TYPE,
) -> TwinReport:
    """Try payloads on a fresh twin; see Twin.try_out."""
    return await Twin(runner).try_out(payloads, pins, kind)
