"""The Activity page: lists at the left, the chosen task at the right; changes come in batches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from zeroclaw_desktop.gui.actions import RULES_DETAIL, actions
from zeroclaw_desktop.gui.activity.history_panel import HistoryPanel
from zeroclaw_desktop.gui.activity.interrupted_card import InterruptedCard
from zeroclaw_desktop.gui.activity.overview import Overview
from zeroclaw_desktop.gui.activity.present_list import FittingScroll, OutputList, RunningList
from zeroclaw_desktop.gui.activity.rules_card import RulesCard
from zeroclaw_desktop.gui.activity.task_details import TaskDetails
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.feedback import EmptyState
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column
from zeroclaw_desktop.gui.widgets.page_memory import PageMemory
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import (
        HistoryPage,
        TaskRecord,
        TaskView,
        TransitionView,
        TrialView,
    )
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

TICK_MS = 500
"""How often elapsed times move on while something runs or is held."""
FOREIGN_TICKS = 4
"""Every so many ticks, other programs' entries in the journal are looked for."""
TRIALS_KEPT = 50
_NEXT_STEP_PAGES = {
    "connect": "devices",
    "reconnect": "devices",
    "flash": "devices",
    "start_simulator": "devices",
    "open_devices": "devices",
    "open_logs": "logs",
    "open_settings": "settings",
}


