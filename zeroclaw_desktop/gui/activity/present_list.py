"""What goes on now: rows of running and waiting tasks with Cancel, rows of held outputs with Make safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLayout, QSizePolicy, QVBoxLayout, QWidget

from zeroclaw_desktop.gui.activity.words import (
    duration_text,
    pin_name,
    source_word,
    span_text,
    task_badge,
    task_word,
)
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import OutputView, TaskView

_Key = TypeVar("_Key")
_Row = TypeVar("_Row", bound=QWidget)
MOST_ROWS = 20
"""Rows that are made for running tasks; of more only the number is told."""


class FittingScroll(ScrollColumn):
    """Asks for just the height of what is in it; scrolls where it gets less."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__(layout)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        """The height of the content, with its texts broken for the width that there is."""
        content = self.widget()
        if content is None:
            return super().sizeHint()
        hint = content.sizeHint()
        if content.hasHeightForWidth():
            hint.setHeight(content.heightForWidth(self.viewport().width()))
        return hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks texts elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the content, which asks for a new layout when rows come and go."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ChoiceRow(QFrame):
    """A row that can be chosen by mouse, space or Enter; subclasses fill it."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_selected(self, selected: bool) -> None:
        """Mark the row as the one whose details are shown."""
        if bool(self.property("selected")) != selected:
            self.setProperty("selected", selected)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose it with space or Enter."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        else:
            super().keyPressEvent(event)


class RunningRow(ChoiceRow):
    """One task that has not ended."""

    cancel_requested = Signal()
    answer_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.task: TaskView | None = None
        self._title = ElidedText("", "strong")
        self._facts = ElidedText("", "caption", "muted")
        self._elapsed = Text(role="mono_small", tone="muted")
        self.badge = Badge()
        self.cancel_button = Button("", "secondary", compact=True)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self.answer_button = Button("", "secondary", compact=True)
        self.answer_button.clicked.connect(self.answer_requested)
        texts = column(self._title, self._facts, gap=0.5)
        parts = (texts, self._elapsed, self.badge, self.answer_button, self.cancel_button)
        line = row(*parts, gap=2, margins=(3, 1.5), parent=self)
        line.setStretch(0, 1)
        self._retranslate()

    def show_task(self, task: TaskView) -> None:
        """Show a task as it stands now."""
        self.task = task
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.cancel_requested.emit()
        else:
            super().keyPressEvent(event)

    def _retranslate(self) -> None:
        self.cancel_button.setText(self.tr("Cancel"))
        if self.task is None:
            return
        task = self.task
        word = task_word(task)
        self.badge.set_state(word, task_badge(task))
        self.answer_button.setText(self.tr("Answer"))
        self.answer_button.setVisible(task.asking)
        self.answer_button.setAccessibleName(self.tr("Answer: {0}").format(task.title))
        # The words for it take the room; a no to the question cancels the task as well.
        self._elapsed.setVisible(not task.asking)
        self.cancel_button.setVisible(not task.asking)
        self._title.set_text(task.title)
        self._facts.set_text("  ·  ".join(part for part in (source_word(task.source), task.board) if part))
        self._elapsed.setText(duration_text(task.elapsed_ms))
        self.cancel_button.setEnabled(task.can_cancel)
        self.cancel_button.setAccessibleName(self.tr("Cancel: {0}").format(task.title))
        self.setAccessibleName(f"{task.title}, {word}")


class OutputRow(QWidget):
    """One output that a task left active."""

    release_requested = Signal()
    task_chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.output: OutputView | None = None
        self._title_text = ""
        self._pin = Text(role="strong")
        self._value = Text(role="mono", tone="accent")
        self._facts = ElidedText("", "caption", "muted")
        self.show_button = Button("", "ghost", compact=True)
        self.show_button.clicked.connect(self.task_chosen)
        self.safe_button = Button("", "secondary", compact=True)
        self.safe_button.clicked.connect(self.release_requested)
        texts = column(row(self._pin, self._value, STRETCH, gap=2), self._facts, gap=0.5)
        line = row(texts, self.show_button, self.safe_button, gap=1, margins=(3, 1), parent=self)
        line.setStretch(0, 1)
        self._retranslate()

    def show_output(self, output: OutputView, title: str) -> None:
        """Show an output.

        Args:
            output: what is held.
            title: sentence of the task that holds it; '' when that task is no longer known.
        """
        self.output, self._title_text = output, title
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.safe_button.setText(self.tr("Make safe"))
        self.show_button.setText(self.tr("Show task"))
        if self.output is None:
            return
        held = self.output
        pin = self.tr("Pin {0}").format(pin_name(held.pin))
        self._pin.setText(pin)
        self._value.setText(held.value)
        since = self.tr("for {0}").format(span_text(held.seconds))
        by = self._title_text or source_word(held.source)
        self._facts.set_text("  ·  ".join(part for part in (since, by, held.board) if part))
        self.show_button.setVisible(bool(self._title_text))
        self.safe_button.setToolTip(self.tr("Put this pin into its safe state"))
        self.safe_button.setAccessibleName(self.tr("Make safe: {0}").format(f"{pin}, {held.board}"))
        self.show_button.setAccessibleName(self.tr("Show task: {0}").format(self._title_text))


