"""Which widget shows a tile of which kind, and which icon stands for it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from zeroclaw_desktop.bridge.dashboard_document import Tile
from zeroclaw_desktop.bridge.tile_fields import tile_problems
from zeroclaw_desktop.gui.dashboard.act_tiles import ButtonTile, SliderTile, SwitchTile
from zeroclaw_desktop.gui.dashboard.show_tiles import (
    BarTile,
    GaugeTile,
    LedTile,
    NumberTile,
    PlotTile,
    TextTile,
)
from zeroclaw_desktop.gui.dashboard.tile_frame import StrangeTile, TileFrame, UnfitTile
from zeroclaw_desktop.gui.dashboard.world import TileWorld

_WIDGETS: Mapping[str, type[TileFrame]] = {
    "plot": PlotTile,
    "gauge": GaugeTile,
    "bar": BarTile,
    "number": NumberTile,
    "led": LedTile,
    "text": TextTile,
    "button": ButtonTile,
    "switch": SwitchTile,
    "slider": SliderTile,
}
ICONS: Mapping[str, str] = {
    "plot": "plots",
    "gauge": "knob",
    "bar": "bar_level",
    "number": "number",
    "led": "led",
    "text": "note",
    "button": "button",
    "switch": "switch",
    "slider": "settings",
}


def widget_of(tile: Tile) -> type[TileFrame]:
    """Which widget shows a tile: one of a kind or with settings that cannot be shown says so."""
    fitting = _WIDGETS.get(tile.kind, StrangeTile)
    return UnfitTile if tile_problems(tile.kind, tile.settings) else fitting


def make_tile(tile: Tile, world: TileWorld) -> TileFrame:
    """The widget of a tile."""
    return widget_of(tile)(tile, world)


def kind_name(kind: str) -> str:
    """What a kind of tile is called."""
    names = {
        "plot": QCoreApplication.translate("TileKinds", "Plot"),
        "gauge": QCoreApplication.translate("TileKinds", "Gauge"),
        "bar": QCoreApplication.translate("TileKinds", "Bar"),
        "number": QCoreApplication.translate("TileKinds", "Number"),
        "led": QCoreApplication.translate("TileKinds", "LED"),
        "text": QCoreApplication.translate("TileKinds", "Text"),
        "button": QCoreApplication.translate("TileKinds", "Button"),
        "switch": QCoreApplication.translate("TileKinds", "Switch"),
        "slider": QCoreApplication.translate("TileKinds", "Slider"),
    }
    return names.get(kind, kind)
