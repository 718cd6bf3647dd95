"""Triggers as an oscilloscope has them: edge or level, repeated or single shot, with a window around."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.schmitt import crossings


@dataclass(frozen=True, slots=True)
class TriggerSetting:
    """When to trigger.

    Attributes:
        kind: ``rising`` or ``falling`` (the signal crosses the level), ``above`` or ``below`` (it is there,
            from its first sample on).
        level: in the unit of the series.
        hysteresis: how far it must be back before it can cross again, in the same unit; ignores noise.
        single: stop after the first time.
        hold_off: seconds after which the next is looked for at the earliest.
        before: seconds of the window before the trigger.
        after: seconds of the window after it.

    Raises:
        TelemetrySettingError: a length or the hysteresis is negative, or a value is not finite.
    """

    kind: Literal["rising", "falling", "above", "below"] = "rising"
    level: float = 0.0
    hysteresis: float = 0.0
    single: bool = False
    hold_off: float = 0.0
    before: float = 0.5
    after: float = 0.5

    def __post_init__(self) -> None:
        lengths = (self.hysteresis, self.hold_off, self.before, self.after)
        if not np.isfinite((self.level, *lengths)).all() or min(lengths) < 0:
            raise TelemetrySettingError("Level and times of a trigger must be finite, lengths not negative.")


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """A trigger that fired.

    Attributes:
        time: seconds on the store's axis, of the sample that fired.
        value: of that sample.
        start: beginning of the window to show, seconds.
        end: its end.
    """

    time: float
    value: float
    start: float
    end: float


class Trigger:
    """Looks at the samples of a series as they come.

    Attributes:
        armed: whether it can still fire; False after a single shot until ``arm``.
    """

    def __init__(self, setting: TriggerSetting) -> None:
        self.setting = setting
        self.arm()

    def arm(self) -> None:
        """Begin anew."""
        self.armed = True
        self._state = 0
        self._free_at = -np.inf

    def feed(self, times: NDArray[np.float64], values: NDArray[np.floating]) -> list[TriggerEvent]:
        """Take further samples in order; returns what fired. Times in seconds on the store's axis."""
        setting = self.setting
        if not self.armed or not len(values):
            return []
        rising = setting.kind in ("rising", "above")
        state = self._state
        if state == 0 and setting.kind in ("above", "below"):
            state = -1
        found = crossings(values, setting.level, setting.hysteresis, rising=rising, state=state)
        self._state = found.state
        fired: list[TriggerEvent] = []
        for position in found.on.tolist():
            when = float(times[position])
            if when < self._free_at:
                continue
            self._free_at = when + setting.hold_off
            window = (when - setting.before, when + setting.after)
            fired.append(TriggerEvent(when, float(values[position]), *window))
            if setting.single:
                self.armed = False
                break
        return fired