class RunningList(QWidget):
    """Rows of running tasks; a task keeps its row while it runs."""

    task_chosen = Signal(str)
    cancel_requested = Signal(str)
    answer_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, RunningRow] = {}
        self._selected = ""
        self._hidden = 0
        self._note = Text(tone="muted", wrap=True)
        self._body = column(self._note, gap=1, parent=self)
        self._retranslate()

    def show_tasks(self, tasks: Sequence[TaskView]) -> None:
        """Show these tasks, oldest first."""
        shown = tasks[:MOST_ROWS]
        self._hidden = len(tasks) - len(shown)
        drop_rows(self.rows, {task.task_id for task in shown}, self._body)
        for number, task in enumerate(shown):
            found = self.rows.get(task.task_id)
            if found is None:
                found = self._add_row(task.task_id, number)
            found.show_task(task)
        self._retranslate()

    def show_selected(self, task_id: str) -> None:
        """Mark a task; one that is not here marks none."""
        self._selected = task_id
        for own_id, line in self.rows.items():
            line.set_selected(own_id == task_id)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _add_row(self, task_id: str, place: int) -> RunningRow:
        line = RunningRow()
        line.chosen.connect(lambda: self.task_chosen.emit(task_id))
        line.cancel_requested.connect(lambda: self.cancel_requested.emit(task_id))
        line.answer_requested.connect(self.answer_requested)
        line.set_selected(task_id == self._selected)
        self.rows[task_id] = line
        self._body.insertWidget(place, line)
        return line

    def _retranslate(self) -> None:
        note = self.tr("Nothing is running.")
        if self.rows:
            note = self.tr("{0} more are running or waiting.").format(self._hidden) if self._hidden else ""
        self._note.setText(note)
        self._note.setVisible(bool(note))


class OutputList(QWidget):
    """Rows of held outputs."""

    release_requested = Signal(str, int)
    """Board id and pin that a person wants safe."""
    task_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[tuple[str, int], OutputRow] = {}
        self._note = Text(tone="muted", wrap=True)
        self._body = column(self._note, gap=0.5, parent=self)
        self._retranslate()

    def show_outputs(self, outputs: Sequence[OutputView], titles: Sequence[str]) -> None:
        """Show these outputs.

        Args:
            outputs: what is held, oldest first.
            titles: for each the sentence of its task, '' when unknown.
        """
        drop_rows(self.rows, {(held.board_id, held.pin) for held in outputs}, self._body)
        for number, (held, title) in enumerate(zip(outputs, titles, strict=True)):
            key = (held.board_id, held.pin)
            found = self.rows.get(key)
            if found is None:
                found = self._add_row(key, number)
            found.show_output(held, title)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _add_row(self, key: tuple[str, int], place: int) -> OutputRow:
        line = OutputRow()
        line.release_requested.connect(lambda: self.release_requested.emit(*key))
        line.task_chosen.connect(lambda: self._choose(line))
        self.rows[key] = line
        self._body.insertWidget(place, line)
        return line

    def _choose(self, line: OutputRow) -> None:
        if line.output is not None:
            self.task_chosen.emit(line.output.task_id)

    def _retranslate(self) -> None:
        self._note.setText(self.tr("No task left an output on."))
        self._note.setVisible(not self.rows)


def drop_rows(rows: dict[_Key, _Row], keep: set[_Key], layout: QVBoxLayout) -> None:
    """Remove the rows whose key is not among ``keep`` from a list and its layout."""
    for key in [key for key in rows if key not in keep]:
        line = rows.pop(key)
        parent, focused = line.parentWidget(), QApplication.focusWidget()
        if parent is not None and focused is not None and (focused is line or line.isAncestorOf(focused)):
            # Else Qt would hand the keyboard to the next row's Cancel button.
            parent.setFocus(Qt.FocusReason.OtherFocusReason)
        layout.removeWidget(line)
        line.hide()
        line.deleteLater()
