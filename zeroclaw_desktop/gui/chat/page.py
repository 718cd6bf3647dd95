"""The Chat page: puts transcript, approvals, input box and bench together and joins them to the bridge."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedLayout, QWidget

from zeroclaw_desktop.gui.actions import RULES_DETAIL, actions
from zeroclaw_desktop.gui.chat.approval_card import GUARD_MS, ApprovalCard
from zeroclaw_desktop.gui.chat.bench import Bench
from zeroclaw_desktop.gui.chat.composer import Composer, centred
from zeroclaw_desktop.gui.chat.empty_chat import EmptyChat
from zeroclaw_desktop.gui.chat.entries import (
    FINAL_STATES,
    AnswerEntry,
    Entry,
    FailureEntry,
    NoteEntry,
    PlotEntry,
    ToolEntry,
    Transcript,
    UserEntry,
    pins_of_call,
)
from zeroclaw_desktop.gui.chat.messages import AnswerMessage, Failure, Note, UserMessage
from zeroclaw_desktop.gui.chat.plot_entry import PlotMessage, PlotPins
from zeroclaw_desktop.gui.chat.tool_card import ToolCard
from zeroclaw_desktop.gui.chat.transcript_view import TranscriptView
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge
    from zeroclaw_desktop.bridge.views import ApprovalView, ErrorView, ToolCallView
    from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

BENCH_FROM_WIDTH = 1100
"""Below this width of the page, in logical pixels, the bench hides by itself."""
_AFTERGLOW_MS = 900
"""How long the pins of a command stay marked after it has ended: most commands take a few milliseconds."""
_LINE_CHARACTERS = 90
"""Characters of running text in a line of the transcript, for guessing heights."""
_MOST_SPARES = 16
"""Widgets of one kind that are kept for other entries."""
_WIDGETS: dict[type[Entry], type[QWidget]] = {
    UserEntry: UserMessage,
    AnswerEntry: AnswerMessage,
    ToolEntry: ToolCard,
    NoteEntry: Note,
    FailureEntry: Failure,
    PlotEntry: PlotMessage,
}


class _Stage(QWidget):
    """Takes the height that is left: what lies below, a question above all, gets its own first."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)

    def hasHeightForWidth(self) -> bool:
        """Claim no height, whatever texts inside would like."""
        return False


