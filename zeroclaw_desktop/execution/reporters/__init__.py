"""Reporters (EX-12): where the story of each action goes. One interface; stack as many as wanted.

The switchboard holds the list and keeps a reporter that fails, or is slow, away from the executor. Here live
what reporters share, the destinations (log, bus, JSON-lines file, serial port, MQTT) and their switching by
settings. A reporter only tells; what decides or moves something must not enter. The MQTT library is imported
when the first broker is named, not before.
"""

from __future__ import annotations

from zeroclaw_desktop.execution.reporters.bus_reporter import BusReporter
from zeroclaw_desktop.execution.reporters.contract import Reporter, RunningReporter
from zeroclaw_desktop.execution.reporters.log_reporter import LogReporter
from zeroclaw_desktop.execution.reporters.status import report_row, status_line, status_row
from zeroclaw_desktop.execution.reporters.switchboard import ReporterHealth, ReporterSwitchboard

__all__ = [
    "BusReporter",
    "LogReporter",
    "Reporter",
    "ReporterHealth",
    "ReporterSwitchboard",
    "RunningReporter",
    "report_row",
    "status_line",
    "status_row",
]
