"""One task in full: who asked, its steps, pins asked and read back, parameters, result or fault, trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.activity.pin_table import PinTable, pin_rows
from zeroclaw_desktop.gui.activity.time_line import TimeLine
from zeroclaw_desktop.gui.activity.trial_panel import TrialPanel
from zeroclaw_desktop.gui.activity.words import (
    duration_text,
    moment_text,
    observed_pins,
    other_readings,
    parameter_rows,
    source_word,
    task_badge,
    task_word,
)
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import ElidedText, KeyValueList, SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TaskView, TransitionView, TrialView


class Section(QWidget):
    """A head and what stands below it; hidden as a whole."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self._head = SectionHeader()
        column(self._head, body, gap=1.5, parent=self)

    def set_title(self, title: str) -> None:
        """Name it."""
        self._head.set_text(title)


class TaskDetails(Card):
    """Shows a ``TaskView`` with its steps."""

    cancel_requested = Signal()
    action_requested = Signal(str)
    """Key of the next step after a fault."""

    def __init__(self) -> None:
        super().__init__(padding=4, gap=4)
        self._task: TaskView | None = None
        self.title = Text(role="lead", wrap=True)
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.badge = Badge()
        self.dry_run_badge = Badge()
        self.cancel_button = Button("", "secondary", compact=True)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self.facts = Text(tone="muted", wrap=True)
        self.task_id = ElidedText("", "mono_small", "muted", middle=True)
        self.task_id.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.task_id.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy_button = IconButton("copy", small=True)
        self.copy_button.clicked.connect(self.copy_id)
        self.time_line = TimeLine()
        self.note = Text(role="caption", tone="muted", wrap=True)
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(self.action_requested)
        self.pins = PinTable()
        self.result = Text(role="mono", wrap=True)
        self.result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.parameters, self.readings, self.resources = KeyValueList(), KeyValueList(), KeyValueList()
        self.trial = TrialPanel()
        self.trial.action_requested.connect(self.action_requested)
        self._sections = {
            name: Section(body)
            for name, body in (
                ("pins", self.pins),
                ("result", self.result),
                ("readings", self.readings),
                ("parameters", self.parameters),
                ("resources", self.resources),
            )
        }
        self._lay_out()
        self._retranslate()

    def task(self) -> TaskView | None:
        """Return the task that is shown."""
        return self._task

    def show_task(self, task: TaskView, steps: Sequence[TransitionView]) -> None:
        """Show a task as it stands now."""
        self._task = task
        self.time_line.set_steps(steps, task.elapsed_ms if task.can_cancel else None)
        self._retranslate()

    def show_trial(self, trial: TrialView | None, *, running: bool) -> None:
        """Show the latest trial of this task; see ``TrialPanel.show_trial``."""
        self.trial.show_trial(trial, running=running, possible=self._task is None or self._task.can_try)

    def copy_id(self) -> None:
        """Put the task's id on the clipboard."""
        if self._task is not None:
            QGuiApplication.clipboard().setText(self._task.task_id)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _lay_out(self) -> None:
        head = row(self.title, self.dry_run_badge, self.badge, self.cancel_button, gap=2)
        head.setStretch(0, 1)
        identity = row(self.task_id, self.copy_button, STRETCH, gap=1)
        self.body.addLayout(column(head, self.facts, identity, gap=1))
        self.body.addLayout(column(self.time_line, self.note, gap=1))
        self.body.addWidget(self.error_card)
        for section in self._sections.values():
            self.body.addWidget(section)
        self.body.addWidget(self.trial)

    def _retranslate(self) -> None:
        titles = {
            "pins": self.tr("Pins"),
            "result": self.tr("Result"),
            "readings": self.tr("Also read back"),
            "parameters": self.tr("Parameters"),
            "resources": self.tr("Holds or waits for"),
        }
        for name, section in self._sections.items():
            section.set_title(titles[name])
        self.cancel_button.setText(self.tr("Cancel"))
        self.copy_button.set_name(self.tr("Copy the task's id"))
        self.dry_run_badge.set_state(self.tr("Dry run"), "waits")
        self.dry_run_badge.setToolTip(self.tr("Everything was checked, nothing was sent to the board."))
        if self._task is not None:
            self._show(self._task)

    def _show(self, task: TaskView) -> None:
        word = task_word(task)
        self.badge.set_state(word, task_badge(task))
        self.title.setText(task.title)
        self.setAccessibleName(f"{task.title}. {word}")
        self.dry_run_badge.setVisible(task.dry_run)
        self.cancel_button.setVisible(task.can_cancel)
        facts = (
            self.tr("Asked by: {0}").format(source_word(task.source)),
            task.board,
            moment_text(task.started),
            duration_text(task.elapsed_ms),
        )
        self.facts.setText("  ·  ".join(part for part in facts if part))
        self.task_id.set_text(task.task_id)
        note = self._note(task)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.pins.set_rows(pin_rows(task.commanded, observed_pins(task.observed)), ended=not task.can_cancel)
        self.parameters.set_rows(parameter_rows(task))
        self.readings.set_rows(other_readings(task.observed))
        self.resources.set_rows((name, "") for name in task.resources)
        show_result = bool(task.result) and task.error is None
        self.result.setText(task.result if show_result else "")
        failed = task.error is not None and task.state == "failed"
        if failed and task.error is not None:
            self.error_card.set_error(task.error)
        self.error_card.setVisible(failed)
        for name, wanted in (
            ("pins", bool(self.pins.rows())),
            ("result", show_result),
            ("readings", bool(self.readings.rows())),
            ("parameters", bool(task.params)),
            ("resources", bool(task.resources)),
        ):
            self._sections[name].setVisible(wanted)

    def _note(self, task: TaskView) -> str:
        """Return the sentence below the steps: who stopped a task, why one waits."""
        if task.state == "cancelled":
            steps = self.time_line.steps()
            words = {"person": self.tr("you"), "emergency stop": self.tr("the emergency stop")}
            who = words.get(steps[-1].note if steps else "", "")
            began = any(step.state == "RUNNING" for step in steps)
            told = self.tr("Stopped by {0} before it started.")
            if began:
                told = self.tr("Stopped by {0}. Its outputs were made safe.")
            return told.format(who) if who else ""
        if task.state == "interrupted":
            ended = self.tr("The program ended before this task did.")
            return f"{ended} {self.tr('It was done again later.')}" if task.again_id else ended
        if task.elsewhere:
            return self.tr("Another program runs it.")
        if task.asking:
            return self.tr("It starts when you allow it. The question waits in the chat.")
        if task.waiting:
            return self.tr("Another task holds what this one needs; it starts by itself when that is free.")
        return ""
