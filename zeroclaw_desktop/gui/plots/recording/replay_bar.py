"""The transport of a replay: play, position, speed, step, back to live."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QSlider

from zeroclaw_desktop.bridge.plot_views import ReplayView
from zeroclaw_desktop.gui.plots.recording.words import size_text, span_text
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0)
AT_ONCE = 1e9
"""Recorded seconds a second, for as quick as it goes."""
STEPS = 10_000
STEP_SHARE = 0.1
LEAST_STEP_S = 0.1


class ReplayBar(QFrame):
    """Shows a ``ReplayView``; hidden while the plots are live."""

    play_toggled = Signal()
    sought = Signal(float)
    """Position in seconds on the axis of the plots."""
    speed_chosen = Signal(float)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._view: ReplayView | None = None
        self.badge = Badge("", "simulated")
        self.file = ElidedText(role="strong", middle=True)
        self.damage = Text(tone="danger")
        self.close_button = Button("", "secondary", "close", compact=True)
        self.close_button.clicked.connect(self.closed)
        self.play_button = IconButton("play")
        self.play_button.clicked.connect(self.play_toggled)
        self.back_button = IconButton("step_back")
        self.back_button.clicked.connect(lambda: self.step(-1))
        self.on_button = IconButton("step_on")
        self.on_button.clicked.connect(lambda: self.step(1))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.slider.sliderMoved.connect(self._seek)
        self.slider.actionTriggered.connect(lambda _action: self._seek(self.slider.sliderPosition()))
        self.position = Text(role="mono")
        self.moment = Text(role="caption", tone="muted")
        self.speed = ChoiceList()
        self.speed.setMinimumWidth(space(24))
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.addItem("", AT_ONCE)
        self.speed.activated.connect(lambda at: self.speed_chosen.emit(float(self.speed.itemData(at))))
        head = row(self.badge, self.file, self.damage, self.moment, self.close_button, gap=3)
        head.setStretch(1, 1)
        transport = row(
            self.back_button, self.play_button, self.on_button, self.slider, self.position, self.speed
        )
        transport.setStretch(3, 1)
        column(head, transport, gap=1, margins=(3, 1.5), parent=self)
        self._retranslate()
        self.hide()

    def show_replay(self, view: ReplayView | None) -> None:
        """Show where a replay is; None hides the bar."""
        self._view = view
        self.setVisible(view is not None)
        if view is None:
            return
        length = max(1e-9, view.end - view.start)
        self.file.set_text(Path(view.path).name)
        self.file.setToolTip(view.path)
        if not self.slider.isSliderDown():
            self.slider.setValue(round(STEPS * (view.position - view.start) / length))
        self.position.setText(f"{span_text(view.position - view.start)} / {span_text(length)}")
        recorded = datetime.fromtimestamp(view.wall + view.position) if view.wall else None
        self.moment.setText(f"{recorded:%Y-%m-%d %H:%M:%S}" if recorded else "")
        self.play_button.set_icon_name("pause" if view.playing else "play")
        self.play_button.set_name(self.tr("Pause the replay") if view.playing else self.tr("Play"))
        at = next((n for n in range(self.speed.count()) if self.speed.itemData(n) == view.speed), -1)
        self.speed.setPlaceholderText(f"{view.speed:g}×")
        self.speed.setCurrentIndex(at)
        damage = self.tr("{0} damaged, left out").format(size_text(view.damaged_bytes))
        self.damage.setText(damage if view.damaged_bytes else "")
        self.damage.setVisible(bool(view.damaged_bytes))

    def step(self, direction: int) -> None:
        """Go a little further (1) or back (-1): a tenth of a second, or a hundredth of the whole."""
        view = self._view
        if view is not None:
            size = max(LEAST_STEP_S, STEP_SHARE * (view.end - view.start) / 10)
            self.sought.emit(min(view.end, max(view.start, view.position + direction * size)))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _seek(self, step: int) -> None:
        view = self._view
        if view is not None:
            self.sought.emit(view.start + (view.end - view.start) * step / STEPS)

    def _retranslate(self) -> None:
        self.badge.set_state(self.tr("Replay"), "simulated")
        self.close_button.setText(self.tr("Back to live"))
        self.back_button.set_name(self.tr("A step back"))
        self.on_button.set_name(self.tr("A step on"))
        self.slider.setAccessibleName(self.tr("Position in the recording"))
        self.speed.setAccessibleName(self.tr("Speed"))
        self.speed.setToolTip(self.tr("Speed"))
        self.speed.setItemText(self.speed.count() - 1, self.tr("As fast as it goes"))
        self.show_replay(self._view)
