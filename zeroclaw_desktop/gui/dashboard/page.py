"""The Dashboard page: one dashboard at a time, used or edited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QStackedLayout, QWidget

from zeroclaw_desktop.bridge.dashboard_document import Dashboard, Tile, copied, new_id
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.dashboard.add_sheet import AddSheet
from zeroclaw_desktop.gui.dashboard.empty import EmptyDashboard
from zeroclaw_desktop.gui.dashboard.grid import TileGrid
from zeroclaw_desktop.gui.dashboard.grid_places import free_place, new_size
from zeroclaw_desktop.gui.dashboard.history import DashboardHistory
from zeroclaw_desktop.gui.dashboard.property_sheet import PropertySheet
from zeroclaw_desktop.gui.dashboard.show_tiles import PlotTile
from zeroclaw_desktop.gui.dashboard.silent_strip import ORDER_KEY, SilentStrip
from zeroclaw_desktop.gui.dashboard.toolbar import DashboardToolbar
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.theme import icon
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_existing_file, ask_new_file
from zeroclaw_desktop.gui.widgets.layout import column

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.gui.widgets.live_plot import MakePlot

FRAME_MS = 22
"""Milliseconds between two steps; each asks a third of the tiles, so one moves 15 times a second."""
NOTICE_MS = 8_000
LOOK_MS = 1_000
"""Milliseconds between two looks for signals that do not come."""


class DashboardPage(QWidget):
    """Tiles of the dashboard that is shown.

    Args:
        bridge: its ``dashboards``, ``devices`` and ``safety`` are used.
        make_plot: makes the small plots of plot tiles.
        parent: owner.
    """

    def __init__(self, bridge: AppBridge, make_plot: MakePlot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._dashboards = bridge.dashboards
        self._devices = bridge.devices
        self._folder = str(Path.home())
        self.editing = False
        world = TileWorld(bridge.dashboards, bridge.devices, bridge.safety, make_plot)
        self.history = DashboardHistory(bridge.dashboards, self)
        self.toolbar = DashboardToolbar(self.history.stack)
        self.notice = Notice("", "success")
        self.error = ErrorCard(dismissible=True)
        self.silent = SilentStrip(world, self)
        self.grid = TileGrid(world)
        self.area = QScrollArea()
        self.empty = EmptyDashboard()
        self.add_sheet = AddSheet(self, world)
        self.property_sheet = PropertySheet(self, world)
        self._notice_timer = QTimer(self)
        self._notice_timer.setSingleShot(True)
        self._notice_timer.setInterval(NOTICE_MS)
        self._notice_timer.timeout.connect(self.notice.hide)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.grid.advance)
        self._look_timer = QTimer(self)
        self._look_timer.setInterval(LOOK_MS)
        self._look_timer.timeout.connect(lambda: self.silent.look(self._shown()))
        self._lay_out()
        self._connect()
        self._bind_keys()
        self._retranslate()
        self._show_book()
        fault = self._dashboards.fault()
        if fault is not None:
            self._show_error(fault)

    # what a person does

    def set_editing(self, editing: bool) -> None:
        """Let tiles be moved, or be used."""
        self.editing = editing
        self.toolbar.set_editing(editing)
        self.grid.set_editing(editing)
        if not editing:
            self.toolbar.edit_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def add_dashboard(self) -> None:
        """Make an empty dashboard and let it be named."""
        book = self._dashboards.book()
        made = Dashboard(new_id("dashboard"), book.free_name(self.tr("Dashboard")))
        self.history.change(
            self.tr("new dashboard"), replace(book.with_dashboard(made), current=made.dashboard_id)
        )
        self.toolbar.begin_naming()

    def rename(self, name: str) -> None:
        """Give the dashboard another name; an empty one changes nothing."""
        shown, book = self._shown(), self._dashboards.book()
        plain = " ".join(name.split())
        if shown is None or not plain or plain == shown.name:
            return
        others = book.without_dashboard(shown.dashboard_id)
        named = replace(shown, name=others.free_name(plain))
        self.history.change(self.tr("rename"), book.with_dashboard(named))

    def duplicate(self) -> None:
        """Make a copy and show it."""
        shown, book = self._shown(), self._dashboards.book()
        if shown is not None:
            copy = copied(shown, book.free_name(shown.name))
            self.history.change(
                self.tr("copy"), replace(book.with_dashboard(copy), current=copy.dashboard_id)
            )

    def delete(self) -> None:
        """Delete the dashboard; the notice offers it back."""
        shown, book = self._shown(), self._dashboards.book()
        if shown is not None:
            self.history.change(self.tr("delete"), book.without_dashboard(shown.dashboard_id))
            self._tell(self.tr("Deleted: {0}").format(shown.name), self.tr("Undo"))

    def add_tile(self, kind: str, settings: dict[str, Any], title: str = "") -> Tile:
        """A tile of this kind at the first free place; it is not kept until it is put in."""
        shown = self._shown()
        columns, rows = new_size(kind)
        place = free_place(shown.tiles if shown is not None else (), columns, rows)
        return Tile(new_id("tile"), kind, place, title, settings)

    def put_tile(self, tile: Tile) -> None:
        """Keep a tile that was added or changed; without a dashboard one is made for it."""
        book = self._dashboards.book()
        shown = book.shown() or Dashboard(new_id("dashboard"), book.free_name(self.tr("Dashboard")))
        is_new = shown.tile(tile.tile_id) is None
        changed = replace(book.with_dashboard(shown.with_tile(tile)), current=shown.dashboard_id)
        self.history.change(self.tr("new tile") if is_new else self.tr("properties"), changed)
        self.grid.select(tile.tile_id)

    def remove_tile(self, tile_id: str) -> None:
        """Take a tile away; the notice offers it back."""
        shown, book = self._shown(), self._dashboards.book()
        if shown is None or shown.tile(tile_id) is None:
            return
        ids = [tile.tile_id for tile in shown.tiles]
        at = ids.index(tile_id)
        self.history.change(self.tr("remove tile"), book.with_dashboard(shown.without_tile(tile_id)))
        left = ids[:at] + ids[at + 1 :]
        if left:
            self.grid.select(left[min(at, len(left) - 1)])
        self._tell(self.tr("The tile was removed."), self.tr("Undo"))

    def open_tile(self, tile_id: str) -> None:
        """Show the properties of a tile."""
        shown = self._shown()
        tile = shown.tile(tile_id) if shown is not None else None
        if tile is not None:
            self.property_sheet.open_tile(tile, is_new=False)

    def duplicate_tile(self, tile_id: str) -> None:
        """Make a tile like another one at the first free place."""
        shown = self._shown()
        tile = shown.tile(tile_id) if shown is not None else None
        if shown is not None and tile is not None:
            place = free_place(shown.tiles, tile.place.columns, tile.place.rows)
            self.put_tile(replace(tile, tile_id=new_id("tile"), place=place))

    def open_tile_menu(self, tile_id: str, at: QPoint) -> QMenu:
        """Offer what can be done with a tile, at a point in global pixels."""
        menu = QMenu(self)
        actions().guard(menu)
        widget = self.grid.widgets[tile_id]
        entries = [
            ("settings", self.tr("Properties…"), lambda: self.open_tile(tile_id)),
            ("copy", self.tr("Duplicate"), lambda: self.duplicate_tile(tile_id)),
            ("delete", self.tr("Remove"), lambda: self.remove_tile(tile_id)),
        ]
        if isinstance(widget, PlotTile):
            entries.insert(1, ("chat", self.tr("Pin to the chat"), lambda: self._pin_to_chat(widget)))
        for name, text, deed in entries:
            action = QAction(icon(name, "text_muted"), text, menu)
            action.triggered.connect(lambda _=False, do=deed: do())
            menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)
        return menu

    def _pin_to_chat(self, tile: PlotTile) -> None:
        self._dashboards.pin_to_chat(tile.series(), tile.window_s())
        self._tell(self.tr("The plot is in the chat."), "")

    def export_to(self, path: str) -> None:
        """Write the dashboard to a file."""
        shown = self._shown()
        if shown is None:
            return
        self._folder = str(Path(path).parent)
        fault = self._dashboards.export(shown, path)
        if fault is None:
            self._tell(self.tr("Saved: {0}").format(Path(path).name), "")
        else:
            self._show_error(fault)

    def import_from(self, path: str) -> None:
        """Read a dashboard from a file and show it."""
        self._folder = str(Path(path).parent)
        found = self._dashboards.read_file(path)
        if isinstance(found, ErrorView):
            self._show_error(found)
            return
        book = self._dashboards.book()
        self.history.change(
            self.tr("import"), replace(book.with_dashboard(found), current=found.dashboard_id)
        )
        self._tell(self.tr("Imported: {0}").format(found.name), self.tr("Undo"))

    def show_detail(self, detail: str) -> None:
        """Show the dashboard with this id, make a tile of pinned series, or open what can be added."""
        pinned = self._dashboards.read_pin(detail)
        if pinned is not None:
            settings, dashboard_id = pinned
            if self._dashboards.book().dashboard(dashboard_id) is not None:
                self.history.choose(dashboard_id)
            self.put_tile(self.add_tile("plot", settings))
            self._tell(self.tr("The series were pinned here."), self.tr("Undo"))
        elif detail == "new_tile":
            self.add_sheet.open_add()
        elif self._dashboards.book().dashboard(detail) is not None:
            self.history.choose(detail)

    def focus_input(self) -> None:
        """Give the keyboard to the tiles."""
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to look."""
        super().showEvent(event)
        self._timer.start()
        self._look_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody sees it."""
        self._timer.stop()
        self._look_timer.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    # inside

    def _lay_out(self) -> None:
        self.area.setWidget(self.grid)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.viewport().setAutoFillBackground(False)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        stage = QWidget()
        self._stack = QStackedLayout(stage)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.area)
        body = column(self.toolbar, self.notice, self.error, self.silent, gap=3, margins=(4, 3), parent=self)
        body.addWidget(stage, 1)
        self.notice.hide()
        self.error.hide()

    def _connect(self) -> None:
        self._dashboards.changed.connect(self._show_book)
        self._dashboards.failed.connect(self._show_error)
        self._dashboards.orders.request_changed.connect(self._take_request)
        self._dashboards.dashboard_made.connect(lambda _id: self.empty.set_waiting(False))
        self._devices.boards_changed.connect(self._show_board)
        self._devices.current_board_changed.connect(lambda _id: self._show_board())
        self.toolbar.chosen.connect(self.history.choose)
        self.toolbar.named.connect(self.rename)
        self.toolbar.edit_toggled.connect(self.set_editing)
        self.toolbar.add_requested.connect(self.add_sheet.open_add)
        self.grid.arranged.connect(self._arrange)
        self.grid.removed.connect(self.remove_tile)
        self.grid.opened.connect(self.open_tile)
        self.grid.menu_requested.connect(self.open_tile_menu)
        self.add_sheet.chosen.connect(self._begin_tile)
        self.property_sheet.accepted.connect(self.put_tile)
        self.empty.action_triggered.connect(self.make_from_board)
        self.empty.blank_button.clicked.connect(self._begin_blank)
        self.notice.action_triggered.connect(self._undo_by_notice)
        self.error.dismissed.connect(self._dismiss)

    def _bind_keys(self) -> None:
        for keys, deed in (
            ("Ctrl+Z", self.history.stack.undo),
            ("Ctrl+Y", self.history.stack.redo),
            ("Ctrl+Shift+Z", self.history.stack.redo),
            ("Ctrl+E", lambda: self.set_editing(not self.editing)),
            ("Ctrl+N", self.add_sheet.open_add),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(deed)

    def make_from_board(self) -> None:
        """Make a dashboard of the current board; without one the simulated board starts first."""
        self.error.hide()
        self.empty.set_waiting(True)
        self._dashboards.make_from_board()

    def _begin_blank(self) -> None:
        if self._shown() is None:
            self.add_dashboard()
            self.toolbar.end_naming()
        self.set_editing(True)
        self.add_sheet.open_add()

    def _begin_tile(self, kind: str, settings: dict[str, Any]) -> None:
        self.property_sheet.open_tile(self.add_tile(kind, settings), is_new=True)

    def _shown(self) -> Dashboard | None:
        return self._dashboards.book().shown()

    def _show_book(self) -> None:
        book = self._dashboards.book()
        shown = book.shown()
        rows = [(one.dashboard_id, one.name) for one in book.dashboards]
        self.toolbar.show_dashboards(rows, shown.dashboard_id if shown is not None else "")
        self.toolbar.list.setVisible(bool(rows) and self.toolbar.name_field.isHidden())
        filled = shown is not None and bool(shown.tiles)
        self._stack.setCurrentWidget(self.area if filled else self.empty)
        self.toolbar.edit_button.setEnabled(filled)
        self.grid.show_tiles(shown.tiles if shown is not None else ())
        self.grid.set_editing(self.editing)
        self.grid.refresh()
        self._show_board()

    def _show_board(self) -> None:
        live = [board for board in self._devices.boards() if board.state == "live"]
        current = self._devices.current_board_id()
        named = next((board.name for board in live if board.board_id == current), "")
        self.empty.show_board(named or (live[0].name if live else ""))

    def _arrange(self, tiles: tuple[Tile, ...]) -> None:
        shown, book = self._shown(), self._dashboards.book()
        if shown is not None:
            self.history.change(self.tr("move"), book.with_dashboard(replace(shown, tiles=tiles)))

    def _take_request(self, key: str) -> None:
        error = self._dashboards.orders.request(key).error
        if key.startswith(ORDER_KEY) and error is not None:
            self._show_error(error)

    def _undo_by_notice(self) -> None:
        self.notice.hide()
        self.history.stack.undo()

    def _dismiss(self) -> None:
        self._dashboards.dismiss_fault()
        self.error.hide()

    def _ask_file(self, *, saving: bool) -> None:
        title, kinds = self.tr("Dashboard"), self.tr("Dashboards") + " (*.json)"
        if saving:
            shown = self._shown()
            name = f"{shown.name if shown is not None else 'dashboard'}.json".replace("/", "-")
            ask_new_file(self, title, name, kinds, self.export_to, self._folder)
        else:
            ask_existing_file(self, title, kinds, self.import_from, self._folder)

    def _tell(self, text: str, action: str) -> None:
        self.error.hide()
        self.notice.set_notice(text, "success", action)
        self.notice.show()
        self._notice_timer.start()

    def _show_error(self, error: ErrorView) -> None:
        self.empty.set_waiting(False)
        self.notice.hide()
        self.error.set_error(error, offer_action=False)
        self.error.show()

    def _retranslate(self) -> None:
        self.toolbar.fill_menu(
            (
                ("add", self.tr("New dashboard"), self.add_dashboard),
                ("board", self.tr("Dashboard of this board"), self.make_from_board),
                ("edit", self.tr("Rename…"), self._rename_if_any),
                ("copy", self.tr("Duplicate"), self.duplicate),
                None,
                ("folder", self.tr("Import…"), lambda: self._ask_file(saving=False)),
                ("export", self.tr("Export…"), lambda: self._ask_file(saving=True)),
                None,
                ("delete", self.tr("Delete"), self.delete),
            )
        )

    def _rename_if_any(self) -> None:
        if self._shown() is not None:
            self.toolbar.begin_naming()
