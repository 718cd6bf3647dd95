"""Try a task on the simulator: the button, the wait, and what the twin's pins did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.gui.activity.level_strip import LevelStrip
from zeroclaw_desktop.gui.activity.words import duration_text
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.activity_views import TrialView


class TrialPanel(QWidget):
    """Shows a ``TrialView``, the wait for one, or how to get one."""

    trial_requested = Signal()
    action_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._trial: TrialView | None = None
        self._running = False
        self.try_button = Button("", "secondary", "simulator", compact=True)
        self.try_button.clicked.connect(self.trial_requested)
        self._head = SectionHeader("", self.try_button)
        self._explanation = Text(tone="muted", wrap=True)
        self.badge = Badge()
        self.figures = Text(role="mono_small", tone="muted")
        self.result = Text(role="mono_small", wrap=True)
        self.error_card = ErrorCard()
        self.error_card.action_requested.connect(self.action_requested)
        self.strip = LevelStrip()
        self._no_change = Text(tone="muted", wrap=True)
        self._line = QWidget()
        row(self.badge, self.figures, STRETCH, gap=3, parent=self._line)
        self._shown = Card(
            self._line, self.result, self.strip, self._no_change, self.error_card, role="sunken"
        )
        column(self._head, self._explanation, self._shown, gap=2, parent=self)
        self._retranslate()

    def show_trial(self, trial: TrialView | None, *, running: bool, possible: bool = True) -> None:
        """Show a trial.

        Args:
            trial: the latest of this task, None when there was none.
            running: True while one is on its way.
            possible: False when the task is not known in full.
        """
        self._trial, self._running = trial, running
        self.setVisible(possible)
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        trial = None if self._running else self._trial
        self._head.set_text(self.tr("On the simulator"))
        text = self.tr("Try again") if self._trial else self.tr("Try on the simulator")
        self.try_button.setText(self.tr("Trying…") if self._running else text)
        self.try_button.setEnabled(not self._running)
        self._explanation.setText(
            self.tr(
                "A simulated twin takes over the pins of this board and runs the task. The board stays still."
            )
        )
        self._explanation.setVisible(trial is None)
        self._shown.setVisible(trial is not None)
        if trial is not None:
            self._show(trial)

    def _show(self, trial: TrialView) -> None:
        if trial.ok:
            self.badge.set_state(self.tr("Simulated"), "simulated")
        else:
            self.badge.set_state(self.tr("Failed"), "failed")
        self.strip.set_traces(trial.traces)
        took = self.tr("pins moved for {0}").format(duration_text(self.strip.seconds() * 1000))
        self.figures.setText(took if trial.traces and self.strip.seconds() else "")
        told = trial.error is None and bool(trial.text)
        self.result.setText(trial.text if told else "")
        self.result.setVisible(told)
        self._no_change.setText(self.tr("No pin changed."))
        self._no_change.setVisible(trial.ok and not trial.traces)
        if trial.error is not None:
            self.error_card.set_error(trial.error, offer_action=False)
        self.error_card.setVisible(trial.error is not None)
