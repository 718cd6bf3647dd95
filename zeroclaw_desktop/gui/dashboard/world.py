"""What tiles need to know of the program, and how they are asked to show what is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.safety_bridge import SafetyBridge
    from zeroclaw_desktop.gui.widgets.live_plot import MakePlot


@dataclass(frozen=True)
class TileWorld:
    """Bridge objects, and the maker of small plots."""

    dashboards: DashboardsBridge
    devices: DevicesBridge
    safety: SafetyBridge
    make_plot: MakePlot
