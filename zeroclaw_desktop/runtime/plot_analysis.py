"""The parts of the telemetry engine that the window may use; pure functions and what they take and give."""

from __future__ import annotations

from zeroclaw_desktop.hardware.telemetry.analysis import (
    correlation,
    histograms,
    is_constant,
    pair_xy,
    read_cursors,
    spectrum,
    within_reach,
)
from zeroclaw_desktop.hardware.telemetry.export import write_table_file
from zeroclaw_desktop.hardware.telemetry.replay import ReplayPlayer
from zeroclaw_desktop.hardware.telemetry.ring import SeriesSnapshot
from zeroclaw_desktop.hardware.telemetry.series_stats import stats_of
from zeroclaw_desktop.hardware.telemetry.spectral_peaks import find_peaks
from zeroclaw_desktop.hardware.telemetry.store import SeriesKey, TelemetryStore
from zeroclaw_desktop.hardware.telemetry.thresholds import Threshold
from zeroclaw_desktop.hardware.telemetry.trigger import Trigger, TriggerSetting

__all__ = [
    "ReplayPlayer",
    "SeriesKey",
    "SeriesSnapshot",
    "TelemetryStore",
    "Threshold",
    "Trigger",
    "TriggerSetting",
    "correlation",
    "find_peaks",
    "histograms",
    "is_constant",
    "newest",
    "pair_xy",
    "read_cursors",
    "spectrum",
    "stats_of",
    "within_reach",
    "write_table_file",
]


def newest(samples: SeriesSnapshot, count: int) -> SeriesSnapshot:
    """Return the last ``count`` samples."""
    skipped = max(0, len(samples.time) - count)
    return SeriesSnapshot(samples.time[skipped:], samples.value[skipped:], samples.first_index + skipped)
