"""First step: what shall the board do? Words, or one of the kinds below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.maker_views import TemplateView
    from zeroclaw_desktop.bridge.views import ErrorView

COLUMNS = 3
MAX_REQUEST = 1_000


class TemplateChoice(QFrame):
    """One kind of firmware."""

    chosen = Signal(str)

    def __init__(self, template: TemplateView) -> None:
        super().__init__()
        self.template = template
        self.setProperty("role", "choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(template.title)
        self.setAccessibleDescription(template.about)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        about = Text(template.about, "caption", "muted", wrap=True)
        column(
            Text(template.title, "strong", wrap=True), about, STRETCH, gap=0.5, margins=(3, 2), parent=self
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose it."""
        self.chosen.emit(self.template.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose it with space or Enter."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.template.key)
        else:
            super().keyPressEvent(event)


class RequestStep(QWidget):
    """Takes a request or a kind."""

    requested = Signal(str)
    template_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._question = Text(role="lead", wrap=True)
        self.field = QLineEdit()
        self.field.setMaxLength(MAX_REQUEST)
        self.field.returnPressed.connect(self._send)
        self.field.textChanged.connect(lambda _text: self._refresh())
        self.plan_button = Button("", "primary")
        self.plan_button.clicked.connect(self._send)
        self.error_card = ErrorCard(dismissible=True)
        self.error_card.dismissed.connect(self.error_card.hide)
        self.error_card.hide()
        self._or = Text(tone="muted")
        self._grid = QGridLayout()
        self._grid.setSpacing(space(2))
        self.choices: dict[str, TemplateChoice] = {}
        line = row(self.field, self.plan_button, gap=2)
        line.setStretch(0, 1)
        head = column(self._question, line, self.error_card, self._or, gap=3)
        body = column(self._grid, STRETCH, gap=2)
        scroll = ScrollColumn(body)
        column(head, scroll, gap=3, parent=self)
        self._retranslate()
        self._refresh()

    def show_templates(self, templates: Sequence[TemplateView]) -> None:
        """Take over the kinds of firmware."""
        for choice in self.choices.values():
            self._grid.removeWidget(choice)
            choice.hide()
            choice.deleteLater()
        self.choices = {}
        for at, template in enumerate(templates):
            choice = TemplateChoice(template)
            choice.chosen.connect(self.template_chosen)
            self.choices[template.key] = choice
            self._grid.addWidget(choice, at // COLUMNS, at % COLUMNS)
        for number in range(COLUMNS):
            self._grid.setColumnStretch(number, 1)

    def show_error(self, error: ErrorView) -> None:
        """Say why the request could not be used."""
        self.error_card.set_error(error, offer_action=False)
        self.error_card.show()

    def begin(self) -> None:
        """Take the keyboard with what was written last."""
        self.error_card.hide()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in the field has planned; it must not go on to the sheet and press its button as well."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _send(self) -> None:
        text = self.field.text().strip()
        if text:
            self.error_card.hide()
            self.requested.emit(text)

    def _refresh(self) -> None:
        self.plan_button.setEnabled(bool(self.field.text().strip()))

    def _retranslate(self) -> None:
        self._question.setText(self.tr("What shall the board do?"))
        self.field.setPlaceholderText(self.tr("Blink the LED three times a second on pin 9"))
        self.field.setAccessibleName(self.tr("What shall the board do?"))
        self.plan_button.setText(self.tr("Plan it"))
        self._or.setText(self.tr("Or begin with one of these:"))
