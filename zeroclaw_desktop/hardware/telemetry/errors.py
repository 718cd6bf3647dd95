"""Errors of the telemetry package.

TelemetryError
├── UnknownSeriesError       a series was asked for that the store does not hold
├── TelemetrySettingError    a size or option is outside what the package accepts
├── MemoryFullError          the bound of the memory of all series is reached
├── FrameDescriptionError    the description of binary frames is not usable
├── RecordingError           a recording could not be written or is none
├── TelemetryExportError     a file could not be written
└── ExportCancelledError     the person cancelled an export
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class TelemetryError(ZeroClawError):
    """Base of everything that this package raises on purpose."""

    default_code = "telemetry"


class UnknownSeriesError(TelemetryError):
    """The named series is not in the store (never seen, or cleared)."""

    default_code = "telemetry_unknown_series"


class TelemetrySettingError(TelemetryError):
    """A size or option cannot work."""

    default_code = "telemetry_setting"


class TelemetryExportError(TelemetryError):
    """The export file could not be written."""

    default_code = "telemetry_export"


class ExportCancelledError(TelemetryError):
    """The person cancelled an export; no file was left."""

    default_code = "telemetry_export_cancelled"

    def __init__(self) -> None:
        super().__init__("The export was cancelled.", hint="No file was left.")


class MemoryFullError(TelemetryError):
    """All series together hold as much memory as they may."""

    default_code = "telemetry_memory_full"


class FrameDescriptionError(TelemetryError):
    """The description of binary frames has a mistake; the message names the place."""

    default_code = "telemetry_frame_description"


class RecordingError(TelemetryError):
    """A recording could not be written, or the file is no recording."""

    default_code = "telemetry_recording"
