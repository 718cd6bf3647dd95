"""The pages of the window, each made on its first visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.main_window.page_spec import PageSpec

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.gui.chat.page import ChatPage
    from zeroclaw_desktop.gui.devices.page import DevicesPage
    from zeroclaw_desktop.gui.widgets.live_plot import LivePlot


def page_specs(bridge: AppBridge) -> list[PageSpec]:
    """Pages in the order of the activity bar."""

    def _calm_until_ready(page: ChatPage | DevicesPage) -> QWidget:
        if bridge.core.runtime is None:
            page.set_starting(True)
            bridge.core_ready.connect(lambda: page.set_starting(False))
        return page

    def small_plot() -> LivePlot:
        from zeroclaw_desktop.gui.plots.small_plot import SmallPlot

        return SmallPlot(bridge.dashboards.live)

    def chat() -> QWidget:
        from zeroclaw_desktop.gui.chat.page import ChatPage
        from zeroclaw_desktop.gui.chat.plot_entry import PlotPins

        return _calm_until_ready(ChatPage(bridge, pins=PlotPins(bridge.dashboards, small_plot)))

    def devices() -> QWidget:
        from zeroclaw_desktop.gui.devices.page import DevicesPage

        return _calm_until_ready(DevicesPage(bridge.devices, bridge.maker))

    def plots() -> QWidget:
        from zeroclaw_desktop.gui.plots.page import PlotsPage

        return PlotsPage(bridge)

    def dashboard() -> QWidget:
        from zeroclaw_desktop.gui.dashboard.page import DashboardPage

        return DashboardPage(bridge, small_plot)

    def activity() -> QWidget:
        from zeroclaw_desktop.gui.activity.page import ActivityPage

        return ActivityPage(bridge)

    def logs() -> QWidget:
        from zeroclaw_desktop.gui.logs.page import LogsPage

        return LogsPage(bridge)

    def settings() -> QWidget:
        from zeroclaw_desktop.gui.settings.page import SettingsPage

        return SettingsPage(bridge)

    return [
        PageSpec("chat", "Chat", "chat", chat),
        PageSpec("devices", "Devices", "devices", devices),
        PageSpec("plots", "Plots", "plots", plots),
        PageSpec("dashboard", "Dashboard", "dashboard", dashboard),
        PageSpec("activity", "Activity", "activity", activity),
        PageSpec("logs", "Logs", "logs", logs),
        PageSpec("settings", "Settings", "settings", settings, at_bottom=True),
    ]
