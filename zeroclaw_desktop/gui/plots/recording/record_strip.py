"""The strip that says what a recording takes, while one goes on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame

from zeroclaw_desktop.bridge.plot_views import RecordingView
from zeroclaw_desktop.gui.plots.recording.words import size_text, span_text
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import row


class RecordStrip(QFrame):
    """Shows a ``RecordingView``; hidden while there is none."""

    stop_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._view: RecordingView | None = None
        self.badge = Badge("", "recording")
        self.figures = Text(role="mono")
        self.lost = Text(tone="danger")
        self.file = ElidedText(tone="muted", middle=True)
        self.stop_button = Button("", "secondary", "stop_small", compact=True)
        self.stop_button.clicked.connect(self.stop_requested)
        row(
            self.badge,
            self.figures,
            self.lost,
            self.file,
            self.stop_button,
            gap=3,
            margins=(3, 1.5),
            parent=self,
        ).setStretch(3, 1)
        self._retranslate()
        self.hide()

    def show_recording(self, view: RecordingView | None) -> None:
        """Show how a recording goes; None hides the strip."""
        self._view = view
        self.setVisible(view is not None)
        if view is None:
            return
        self.figures.setText(f"{span_text(view.seconds)}   {size_text(view.file_bytes)}")
        self.file.set_text(Path(view.path).name)
        lost = self.tr("{0} bytes lost: the disk is too slow").format(f"{view.dropped:,}")
        self.lost.setText(lost if view.dropped else "")
        self.lost.setVisible(bool(view.dropped))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.badge.set_state(self.tr("Recording"), "recording")
        self.stop_button.setText(self.tr("Stop recording"))
        self.show_recording(self._view)
