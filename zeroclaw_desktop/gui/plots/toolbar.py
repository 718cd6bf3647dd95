"""The strip over the plot: pause, window length, how panels are formed, zoom, export, clear."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.panels import MODES
from zeroclaw_desktop.gui.plots.ticks import duration_text
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton, MenuButton
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import ElidedText
from zeroclaw_desktop.gui.widgets.layout import row

WINDOWS_S = (5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)


class PlotToolbar(QFrame):
    """Controls of the plots page; it holds no state of its own."""

    pause_toggled = Signal()
    window_chosen = Signal(float)
    mode_chosen = Signal(str)
    clear_requested = Signal()
    list_toggled = Signal(bool)
    cursors_toggled = Signal(bool)
    figures_toggled = Signal(bool)
    trigger_toggled = Signal(bool)
    record_pressed = Signal()
    sources_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.pause_button = Button("", "secondary", "pause")
        self.pause_button.clicked.connect(self.pause_toggled)
        self.state = Badge("", "live")
        # It takes all free room and is cut where there is none: the strip must fit into a small window.
        self.missed = ElidedText("", "caption", "muted")
        self.missed.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.window_box = ChoiceList()
        self.window_box.setMinimumWidth(space(22))
        for seconds in WINDOWS_S:
            self.window_box.addItem(duration_text(seconds), seconds)
        self.window_box.activated.connect(lambda at: self.window_chosen.emit(WINDOWS_S[at]))
        self.mode_box = ChoiceList()
        for mode in MODES:
            self.mode_box.addItem("", mode)
        self.mode_box.activated.connect(lambda at: self.mode_chosen.emit(MODES[at]))
        self.cursors_button = IconButton("cursors", checkable=True)
        self.cursors_button.clicked.connect(self.cursors_toggled)
        self.figures_button = IconButton("figures", checkable=True)
        self.figures_button.clicked.connect(self.figures_toggled)
        self.trigger_button = IconButton("trigger", checkable=True)
        self.trigger_button.clicked.connect(self.trigger_toggled)
        self.analyse_button = MenuButton("analyse")
        self.analyse_menu = QMenu(self)
        actions().guard(self.analyse_menu)
        self.analyse_button.take_menu(self.analyse_menu)
        self.view_button = Button("", "secondary", "layout")
        self.record_button = IconButton("record", ink="danger_ink")
        self.record_button.clicked.connect(self.record_pressed)
        self.files_button = MenuButton("folder")
        self.sources_button = IconButton("sources")
        self.sources_button.clicked.connect(self.sources_requested)
        self.export_button = Button("", "secondary", "export")
        self.export_menu = QMenu(self)
        actions().guard(self.export_menu)
        self.export_button.setMenu(self.export_menu)
        self.clear_button = IconButton("clear")
        self.clear_button.clicked.connect(self.clear_requested)
        self.list_button = IconButton("logs", checkable=True)
        self.list_button.setChecked(True)
        self.list_button.toggled.connect(self.list_toggled)
        # Close together, so that the strip fits into the smallest window.
        measuring = row(
            self.cursors_button, self.figures_button, self.trigger_button, self.analyse_button, gap=0.5
        )
        keeping = row(
            self.record_button,
            self.files_button,
            self.sources_button,
            self.clear_button,
            self.list_button,
            gap=0.5,
        )
        row(
            self.pause_button,
            self.state,
            self.missed,
            self.window_box,
            self.mode_box,
            measuring,
            self.view_button,
            self.export_button,
            keeping,
            parent=self,
        )
        self._following = True
        self._replaying = self._recording = False
        self._missed = 0
        self._retranslate()

    def show_triggered(self) -> None:
        """Show that the trigger decides what is visible."""
        self.show_state(True, 0)
        self.state.set_state(self.tr("Trigger"), "busy")

    def show_state(self, following: bool, missed: int) -> None:
        """Show whether the plot is live, and how many samples came while it was not."""
        self._following, self._missed = following, missed
        self.pause_button.setText(self.tr("Pause") if following else self.tr("Resume"))
        self.pause_button.set_icon_name("pause" if following else "play")
        self.pause_button.set_role("secondary" if following else "primary")
        if following and self._replaying:
            self.state.set_state(self.tr("Replay"), "simulated")
        else:
            self.state.set_state(
                self.tr("Live") if following else self.tr("Paused"), "live" if following else "waits"
            )
        text = "" if following else self.tr("{0} new samples, all kept").format(f"{missed:,}")
        self.missed.set_text(text)

    def set_replaying(self, replaying: bool) -> None:
        """Say that what is followed is a replay and not the present."""
        self._replaying = replaying
        self.show_state(self._following, self._missed)

    def set_recording(self, recording: bool) -> None:
        """Show whether the button ends a recording or begins one."""
        self._recording = recording
        self.record_button.set_icon_name("stop_small" if recording else "record")
        name = self.tr("Stop recording") if recording else self.tr("Record everything that comes…")
        self.record_button.set_name(name)

    def show_instruments(self, cursors: bool, figures: bool, trigger: bool) -> None:
        """Show which instruments are on."""
        self.cursors_button.setChecked(cursors)
        self.figures_button.setChecked(figures)
        self.trigger_button.setChecked(trigger)

    def show_mode(self, mode: str) -> None:
        """Show how panels are formed: one of ``panels.MODES``."""
        self.mode_box.setCurrentIndex(MODES.index(mode))

    def show_window(self, seconds: float) -> None:
        """Show the length of the visible stretch; one that is not in the list is shown as it is."""
        at = next((n for n, known in enumerate(WINDOWS_S) if abs(known - seconds) < 1e-6), -1)
        self.window_box.setPlaceholderText(duration_text(seconds))
        self.window_box.setCurrentIndex(at)

    def set_enabled(self, filled: bool) -> None:
        """Enable what needs curves."""
        parts: tuple[QWidget, ...] = (
            self.pause_button,
            self.cursors_button,
            self.figures_button,
            self.trigger_button,
            self.analyse_button,
            self.view_button,
            self.export_button,
            self.clear_button,
        )
        for part in parts:
            part.setEnabled(filled)
        self.state.setVisible(filled)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.pause_button.setToolTip(self.tr("Pause or resume (Space). Paused plots go on recording."))
        self.window_box.setToolTip(self.tr("Length of time that is shown"))
        self.window_box.setAccessibleName(self.tr("Length of time that is shown"))
        for at, text in enumerate((self.tr("By unit"), self.tr("Separate"), self.tr("Together"))):
            self.mode_box.setItemText(at, text)
        self.mode_box.setToolTip(self.tr("One panel for each unit, one for each series, or one for all"))
        self.mode_box.setAccessibleName(self.tr("How panels are formed"))
        self.cursors_button.set_name(self.tr("Cursors with differences (C)"))
        self.figures_button.set_name(self.tr("Figures of the visible stretch (M)"))
        self.trigger_button.set_name(self.tr("Trigger (T)"))
        self.analyse_button.set_name(self.tr("Analyse: spectrum, histogram or X-Y of what is visible"))
        self.view_button.setText(self.tr("View"))
        self.export_button.setText(self.tr("Export"))
        self.set_recording(self._recording)
        self.files_button.set_name(self.tr("Open a recording"))
        self.sources_button.set_name(self.tr("Sources, counters and memory…"))
        self.clear_button.set_name(self.tr("Clear all curves"))
        self.list_button.set_name(self.tr("Show or hide the list of series"))
        self.show_state(self._following, self._missed)


class HoverControls(QFrame):
    """Zoom buttons that appear over the plot while the pointer is there."""

    zoomed = Signal(float)
    followed = Signal()

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setProperty("role", "card")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.in_button = IconButton("zoom_in", small=True)
        self.in_button.clicked.connect(lambda: self.zoomed.emit(0.5))
        self.out_button = IconButton("zoom_out", small=True)
        self.out_button.clicked.connect(lambda: self.zoomed.emit(2.0))
        self.follow_button = IconButton("zoom_fit", small=True)
        self.follow_button.clicked.connect(self.followed)
        # The keyboard does the same by + - and F, so these are no stops of the tab key.
        for button in (self.in_button, self.out_button, self.follow_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row(self.in_button, self.out_button, self.follow_button, gap=0, margins=(0.5,), parent=self)
        self.hide()
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.in_button.set_name(self.tr("Zoom in (+)"))
        self.out_button.set_name(self.tr("Zoom out (-)"))
        self.follow_button.set_name(self.tr("Follow the present and fit (F)"))
