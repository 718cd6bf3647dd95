"""The strip of the trigger: which signal, which edge, which level, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QWidget

from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.plots.trigger_control import KINDS, MODES, SINGLE, TriggerChoice, TriggerControl
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button, IconButton, SegmentedControl
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
_FIELD = 20


class TriggerBar(QFrame):
    """Controls of the trigger; ``control`` holds the state.

    Args:
        control: the trigger.
    """

    closed = Signal()
    armed = Signal()

    def __init__(self, control: TriggerControl) -> None:
        super().__init__()
        self._control = control
        self._series: list[PlotSeries] = []
        self.setProperty("role", "card")
        self.series_box, self.kind_box, self.share_box = ChoiceList(), ChoiceList(), ChoiceList()
        for kind in KINDS:
            self.kind_box.addItem("", kind)
        for share in SHARES:
            self.share_box.addItem(f"{share:.0%}", share)
        self.level, self.hysteresis = NumberField(), NumberField()
        for field in (self.level, self.hysteresis):
            field.setFixedWidth(space(_FIELD))
            field.number_changed.connect(self._take)
        self.mode = SegmentedControl([(mode, "") for mode in MODES])
        self.state = Badge("", "off")
        self.arm_button = Button("", "secondary", "retry", compact=True)
        self.close_button = IconButton("close", small=True)
        self._level_text, self._hysteresis_text = Text(tone="muted"), Text(tone="muted")
        self._share_text = Text(tone="muted")
        for box in (self.series_box, self.kind_box, self.share_box):
            box.activated.connect(self._take)
        self.mode.chosen.connect(self._take)
        self.arm_button.clicked.connect(self.arm)
        self.close_button.clicked.connect(self.closed)
        row(
            self.series_box,
            self.kind_box,
            self._level_text,
            self.level,
            self._hysteresis_text,
            self.hysteresis,
            self.mode,
            self._share_text,
            self.share_box,
            STRETCH,
            self.state,
            self.arm_button,
            self.close_button,
            margins=(2, 1.5),
            parent=self,
        )
        self._retranslate()

    def set_series(self, series: Sequence[PlotSeries]) -> None:
        """Offer these signals; the first is taken when none was chosen yet."""
        if list(series) != self._series:
            self._series = list(series)
            self.series_box.clear()
            for one in series:
                self.series_box.addItem(one.series_id.label)
        self.show_choice()

    def show_choice(self) -> None:
        """Show what the control has now; the hand may have moved the level."""
        choice = self._control.choice
        at = next((n for n, one in enumerate(self._series) if one.series_id == choice.series_id), -1)
        self.series_box.setCurrentIndex(at)
        self.kind_box.setCurrentIndex(KINDS.index(choice.kind))
        self.share_box.setCurrentIndex(min(range(len(SHARES)), key=lambda n: abs(SHARES[n] - choice.before)))
        if not self.level.hasFocus():
            self.level.set_value(choice.level)
        if not self.hysteresis.hasFocus():
            self.hysteresis.set_value(choice.hysteresis)
        self.mode.set_current(choice.mode)

    def show_state(self) -> None:
        """Say whether it waits, has fired, or cannot work."""
        control = self._control
        if control.fault is not None or control.choice.series_id is None:
            self.state.set_state(self.tr("Not possible"), "failed")
        elif control.fired_at is not None and not control.armed:
            self.state.set_state(self.tr("Triggered once"), "waits")
        elif control.fired_at is not None:
            self.state.set_state(self.tr("Triggered"), "live")
        else:
            self.state.set_state(self.tr("Waiting"), "waits")
        self.arm_button.setVisible(control.choice.mode == SINGLE)
        self.arm_button.setEnabled(not control.armed)

    def arm(self) -> None:
        """Look for the next one."""
        self._control.arm()
        self.armed.emit()
        self.show_state()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _take(self) -> None:
        at, level, hysteresis = self.series_box.currentIndex(), self.level.value(), self.hysteresis.value()
        if level is None or hysteresis is None or hysteresis < 0:
            return
        self._control.set_choice(
            TriggerChoice(
                self._series[at].series_id if 0 <= at < len(self._series) else None,
                self.mode.current(),
                str(self.kind_box.currentData()),
                level,
                hysteresis,
                float(self.share_box.currentData()),
            )
        )
        self.armed.emit()
        self.show_state()

    def move_level(self, level: float) -> None:
        """Take the level that the hand chose on the plot."""
        self._control.set_choice(replace(self._control.choice, level=level))
        self.level.set_value(level)
        self.armed.emit()

    def _retranslate(self) -> None:
        for number, text in enumerate(
            (self.tr("rises through"), self.tr("falls through"), self.tr("is above"), self.tr("is below"))
        ):
            self.kind_box.setItemText(number, text)
        self.mode.set_texts([self.tr("Auto"), self.tr("Normal"), self.tr("Single")])
        self.mode.setToolTip(
            self.tr(
                "Auto shows the present when nothing triggers, Normal keeps the last trigger, "
                "Single stops after one"
            )
        )
        self._level_text.setText(self.tr("level"))
        self._hysteresis_text.setText(self.tr("hysteresis"))
        self._share_text.setText(self.tr("before"))
        self.share_box.setToolTip(self.tr("Share of the window that lies before the trigger"))
        self.arm_button.setText(self.tr("Arm again"))
        self.close_button.set_name(self.tr("Switch the trigger off"))
        names: dict[QWidget, str] = {
            self.series_box: self.tr("Signal that triggers"),
            self.kind_box: self.tr("When it triggers"),
            self.level: self.tr("Level"),
            self.hysteresis: self.tr("Hysteresis"),
            self.share_box: self.tr("Share of the window that lies before the trigger"),
        }
        for widget, name in names.items():
            widget.setAccessibleName(name)
        self.show_state()
