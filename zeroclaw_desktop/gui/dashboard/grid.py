"""The grid of tiles: places the widgets, moves and resizes them while the dashboard is edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from zeroclaw_desktop.bridge.dashboard_document import GRID_COLUMNS, Place, Tile
from zeroclaw_desktop.gui.dashboard.grid_places import Cells, cells_for, clamped, flowed, settled
from zeroclaw_desktop.gui.dashboard.make_tile import kind_name, make_tile, widget_of
from zeroclaw_desktop.gui.dashboard.tile_frame import TileFrame
from zeroclaw_desktop.gui.dashboard.veil import Veil
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.theme import space, theme

_LEAST_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 16, 14, 24
"""Grid steps of a column and a row."""
_GAP = 2.5
SHARES = 3
"""Steps in which all tiles are asked for what is new."""


class TileGrid(QWidget):
    """Tiles of one dashboard.

    Args:
        world: for the tiles.
    """

    arranged = Signal(object)
    """All tiles, after one was moved or resized by a person."""
    removed = Signal(str)
    opened = Signal(str)
    menu_requested = Signal(str, QPoint)
    """(tile, global pixels): a right click, or the menu key."""

    def __init__(self, world: TileWorld) -> None:
        super().__init__()
        self.setObjectName("scroll_content")
        self._world = world
        self._tiles: tuple[Tile, ...] = ()
        self._preview: tuple[Tile, ...] | None = None
        self._editing = False
        self._turn = 0
        self.widgets: dict[str, TileFrame] = {}
        self.veils: dict[str, Veil] = {}

    def show_tiles(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles; widgets of tiles that stay are kept."""
        self._preview = None
        before = {tile.tile_id: tile for tile in self._tiles}
        self._tiles = tuple(tiles)
        fitting = {tile.tile_id: widget_of(tile) for tile in self._tiles}
        for tile_id in [one for one, widget in self.widgets.items() if fitting.get(one) is not type(widget)]:
            for widget in (self.widgets.pop(tile_id), self.veils.pop(tile_id)):
                widget.hide()
                widget.deleteLater()
        for tile in self._tiles:
            if tile.tile_id not in self.widgets:
                self._add(tile)
            elif replace(before[tile.tile_id], place=tile.place) != tile:
                self.widgets[tile.tile_id].show_tile(tile)
            self.widgets[tile.tile_id].tile = tile
        self._name_veils()
        self._order_tabs()
        self._lay_out()

    def set_editing(self, editing: bool) -> None:
        """Let tiles be moved, or be used."""
        self._editing = editing
        for veil in self.veils.values():
            veil.setVisible(editing)
            veil.raise_()
        self.update()

    def refresh(self) -> None:
        """Let every tile that can be seen show what is new."""
        for widget in self.widgets.values():
            if not widget.visibleRegion().isEmpty():
                widget.refresh()

    def advance(self) -> None:
        """Let the next share of the tiles show what is new, so that no single step takes long."""
        self._turn = (self._turn + 1) % SHARES
        for number, widget in enumerate(self.widgets.values()):
            if number % SHARES == self._turn and not widget.visibleRegion().isEmpty():
                widget.refresh()

    def cells(self) -> Cells:
        """The cells for the present width."""
        return cells_for(
            self.width(), space(_LEAST_WIDTH), space(_LEAST_HEIGHT), space(_MOST_HEIGHT), space(_GAP)
        )

    def select(self, tile_id: str) -> None:
        """Give the keyboard to a tile that can be moved, and scroll to it."""
        veil = self.veils.get(tile_id)
        if veil is not None and self._editing:
            veil.setFocus(Qt.FocusReason.OtherFocusReason)
        self.scroll_to(tile_id)

    def scroll_to(self, tile_id: str) -> None:
        """Bring a tile into sight."""
        around = self.parentWidget()
        area = around.parentWidget() if around is not None else None
        if isinstance(area, QScrollArea) and tile_id in self.widgets:
            area.ensureWidgetVisible(self.widgets[tile_id])

    def selected(self) -> str:
        """The tile that has the keyboard while the dashboard is edited; '' for none."""
        return next((tile_id for tile_id, veil in self.veils.items() if veil.hasFocus()), "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the tiles anew."""
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cells while the dashboard is edited."""
        if not self._editing:
            return
        cells = self.cells()
        painter = QPainter(self)
        painter.setPen(theme().color("hairline"))
        rows = int(self.height() // (cells.height + cells.gap)) + 1
        for row_number in range(rows):
            for column_number in range(cells.columns):
                left, top, width, height = cells.box(Place(column_number, row_number, 1, 1))
                painter.drawRoundedRect(left, top, width, height, space(1), space(1))
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the tile under the pointer, or with the one that has the keyboard."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            tile_id = self.selected()
            at = self.widgets[tile_id].rect().center() if tile_id else QPoint()
            point = self.widgets[tile_id].mapToGlobal(at) if tile_id else at
        else:
            boxes = ((one, widget.geometry()) for one, widget in self.widgets.items())
            tile_id = next((one for one, box in boxes if box.contains(event.pos())), "")
            point = event.globalPos()
        if tile_id:
            self.menu_requested.emit(tile_id, point)

    def _add(self, tile: Tile) -> None:
        widget = make_tile(tile, self._world)
        widget.setParent(self)
        veil = Veil(tile.tile_id, self)
        veil.dragged.connect(self._drag)
        veil.dropped.connect(self._drop)
        veil.let_go.connect(lambda _id: self._show_preview(None))
        veil.nudged.connect(self._nudge)
        veil.removed.connect(self.removed)
        veil.opened.connect(self.opened)
        self.widgets[tile.tile_id] = widget
        self.veils[tile.tile_id] = veil
        widget.show()
        veil.setVisible(self._editing)
        veil.raise_()

    def _name_veils(self) -> None:
        for tile in self._tiles:
            name = tile.title or self.widgets[tile.tile_id].default_title()
            self.veils[tile.tile_id].setAccessibleName(f"{kind_name(tile.kind)}: {name}")

    def _order_tabs(self) -> None:
        ordered = sorted(self._tiles, key=lambda tile: (tile.place.row, tile.place.column))
        for before, after in pairwise(ordered):
            QWidget.setTabOrder(self.veils[before.tile_id], self.veils[after.tile_id])

    def _lay_out(self) -> None:
        cells = self.cells()
        tiles = self._preview if self._preview is not None else self._tiles
        bottom = 0
        for tile_id, place in flowed(tiles, cells.columns).items():
            left, top, width, height = cells.box(place)
            for widget in (self.widgets[tile_id], self.veils[tile_id]):
                widget.setGeometry(left, top, width, height)
            bottom = max(bottom, top + height)
        room = round(2 * (cells.height + cells.gap)) if self._editing else 0
        self.setMinimumHeight(bottom + room)
        self.update()

    def _place_of(self, tile_id: str) -> tuple[Tile, Place]:
        tile = next(tile for tile in self._tiles if tile.tile_id == tile_id)
        return tile, tile.place

    def _wanted(self, tile_id: str, columns: int, rows: int, sizing: bool) -> tuple[Tile, ...]:
        tile, place = self._place_of(tile_id)
        if sizing:
            place = replace(place, columns=place.columns + columns, rows=place.rows + rows)
            place = replace(place, columns=min(place.columns, GRID_COLUMNS - place.column))
        else:
            place = replace(place, column=place.column + columns, row=place.row + rows)
        return settled(self._tiles, tile_id, clamped(place, tile.kind))

    def _drag(self, tile_id: str, across: float, down: float, sizing: bool) -> None:
        columns, rows = self.cells().steps(across, down)
        self._show_preview(self._wanted(tile_id, columns, rows, sizing))

    def _drop(self, _tile_id: str) -> None:
        wanted, self._preview = self._preview, None
        if wanted is not None and wanted != self._tiles:
            self.arranged.emit(wanted)
        self._lay_out()

    def _nudge(self, tile_id: str, columns: int, rows: int, sizing: bool) -> None:
        wanted = self._wanted(tile_id, columns, rows, sizing)
        if wanted != self._tiles:
            self.arranged.emit(wanted)
        self.scroll_to(tile_id)

    def _show_preview(self, tiles: tuple[Tile, ...] | None) -> None:
        if tiles != self._preview:
            self._preview = tiles
            self._lay_out()
