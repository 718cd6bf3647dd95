"""The parts of the flash sheet: step line, choice of firmware, drop area, check, result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from zeroclaw_desktop.gui.theme import pixmap, size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.feedback import IconLabel
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, column, row
from zeroclaw_desktop.gui.widgets.switch import Switch

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.views import FirmwareView


class StepLine(QWidget):
    """Numbered steps with the present one marked."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._current = 0
        self.setFixedHeight(size("control_small"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().theme_changed.connect(self.update)

    def set_names(self, names: list[str]) -> None:
        """Name the steps."""
        self._names = names
        self._announce()

    def set_current(self, number: int) -> None:
        """Mark a step; those before it are shown as done."""
        self._current = number
        self._announce()

    def _announce(self) -> None:
        if self._names:
            self.setAccessibleName(f"{self._current + 1} / {len(self._names)}: {self._names[self._current]}")
        self.update()

    def sizeHint(self) -> QSize:
        """Leave room for all names."""
        metrics = QFontMetrics(theme().font("label"))
        return QSize(sum(metrics.horizontalAdvance(name) + space(12) for name in self._names), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw discs, names and the lines between them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(theme().font("label"))
        x, middle, radius = float(space(0.5)), self.height() / 2, float(space(2.5))
        for number, name in enumerate(self._names):
            reached = number <= self._current
            painter.setPen(QPen(theme().color("accent" if reached else "hairline_strong"), 1.5))
            painter.setBrush(theme().color("accent") if reached else Qt.BrushStyle.NoBrush)
            disc = QRectF(x, middle - radius, 2 * radius, 2 * radius)
            painter.drawEllipse(disc)
            painter.setFont(theme().font("label"))
            if number < self._current:
                tick = round(radius * 1.3)
                place = QPointF(disc.center().x() - tick / 2, middle - tick / 2)
                painter.drawPixmap(place, pixmap("check", "on_accent", tick))
            else:
                painter.setPen(theme().color("on_accent" if reached else "text_muted"))
                painter.drawText(disc, int(Qt.AlignmentFlag.AlignCenter), str(number + 1))
            painter.setPen(theme().color("text" if number == self._current else "text_muted"))
            width = metrics.horizontalAdvance(name)
            left = disc.right() + space(2)
            area = QRectF(left, 0, width + 2, self.height())
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            x = left + width + space(2)
            if number < len(self._names) - 1:
                painter.setPen(QPen(theme().color("hairline_strong"), 1))
                painter.drawLine(QPointF(x, middle), QPointF(x + space(4), middle))
                x += space(6)
        painter.end()


class FirmwareChoice(QFrame):
    """One firmware that can be chosen: name, version, size, what it is for."""

    chosen = Signal(str)

    def __init__(self, firmware: FirmwareView) -> None:
        super().__init__()
        self.firmware = firmware
        self.setProperty("role", "choice")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(firmware.title)
        self.setAccessibleDescription(firmware.description)
        self._mark = IconLabel("circle", "text_faint", size("icon"))
        version = Text(firmware.version, "mono_small", "muted")
        name = ElidedText(firmware.title, "strong", middle=True)
        name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        title = row(name, version, STRETCH, gap=2)
        facts = Text(firmware.description, "body", "muted", wrap=True)
        texts = column(title, facts, gap=0.5)
        figures = Text(size_text(firmware.size_bytes), "mono_small", "muted")
        row(self._mark, texts, figures, gap=3, margins=(3, 2), parent=self).setStretch(1, 1)

    def set_selected(self, selected: bool) -> None:
        """Show whether it is the chosen one."""
        self.setProperty("selected", selected)
        self._mark.set_icon("done" if selected else "circle", "accent" if selected else "text_faint")
        self.style().unpolish(self)
        self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose it."""
        self.chosen.emit(self.firmware.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose it with space or Enter."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.firmware.key)
        else:
            super().keyPressEvent(event)


class DropArea(QFrame):
    """Takes a firmware file by drag and drop, or asks for the file dialog."""

    file_dropped = Signal(str)
    browse_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "drop")
        self.setAcceptDrops(True)
        self._endings: tuple[str, ...] = ()
        self._sentence = Text(tone="muted", wrap=True)
        self.browse_button = Button("", "secondary", "folder", compact=True)
        self.browse_button.clicked.connect(self.browse_requested)
        icon = IconLabel("file", "text_muted", size("icon"))
        row(icon, self._sentence, self.browse_button, gap=3, margins=(3, 3), parent=self).setStretch(1, 1)
        self._retranslate()

    def set_endings(self, endings: tuple[str, ...]) -> None:
        """Say which files the board takes."""
        self._endings = endings
        self._retranslate()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files only."""
        if event.mimeData().hasUrls():
            self._set_hot(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Look as before."""
        self._set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand on the first file."""
        self._set_hot(False)
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.file_dropped.emit(files[0])

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _set_hot(self, hot: bool) -> None:
        self.setProperty("hot", hot)
        self.style().unpolish(self)
        self.style().polish(self)

    def _retranslate(self) -> None:
        kinds = ", ".join(self._endings)
        self._sentence.setText(self.tr("Or drop your own file here: {0}").format(kinds))
        self.browse_button.setText(self.tr("Choose a file"))


class SaveFirst(QWidget):
    """Whether to keep what is on the board; only where that is possible and was not done yet."""

    def __init__(self) -> None:
        super().__init__()
        self.switch = Switch()
        self._offered = False
        self._title = Text(role="strong", wrap=True)
        self._facts = Text(tone="muted", wrap=True)
        texts = column(self._title, self._facts, gap=0.5)
        row(self.switch, texts, gap=3, parent=self).setStretch(1, 1)
        self._retranslate()

    def offer(self, possible: bool, wanted: bool) -> None:
        """Show it, or hide it where there is nothing to choose."""
        self._offered = possible
        self.setVisible(possible)
        self.switch.setChecked(possible and wanted)

    def refuse(self) -> None:
        """The person does without it."""
        self._offered = True
        self.switch.setChecked(False)

    def wanted(self) -> bool | None:
        """Whether it is to be kept; None where the person was not asked."""
        return self.switch.isChecked() if self._offered else None

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self._title.setText(self.tr("Save what is on the board first"))
        self._facts.setText(
            self.tr("It can then be written back. Takes seconds on an Arduino, minutes on an ESP32.")
        )
        self.switch.setAccessibleName(self._title.text())


def size_text(size_bytes: int) -> str:
    """Return a size in bytes, KiB or MiB with one decimal."""
    if size_bytes < 1024:
        return f"{size_bytes} B"
    return f"{size_bytes / 1024:.1f} KiB" if size_bytes < 1 << 20 else f"{size_bytes / (1 << 20):.1f} MiB"
