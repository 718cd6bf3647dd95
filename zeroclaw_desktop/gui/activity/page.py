"""The Activity page: lists at the left, the chosen task at the right; changes come in batches."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QLineEdit, QSplitter, QStackedLayout, QWidget

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.activity.history_model import HistoryModel
from zeroclaw_desktop.gui.activity.history_view import HistoryView
from zeroclaw_desktop.gui.activity.overview import Overview
from zeroclaw_desktop.gui.activity.present_list import FittingScroll, OutputList, RunningList
from zeroclaw_desktop.gui.activity.task_details import TaskDetails
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import SegmentedControl
from zeroclaw_desktop.gui.widgets.feedback import EmptyState
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.page_memory import PageMemory
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TrialView
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

HISTORY_ROWS = 2_000
SEARCH_DELAY_MS = 120
TICK_MS = 500
"""How often elapsed times move on while something runs or is held."""
TRIALS_KEPT = 50
STATES = ("", "completed", "failed", "cancelled")
_NEXT_STEP_PAGES = {
    "connect": "devices",
    "reconnect": "devices",
    "flash": "devices",
    "start_simulator": "devices",
    "open_devices": "devices",
    "open_logs": "logs",
    "open_settings": "settings",
}
_ALL = "all"


class ActivityPage(QWidget):
    """Everything that goes through the execution layer.

    Args:
        bridge: its ``activity`` is used, for the first try its ``devices``, to release a stop its ``safety``.
    """

    def __init__(self, bridge: AppBridge) -> None:
        super().__init__()
        self.setObjectName("page")
        self._bridge = bridge
        self._activity = bridge.activity
        self._selected = ""
        self._trying: set[str] = set()
        self._trials: OrderedDict[str, TrialView] = OrderedDict()
        self._session_titles: dict[str, str] = {}
        self._blink_when_live = False
        self._stale = True
        self.running, self.outputs = RunningList(), OutputList()
        self.model = HistoryModel()
        self.history = HistoryView(self.model)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.filter = SegmentedControl([(state or _ALL, "") for state in STATES])
        self.no_match = Text(tone="muted", wrap=True)
        self.details = TaskDetails()
        self.hint = Text(role="lead", tone="muted", wrap=True)
        self.overview = Overview()
        self.empty = EmptyState("activity")
        self._heads = {name: SectionHeader() for name in ("running", "outputs", "history")}
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(SEARCH_DELAY_MS)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._lay_out()
        self._connect()
        self._retranslate()
        self.refresh()

    def selected(self) -> str:
        """Return the id of the task whose details are shown, '' for none."""
        return self._selected

    def select(self, task_id: str) -> None:
        """Show a task's details, and where it stands in the list."""
        self._selected = task_id
        self._show_selected()
        self.history.reveal(task_id)

    def show_detail(self, detail: str) -> None:
        """Show the task with this id; another page asked for it."""
        self.select(detail)

    def focus_input(self) -> None:
        """Give the keyboard to the list."""
        self.history.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Take over everything from the bridge."""
        self._stale = False
        self._show_present()
        self._show_history()
        self._show_overview()
        self._show_selected()
        started = bool(self.running.rows or self.outputs.rows or self.model.rowCount() or self._is_filtered())
        self._stack.setCurrentIndex(0 if started else 1)

    def restore(self, memory: PageMemory) -> None:
        """Take over the splitter's place of the last window."""
        sizes = memory.numbers("splitter")
        if len(sizes) == 2 and min(sizes) > 0:
            self.splitter.setSizes(sizes)

    def remember(self, memory: PageMemory) -> None:
        """Hand the splitter's place to the next window."""
        memory.set_numbers("splitter", self.splitter.sizes())

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while nobody looked."""
        super().showEvent(event)
        if self._stale:
            self.refresh()
        self._tick.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the height between the lists anew."""
        super().resizeEvent(event)
        # The history keeps at least half of the page.
        self._present.setMaximumHeight(max(space(40), self.height() // 2))

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        super().hideEvent(event)
        self._tick.stop()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language; titles come from the bridge anew."""
        if event.type() == QEvent.Type.LanguageChange:
            self._session_titles.clear()
            self._retranslate()
            self.refresh()
        super().changeEvent(event)

    # inside

    def _lay_out(self) -> None:
        present = column(
            column(self._heads["running"], self.running, gap=1),
            column(self._heads["outputs"], self.outputs, gap=1),
            STRETCH,
            gap=4,
            margins=(4, 4, 3, 2),
        )
        self._present = FittingScroll(present)
        past = QWidget()
        lower = column(
            self._heads["history"],
            self.search,
            row(self.filter, STRETCH),
            gap=2,
            margins=(4, 2, 3, 3),
            parent=past,
        )
        lower.addWidget(self.no_match)
        lower.addWidget(self.history, 1)
        left = QWidget()
        left.setMinimumWidth(space(85))
        left_body = column(self._present, gap=0, parent=left)
        left_body.addWidget(past, 1)
        right = column(self.hint, self.details, self.overview, STRETCH, gap=5, margins=(3, 4, 6, 4))
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self._right = ScrollColumn(right)
        self.splitter.addWidget(self._right)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([space(100), space(200)])
        whole = QWidget()
        column(self.splitter, gap=0, parent=whole)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(whole)
        self._stack.addWidget(self.empty)

    def _connect(self) -> None:
        activity = self._activity
        activity.changed.connect(self._take_change)
        activity.trial_finished.connect(self._take_trial)
        self.running.task_chosen.connect(self.select)
        self.running.cancel_requested.connect(activity.cancel)
        self.outputs.release_requested.connect(self._release)
        self.outputs.task_chosen.connect(self.select)
        self.history.task_chosen.connect(self.select)
        self.details.cancel_requested.connect(lambda: activity.cancel(self._selected))
        self.details.trial.trial_requested.connect(self._try)
        self.details.action_requested.connect(self._take_next_step)
        self.search.textChanged.connect(lambda _: self._search_timer.start())
        self.search.returnPressed.connect(self._apply_filter)
        self._search_timer.timeout.connect(self._apply_filter)
        self.filter.chosen.connect(lambda _: self._apply_filter())
        self._tick.timeout.connect(self._move_on)
        self.empty.action_triggered.connect(self._try_first)
        self._bridge.devices.boards_changed.connect(self._blink_if_wanted)
        find = QShortcut(QKeySequence("Ctrl+F"), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._focus_search)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _take_change(self) -> None:
        if self.isVisible():
            self.refresh()
        else:
            self._stale = True

    def _move_on(self) -> None:
        """Let elapsed times grow; nothing else has changed."""
        if self.running.rows or self.outputs.rows:
            self._show_present()
            self._show_overview()
            task = self.details.task()
            if task is not None and task.can_cancel:
                self._show_selected()

    def _show_present(self) -> None:
        running, outputs = self._activity.running(), self._activity.outputs()
        self.running.show_tasks(running)
        self.outputs.show_outputs(outputs, [self._title_of(held.task_id, "") for held in outputs])
        self._show_heads(len(running), len(outputs))

    def _show_overview(self) -> None:
        self.overview.show_resources(self._activity.resources(), self._title_of)
        self.overview.show_budgets(self._activity.budgets(), self._session_title)

    def _show_history(self) -> None:
        state = self.filter.current()
        found = self._activity.history(self.search.text(), "" if state == _ALL else state, limit=HISTORY_ROWS)
        self.history.show_tasks(found)
        self.history.setVisible(bool(found))
        if not found:
            self.no_match.setText(
                self.tr("No task matches.") if self._is_filtered() else self.tr("No task has ended yet.")
            )
        self.no_match.setVisible(not found)
        if not self._selected and found and not self.running.rows:
            self._selected = found[0].task_id
        elif not self._selected and self.running.rows:
            self._selected = next(iter(self.running.rows))

    def _is_filtered(self) -> bool:
        return bool(self.search.text().strip()) or self.filter.current() != _ALL

    def _apply_filter(self) -> None:
        self._search_timer.stop()
        self._show_history()
        self._show_selected()

    def _show_selected(self) -> None:
        self.running.show_selected(self._selected)
        self.history.show_selected(self._selected)
        task = self._activity.task(self._selected) if self._selected else None
        self.details.setVisible(task is not None)
        self.hint.setVisible(task is None)
        if task is not None:
            self.details.show_task(task, self._activity.transitions(task.task_id))
            self.details.show_trial(self._trials.get(task.task_id), running=task.task_id in self._trying)

    def _title_of(self, task_id: str, otherwise: str | None = None) -> str:
        task = self._activity.task(task_id)
        if task is not None:
            return task.title
        return task_id if otherwise is None else otherwise

    def _session_title(self, session: str) -> str:
        """Return what a session's first known task did; the session's id when none is known."""
        own = self._activity.task(session)
        if own is not None:
            return own.title
        if session not in self._session_titles:
            first = self.model.first_of_session(session)
            if first is None:
                return session
            # A filter may hide that task later.
            self._session_titles[session] = first.title
        return self._session_titles[session]

    def _release(self, board_id: str, pin: int) -> None:
        self._activity.release_output(board_id, pin)

    def _try(self) -> None:
        if self._selected and self._selected not in self._trying:
            self._trying.add(self._selected)
            self._show_selected()
            self._activity.try_on_twin(self._selected)

    def _take_trial(self, trial: TrialView) -> None:
        self._trying.discard(trial.task_id)
        self._trials[trial.task_id] = trial
        self._trials.move_to_end(trial.task_id)
        while len(self._trials) > TRIALS_KEPT:
            self._trials.popitem(last=False)
        if trial.task_id == self._selected:
            self._show_selected()
            # The pictures of the pins may lie below the edge; they get their height first.
            QTimer.singleShot(
                0, self, lambda: self._right.ensureWidgetVisible(self.details.trial, 0, space(4))
            )

    def _take_next_step(self, action: str) -> None:
        if action in ("release", "release_stop"):
            self._bridge.safety.release()
        else:
            actions().open_page(_NEXT_STEP_PAGES.get(action, "devices"))

    def _try_first(self) -> None:
        self._blink_when_live = True
        if not self._blink_if_wanted():
            self._bridge.devices.start_simulator()

    def _blink_if_wanted(self) -> bool:
        """Blink the LED of the simulated board if the empty page's button asked for it; whether it did."""
        devices = self._bridge.devices
        boards = (board for board in devices.boards() if board.simulated and board.state == "live")
        live = next(boards, None)
        if not self._blink_when_live or live is None:
            return False
        self._blink_when_live = False
        devices.run_command(live.board_id, "led_blink", {"count": 3})
        return True

    def _show_heads(self, running: int, outputs: int) -> None:
        def head(text: str, number: int) -> str:
            return f"{text}  {number}" if number else text

        self._heads["running"].set_text(head(self.tr("Running"), running))
        self._heads["outputs"].set_text(head(self.tr("Held outputs"), outputs))
        self._heads["history"].set_text(self.tr("History"))

    def _retranslate(self) -> None:
        self.search.setPlaceholderText(self.tr("Search (Ctrl+F)"))
        self.search.setAccessibleName(self.tr("Search in the history"))
        self.filter.set_texts([self.tr("All"), self.tr("Done"), self.tr("Failed"), self.tr("Cancelled")])
        self.filter.setAccessibleName(self.tr("State that is shown"))
        self.hint.setText(self.tr("Choose a task to see its steps, pins and result."))
        self.empty.set_texts(
            self.tr("Every command that moves or reads a board appears here, with its steps and its pins."),
            self.tr("Blink the LED of the simulated board"),
            self.tr("Whoever asked for it: you, the assistant or a schedule. No hardware is needed."),
        )
