"""The Stop everything button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.frame_views import StopReportView

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.events import EmergencyStopChanged
    from zeroclaw_desktop.runtime.runtime import Runtime

_WORDS = {
    "en": ("stopped", "did not confirm", "was not reached: {note}"),
    "zh": ("已停止", "未确认", "无法到达：{note}"),
}


class SafetyBridge(QObject):
    """Emergency stop: trigger, report, release."""

    stop_changed = Signal(object)

    def __init__(self, core: CoreAccess) -> None:
        super().__init__()
        self._core = core
        self._report = StopReportView(False)
        core.when_ready(self._attach)

    def _attach(self, runtime: Runtime) -> None:
        from zeroclaw_desktop.contracts.events import EmergencyStopChanged

        runtime.bus.subscribe(EmergencyStopChanged, self._changed)

    def stop_everything(self, source: str = "button") -> None:
        """Stop now; before the core has started there is nothing that could move."""
        runtime = self._core.runtime
        if runtime is not None:
            self._core.start(runtime.stop_everything.trigger(source), "emergency stop")

    def release(self) -> None:
        """Let commands run again; a person's click."""
        if self._core.runtime is not None:
            self._core.runtime.stop_everything.release("window")

    def report(self) -> StopReportView:
        """What the last stop did."""
        return self._report

    def latched(self) -> bool:
        """Whether everything is stopped."""
        return self._report.latched

    def _changed(self, event: EmergencyStopChanged) -> None:
        stopped, unconfirmed, unreached = _WORDS[self._core.language]
        boards = tuple(
            (
                outcome.name,
                stopped
                if outcome.confirmed
                else unreached.format(note=outcome.note)
                if outcome.wire_ms is None
                else unconfirmed,
                outcome.wire_ms,
            )
            for outcome in event.outcomes
        )
        self._report = StopReportView(event.latched, event.source, event.cancelled, boards)
        self.stop_changed.emit(self._report)
