"""One source: what it is, what came through each hop, how it is read."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.plot_sources_bridge import ENCODINGS, TIME_BASES
from zeroclaw_desktop.bridge.plot_views import SourceView
from zeroclaw_desktop.gui.plots.sources.words import hint_text, hops_text, kind_text, rest_text, state_text
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.fields import ChoiceList
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField
from zeroclaw_desktop.gui.widgets.surfaces import Card

MISSING = "port_missing"


class SourceCard(Card):
    """Shows a ``SourceView``."""

    reading_chosen = Signal(str, str, str, float)
    """Source, encoding, time base, lines a second."""
    left = Signal(str)
    """The port is to be let go and forgotten."""

    def __init__(self, source: SourceView) -> None:
        super().__init__(role="sunken", padding=3, gap=2)
        self._source = source
        self.name = ElidedText(source.name, "strong", middle=True)
        self.kind = Text(role="caption", tone="muted")
        self.badge = Badge()
        self.leave_button = Button("", "ghost", "close", compact=True)
        self.leave_button.clicked.connect(lambda: self.left.emit(self._source.source_id))
        self.hops = Text(role="mono_small", wrap=True)
        self.rest = Text(role="caption", tone="muted", wrap=True)
        self.hint = Notice("", "warning")
        self.error = ErrorCard()
        self.encoding, self.time_base = ChoiceList(), ChoiceList()
        self.encoding.addItems(ENCODINGS)
        self.rate = NumberField()
        self.rate.setMaximumWidth(space(24))
        self._words = [Text(role="caption", tone="muted") for _ in range(3)]
        self.reading = QWidget()
        row(
            self._words[0],
            self.encoding,
            self._words[1],
            self.time_base,
            self.rate,
            self._words[2],
            STRETCH,
            parent=self.reading,
        )
        head = row(self.name, self.kind, self.badge, self.leave_button, gap=3)
        head.setStretch(0, 1)
        self.body.addLayout(head)
        for part in (self.hops, self.rest, self.hint, self.error, self.reading):
            self.body.addWidget(part)
        self.encoding.activated.connect(self._choose)
        self.time_base.activated.connect(self._choose)
        self.rate.editingFinished.connect(self._choose)
        self._retranslate()

    def show_source(self, source: SourceView) -> None:
        """Show another state of the same source."""
        self._source = source
        self.name.set_text(source.name)
        baud = f" · {source.baud:,} baud" if source.baud else ""
        self.kind.setText(kind_text(source) + baud)
        self.badge.set_state(*state_text(source))
        self.leave_button.setVisible(source.kind == "port")
        self.hops.setText(hops_text(source))
        for label, text in ((self.rest, rest_text(source)), (self.hint, hint_text(source))):
            label.setVisible(bool(text))
            if isinstance(label, Notice):
                if text != label.text():
                    label.set_notice(text, "warning")
            else:
                label.setText(text)
        missing = source.fault is not None and source.fault.code == MISSING
        self.error.setVisible(source.fault is not None and not missing)
        if source.fault is not None:
            self.error.set_error(source.fault, offer_action=False)
        if missing:
            self.rest.setText(self.tr("The port is not there now; it is listened to as soon as it is."))
            self.rest.show()
        self.reading.setVisible(not source.frames)
        if not (self.encoding.view().isVisible() or self.time_base.view().isVisible()):
            self.encoding.setCurrentIndex(max(0, self.encoding.findText(source.encoding)))
            self.time_base.setCurrentIndex(TIME_BASES.index(source.time_base))
        if not self.rate.hasFocus():
            self.rate.set_value(source.rate)
        self._show_rate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _show_rate(self) -> None:
        shown = self.time_base.currentIndex() == TIME_BASES.index("index")
        self.rate.setVisible(shown)
        self._words[2].setVisible(shown)

    def _choose(self) -> None:
        self._show_rate()
        base = TIME_BASES[max(0, self.time_base.currentIndex())]
        rate = self.rate.value()
        chosen = rate if rate is not None and rate > 0 else self._source.rate
        present = (self._source.encoding, self._source.time_base, self._source.rate)
        if (self.encoding.currentText(), base, chosen) != present:
            source_id = self._source.source_id
            self.reading_chosen.emit(source_id, self.encoding.currentText(), base, chosen)

    def _retranslate(self) -> None:
        self.leave_button.setText(self.tr("Let go"))
        at = max(0, self.time_base.currentIndex())
        self.time_base.clear()
        self.time_base.addItems(
            [self.tr("Clock of the board"), self.tr("Time of arrival"), self.tr("Equal distances")]
        )
        self.time_base.setCurrentIndex(at)
        names = (self.tr("Encoding"), self.tr("Time"), self.tr("lines/s"))
        for label, text in zip(self._words, names, strict=True):
            label.setText(text)
        for part, text in zip((self.encoding, self.time_base, self.rate), names, strict=True):
            part.setAccessibleName(text)
        self.show_source(self._source)
