"""The strip over every page: its title, the Stop button that is always there, the bar of a latched stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from zeroclaw_desktop.gui.theme import size, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import StopReportView


class StopButton(Button):
    """Stops everything on the press itself, not on the release: nobody should have to aim twice."""

    stop_pressed = Signal()

    def __init__(self) -> None:
        super().__init__("", "danger", "stop")
        self.setObjectName("stop_button")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._held = 0.0
        self.pressed.connect(self.stop_pressed)
        self.retranslate()

    def set_held(self, share: float) -> None:
        """Fill the button from the left; ``share`` 0..1 of the time that Esc must be held."""
        self._held = share
        self.update()

    def held(self) -> float:
        """Return the share that is filled."""
        return self._held

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the fill between ground and text."""
        super().paintEvent(event)
        if not self._held:
            return
        painter = QStylePainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().color("danger_pressed"))
        painter.setClipRect(QRectF(0, 0, self.width() * self._held, self.height()))
        radius = theme().radius("control")
        painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        painter.setClipping(False)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        painter.end()

    def retranslate(self) -> None:
        """Follow the language."""
        self.setText(self.tr("Stop everything") + "   F12")
        self.setToolTip(
            self.tr("Stop all commands and switch every pin off on every board (F12, or hold Esc)")
        )
        self.setAccessibleName(self.tr("Stop everything"))


class StopStrip(QFrame):
    """Shown while the stop is latched: what was done on each board, and the button that releases it."""

    release_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stop_strip")
        self._report: StopReportView | None = None
        self._title = Text(role="strong")
        self._details = ElidedText()
        self._details.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.release_button = Button("", "secondary", "release")
        self.release_button.clicked.connect(self.release_requested)
        texts = column(self._title, self._details, gap=0.5)
        layout = row(IconLabel("stop", "danger_ink"), gap=3, margins=(6, 2), parent=self)
        layout.addLayout(texts, 1)
        layout.addWidget(self.release_button)
        self.hide()
        self.retranslate()

    def show_report(self, report: StopReportView) -> None:
        """Show what a stop did, or hide when it is released."""
        self._report = report if report.latched else None
        self.retranslate()
        self.setVisible(report.latched)

    def details(self) -> str:
        """Return the line about boards and commands."""
        return self._details.whole_text()

    def retranslate(self) -> None:
        """Follow the language."""
        self._title.setText(self.tr("Stopped. Every new command is refused until you release the stop."))
        self.release_button.setText(self.tr("Release the stop"))
        parts: list[str] = []
        if self._report is not None:
            for name, outcome, milliseconds in self._report.boards:
                reached = "" if milliseconds is None else f" ({milliseconds:.1f} ms)"
                parts.append(f"{name}: {outcome}{reached}")
            if not self._report.boards:
                parts.append(self.tr("No board was connected."))
            if self._report.cancelled:
                parts.append(self.tr("Commands cancelled: {0}").format(self._report.cancelled))
        self._details.set_text("   ·   ".join(parts))


class DryRunStrip(QFrame):
    """Shown while ``execution.dry_run`` is on, so that nobody waits for a board that hears nothing."""

    off_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("dry_run_strip")
        self._text = Text(role="strong", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.off_button = Button("", "secondary", compact=True)
        self.off_button.clicked.connect(self.off_requested)
        layout = row(IconLabel("warning", "warn_ink"), gap=3, margins=(6, 1.5, 4, 1.5), parent=self)
        layout.addWidget(self._text, 1)
        layout.addWidget(self.off_button)
        self.hide()
        self.retranslate()

    def text(self) -> str:
        """Return the sentence."""
        return self._text.text()

    def retranslate(self) -> None:
        """Follow the language."""
        self._text.setText(self.tr("Dry run: nothing is sent to the boards."))
        self.off_button.setText(self.tr("Switch off"))
        self.off_button.setAccessibleName(self.tr("Switch the dry run off"))


class InterruptedStrip(QFrame):
    """Says on every page that the program ended in the middle of tasks, until the person has seen which."""

    show_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("interrupted_strip")
        self._number = 0
        self._text = Text(role="strong", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.show_button = Button("", "secondary", compact=True)
        self.show_button.clicked.connect(self.show_requested)
        layout = row(IconLabel("warning", "warn_ink"), gap=3, margins=(6, 1.5, 4, 1.5), parent=self)
        layout.addWidget(self._text, 1)
        layout.addWidget(self.show_button)
        self.hide()
        self.retranslate()

    def text(self) -> str:
        """Return the sentence."""
        return self._text.text()

    def show_number(self, number: int) -> None:
        """Say how many tasks were interrupted; 0 hides it."""
        self._number = number
        self.retranslate()
        self.setVisible(bool(number))

    def retranslate(self) -> None:
        """Follow the language."""
        one = self.tr("The program ended in the middle of a task.")
        many = self.tr("The program ended in the middle of {0} tasks.")
        self._text.setText(one if self._number == 1 else many.format(self._number))
        self.show_button.setText(self.tr("Show"))
        self.show_button.setAccessibleName(self.tr("Show the interrupted tasks"))


class Header(QFrame):
    """Title at the left, Stop button at the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("header")
        self.setFixedHeight(size("header"))
        self.title = ElidedText("", "title")
        self.stop_button = StopButton()
        row(self.title, self.stop_button, gap=4, margins=(6, 0, 4, 0), parent=self)

    def set_title(self, title: str) -> None:
        """Show a page's title."""
        self.title.set_text(title)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.stop_button.retranslate()
        super().changeEvent(event)