class ChatPage(QWidget):
    """Talk to the board and watch it.

    Args:
        bridge: the bridge objects; ``chat``, ``devices``, ``plots`` and ``safety`` are used.
        parent: parent widget.
        approval_guard_ms: how long a new approval card ignores clicks and keys.
        pins: where plots in the chat are kept; None for a chat without them.
    """

    def __init__(
        self,
        bridge: AppBridge,
        parent: QWidget | None = None,
        *,
        approval_guard_ms: int = GUARD_MS,
        pins: PlotPins | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._bridge = bridge
        self._guard_ms = approval_guard_ms
        self._pins = pins
        self._bench_wanted = True
        self._starting = False
        self.transcript = Transcript()
        self.view = TranscriptView(
            self._count, self._make_widget, self._show_entry, self._release, self._estimate
        )
        self.empty = EmptyChat()
        self.composer = Composer()
        self.approvals: dict[str, ApprovalCard] = {}
        self.bench = Bench(bridge.devices, bridge.plots)
        self.bench_button = IconButton("square-half")
        self._spares: dict[type[QWidget], list[QWidget]] = {}
        self._working: ToolCallView | None = None
        self._pointed: tuple[int, ...] = ()
        self._unsent = ""
        self._afterglow = QTimer(self)
        self._afterglow.setSingleShot(True)
        self._afterglow.setInterval(_AFTERGLOW_MS)
        self._afterglow.timeout.connect(self._end_work)
        self._lay_out()
        self._connect_bridge()
        self._connect_parts()
        self._retranslate()
        self._show_board_state()
        if pins is not None:
            pins.dashboards.chat_plots_changed.connect(self._take_plots)
            self._take_plots()

    def focus_input(self) -> None:
        """Give the keyboard to the input box."""
        self.composer.edit.setFocus()

    def show_detail(self, detail: str) -> None:
        """Put a sentence that another page suggests into the input box."""
        self.composer.edit.setPlainText(detail)
        self.focus_input()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the bench only where there is room for it."""
        super().resizeEvent(event)
        self._show_bench()

    def showEvent(self, event: QShowEvent) -> None:
        """Be ready for words at the first sight."""
        super().showEvent(event)
        if not event.spontaneous():
            self.focus_input()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def set_starting(self, starting: bool) -> None:
        """Be calm about boards while nobody can know yet which there are."""
        self._starting = starting
        self.bench.set_starting(starting)
        self._show_board_state()

    def restore(self, memory: PageMemory) -> None:
        """Take over what the person had chosen before."""
        self.set_bench_wanted(memory.flag("bench", True))

    def remember(self, memory: PageMemory) -> None:
        """Keep what the person has chosen."""
        memory.set_flag("bench", self._bench_wanted)

    def set_bench_wanted(self, wanted: bool) -> None:
        """Show or hide the bench; in a narrow window it stays hidden."""
        self._bench_wanted = wanted
        self._show_bench()

    def _lay_out(self) -> None:
        stage = _Stage()
        self._stack = QStackedLayout(stage)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        self._approval_column = column(gap=2)
        below = QWidget()
        lower = column(gap=2, parent=below)
        lower.addLayout(self._approval_column)
        lower.addWidget(self.composer)
        foot = row(gap=0, margins=(6, 2, 6, 4))
        foot.addWidget(centred(below, size("reading_width")))
        talk = QWidget()
        middle = column(gap=0, parent=talk)
        middle.addWidget(stage, 1)
        middle.addLayout(foot)
        self._talk = talk
        line = row(gap=0, parent=self)
        line.addWidget(talk, 8)
        line.addWidget(self.bench, 5)
        self.bench.setMaximumWidth(size("board_maximum_width"))
        self.bench_button.setParent(self)

    def _connect_bridge(self) -> None:
        chat, devices = self._bridge.chat, self._bridge.devices
        chat.user_message_added.connect(self._add_user)
        chat.answer_delta.connect(self._add_text)
        chat.answer_failed.connect(self._fail)
        chat.answer_finished.connect(self._finish)
        chat.tool_call_changed.connect(self._take_call)
        chat.turn_state_changed.connect(self._take_turn_state)
        chat.approval_requested.connect(self._ask)
        chat.approval_closed.connect(self._close_approval)
        self._bridge.approvals.changed.connect(self._show_rules)
        self._bridge.core_ready.connect(self._send_kept)
        devices.boards_changed.connect(self._show_board_state)
        devices.current_board_changed.connect(self._show_board_state)

    def _connect_parts(self) -> None:
        self.composer.sent.connect(self._send)
        self.composer.stop_requested.connect(self._bridge.chat.stop_turn)
        self.empty.suggestion_chosen.connect(self._send)
        self.empty.suggestion_chosen.connect(self.focus_input)
        self.empty.simulator_requested.connect(self._bridge.devices.start_simulator)
        self.bench.hide_requested.connect(lambda: self.set_bench_wanted(False))
        self.bench_button.clicked.connect(lambda: self.set_bench_wanted(True))
        self._stop_key = QShortcut(QKeySequence("Esc"), self)
        self._stop_key.setEnabled(False)
        self._stop_key.activated.connect(self._bridge.chat.stop_turn)
        QShortcut(QKeySequence("Ctrl+Shift+A"), self, self.focus_approval)

    def _send(self, text: str) -> None:
        if self.composer.is_running():
            return
        self.view.scroll_to_end()
        before = self._count()
        self._bridge.chat.send(text)
        if self._count() == before:
            self._keep_until_ready(text)

    def _keep_until_ready(self, text: str) -> None:
        """Nobody took the words as the core is still starting: keep them and send them when it is there."""
        self._unsent = text
        self.composer.edit.setPlainText(text)
        self.composer.set_starting(True)

    def _send_kept(self) -> None:
        self.composer.set_starting(False)
        if self._unsent and self.composer.edit.toPlainText().strip() == self._unsent:
            self._unsent = ""
            self.composer.submit()

    def _add_user(self, message_id: str, text: str) -> None:
        self.composer.edit.remember(text)
        self._refresh(self.transcript.add_user(message_id, text))
        self.view.scroll_to_end()

    def _add_text(self, turn_id: str, piece: str) -> None:
        self._refresh(self.transcript.add_text(turn_id, piece))

    def _fail(self, turn_id: str, error: ErrorView) -> None:
        self._refresh(self.transcript.fail(turn_id, error))

    def _finish(self, turn_id: str, outcome: str) -> None:
        self._refresh(self.transcript.finish(turn_id, outcome))

    def _take_call(self, call: ToolCallView) -> None:
        self._refresh(self.transcript.set_call(call))
        if call.state == "running":
            self._afterglow.stop()
            self._working = call
            self._show_work()
        elif call.state in FINAL_STATES and self._is_news(call):
            self._working = call
            self._show_work()
            self._afterglow.start()

    def _is_news(self, call: ToolCallView) -> bool:
        return self._working is None or self._working.call_id == call.call_id or self._afterglow.isActive()

    def _end_work(self) -> None:
        self._working = None
        self._show_work()

    def _point_at(self, call: ToolCallView | None) -> None:
        self._pointed = self._pins_of(call) if call is not None else ()
        self._show_work()

    def _show_work(self) -> None:
        """Mark the pins of what runs, else of what waits for an answer, else of the card pointed at."""
        if self._working is not None:
            self.bench.show_work(self._working.title, self._pins_of(self._working))
            return
        asked = [number for card in self.approvals.values() for number, _, _ in card.approval.pins]
        self.bench.show_work("", asked or self._pointed)

    def _pins_of(self, call: ToolCallView) -> tuple[int, ...]:
        """Return the pins of a call; one that names an LED but no pin means the board's own LED."""
        pins = pins_of_call(call)
        if pins or not call.name.startswith("led_"):
            return pins
        board = self._bridge.devices.current_board_id()
        return tuple(pin.number for pin in self._bridge.devices.pins(board) if pin.role == "led")

    def _take_turn_state(self, state: str) -> None:
        self.composer.set_turn_state(state)
        self._stop_key.setEnabled(self.composer.is_running())

    def _ask(self, approval: ApprovalView) -> None:
        if approval.approval_id in self.approvals:
            return
        card = ApprovalCard(approval, self._guard_ms)
        card.answered.connect(self._bridge.chat.answer_approval)
        card.rules_requested.connect(lambda: actions().open_page("activity", RULES_DETAIL))
        card.show_rules(len(self._bridge.approvals.rules()))
        self.approvals[approval.approval_id] = card
        self._approval_column.addWidget(card)
        # Shift+Tab in the input box reaches the answers.
        stops = [*card.buttons(), self.composer.edit]
        for earlier, later in pairwise(stops):
            QWidget.setTabOrder(earlier, later)
        if self._afterglow.isActive():
            self._afterglow.stop()
            self._working = None
        self._show_work()

    def _show_rules(self) -> None:
        number = len(self._bridge.approvals.rules()) if self.approvals else 0
        for card in self.approvals.values():
            card.show_rules(number)

    def _close_approval(self, approval_id: str, outcome: str) -> None:
        card = self.approvals.pop(approval_id, None)
        if card is None:
            return
        had_keyboard = card.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._approval_column.removeWidget(card)
        card.hide()
        card.deleteLater()
        if had_keyboard:
            self.focus_input()
        self._show_work()
        note = f"{card.approval.sentence}: {outcome}" if outcome else card.approval.sentence
        self._refresh(self.transcript.add_note("approval", note))

    def focus_approval(self) -> None:
        """Give the keyboard to the oldest question, on the answer that changes nothing."""
        for card in self.approvals.values():
            card.deny_button.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return

    def _refresh(self, numbers: list[int]) -> None:
        if numbers:
            self._stack.setCurrentWidget(self.view)
            self.view.refresh(numbers)

    def _follow_error(self, action: str) -> None:
        devices = self._bridge.devices
        if action == "retry":
            self._ask_again()
        elif action == "start_simulator":
            devices.start_simulator()
        elif action in ("connect", "reconnect"):
            devices.connect_board(devices.current_board_id())
        elif action == "release_stop":
            self._bridge.safety.release()
        elif action == "flash":
            actions().open_page("devices", "flash")
        elif action.startswith("open_"):
            actions().open_page(action.removeprefix("open_"))
        else:
            actions().help_requested.emit()

    def _ask_again(self) -> None:
        if text := self.transcript.last_user_text():
            self._send(text)

    def _count(self) -> int:
        return len(self.transcript.entries)

    def _make_widget(self, number: int) -> QWidget:
        entry = self.transcript.entries[number]
        spares = self._spares.get(_WIDGETS[type(entry)])
        widget = spares.pop() if spares else self._new_widget(entry)
        self._show_entry(number, widget)
        return widget

    def _take_plots(self) -> None:
        """Show the plots that are pinned into the chat."""
        if self._pins is not None:
            plots = self._pins.dashboards.book().chat_plots
            shown = [PlotEntry(plot.plot_id, plot.series, plot.window_s, plot.at) for plot in plots]
            self._refresh(self.transcript.show_plots(shown))

    def _new_widget(self, entry: Entry) -> QWidget:
        if isinstance(entry, PlotEntry) and self._pins is not None:
            plot = PlotMessage(self._pins)
            plot.removed.connect(self._pins.dashboards.unpin_from_chat)
            return plot
        widget = _WIDGETS[type(entry)]()
        if isinstance(widget, ToolCard):
            widget.action_requested.connect(self._follow_error)
            widget.call_pointed.connect(self._point_at)
        elif isinstance(widget, Note):
            widget.retry_requested.connect(self._ask_again)
        elif isinstance(widget, Failure):
            widget.action_requested.connect(self._follow_error)
        return widget

    def _release(self, widget: QWidget) -> None:
        """Keep a widget for another entry: to show new text takes a fraction of what a new widget takes."""
        spares = self._spares.setdefault(type(widget), [])
        if len(spares) >= _MOST_SPARES:
            widget.deleteLater()
            return
        if isinstance(widget, AnswerMessage | ToolCard):
            widget.reset()
        spares.append(widget)

    def _show_entry(self, number: int, widget: QWidget) -> None:
        entry = self.transcript.entries[number]
        match widget, entry:
            case (UserMessage(), UserEntry()):
                widget.show_entry(entry)
            case (AnswerMessage(), AnswerEntry()):
                widget.show_entry(entry)
            case (ToolCard(), ToolEntry()):
                widget.show_entry(entry)
            case (Note(), NoteEntry()):
                widget.show_entry(entry)
            case (Failure(), FailureEntry()):
                widget.show_entry(entry)
            case (PlotMessage(), PlotEntry()):
                widget.show_entry(entry)

    def _estimate(self, number: int, width: int) -> int:
        entry = self.transcript.entries[number]
        if isinstance(entry, UserEntry | AnswerEntry):
            characters = max(1, _LINE_CHARACTERS * width // size("reading_width"))
            lines = sum(1 + len(line) // characters for line in entry.text.split("\n"))
            return lines * space(5) + space(6)
        if isinstance(entry, PlotEntry):
            return space(8 if entry.removed else 56)
        return space(22) if isinstance(entry, ToolEntry | FailureEntry) else space(8)

    def _show_board_state(self, _board_id: str = "") -> None:
        missing = not self._starting and not self._bridge.devices.boards()
        self.empty.show_board_missing(missing and self.bench.isHidden())

    def _show_bench(self) -> None:
        wide = self.width() >= BENCH_FROM_WIDTH
        shown = wide and self._bench_wanted
        self.bench.setVisible(shown)
        self.bench_button.setVisible(wide and not shown)
        self.bench_button.move(self.width() - self.bench_button.width() - space(3), space(3))
        self.bench_button.raise_()
        self._show_board_state()

    def _retranslate(self) -> None:
        self.bench_button.set_name(self.tr("Show the bench"))
        self.view.setAccessibleName(self.tr("Conversation"))
        self.empty.show_suggestions(self._bridge.chat.suggestions())
