"""Recording and replay as deeds of the plots page: button, menu, dropped files."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.page_news import PageNews, open_folder
from zeroclaw_desktop.gui.plots.recording.record_strip import RecordStrip
from zeroclaw_desktop.gui.plots.recording.replay_bar import ReplayBar
from zeroclaw_desktop.gui.theme import icon
from zeroclaw_desktop.gui.widgets.file_dialogs import ask_existing_file, ask_new_file

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

LOOK_MS = 250
ENDING = ".zcrec"
RECORDING = "recording"


class Recordings(QObject):
    """Starts, ends, opens and replays recordings.

    Args:
        page: dialogs belong to it; recordings can be dropped on it.
        bridge: its ``plot_tools`` and ``plot_sources`` are used.
        news: says what became of a deed.

    Attributes:
        strip: shown while a recording goes on.
        bar: shown while a replay is open.
        menu: opens recordings.
    """

    state_changed = Signal(bool)
    """Whether a recording goes on."""
    replay_toggled = Signal(bool)
    """A replay was opened, or the plots are live again."""

    def __init__(self, page: QWidget, bridge: AppBridge, news: PageNews) -> None:
        super().__init__(page)
        self._page, self._news = page, news
        self._tools, self._habits = bridge.plot_tools, bridge.plot_sources
        self._replaying = False
        self.strip, self.bar = RecordStrip(), ReplayBar()
        self.menu = QMenu(page)
        actions().guard(self.menu)
        self.menu.aboutToShow.connect(self.fill_menu)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self.strip.stop_requested.connect(self.stop)
        self.bar.play_toggled.connect(self._toggle_play)
        self.bar.sought.connect(self._seek)
        self.bar.speed_chosen.connect(lambda speed: self._tell_fault(self._tools.set_speed(speed)))
        self.bar.closed.connect(self._tools.close_replay)
        self._tools.recording_changed.connect(self.look)
        self._tools.replay_changed.connect(self._show_replay)
        self._tools.replay_failed.connect(self._news.show_error)
        page.setAcceptDrops(True)
        page.installEventFilter(self)
        self.look()
        self._show_replay()

    # recording

    def toggle(self) -> None:
        """Ask where to record to, or end the recording that goes on."""
        if self._tools.recording() is None:
            self.ask_start()
        else:
            self.stop()

    def ask_start(self) -> None:
        """Open the dialog that asks where to record to."""
        name = f"recording {datetime.now():%Y-%m-%d %H%M%S}{ENDING}"
        kinds = self.tr("Recordings") + " (*.zcrec)"
        ask_new_file(self._page, self.tr("Record"), name, kinds, self.start, self._folder())

    def start(self, path: str) -> None:
        """Record to a new file."""
        self._tell_fault(self._tools.start_recording(path))

    def stop(self) -> None:
        """End the recording; what is to be done with it is offered then."""
        view = self._tools.recording()
        if view is not None:
            self.strip.stop_button.setEnabled(False)
            self._tools.stop_recording(lambda fault: self._ended(view.path, fault))

    def look(self) -> None:
        """Show how the recording goes; one that ended by itself is told."""
        view = self._tools.recording()
        if view is not None and view.fault is not None:
            path = view.path
            self._tools.stop_recording(lambda fault: self._ended(path, fault))
            view = None
        if (view is not None) != self._timer.isActive():
            if view is None:
                self._timer.stop()
            else:
                self._timer.start()
            self.strip.stop_button.setEnabled(True)
            self.state_changed.emit(view is not None)
        self.strip.show_recording(view)

    def _ended(self, path: str, fault: ErrorView | None) -> None:
        self.look()
        if fault is not None:
            self._news.show_error(fault)
            return
        self._news.tell(
            self.tr("Recorded: {0}").format(Path(path).name),
            self.tr("Open here"),
            lambda: self.open(path),
            second=self.tr("Open folder"),
            second_deed=lambda: open_folder(str(Path(path).parent)),
            lasting=True,
        )

    # replay

    def fill_menu(self) -> None:
        """List what can be opened."""
        self.menu.clear()
        self.menu.addAction(icon("folder", "text_muted"), self.tr("Open recording…"), self.ask_open)
        recent = self._habits.recent()
        if recent:
            self.menu.addSection(self.tr("Recent"))
        for path in recent:
            action = self.menu.addAction(icon("file", "text_muted"), Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, chosen=path: self.open(chosen))

    def ask_open(self) -> None:
        """Open the dialog that asks for a recording."""
        kinds = self.tr("Recordings") + f" (*{ENDING});;" + self.tr("All files") + " (*)"
        ask_existing_file(self._page, self.tr("Open recording"), kinds, self.open, self._folder())

    def open(self, path: str) -> None:
        """Show a recording instead of what comes now, and play it."""
        fault = self._tools.open_replay(path)
        self._tell_fault(fault)
        if fault is None:
            self._tools.play()

    def _toggle_play(self) -> None:
        view = self._tools.replay()
        if view is None:
            return
        if view.playing:
            self._tools.pause()
            return
        if view.at_end:
            self._tools.seek(view.start)
        self._tools.play()

    def _seek(self, position: float) -> None:
        self._tell_fault(self._tools.seek(position))

    def _show_replay(self) -> None:
        view = self._tools.replay()
        self.bar.show_replay(view)
        if (view is not None) != self._replaying:
            self._replaying = view is not None
            self.replay_toggled.emit(self._replaying)

    # inside

    def _folder(self) -> str:
        return self._habits.folder(RECORDING)

    def _tell_fault(self, fault: ErrorView | None) -> None:
        if fault is not None:
            self._news.show_error(fault)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a recording that is dropped on the page; everything else goes on to the window."""
        if isinstance(event, QDropEvent | QDragEnterEvent | QDragMoveEvent):
            path = _dropped(event)
            if path:
                event.acceptProposedAction()
                if event.type() == QEvent.Type.Drop:
                    self.open(path)
                return True
        return super().eventFilter(watched, event)


def _dropped(event: QDropEvent) -> str:
    """Return the path of the first recording that is dragged; '' for none."""
    paths = (url.toLocalFile() for url in event.mimeData().urls())
    return next((path for path in paths if path.lower().endswith(ENDING)), "")
