"""The main window: frame, navigation, emergency stop, memory. Pages come in as ``PageSpec``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QIcon, QKeySequence, QPaintEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.gui.actions import STOP_KEY, actions
from zeroclaw_desktop.gui.main_window.activity_bar import ActivityBar
from zeroclaw_desktop.gui.main_window.file_drop import FileDrop
from zeroclaw_desktop.gui.main_window.header import Header
from zeroclaw_desktop.gui.main_window.long_escape import LongEscape
from zeroclaw_desktop.gui.main_window.page_spec import PageSpec
from zeroclaw_desktop.gui.main_window.status_bar import StatusBar
from zeroclaw_desktop.gui.main_window.window_memory import WindowMemory
from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.gui.main_window.shortcuts_sheet import ShortcutsSheet
    from zeroclaw_desktop.gui.main_window.strips import DryRunStrip, InterruptedStrip, StopStrip

WELCOME = "welcome"
DRY_RUN = "execution.dry_run"


class MainWindow(QMainWindow):
    """The frame.

    Args:
        bridge: the bridge objects; only ``safety``, ``devices``, the status, and after the first page the
            approvals of ``chat``, the dry run of ``settings`` and the tasks of ``recovery`` are used here.
        pages: pages in the order of the activity bar.
        memory_folder: the ZeroClaw home folder, for ``window.ini``; None remembers nothing.
    """

    stop_strip: StopStrip
    dry_run_strip: DryRunStrip
    interrupted_strip: InterruptedStrip

    def __init__(
        self, bridge: AppBridge, pages: Sequence[PageSpec], memory_folder: Path | None = None
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._specs = {spec.key: spec for spec in pages}
        self._pages: dict[str, QWidget] = {}
        self._current = ""
        self._shortcuts_sheet: ShortcutsSheet | None = None
        self.memory = WindowMemory(memory_folder)
        self.setWindowTitle("ZeroClaw Desktop")
        self.setMinimumSize(size("window_minimum_width"), size("window_minimum_height"))
        self.activity_bar = ActivityBar(pages)
        self.header = Header()
        self._strips: tuple[StopStrip, DryRunStrip, InterruptedStrip] | None = None
        self.long_escape = LongEscape(self)
        self.file_drop = FileDrop(self)
        self._questions: list[str] = []
        self._interrupted: set[int] = set()
        self._seen_interrupted: set[int] = set()
        """Interrupted tasks, and those of them that the person has seen on their page."""
        self._painted = self._core_ready = self._simulator_wanted = self._was_maximized = False
        self.stack = QStackedWidget()
        self.stack.setObjectName("pages")
        self.status_line = StatusBar()
        self._lay_out()
        self._connect()
        self._bind_keys()
        self.setGeometry(self.memory.geometry())
        self.status_line.show_status(bridge.status())
        first = self.memory.text("frame/page")
        self._enter(first if first in self._specs else WELCOME)

    def page(self, key: str) -> QWidget | None:
        """Return a page if it was opened before, else None."""
        return self._pages.get(key)

    def current_page(self) -> str:
        """Return the key of the page that is shown."""
        return self._current

    def show_page(self, key: str, detail: str = "") -> None:
        """Show a page, making it on the first visit; an unknown key is ignored.

        Args:
            key: a page's key or ``welcome``.
            detail: handed to the page's ``show_detail``.
        """
        if key != WELCOME and key not in self._specs:
            return
        if self._shortcuts_sheet is not None:
            self._shortcuts_sheet.close_sheet()
        self._enter(key)
        page = self._pages.get(key)
        if page is None:
            page = self._make_page(key)
        self.stack.setCurrentWidget(page)
        self._show_interrupted()
        if detail and callable(show_detail := getattr(page, "show_detail", None)):
            show_detail(detail)

    def stop_everything(self, source: str = "key") -> None:
        """Stop everything through the safety bridge; ``source`` says what was pressed."""
        self._bridge.safety.stop_everything(source)

    def showEvent(self, event: QShowEvent) -> None:
        """Watch for Esc in the native window, which is there from now on."""
        super().showEvent(event)
        self.long_escape.watch(self.windowHandle())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Make the first page once the frame has been painted, so that its modules do not delay the frame."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._complete)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.activity_bar.retranslate()
            for strip in self._strips or ():
                strip.retranslate()
            self.status_line.retranslate()
            self._show_title()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember size, place and page."""
        area = self.normalGeometry() if self.isMaximized() or self.isFullScreen() else self.geometry()
        self.memory.set_numbers("frame/geometry", [area.x(), area.y(), area.width(), area.height()])
        if self._current != WELCOME:
            self.memory.set_text("frame/page", self._current)
        for key, page in self._pages.items():
            if callable(remember := getattr(page, "remember", None)):
                remember(self.memory.of_page(key))
        self.memory.save()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self._right = column(self.header, gap=0)
        self._right.addWidget(self.stack, 1)
        upper = row(gap=0)
        upper.addWidget(self.activity_bar)
        upper.addLayout(self._right, 1)
        centre = QWidget()
        outer = column(gap=0, parent=centre)
        outer.addLayout(upper, 1)
        outer.addWidget(self.status_line)
        self.setCentralWidget(centre)
        # Without this the first button of the activity bar would start with a focus ring.
        self.stack.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        self.activity_bar.page_chosen.connect(self.show_page)
        self.status_line.page_chosen.connect(self.show_page)
        self.header.stop_button.stop_pressed.connect(lambda: self.stop_everything("button"))
        self.long_escape.held.connect(lambda: self.stop_everything("key"))
        self.long_escape.progressed.connect(self.header.stop_button.set_held)
        self.status_line.question_chosen.connect(self.show_question)
        self._bridge.status_changed.connect(self.status_line.show_status)
        self._bridge.core_ready.connect(self._take_core)
        shared = actions()
        shared.page_requested.connect(self.show_page)
        shared.stop_requested.connect(self.stop_everything)
        shared.help_requested.connect(self.show_shortcuts)
        shared.question_requested.connect(self.show_question)
        shared.full_screen_requested.connect(self.toggle_full_screen)

    def _make_strips(self) -> None:
        """Make the bars over the page, once."""
        if self._strips is not None:
            return
        from zeroclaw_desktop.gui.main_window.strips import DryRunStrip, InterruptedStrip, StopStrip

        self.stop_strip, self.dry_run_strip, self.interrupted_strip = self._strips = (
            StopStrip(),
            DryRunStrip(),
            InterruptedStrip(),
        )
        for place, strip in enumerate(self._strips, start=1):
            self._right.insertWidget(place, strip)
        self.stop_strip.release_requested.connect(self._release_stop)
        self.interrupted_strip.show_requested.connect(lambda: self.show_page("activity"))
        self._bridge.safety.stop_changed.connect(self.stop_strip.show_report)
        self.stop_strip.show_report(self._bridge.safety.report())

    def _bind_keys(self) -> None:
        stop = QShortcut(QKeySequence(STOP_KEY), self)
        stop.setContext(Qt.ShortcutContext.ApplicationShortcut)
        stop.setAutoRepeat(False)
        stop.activated.connect(lambda: self.stop_everything("key"))
        for number, key in enumerate(self._specs, start=1):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda page=key: self.show_page(page))
        QShortcut(QKeySequence("Ctrl+,"), self, lambda: self.show_page("settings"))
        QShortcut(QKeySequence("Ctrl+L"), self, self._focus_chat)
        QShortcut(QKeySequence("F1"), self, self.show_shortcuts)
        QShortcut(QKeySequence("F11"), self, self.toggle_full_screen)

    def toggle_full_screen(self) -> None:
        """Let the page fill the screen, or no longer; title and Stop button stay."""
        full = not self.isFullScreen()
        self.activity_bar.setVisible(not full)
        self.status_line.setVisible(not full)
        if full:
            self._was_maximized = self.isMaximized()
            self.showFullScreen()
        elif self._was_maximized:
            self.showMaximized()
        else:
            self.showNormal()

    def show_shortcuts(self) -> None:
        """Open the sheet with all keys."""
        if self._shortcuts_sheet is None:
            from zeroclaw_desktop.gui.main_window.shortcuts_sheet import ShortcutsSheet

            self._shortcuts_sheet = ShortcutsSheet(self.stack, len(self._specs))
        self._shortcuts_sheet.open_sheet()

    def _release_stop(self) -> None:
        # The strip vanishes under the keyboard; without this the next part in the tab order would get it.
        self.focus_page()
        self._bridge.safety.release()

    def focus_page(self) -> None:
        """Give the keyboard to the page that is shown."""
        if callable(focus := getattr(self._pages.get(self._current), "focus_input", None)):
            focus()
        else:
            self.stack.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_question(self) -> None:
        """Show the question that waits and give it the keyboard: the person asked for it."""
        self.show_page("chat")
        if callable(focus := getattr(self._pages.get("chat"), "focus_approval", None)):
            focus()

    def _follow_core(self) -> None:
        """Listen to what the frame shows of chat, settings and recovery, imported after the first paint."""
        chat, settings = self._bridge.chat, self._bridge.settings
        chat.approval_requested.connect(lambda approval: self._add_question(approval.approval_id))
        chat.approval_closed.connect(lambda approval_id, _outcome: self._end_question(approval_id))
        settings.setting_changed.connect(self._take_setting)
        self.dry_run_strip.off_requested.connect(self._end_dry_run)
        self._take_setting(DRY_RUN, settings.value(DRY_RUN))
        self._bridge.recovery.changed.connect(self._take_interrupted)
        self._take_interrupted()

    def _end_dry_run(self) -> None:
        self.focus_page()
        self._bridge.settings.set_value(DRY_RUN, False)

    def _take_core(self) -> None:
        self._core_ready = True
        if self._simulator_wanted:
            self._bridge.devices.start_simulator()

    def _take_setting(self, key: str, value: object) -> None:
        if key == DRY_RUN:
            self.dry_run_strip.setVisible(bool(value))

    def _take_interrupted(self) -> None:
        self._interrupted = {task.number for task in self._bridge.recovery.interrupted()}
        self._show_interrupted()

    def _show_interrupted(self) -> None:
        """Say how many tasks were interrupted; loudly until the person has opened their page."""
        if self._current == "activity":
            self._seen_interrupted |= self._interrupted
        unseen = self._interrupted - self._seen_interrupted
        self.interrupted_strip.show_number(len(self._interrupted) if unseen else 0)
        self.status_line.show_interrupted(len(self._interrupted))
        if "activity" in self.activity_bar.buttons:
            self.activity_bar.buttons["activity"].show_waiting(len(self._interrupted))

    def _add_question(self, approval_id: str) -> None:
        if approval_id not in self._questions:
            self._questions.append(approval_id)
        self._show_questions()

    def _end_question(self, approval_id: str) -> None:
        if approval_id in self._questions:
            self._questions.remove(approval_id)
        self._show_questions()

    def _show_questions(self) -> None:
        waiting = len(self._questions)
        self.status_line.show_waiting(waiting)
        if "chat" in self.activity_bar.buttons:
            self.activity_bar.buttons["chat"].show_waiting(waiting)

    def _focus_chat(self) -> None:
        self.show_page("chat")
        if callable(focus := getattr(self._pages.get("chat"), "focus_input", None)):
            focus()

    def _complete(self) -> None:
        if not self._pages:
            self.show_page(self._current)
        self._follow_core()
        self.setWindowIcon(QIcon(str(resource_path("icons/zeroclaw.svg"))))

    def _enter(self, key: str) -> None:
        self._current = key
        self.activity_bar.set_current(key)
        self._show_title()

    def _make_page(self, key: str) -> QWidget:
        self._make_strips()
        if key == WELCOME:
            from zeroclaw_desktop.gui.main_window.welcome import WelcomePage

            welcome = WelcomePage()
            welcome.simulator_chosen.connect(self._start_simulator)
            welcome.chat_chosen.connect(lambda: self.show_page("chat"))
            self._bridge.status_changed.connect(
                lambda status: welcome.show_board(status.live_board), Qt.ConnectionType.AutoConnection
            )
            welcome.show_board(self._bridge.status().live_board)
            welcome.board_chosen.connect(lambda: self.show_page("devices"))
            welcome.settings_chosen.connect(lambda: self.show_page("settings"))
            page: QWidget = welcome
        else:
            page = self._specs[key].factory()
        self._pages[key] = page
        if callable(restore := getattr(page, "restore", None)):
            restore(self.memory.of_page(key))
        self.stack.addWidget(page)
        return page

    def _start_simulator(self) -> None:
        self._bridge.devices.start_simulator()
        if not self._core_ready:
            # Nobody heard it: the core is still starting.
            self._simulator_wanted = True
        self.show_page("devices")

    def _show_title(self) -> None:
        spec = self._specs.get(self._current)
        self.header.set_title(spec.shown_title() if spec else self.tr("Welcome"))
