"""The sheet with all sources of the plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.sources.add_port import AddPort
from zeroclaw_desktop.gui.plots.sources.memory_line import MemoryLine
from zeroclaw_desktop.gui.plots.sources.net_inputs import NetInputs
from zeroclaw_desktop.gui.plots.sources.source_card import SourceCard
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard
from zeroclaw_desktop.gui.widgets.labels import SectionHeader, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column
from zeroclaw_desktop.gui.widgets.surfaces import ScrollColumn, Sheet

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.app_bridge import AppBridge

LOOK_MS = 500
_WIDTH = 190


class SourcesSheet(Sheet):
    """Shows each source with its counters, takes ports, switches UDP and MQTT, sets the memory.

    Args:
        host: page that it lies over.
        bridge: its ``plot_sources`` and ``settings`` are used.
    """

    def __init__(self, host: QWidget, bridge: AppBridge) -> None:
        super().__init__(host)
        self._sources = bridge.plot_sources
        self.cards: dict[str, SourceCard] = {}
        self.memory = MemoryLine(bridge.settings)
        self.add_port = AddPort(self._sources)
        self.net = NetInputs(bridge.settings)
        self.none = Text(tone="muted", wrap=True)
        self.error = ErrorCard(dismissible=True)
        self.error.dismissed.connect(self.error.hide)
        self.error.hide()
        self.heads = [SectionHeader() for _ in range(4)]
        self._cards = column(self.none, self.error, gap=2)
        content = column(
            self.heads[0],
            self._cards,
            self.heads[1],
            self.memory,
            self.heads[2],
            self.add_port,
            self.heads[3],
            self.net,
            STRETCH,
            gap=3,
            margins=(0, 0, 3, 0),
        )
        self.panel.setMaximumWidth(space(_WIDTH))
        self.panel.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.panel.body.addWidget(ScrollColumn(content), 1)
        outer = self.layout()
        if isinstance(outer, QBoxLayout):
            # The sheet has more to show than others: it takes the whole height.
            outer.setContentsMargins(space(4), space(4), space(4), space(4))
            outer.setStretch(0, 100)
            outer.setStretch(1, 0)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._sources.changed.connect(self.look)
        self._retranslate()

    def look(self) -> None:
        """Show the present numbers."""
        sources = self._sources.sources()
        there = {source.source_id for source in sources}
        for source_id in set(self.cards) - there:
            self.cards.pop(source_id).deleteLater()
        for source in sources:
            card = self.cards.get(source.source_id)
            if card is None:
                card = self.cards[source.source_id] = SourceCard(source)
                card.reading_chosen.connect(self._choose)
                card.left.connect(self._sources.leave_port)
                self._cards.addWidget(card)
            card.show_source(source)
        self.none.setVisible(not sources)
        self.net.show_faults(self._sources.faults())
        self.memory.show_memory(self._sources.memory())

    def showEvent(self, event: QShowEvent) -> None:
        """Look again and again while it is open."""
        super().showEvent(event)
        self.look()
        self.add_port.look()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Look no more."""
        self._timer.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _choose(self, source_id: str, encoding: str, time_base: str, rate: float) -> None:
        fault: ErrorView | None = self._sources.choose_reading(source_id, encoding, time_base, rate)
        self.error.setVisible(fault is not None)
        if fault is not None:
            self.error.set_error(fault, offer_action=False)

    def _retranslate(self) -> None:
        self.set_title(self.tr("Sources"))
        names = (
            self.tr("What comes in"),
            self.tr("Memory"),
            self.tr("Listen to another port"),
            self.tr("Network"),
        )
        for head, name in zip(self.heads, names, strict=True):
            head.set_text(name)
        self.none.setText(self.tr("Nothing yet. Connect a board on the Devices page, or take a port below."))
