"""Tasks that the end of the program interrupted, each with what was done about it and the two answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from zeroclaw_desktop.gui.activity.present_list import FittingScroll, drop_rows
from zeroclaw_desktop.gui.activity.words import moment_text, source_word
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Hairline, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import InterruptedView
    from zeroclaw_desktop.bridge.views import ErrorView

MOST_ROWS = 20
"""Rows that are made; of more only the number is told."""
_SAFETY_BADGES = {"safe": "live", "waiting": "waits", "failed": "failed"}


class InterruptedRow(QWidget):
    """One task."""

    again_requested = Signal()
    dismiss_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.task: InterruptedView | None = None
        self._title = ElidedText("", "strong")
        self._facts = ElidedText("", "caption", "muted")
        self.reason = Text(wrap=True)
        self.safety = Text(tone="muted", wrap=True)
        self.badge = Badge()
        self.again_button = Button("", "secondary", "retry", compact=True)
        self.again_button.clicked.connect(self.again_requested)
        self.dismiss_button = Button("", "ghost", compact=True)
        self.dismiss_button.clicked.connect(self.dismiss_requested)
        head = row(self._title, self.badge, self.again_button, self.dismiss_button, gap=2)
        head.setStretch(0, 1)
        column(Hairline(), head, self._facts, self.reason, self.safety, gap=1, margins=(0, 1), parent=self)
        self._retranslate()

    def show_task(self, task: InterruptedView) -> None:
        """Show a task as it stands now."""
        self.task = task
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.again_button.setText(self.tr("Do it again"))
        self.dismiss_button.setText(self.tr("Dismiss"))
        if self.task is None:
            return
        task = self.task
        self._title.set_text(task.title)
        by = self.tr("Asked by: {0}").format(source_word(task.source))
        facts = (task.board, by, moment_text(task.at))
        self._facts.set_text("  ·  ".join(part for part in facts if part))
        self.reason.setText(task.reason)
        self.safety.setText(task.safety)
        # That it is safe is said by the badge; what is still to be done needs a sentence.
        self.safety.setVisible(bool(task.safety) and task.safety_kind != "safe")
        self.badge.setToolTip(task.safety)
        words = {
            "safe": self.tr("Board made safe"),
            "waiting": self.tr("Waits for the board"),
            "failed": self.tr("Board not safe"),
        }
        if task.busy:
            self.badge.set_state(self.tr("Starting…"), "busy")
        elif task.safety_kind:
            self.badge.set_state(words[task.safety_kind], _SAFETY_BADGES[task.safety_kind])
        self.badge.setVisible(task.busy or bool(task.safety_kind))
        self.again_button.setVisible(task.can_repeat)
        self.again_button.setEnabled(task.ready and not task.busy)
        self.dismiss_button.setEnabled(not task.busy)
        self.again_button.setAccessibleName(self.tr("Do it again: {0}").format(task.title))
        self.dismiss_button.setAccessibleName(self.tr("Dismiss: {0}").format(task.title))
        self.setAccessibleName(f"{task.title}. {task.reason} {task.safety}".strip())


class InterruptedCard(Card):
    """All of them; hidden when there are none."""

    again_requested = Signal(object)
    """Number of the task that is to be done again; more than a C int holds."""
    dismiss_requested = Signal(object)
    """Numbers of the tasks that are not to be offered any more."""

    def __init__(self) -> None:
        super().__init__(padding=4, gap=2)
        self.setProperty("kind", "waits")
        self.rows: dict[int, InterruptedRow] = {}
        self._tasks: list[InterruptedView] = []
        self.title = Text(role="strong", wrap=True)
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._hint = Text(tone="muted", wrap=True)
        self._more = Text(tone="muted", wrap=True)
        self.dismiss_all_button = Button("", "secondary", compact=True)
        self.dismiss_all_button.clicked.connect(
            lambda: self.dismiss_requested.emit([task.number for task in self._tasks])
        )
        self.error_card = ErrorCard(dismissible=True)
        self.error_card.dismissed.connect(self.error_card.hide)
        self.error_card.hide()
        head = row(IconLabel("warning", "warn_ink"), self.title, self.dismiss_all_button, gap=2)
        head.setStretch(1, 1)
        self._list = column(gap=1)
        self.list_scroll = FittingScroll(column(self._list, self._more, STRETCH, gap=1))
        self.body.addLayout(column(head, self._hint, gap=1))
        self.body.addWidget(self.error_card)
        self.body.addWidget(self.list_scroll)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()
        self._retranslate()

    def show_tasks(self, tasks: Sequence[InterruptedView]) -> None:
        """Show these tasks."""
        self._tasks = list(tasks)
        shown = self._tasks[:MOST_ROWS]
        drop_rows(self.rows, {task.number for task in shown}, self._list)
        for place, task in enumerate(shown):
            if task.number not in self.rows:
                self.rows[task.number] = self._new_row(task.number, place)
            self.rows[task.number].show_task(task)
        self.setVisible(bool(tasks))
        self._retranslate()

    def show_fault(self, error: ErrorView) -> None:
        """Say why a decision could not be kept."""
        self.error_card.set_error(error, offer_action=False)
        self.error_card.show()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _new_row(self, number: int, place: int) -> InterruptedRow:
        line = InterruptedRow()
        line.again_requested.connect(lambda: self.again_requested.emit(number))
        line.dismiss_requested.connect(lambda: self.dismiss_requested.emit([number]))
        self._list.insertWidget(place, line)
        return line

    def _retranslate(self) -> None:
        number = len(self._tasks)
        one = self.tr("The program ended in the middle of a task.")
        many = self.tr("The program ended in the middle of {0} tasks.")
        self.title.setText(one if number == 1 else many.format(number))
        self._hint.setText(self.tr("What moves something is done again only if you say so."))
        self.dismiss_all_button.setText(self.tr("Dismiss all"))
        self.dismiss_all_button.setVisible(number > 1)
        left = number - MOST_ROWS
        self._more.setText(self.tr("{0} more tasks.").format(left))
        self._more.setVisible(left > 0)
        self.setAccessibleName(self.title.text())
