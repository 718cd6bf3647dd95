"""Turns what a board sends into the figures that a person wants to read: a factor, an offset, a unit.

The rings keep what was sent. The store applies a calibration whenever it gives samples away, so that curves,
figures, limits, triggers and exports agree, and changing it changes the past as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.ring import MinMaxColumns, SeriesSnapshot

MOST = 1e30
"""Largest factor and offset, and inverse of the smallest factor."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """``shown = sent * factor + offset``.

    Attributes:
        factor: shown units for one unit that is sent; negative turns the curve over.
        offset: in shown units.
        unit: of what is shown; '' leaves the one that the board says.

    Raises:
        TelemetrySettingError: the factor is 0 or beyond ``MOST`` (as its inverse), or the offset is.
    """

    factor: float = 1.0
    offset: float = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        if not (1 / MOST <= abs(self.factor) <= MOST and abs(self.offset) <= MOST):
            raise TelemetrySettingError(
                f"A series cannot be scaled by {self.factor:g} and moved by {self.offset:g}.",
                hint=f"The factor is any number but 0; neither may be beyond {MOST:g}.",
            )

    @property
    def changes_values(self) -> bool:
        """Whether what is shown differs from what is sent."""
        return self.factor != 1.0 or self.offset != 0.0

    def value(self, sent: float) -> float:
        """Return one value as it is shown; what no number can hold is NaN."""
        shown = sent * self.factor + self.offset
        return shown if math.isfinite(shown) else math.nan

    def _values(self, sent: NDArray[np.floating]) -> NDArray[np.floating]:
        with np.errstate(over="ignore", invalid="ignore"):
            shown = sent * self.factor + self.offset
        shown[np.isinf(shown)] = np.nan
        return shown

    def samples(self, sent: SeriesSnapshot) -> SeriesSnapshot:
        """Return samples as they are shown."""
        return sent._replace(value=self._values(sent.value)) if self.changes_values else sent

    def columns(self, sent: MinMaxColumns) -> MinMaxColumns:
        """Return columns as they are shown; a negative factor makes the lowest the highest."""
        if not self.changes_values:
            return sent
        if sent.low is sent.high:
            shown = self._values(sent.low)
            return sent._replace(low=shown, high=shown)
        low, high = self._values(sent.low), self._values(sent.high)
        return sent._replace(low=high, high=low) if self.factor < 0 else sent._replace(low=low, high=high)


AS_SENT = Calibration()
