"""The Plots page: puts canvas, list and controls together, and pulls at frame rate while it is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import (
    QHideEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QScrollBar, QSplitter, QStackedWidget, QWidget

from zeroclaw_desktop.gui.plots.analysis.splitter import AnalysisSplitter
from zeroclaw_desktop.gui.plots.canvas import PlotCanvas
from zeroclaw_desktop.gui.plots.empty import EmptyPlot
from zeroclaw_desktop.gui.plots.export_actions import ExportActions
from zeroclaw_desktop.gui.plots.instruments import PlotInstruments
from zeroclaw_desktop.gui.plots.page_layout import apply_layout, layout_of
from zeroclaw_desktop.gui.plots.page_news import PageNews
from zeroclaw_desktop.gui.plots.panels import MODES, OVERLAY, SeriesId
from zeroclaw_desktop.gui.plots.pin_menu import PinMenu
from zeroclaw_desktop.gui.plots.recording.recordings import Recordings
from zeroclaw_desktop.gui.plots.series_list import SeriesList
from zeroclaw_desktop.gui.plots.series_model import SeriesModel
from zeroclaw_desktop.gui.plots.sources.sheet import SourcesSheet
from zeroclaw_desktop.gui.plots.toolbar import HoverControls, PlotToolbar
from zeroclaw_desktop.gui.plots.view_menu import ViewMenu, passing_menu
from zeroclaw_desktop.gui.theme import icon, space, theme
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

FRAME_MS = 16
WINDOW = "plots.window_seconds"
"""Setting: how many seconds of the past the page shows at first."""
LIST_EVERY = 6
"""Frames between two updates of the numbers: digits that change faster cannot be read."""
_LIST_WIDTH = 68
_ZOOM_STEP = 0.5
_PAN_STEP = 0.15


class PlotsPage(QWidget):
    """Live curves of all numbers that boards send.

    Args:
        bridge: its ``plots``, ``devices`` and ``settings`` are used.
        parent: owner.
    """

    def __init__(self, bridge: AppBridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._bridge, self._plots, self._tools = bridge, bridge.plots, bridge.plot_tools
        self._mode = OVERLAY
        self._frame = 0
        self._count_at_hold = -1
        self.model = SeriesModel()
        self.canvas = PlotCanvas(bridge.plots)
        self.toolbar = PlotToolbar()
        self.list = SeriesList(self.model)
        self.list_header = SectionHeader()
        self.moment = Text(role="caption", tone="muted")
        self.scroll_bar = QScrollBar(Qt.Orientation.Vertical)
        self.controls = HoverControls(self.canvas)
        self.news = PageNews()
        self.notice, self.error = self.news.notice, self.news.error
        self.exports = ExportActions(self, bridge, self.canvas, self.toolbar.export_menu, self.news)
        self.recordings = Recordings(self, bridge, self.news)
        self.toolbar.files_button.take_menu(self.recordings.menu)
        self._sources_sheet: SourcesSheet | None = None
        self.empty = EmptyPlot(bridge)
        self.views = bridge.plot_views
        self.instruments = PlotInstruments(self, bridge, self.canvas, self.model)
        self.view_menu = ViewMenu(self, self.canvas, self.instruments, self.views, lambda: layout_of(self))
        self.toolbar.view_button.setMenu(self.view_menu)
        self.pin_menu = PinMenu(self, bridge, self.canvas, self.model.plotted)
        self.canvas.set_window(float(bridge.settings.value(WINDOW)))
        self._lay_out()
        self._connect()
        bridge.settings.setting_changed.connect(self._take_setting)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self.toolbar.set_enabled(False)
        self._retranslate()
        self.refresh_series()

    # what a person does

    def toggle_pause(self) -> None:
        """Freeze the view, or follow the present again; recording goes on in both."""
        if self.instruments.trigger.on:
            self.instruments.show_trigger(False)
            self.canvas.hold()
        elif self.canvas.view.following:
            self.canvas.hold()
        else:
            self.canvas.follow()

    def mode(self) -> str:
        """Return how panels are formed."""
        return self._mode

    def set_mode(self, mode: str) -> None:
        """Form panels by unit (``overlay``), one for each series (``stack``) or one (``together``)."""
        self._mode = mode
        self.toolbar.show_mode(mode)
        self._replan()

    def clear(self) -> None:
        """Forget all samples and follow the present."""
        self._plots.clear()
        self.canvas.follow()
        self.refresh_series()

    def open_sources(self) -> None:
        """Open the sheet of all sources."""
        if self._sources_sheet is None:
            self._sources_sheet = SourcesSheet(self, self._bridge)
        self._sources_sheet.open_sheet()

    def show_layout(self, name: str) -> None:
        """Show a layout that was saved; nothing happens when there is none of this name."""
        layout = self.views.layout(name)
        if layout is not None:
            apply_layout(self, layout)

    def open_series_menu(self, series_id: SeriesId, at: QPoint) -> None:
        """Open what can be done with a series at a point in global pixels."""
        number = next((n for n, row in enumerate(self.model.rows()) if row.series_id == series_id), -1)
        it = self.instruments
        self.pin_menu.choose([series_id])
        passing_menu(
            self,
            (
                ("settings", self.tr("Colour, unit and scale…"), lambda: it.open_series(series_id)),
                ("warning", self.tr("Set a limit…"), lambda: it.open_limits(series_id)),
                ("trigger", self.tr("Trigger on it"), lambda: it.show_trigger(True, series_id)),
                ("pin", self.tr("Pin…"), lambda: self.pin_menu.popup(at)),
                ("", "", lambda: None),
                ("", self.tr("Show only this series"), lambda: self.model.show_only(number)),
                ("", self.tr("Show all series"), self.model.show_all),
            ),
        ).popup(at)

    def refresh_series(self) -> None:
        """Take over the series from the bridge."""
        replan = self.model.take(self._plots.series())
        self.canvas.set_rates(self.model.rates())
        if replan:
            filled = self.model.rowCount() > 0 or self._bridge.plot_tools.replay() is not None
            first = filled and self._stack.currentIndex() == 0
            self._stack.setCurrentIndex(1 if filled else 0)
            self.toolbar.set_enabled(filled)
            self._replan()
            if first and self.isVisible():
                self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_state()

    def restore(self, memory: PageMemory) -> None:
        """Take over what the person had chosen before."""
        sizes = memory.numbers("splitter")
        if len(sizes) == self.splitter.count() and all(width > 0 for width in sizes):
            self.splitter.setSizes(sizes)
        self.toolbar.list_button.setChecked(memory.flag("list", True))
        mode = memory.text("mode")
        self.set_mode(mode if mode in MODES else OVERLAY)
        self.plots_side.restore(memory)

    def remember(self, memory: PageMemory) -> None:
        """Keep what the person has chosen."""
        memory.set_flag("list", self.toolbar.list_button.isChecked())
        memory.set_text("mode", self._mode)
        self.instruments.keep_visibility()
        self.plots_side.remember(memory)
        if self.side.isVisibleTo(self):
            memory.set_numbers("splitter", self.splitter.sizes())

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to pull."""
        super().showEvent(event)
        self.refresh_series()
        self._timer.start()
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop pulling."""
        self._timer.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the controls in their corner."""
        super().resizeEvent(event)
        self._place_controls()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space, plus, minus, arrows, F, Home, End: whatever no part of the page wanted for itself."""
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            super().keyPressEvent(event)
            return
        step = self.canvas.view.window_s * _PAN_STEP
        deeds = {
            Qt.Key.Key_Space: self.toggle_pause,
            Qt.Key.Key_Plus: lambda: self.canvas.zoom(_ZOOM_STEP),
            Qt.Key.Key_Equal: lambda: self.canvas.zoom(_ZOOM_STEP),
            Qt.Key.Key_Minus: lambda: self.canvas.zoom(1 / _ZOOM_STEP),
            Qt.Key.Key_Left: lambda: self.canvas.pan(-step),
            Qt.Key.Key_Right: lambda: self.canvas.pan(step),
            Qt.Key.Key_Up: lambda: self._zoom_all_values(0.8),
            Qt.Key.Key_Down: lambda: self._zoom_all_values(1.25),
            Qt.Key.Key_PageUp: lambda: self.scroll_bar.triggerAction(
                QScrollBar.SliderAction.SliderPageStepSub
            ),
            Qt.Key.Key_PageDown: lambda: self.scroll_bar.triggerAction(
                QScrollBar.SliderAction.SliderPageStepAdd
            ),
            Qt.Key.Key_C: lambda: self.instruments.show_cursors(not self.instruments.cursors.shown),
            Qt.Key.Key_M: lambda: self.instruments.show_figures(
                not self.instruments.measure_panel.isVisible()
            ),
            Qt.Key.Key_T: lambda: self.instruments.show_trigger(not self.instruments.trigger.on),
            Qt.Key.Key_L: self.instruments.open_limits,
            Qt.Key.Key_Backspace: self.canvas.back,
            Qt.Key.Key_F: self.canvas.follow,
            Qt.Key.Key_End: self.canvas.follow,
        }
        deed = deeds.get(Qt.Key(event.key()))
        if deed is None:
            super().keyPressEvent(event)
        else:
            deed()

    # inside

    def _lay_out(self) -> None:
        plot = row(self.canvas, self.scroll_bar, gap=0)
        plot.setAlignment(self.canvas, Qt.AlignmentFlag(0))
        plot.setAlignment(self.scroll_bar, Qt.AlignmentFlag(0))
        plot_side = QWidget()
        plot_column = column(gap=3, parent=plot_side)
        plot_column.addLayout(plot, 1)
        plot_column.addWidget(self.instruments.measure_panel)
        plot_side.setFocusProxy(self.canvas)
        self.plots_side = AnalysisSplitter(plot_side, self.toolbar.analyse_menu, self._plots, self._tools)
        self.side = Card(row(self.list_header, margins=(3, 2, 3, 0)), padding=0, gap=1)
        self.side.body.addLayout(row(self.moment, margins=(3, 0)))
        self.side.body.addWidget(self.list, 1)
        self.side.setMinimumWidth(space(48))
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(space(3))
        self.splitter.addWidget(self.plots_side)
        self.splitter.addWidget(self.side)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 0)
        self.splitter.setSizes([space(400), space(_LIST_WIDTH)])
        self.scroll_bar.hide()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.splitter)
        head = (self.toolbar, self.instruments.trigger_bar, self.recordings.strip, self.recordings.bar)
        column(*head, self.news, gap=3, margins=(4, 3), parent=self).addWidget(self._stack, 1)
        QWidget.setTabOrder(self.toolbar.list_button, self.canvas)
        QWidget.setTabOrder(self.canvas, self.list)

    def _connect(self) -> None:
        self._plots.series_changed.connect(self.refresh_series)
        self.model.visibility_changed.connect(self._replan)
        self.list.highlighted.connect(self.canvas.set_highlighted)
        self.list.menu_requested.connect(self.open_series_menu)
        self.toolbar.cursors_toggled.connect(self.instruments.show_cursors)
        self.toolbar.figures_toggled.connect(self.instruments.show_figures)
        self.toolbar.trigger_toggled.connect(self.instruments.show_trigger)
        self.instruments.changed.connect(self._show_instruments)
        self.instruments.failed.connect(self.news.show_error)
        self.view_menu.failed.connect(self.news.show_error)
        self.toolbar.export_button.pressed.connect(lambda: self.pin_menu.choose(()))
        self.pin_menu.pinned.connect(lambda: self.news.tell(self.tr("The plot is in the chat.")))
        self.view_menu.layout_chosen.connect(self.show_layout)
        self.view_menu.layout_saved.connect(
            lambda name: self.news.tell(self.tr("Layout saved: {0}").format(name))
        )
        self.toolbar.pause_toggled.connect(self.toggle_pause)
        self.toolbar.window_chosen.connect(self.canvas.set_window)
        self.toolbar.mode_chosen.connect(self.set_mode)
        self.toolbar.clear_requested.connect(self.clear)
        self.toolbar.list_toggled.connect(self.side.setVisible)
        self.canvas.view_changed.connect(self._take_view)
        self.canvas.pointer_moved.connect(self._show_readings)
        self.canvas.menu_requested.connect(self._open_menu)
        self.canvas.content_height_changed.connect(self._size_scroll)
        self.scroll_bar.valueChanged.connect(self.canvas.set_scroll)
        self.controls.zoomed.connect(self.canvas.zoom)
        self.controls.followed.connect(self.canvas.follow)
        self.plots_side.saved.connect(self.exports.tell_saved)
        self.plots_side.told.connect(self.news.tell)
        self.plots_side.failed.connect(self.news.show_error)
        self.toolbar.record_pressed.connect(self.recordings.toggle)
        self.toolbar.sources_requested.connect(self.open_sources)
        self.recordings.state_changed.connect(self.toolbar.set_recording)
        self.recordings.replay_toggled.connect(self._take_replay)
        theme().theme_changed.connect(self._retranslate)
        self.plots_side.bind_keys(self)

    def _take_setting(self, key: str, value: object) -> None:
        if key == WINDOW and isinstance(value, int | float):
            self.canvas.set_window(float(value))

    def _advance(self) -> None:
        self._frame += 1
        if self._frame % LIST_EVERY == 0:
            self.refresh_series()
        self.instruments.advance()
        self.canvas.refresh()
        self.plots_side.advance(self.canvas.axis())

    def _take_replay(self, replaying: bool) -> None:
        """Other series are shown: of a recording, or again those that come now."""
        self.toolbar.set_replaying(replaying)
        self._count_at_hold = -1
        self.canvas.set_replaying(replaying)
        self.refresh_series()
        filled = replaying or self.model.rowCount() > 0
        self._stack.setCurrentIndex(1 if filled else 0)
        self.toolbar.set_enabled(filled)

    def _show_instruments(self) -> None:
        it = self.instruments
        self.toolbar.show_instruments(it.cursors.shown, it.measure_panel.isVisibleTo(self), it.trigger.on)
        self._show_state()

    def _replan(self) -> None:
        self.canvas.set_series(self.model.plotted(), self._mode)
        self.plots_side.set_series(self.model.plotted())

    def _take_view(self) -> None:
        following = self.canvas.view.following
        if following:
            self._count_at_hold = -1
        elif self._count_at_hold < 0:
            self._count_at_hold = sum(view.count for view in self._plots.series())
        self.toolbar.show_window(self.canvas.view.window_s)
        self._show_state()

    def _show_state(self) -> None:
        if self.instruments.trigger.on:
            self.toolbar.show_triggered()
            return
        missed = max(0, self.model.total_count() - max(0, self._count_at_hold))
        following = self.canvas.view.following
        self.toolbar.show_state(following, 0 if following else missed)

    def _show_readings(self) -> None:
        self.model.point(self.canvas.readings())
        moment = self.canvas.moment_text()
        self.moment.setText(self.tr("at {0}").format(moment) if moment else self.tr("newest values"))
        self.controls.setVisible(self.canvas.underMouse())
        self._place_controls()

    def _place_controls(self) -> None:
        self.controls.adjustSize()
        axis = self.canvas.axis()
        right = axis.left + axis.width - self.controls.width() - space(1)
        self.controls.move(max(0, right), space(7))
        self.controls.raise_()

    def _size_scroll(self, whole: int, visible: int) -> None:
        self.scroll_bar.setRange(0, max(0, whole - visible))
        self.scroll_bar.setPageStep(visible)
        self.scroll_bar.setSingleStep(space(8))
        self.scroll_bar.setVisible(whole > visible)

    def _zoom_all_values(self, factor: float) -> None:
        for frame in self.canvas.frames():
            self.canvas.zoom_values(frame, factor, frame.area.center().y())

    def _open_menu(self, at: QPoint) -> None:
        self.pin_menu.choose_at(at)
        self.toolbar.export_menu.popup(at)

    def _retranslate(self) -> None:
        self.list_header.set_text(self.tr("Series"))
        self.moment.setText(self.tr("newest values"))
        self.exports.fill_menu()
        self.pin_menu.setTitle(self.tr("Pin"))
        self.pin_menu.setIcon(icon("pin", "text_muted"))
        self.toolbar.export_menu.addMenu(self.pin_menu)
        self._show_state()
        self.toolbar.show_window(self.canvas.view.window_s)
