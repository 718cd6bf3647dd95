"""What is wrong or to be known, one row each, worst first; a row with a line leads there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import size
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import column, row

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.maker_views import FindingView

_ICONS = {
    "error": ("error", "danger_ink"),
    "warning": ("warning", "warn_ink"),
    "note": ("info", "text_muted"),
}
_KINDS = {"error": "error", "warning": "warning", "note": "info"}
_RANK = {"error": 0, "warning": 1, "note": 2}


class FindingRow(QFrame):
    """One finding; a click goes to its line."""

    chosen = Signal(int)

    def __init__(self, finding: FindingView, place: str) -> None:
        super().__init__()
        self.finding = finding
        self.setProperty("role", "notice")
        self.setProperty("kind", _KINDS[finding.severity])
        icon = IconLabel(*_ICONS[finding.severity], size("icon_small"))
        text = Text(f"{place}{finding.text}", wrap=True)
        text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        texts = [text]
        if finding.hint:
            hint = Text(finding.hint, "caption", "muted", wrap=True)
            hint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            texts.append(hint)
        self.setAccessibleName(f"{place}{finding.text} {finding.hint}".strip())
        row(icon, column(*texts, gap=0.5), gap=2, margins=(3, 2), parent=self).setStretch(1, 1)
        if finding.line:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line."""
        if self.finding.line:
            self.chosen.emit(self.finding.line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the line with Enter or space."""
        if self.finding.line and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.finding.line)
        else:
            super().keyPressEvent(event)


class FindingList(QWidget):
    """All findings of a plan or a build."""

    line_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows = column(gap=2, parent=self)
        self.findings: tuple[FindingView, ...] = ()

    def show_findings(self, findings: Sequence[FindingView], line_text: str) -> None:
        """Show others.

        Args:
            line_text: sentence piece for a line, with ``{0}``.
        """
        self.findings = tuple(sorted(findings, key=lambda finding: _RANK[finding.severity]))
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for finding in self.findings:
            place = line_text.format(finding.line) + " " if finding.line else ""
            shown = FindingRow(finding, place)
            shown.chosen.connect(self.line_chosen)
            self._rows.addWidget(shown)
        self.setVisible(bool(self.findings))
