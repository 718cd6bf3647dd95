"""The trigger of the plot page: looks at each new sample and tells which stretch to show, as a scope does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.gui.plots.panels import SeriesId

AUTO, NORMAL, SINGLE = "auto", "normal", "single"
MODES = (AUTO, NORMAL, SINGLE)
KINDS = ("rising", "falling", "above", "below")
FREE_RUN_S = 1.0
"""In ``auto`` the plot follows the present again when nothing triggered for this long after a window."""


class TriggerSource(Protocol):
    """The part of the bridges that a trigger needs."""

    def now(self) -> float:
        """Return the telemetry clock in seconds."""

    def samples_since(self, source_id: str, label: str, index: int) -> Any:
        """Return ``time``, ``value`` and ``first_index`` of the samples from a running number on."""


@dataclass(frozen=True)
class TriggerChoice:
    """What the person set.

    Attributes:
        series_id: which signal is looked at; None before one was chosen.
        mode: ``auto``, ``normal`` (holds the last window until the next) or ``single`` (stops after one).
        kind: ``rising``, ``falling``, ``above`` or ``below``.
        level, hysteresis: in the unit of the series.
        before: share of the window that lies before the trigger, 0 to 1.
    """

    series_id: SeriesId | None = None
    mode: str = AUTO
    kind: str = "rising"
    level: float = 0.0
    hysteresis: float = 0.0
    before: float = 0.25

    def state(self) -> dict[str, Any]:
        """Return it as plain values, for a saved layout."""
        return asdict(self) | {"series_id": None if self.series_id is None else list(self.series_id)}

    @classmethod
    def of(cls, state: Any) -> TriggerChoice:
        """Return what ``state`` gave; what is not usable is left out."""
        if not isinstance(state, dict):
            return cls()
        found = cls()
        place = state.get("series_id")
        if isinstance(place, list) and len(place) == 2:
            found = replace(found, series_id=SeriesId(str(place[0]), str(place[1])))
        if state.get("mode") in MODES and state.get("kind") in KINDS:
            found = replace(found, mode=str(state["mode"]), kind=str(state["kind"]))
        numbers = {
            key: float(state[key])
            for key in ("level", "hysteresis", "before")
            if isinstance(state.get(key), int | float)
        }
        return replace(found, **numbers)  # type: ignore[arg-type]  # keys are those of numbers


class TriggerControl:
    """Follows one signal while it is on.

    Args:
        source: where samples come from.
        make: makes a trigger of the engine from its settings; raises ZeroClawError when they cannot be.
        window_s: returns the length of the visible stretch in seconds.

    Attributes:
        choice: what is set.
        on: whether it looks.
        armed: whether it can still fire.
        fired_at: time of the trigger that is shown, in seconds of the telemetry clock; None when none is.
        fault: why it cannot look; None when it can.
    """

    def __init__(
        self, source: TriggerSource, make: Callable[..., Any], window_s: Callable[[], float]
    ) -> None:
        self.choice = TriggerChoice()
        self.on = False
        self.armed = False
        self.fired_at: float | None = None
        self.fault: ZeroClawError | None = None
        self._source = source
        self._make = make
        self._window_s = window_s
        self._trigger: Any = None
        self._seen = 0
        self._made_for = 0.0
        self._waiting: list[tuple[float, float, float]] = []
        self._shown_at = 0.0

    def set_choice(self, choice: TriggerChoice) -> None:
        """Change what is looked for; it is armed again."""
        self.choice = choice
        if self.on:
            self.arm()

    def arm(self) -> None:
        """Look from now on."""
        self.on = True
        self.fired_at = None
        self._waiting.clear()
        self._shown_at = self._source.now()
        self._seen = self._newest()
        self._build()

    def off(self) -> None:
        """Look no more."""
        self.on = self.armed = False
        self.fired_at = self.fault = None
        self._waiting.clear()

    def advance(self) -> tuple[float, float] | None:
        """Look at what is new; returns the stretch (start, end in seconds) to show from now on, if any."""
        if not self.on or self._trigger is None or self.choice.series_id is None:
            return None
        if self._window_s() != self._made_for:
            self._build()
        self._feed()
        now = self._source.now()
        ready = [found for found in self._waiting if found[2] <= now]
        if not ready:
            return None
        self._waiting = [found for found in self._waiting if found[2] > now]
        self.fired_at, start, end = ready[-1]
        self._shown_at = now
        return start, end

    def wants_free_run(self) -> bool:
        """Return whether nothing triggered for so long that the plot should follow the present again."""
        quiet = self._source.now() - self._shown_at > FREE_RUN_S
        return self.on and self.choice.mode == AUTO and quiet and not self._waiting

    def _feed(self) -> None:
        assert self.choice.series_id is not None
        try:
            samples = self._source.samples_since(*self.choice.series_id, self._seen)
        except ZeroClawError:
            self._seen = 0  # cleared; it may come again
            return
        if samples.first_index + len(samples.value) < self._seen:
            self._seen = 0
            return
        self._seen = samples.first_index + len(samples.value)
        for event in self._trigger.feed(samples.time, samples.value):
            self._waiting.append((event.time, event.start, event.end))
        self.armed = self._trigger.armed

    def _newest(self) -> int:
        if self.choice.series_id is None:
            return 0
        try:
            samples = self._source.samples_since(*self.choice.series_id, 1 << 62)
        except ZeroClawError:
            return 0
        return int(samples.first_index)

    def _build(self) -> None:
        window = self._made_for = self._window_s()
        choice = self.choice
        try:
            self._trigger = self._make(
                kind=choice.kind,
                level=choice.level,
                hysteresis=choice.hysteresis,
                single=choice.mode == SINGLE,
                hold_off=0.0 if choice.mode == SINGLE else window * (1 - choice.before),
                before=window * choice.before,
                after=window * (1 - choice.before),
            )
        except ZeroClawError as error:
            self._trigger, self.fault, self.armed = None, error, False
        else:
            self.fault, self.armed = None, choice.series_id is not None
