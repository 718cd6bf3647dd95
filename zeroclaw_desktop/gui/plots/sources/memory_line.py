"""How much memory the series take, how much they may, and what was refused when it was full."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from zeroclaw_desktop.bridge.plot_views import PlotMemoryView
from zeroclaw_desktop.bridge.settings_bridge import SettingsBridge
from zeroclaw_desktop.gui.theme import space
from zeroclaw_desktop.gui.widgets.feedback import ErrorCard, Notice
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.number_field import NumberField

LIMIT = "plots.memory_mb"
_MEGABYTE = 1024 * 1024


class MemoryLine(QWidget):
    """Shows a ``PlotMemoryView`` and takes another limit.

    Args:
        settings: bridge object.
    """

    def __init__(self, settings: SettingsBridge) -> None:
        super().__init__()
        self._settings = settings
        self._view = PlotMemoryView(0, 1, False, 0)
        self.figures = Text(role="mono")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.limit = NumberField()
        self.limit.setMaximumWidth(space(24))
        self.full = Notice("", "warning")
        self.refusal = ErrorCard()
        self._words = Text(role="caption", tone="muted")
        column(
            row(self.figures, STRETCH, self._words, self.limit),
            self.bar,
            self.full,
            self.refusal,
            gap=2,
            parent=self,
        )
        self.refusal.hide()
        self.limit.editingFinished.connect(self._put)
        self._retranslate()

    def show_memory(self, view: PlotMemoryView) -> None:
        """Show how much there is."""
        self._view = view
        used, limit = view.used / _MEGABYTE, view.limit / _MEGABYTE
        self.figures.setText(self.tr("{0} of {1} MB").format(f"{used:,.1f}", f"{limit:,.0f}"))
        self.bar.setRange(0, 1000)
        self.bar.setValue(min(1000, round(1000 * view.used / max(1, view.limit))))
        if not self.limit.hasFocus():
            self.limit.set_value(float(self._settings.value(LIMIT)))
        said = ""
        if view.refused_samples:
            lost = self.tr("The memory is full: {0} samples found no place. Allow more, or clear the curves.")
            said = lost.format(f"{view.refused_samples:,}")
        elif view.full:
            said = self.tr("The memory is full: series keep fewer old samples than they would.")
        self.full.setVisible(bool(said))
        if said != self.full.text():
            self.full.set_notice(said, "warning")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _put(self) -> None:
        value = self.limit.value()
        wanted = int(value) if value is not None and value == int(value) else value
        if wanted == self._settings.value(LIMIT):
            return
        fault = self._settings.set_value(LIMIT, wanted)
        self.refusal.setVisible(fault is not None)
        if fault is not None:
            self.refusal.set_error(fault, offer_action=False)

    def _retranslate(self) -> None:
        self._words.setText(self.tr("may take, in MB"))
        self.limit.setAccessibleName(self.tr("Memory for all series, in MB"))
        self.bar.setAccessibleName(self.tr("Memory of the series"))
        self.show_memory(self._view)
