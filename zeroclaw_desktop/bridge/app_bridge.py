"""All bridge objects together, and the start of the core behind them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QTimer, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.frame_views import StatusView
from zeroclaw_desktop.bridge.safety_bridge import SafetyBridge
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.log import RingHandler

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_bridge import ActivityBridge
    from zeroclaw_desktop.bridge.approvals_bridge import ApprovalsBridge
    from zeroclaw_desktop.bridge.chat_bridge import ChatBridge
    from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.logs_bridge import LogsBridge
    from zeroclaw_desktop.bridge.maker_bridge import MakerBridge
    from zeroclaw_desktop.bridge.plot_export_bridge import PlotExportBridge
    from zeroclaw_desktop.bridge.plot_measure_bridge import PlotMeasureBridge
    from zeroclaw_desktop.bridge.plot_sources_bridge import PlotSourcesBridge
    from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
    from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
    from zeroclaw_desktop.bridge.recovery_bridge import RecoveryBridge
    from zeroclaw_desktop.bridge.settings_bridge import SettingsBridge
    from zeroclaw_desktop.bridge.views import BoardView

STATUS_MILLISECONDS = 1_000
SLOW_SECONDS = 30.0
"""A stream counts as slow, not as ended, for so long after its last sample."""
_WORDS = {
    "en": {
        "none": "No board",
        "model": "Offline assistant",
        "rate": "{rate:.0f} samples/s",
        "slow": "less than 1 sample/s",
        "alarm": "Alarm: {names}",
        "recording": "Recording {time}",
        "record_fault": "Recording ended early",
        "dropped": " · {bytes} bytes lost",
        "live": "live",
        "connecting": "connecting",
        "flashing": "flashing",
        "lost": "lost",
        "failed": "not answering",
        "offline": "not connected",
    },
    "zh": {
        "none": "没有开发板",
        "model": "离线助手",
        "rate": "{rate:.0f} 样本/秒",
        "slow": "每秒不到 1 个样本",
        "alarm": "报警：{names}",
        "recording": "录制中 {time}",
        "record_fault": "录制提前结束",
        "dropped": " · 丢失 {bytes} 字节",
        "live": "在线",
        "connecting": "连接中",
        "flashing": "烧录中",
        "lost": "连接中断",
        "failed": "失败",
        "offline": "未连接",
    },
}


def system_language() -> Language:
    """Language of the system, as far as we speak it."""
    return "zh" if QLocale.system().language() == QLocale.Language.Chinese else "en"


class AppBridge(QObject):
    """What the window gets. Objects that only pages need are made when a page first asks for them.

    Args:
        config: the settings.
        ring: the log lines in memory.
    """

    status_changed = Signal(object)
    core_ready = Signal()

    def __init__(self, config: ConfigStore, ring: RingHandler) -> None:
        super().__init__()
        self.core = CoreAccess(config, system_language())
        self.safety = SafetyBridge(self.core)
        self._ring = ring
        self._samples = 0
        self._rate = 0.0
        self._seconds_without = math.inf
        self._timer = QTimer(self)
        self._timer.setInterval(STATUS_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        config.on_change(lambda _key, _value: self._publish_status())

    @cached_property
    def settings(self) -> SettingsBridge:
        """The settings."""
        from zeroclaw_desktop.bridge.settings_bridge import SettingsBridge

        return SettingsBridge(self.core)

    @cached_property
    def devices(self) -> DevicesBridge:
        """Boards and ports."""
        from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge

        devices = DevicesBridge(self.core)
        devices.boards_changed.connect(self._publish_status)
        devices.current_board_changed.connect(lambda _board: self._publish_status())
        return devices

    @cached_property
    def maker(self) -> MakerBridge:
        """Making firmware."""
        from zeroclaw_desktop.bridge.maker_bridge import MakerBridge

        return MakerBridge(self.core)

    @cached_property
    def chat(self) -> ChatBridge:
        """The chat."""
        from zeroclaw_desktop.bridge.chat_bridge import ChatBridge

        return ChatBridge(self.core)

    @cached_property
    def approvals(self) -> ApprovalsBridge:
        """Remembered answers."""
        from zeroclaw_desktop.bridge.approvals_bridge import ApprovalsBridge

        return ApprovalsBridge(self.core)

    @cached_property
    def plots(self) -> PlotsBridge:
        """Series and their samples."""
        from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge

        return PlotsBridge(self.core, self.devices)

    @cached_property
    def plot_tools(self) -> PlotToolsBridge:
        """Measuring, recording and replaying series."""
        from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge

        return PlotToolsBridge(self.core, self.plots)

    @cached_property
    def plot_measure(self) -> PlotMeasureBridge:
        """Figures of series."""
        from zeroclaw_desktop.bridge.plot_measure_bridge import PlotMeasureBridge

        return PlotMeasureBridge(self.core, self.plots)

    @cached_property
    def plot_views(self) -> PlotViewsBridge:
        """What the person chose for the plots."""
        from zeroclaw_desktop.bridge.plot_views_bridge import PlotViewsBridge

        return PlotViewsBridge(self.core, self.plots)

    @cached_property
    def plot_export(self) -> PlotExportBridge:
        """Files of samples."""
        from zeroclaw_desktop.bridge.plot_export_bridge import PlotExportBridge

        return PlotExportBridge(self.core, self.plots)

    @cached_property
    def plot_sources(self) -> PlotSourcesBridge:
        """Where samples come from."""
        from zeroclaw_desktop.bridge.plot_sources_bridge import PlotSourcesBridge

        return PlotSourcesBridge(self.core)

    @cached_property
    def dashboards(self) -> DashboardsBridge:
        """Dashboards, and the plots in the chat."""
        from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge

        return DashboardsBridge(self.core, self.devices)

    @cached_property
    def activity(self) -> ActivityBridge:
        """Tasks of the execution layer."""
        from zeroclaw_desktop.bridge.activity_bridge import ActivityBridge

        return ActivityBridge(self.core)

    @cached_property
    def recovery(self) -> RecoveryBridge:
        """Tasks that the end of the program interrupted."""
        from zeroclaw_desktop.bridge.recovery_bridge import RecoveryBridge

        return RecoveryBridge(self.core)

    @cached_property
    def logs(self) -> LogsBridge:
        """Log lines."""
        from zeroclaw_desktop.bridge.logs_bridge import LogsBridge

        return LogsBridge(self._ring)

    def follow_second_starts(self, show: Callable[[], None]) -> None:
        """Call ``show`` whenever the program is started again with the same home folder."""
        self.core.when_ready(lambda runtime: setattr(runtime.control, "on_show", show))

    async def start(self) -> None:
        """Build and start the core; called after the first paint, as its imports take their time."""
        from zeroclaw_desktop.runtime.runtime import Runtime

        runtime = Runtime(self.core.config, with_person=True)
        await runtime.start()
        self.core.set_runtime(runtime)
        _ = self.activity  # follows tasks from the beginning, whether its page is open or not
        self._timer.start()
        self.core_ready.emit()

    async def stop(self) -> None:
        """End the core: boards safe, ports free, processes ended; bounded."""
        self._stop_timers()
        if self.core.runtime is not None:
            await self.core.runtime.stop()
        await self.core.stop()
        self._stop_timers()  # the last news of tasks that the end has cancelled start them again

    def _stop_timers(self) -> None:
        for part in (self, *(part for part in vars(self).values() if isinstance(part, QObject))):
            for timer in part.findChildren(QTimer):
                timer.stop()

    def status(self) -> StatusView:
        """What the status bar shows now."""
        words = _WORDS[self.core.language]
        board = self._current_board()
        text = words["none"] if board is None else f"{board.name} · {words.get(board.state, board.state)}"
        rate = words["rate"].format(rate=self._rate) if self._rate > 0.5 else ""
        if not rate and self._seconds_without < SLOW_SECONDS:
            rate = words["slow"]  # not '': a slow stream must not look like one that comes and goes
        live = board.name if board is not None and board.state == "live" else ""
        shared, alarm = self._shared()
        state = board.state if board else "offline"
        return StatusView(
            text,
            state,
            self._model(words["model"]),
            rate,
            live,
            shared,
            alarm,
            *self._recording(),
            self._alarms(),
        )

    def _model(self, offline: str) -> str:
        """Who answers the chat."""
        return (self.core.runtime.chat_models.alias if self.core.runtime is not None else "") or offline

    def _alarms(self) -> str:
        """Limits that are crossed now."""
        alarms = self.core.runtime.plots.watch.alarms if self.core.runtime is not None else []
        return _WORDS[self.core.language]["alarm"].format(names=", ".join(alarms)) if alarms else ""

    def _recording(self) -> tuple[str, bool]:
        """How long the plots have been recorded, and whether that went wrong."""
        recorder = self.core.runtime.plots.recording if self.core.runtime is not None else None
        if recorder is None:
            return "", False
        words = _WORDS[self.core.language]
        if recorder.fault is not None:
            return words["record_fault"], True
        minutes, seconds = divmod(int(recorder.seconds), 60)
        text = words["recording"].format(time=f"{minutes}:{seconds:02}")
        dropped = recorder.counters.dropped_bytes
        return text + (words["dropped"].format(bytes=f"{dropped:,}") if dropped else ""), dropped > 0

    def _shared(self) -> tuple[str, bool]:
        """Whether boards are shared, and whether that is an alarm."""
        if self.core.runtime is None:
            return "", False
        from zeroclaw_desktop.bridge.shared_words import shared_status

        return shared_status(self.core.runtime.shared.status, self.core.language)

    def _current_board(self) -> BoardView | None:
        if self.core.runtime is None:
            return None
        wanted = self.devices.current_board_id()
        return next((board for board in self.devices.boards() if board.board_id == wanted), None)

    def _tick(self) -> None:
        runtime = self.core.runtime
        if runtime is None:
            return
        samples = sum(info.count for info in runtime.store.series())
        self._rate = max(0.0, (samples - self._samples) * 1000.0 / STATUS_MILLISECONDS)
        self._seconds_without = 0.0 if self._rate else self._seconds_without + STATUS_MILLISECONDS / 1000
        self._samples = samples
        self._publish_status()

    def _publish_status(self) -> None:
        self.status_changed.emit(self.status())
