"""A small sheet: some fields, a problem said at once, Cancel and one deed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.surfaces import Sheet


class FormSheet(Sheet):
    """Shows labelled fields; subclasses name them, judge them and do the deed.

    Args:
        host: page that it lies over.
        fields: from top to bottom.
    """

    def __init__(self, host: QWidget, fields: Sequence[QWidget]) -> None:
        super().__init__(host)
        self._fields = list(fields)
        self._labels = [Text(tone="muted") for _ in fields]
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(space(4))
        self.form.setVerticalSpacing(space(3))
        self.form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for label, field in zip(self._labels, fields, strict=True):
            # As high as a field, so that the words of both stand on one line.
            label.setMinimumHeight(max(size("control"), field.sizeHint().height()))
            self.form.addRow(label, field)
        self.problem_text = Text(tone="danger", wrap=True)
        self.error = ErrorCard()
        self.cancel_button = Button("", "secondary")
        self.save_button = Button("", "primary")
        self.buttons = row(STRETCH, self.cancel_button, self.save_button)
        self.panel.body.addLayout(self.form)
        self.panel.body.addWidget(self.problem_text)
        self.panel.body.addWidget(self.error)
        self.panel.body.addLayout(self.buttons)
        self.error.hide()
        self.problem_text.hide()
        self.cancel_button.clicked.connect(self.close_sheet)
        self.save_button.clicked.connect(self.save)

    def name_fields(self, names: Sequence[str]) -> None:
        """Write the names beside the fields, for eyes and screen readers."""
        for label, field, name in zip(self._labels, self._fields, names, strict=True):
            label.setText(name)
            field.setAccessibleName(name)

    def field_names(self) -> list[str]:
        """Return the names beside the fields."""
        return [label.text() for label in self._labels]

    def problem(self) -> str:
        """Return why the fields cannot be used now, '' when they can."""
        return ""

    def check(self) -> None:
        """Say in place what is wrong, and let the deed be done only when nothing is."""
        problem = self.problem()
        self.problem_text.setText(problem)
        self.problem_text.setVisible(bool(problem))
        self.save_button.setEnabled(not problem)

    def save(self) -> None:
        """Do the deed when the fields can be used, and close; a fault is said in place."""
        if self.problem():
            return
        fault = self.apply()
        self.show_fault(fault)
        if fault is None:
            self.close_sheet()

    def apply(self) -> ErrorView | None:
        """Do the deed; returns what went wrong."""
        raise NotImplementedError

    def show_fault(self, fault: ErrorView | None) -> None:
        """Say what went wrong; None takes an older one away."""
        self.error.setVisible(fault is not None)
        if fault is not None:
            self.error.set_error(fault, offer_action=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does the deed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.save_button.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.check()
        super().changeEvent(event)

    def retranslate(self) -> None:
        """Write all texts of the window's language."""
        self.cancel_button.setText(self.tr("Cancel"))
        self.save_button.setText(self.tr("Save"))
