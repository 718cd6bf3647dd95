"""Bars between header and page that are mostly hidden: a latched stop, a dry run, interrupted tasks.

Made after the first paint, as nothing that they tell is known before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import StopReportView


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
