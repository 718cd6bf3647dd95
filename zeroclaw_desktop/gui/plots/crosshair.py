"""What stands under the pointer: the moment and the values of all series there. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.gui.plots.frame import PanelFrame, TimeAxis
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.ticks import ago_text, clock_text


def readings_at(frames: Sequence[PanelFrame], moment: float | None) -> dict[SeriesId, tuple[float, float]]:
    """Return (low, high) of each series at a time in seconds; empty without one."""
    found: dict[SeriesId, tuple[float, float]] = {}
    if moment is None:
        return found
    for frame in frames:
        for series, columns in zip(frame.panel.series, frame.columns, strict=False):
            reading = columns.reading(moment)
            if reading is not None:
                found[series.series_id] = reading[1:]
    return found


def moment_text(moment: float, axis: TimeAxis, clock_offset: float) -> str:
    """Return a time as exact as the axis shows it: before the present, or of the day when it is held.

    Args:
        moment: seconds of the telemetry clock.
        axis: what is visible.
        clock_offset: add it to a telemetry time to get seconds since 1970.
    """
    step = max(1e-6, 10 * axis.pixel_s)
    if axis.live:
        return ago_text(min(0.0, moment - axis.end), min(step, 0.1))
    return clock_text(moment + clock_offset, min(step, 0.01))