class ActivityPage(QWidget):
    """Everything that goes through the execution layer.

    Args:
        bridge: its ``activity``, ``approvals`` and ``recovery`` are used, for the first try its ``devices``,
            to release a stop its ``safety``.
    """

    def __init__(self, bridge: AppBridge) -> None:
        super().__init__()
        self.setObjectName("page")
        self._bridge = bridge
        self._activity = bridge.activity
        self._selected, self._number = "", 0
        """Id of the task whose details are shown, and its number in the journal when that is known."""
        self._record: TaskRecord | None = None
        self._asked_for = ("", 0, "")
        """Id, number and state of the task whose steps the journal was asked for last."""
        self._ticks = 0
        self._trying: set[str] = set()
        self._trials: OrderedDict[str, TrialView] = OrderedDict()
        self._session_titles: dict[str, str] = {}
        self._blink_when_live = False
        self._stale = True
        self.running, self.outputs = RunningList(), OutputList()
        self.interrupted = InterruptedCard()
        self.rules = RulesCard()
        self.past = HistoryPanel()
        self.details = TaskDetails()
        self.hint = Text(role="lead", tone="muted", wrap=True)
        self.overview = Overview()
        self.empty = EmptyState("activity")
        self._heads = {name: SectionHeader() for name in ("running", "outputs")}
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._lay_out()
        self._connect()
        self._retranslate()
        self.refresh()
        self._show_interrupted()
        self._show_rules()
        self._activity.ask_history(self.past.query())

    def selected(self) -> str:
        """Return the id of the task whose details are shown, '' for none."""
        return self._selected

    def select(self, task_id: str, number: int = 0) -> None:
        """Show a task's details, and where it stands in the list.

        Args:
            number: of its entry in the journal; 0 for the latest with this id.
        """
        self._selected, self._number = task_id, number
        self._show_selected()
        self.past.view.reveal(task_id, number)

    def show_detail(self, detail: str) -> None:
        """Show the task with this id, or the remembered answers; another page asked for it."""
        if detail != RULES_DETAIL:
            self.select(detail)
        elif self.rules.rows:
            next(iter(self.rules.rows.values())).revoke_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_input(self) -> None:
        """Give the keyboard to the list."""
        self.past.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Take over what goes on from the bridge, and ask for what is new in the past."""
        self._stale = False
        self._show_present()
        self._show_overview()
        self._activity.ask_news()
        self._show_whole()

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
        self.interrupted.setMaximumHeight(max(space(55), self.height() * 2 // 5))
        self.rules.setMaximumHeight(max(space(40), self.height() * 3 // 10))

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        super().hideEvent(event)
        self._tick.stop()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language; titles come from the bridge anew."""
        if event.type() == QEvent.Type.LanguageChange:
            self._session_titles.clear()
            self._record, self._asked_for = None, ("", 0, "")
            self._retranslate()
            self._activity.ask_history(self.past.query())
            self._show_interrupted()
            self._show_rules()
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
        left = QWidget()
        left.setMinimumWidth(space(111))
        left_body = column(self._present, gap=0, parent=left)
        left_body.addWidget(self.past, 1)
        right = column(self.hint, self.details, self.overview, STRETCH, gap=5, margins=(3, 4, 6, 4))
        self.splitter = QSplitter()
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(left)
        self._right = ScrollColumn(right)
        self.splitter.addWidget(self._right)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([space(112), space(200)])
        whole = QWidget()
        self._above = QWidget()
        column(self.interrupted, self.rules, gap=3, margins=(4, 4, 4, 0), parent=self._above)
        self._above.hide()
        around = column(self._above, gap=0, parent=whole)
        around.addWidget(self.splitter, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(whole)
        self._stack.addWidget(self.empty)

    def _connect(self) -> None:
        activity = self._activity
        activity.changed.connect(self._take_change)
        activity.trial_finished.connect(self._take_trial)
        activity.history_came.connect(self._take_history)
        activity.task_came.connect(self._take_record)
        activity.boards_came.connect(self.past.show_boards)
        recovery = self._bridge.recovery
        recovery.changed.connect(self._show_interrupted)
        recovery.begun.connect(self.select)
        recovery.failed.connect(self.interrupted.show_fault)
        self._bridge.approvals.changed.connect(self._show_rules)
        self.rules.revoke_requested.connect(self._bridge.approvals.revoke)
        self.interrupted.again_requested.connect(recovery.do_again)
        self.interrupted.dismiss_requested.connect(recovery.dismiss)
        self.running.task_chosen.connect(self.select)
        self.running.answer_requested.connect(actions().question_requested)
        self.running.cancel_requested.connect(activity.cancel)
        self.outputs.release_requested.connect(self._release)
        self.outputs.task_chosen.connect(self.select)
        self.past.task_chosen.connect(self.select)
        self.past.query_changed.connect(lambda: activity.ask_history(self.past.query()))
        self.past.more_wanted.connect(activity.ask_more_history)
        self.past.boards_wanted.connect(activity.ask_boards)
        self.details.cancel_requested.connect(lambda: activity.cancel(self._selected))
        self.details.trial.trial_requested.connect(self._try)
        self.details.action_requested.connect(self._take_next_step)
        self._tick.timeout.connect(self._move_on)
        self.empty.action_triggered.connect(self._try_first)
        self._bridge.devices.boards_changed.connect(self._blink_if_wanted)
        find = QShortcut(QKeySequence("Ctrl+F"), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._focus_search)

    def _focus_search(self) -> None:
        self.past.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.past.search.selectAll()

    def _take_change(self) -> None:
        if self.isVisible():
            self.refresh()
        else:
            self._stale = True

    def _move_on(self) -> None:
        """Let elapsed times grow, and look now and then for what other programs did."""
        self._ticks += 1
        if self._ticks % FOREIGN_TICKS == 0:
            self._activity.look_for_foreign_tasks()
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
        self._show_budgets()

    def _show_budgets(self) -> None:
        self.overview.show_budgets(self._activity.budgets(), self._session_title)

    def _show_interrupted(self) -> None:
        tasks = self._bridge.recovery.interrupted()
        self.interrupted.show_tasks(tasks)
        self._show_above()

    def _show_rules(self) -> None:
        self.rules.show_rules(self._bridge.approvals.rules())
        self._show_above()

    def _show_above(self) -> None:
        self._above.setVisible(bool(self.interrupted.rows or self.rules.rows))
        self._show_whole()

    def _take_history(self, page: HistoryPage) -> None:
        self.past.show_page(page)
        self._show_budgets()  # their sessions are named by their tasks
        if not self._selected:
            newest = self.past.newest()
            if self.running.rows:
                self._selected = next(iter(self.running.rows))
            elif newest is not None:
                self._selected, self._number = newest.task_id, newest.number
        self._show_whole()
        self._show_selected()

    def _show_whole(self) -> None:
        """Show the lists, or what they are for while there is nothing at all."""
        shown = (self.running.rows, self.outputs.rows, self.interrupted.rows, self.rules.rows)
        self._stack.setCurrentIndex(1 if self.past.is_empty() and not any(shown) else 0)

    def _show_selected(self) -> None:
        self.running.show_selected(self._selected)
        self.past.view.show_selected(self._selected, self._number)
        task, steps = self._found()
        self.details.setVisible(task is not None)
        self.hint.setVisible(task is None)
        if task is not None:
            self.details.show_task(task, steps)
            trial = self._trials.get(task.task_id)
            if trial is not None and task.number and trial.number not in (0, task.number):
                trial = None
            self.details.show_trial(trial, running=task.task_id in self._trying)

    def _found(self) -> tuple[TaskView | None, Sequence[TransitionView]]:
        """Return the selected task and its steps: from memory, else from the journal, which is asked."""
        if not self._selected:
            return None, ()
        live = self._activity.task(self._selected)
        if live is not None and self._number in (0, live.number):
            self._number = live.number
            return live, self._activity.transitions(self._selected)
        listed = self.past.loaded(self._selected, self._number)
        record = self._selected_record()
        if record is None or (listed is not None and listed.state != record.task.state):
            self._want_record(listed.state if listed is not None else "")
            record = self._selected_record()
        if record is None:
            return listed, ()
        return record.task, record.steps

    def _selected_record(self) -> TaskRecord | None:
        """Return what the journal told of the selected task, if it did."""
        return self._record if self._record is not None and self._is_selected(self._record.task) else None

    def _is_selected(self, task: TaskView) -> bool:
        return task.task_id == self._selected and self._number in (0, task.number)

    def _want_record(self, state: str) -> None:
        """Ask for the steps of the selected task, once for each state of it."""
        wanted = (self._selected, self._number, state)
        if wanted != self._asked_for:
            self._asked_for = wanted
            self._activity.ask_task(self._selected, self._number)

    def _take_record(self, record: TaskRecord) -> None:
        if self._is_selected(record.task):
            self._record, self._number = record, record.task.number
            self._show_selected()

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
            first = self.past.model.first_of_session(session)
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
            self._activity.try_on_twin(self._selected, self._number)

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

    def _retranslate(self) -> None:
        self.hint.setText(self.tr("Choose a task to see its steps, pins and result."))
        self.empty.set_texts(
            self.tr("Every command that moves or reads a board appears here, with its steps and its pins."),
            self.tr("Blink the LED of the simulated board"),
            self.tr("Whoever asked for it: you, the assistant or a schedule. No hardware is needed."),
        )
