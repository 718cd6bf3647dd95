"""The column of page buttons at the left edge of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton

from zeroclaw_desktop.gui.main_window.page_spec import PageSpec
from zeroclaw_desktop.gui.theme import icon, size, space, theme
from zeroclaw_desktop.gui.widgets.layout import column


class ActivityButton(QToolButton):
    """Opens one page; checked while it is shown."""

    def __init__(self, spec: PageSpec, shortcut: str) -> None:
        super().__init__()
        self.spec = spec
        self._shortcut = shortcut
        self._waiting = 0
        self.setProperty("role", "activity")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        edge = size("activity_item")
        self.setFixedSize(edge, edge)
        self.toggled.connect(self.refresh)
        theme().theme_changed.connect(self.refresh)
        self.refresh()
        self.retranslate()

    def retranslate(self) -> None:
        """Take over title and shortcut in the person's language."""
        title = self.spec.shown_title()
        kind = (
            self.tr("Interrupted tasks: {0}")
            if self.spec.key == "activity"
            else self.tr("Questions that wait for you: {0}")
        )
        waiting = kind.format(self._waiting) if self._waiting else ""
        tip = f"{title}  {self._shortcut}" if self._shortcut else title
        self.setToolTip("\n".join(line for line in (tip, waiting) if line))
        self.setAccessibleName(". ".join(part for part in (title, waiting) if part))

    def show_waiting(self, number: int) -> None:
        """Show how many questions or tasks wait for the person behind this button; 0 shows nothing."""
        if number != self._waiting:
            self._waiting = number
            self.retranslate()
            self.update()

    def waiting(self) -> int:
        """Return how many wait."""
        return self._waiting

    def refresh(self) -> None:
        """Draw the icon for the present theme and state."""
        edge = size("icon") + space(0.5)
        self.setIconSize(QSize(edge, edge))
        ink = "accent_ink" if self.isChecked() else "text_muted"
        self.setIcon(icon(self.spec.icon, ink, edge, disabled=False))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw how many wait in the upper right corner."""
        super().paintEvent(event)
        if not self._waiting:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = space(4)
        place = QRectF(self.width() - edge - space(1), space(1), edge, edge)
        painter.setPen(QPen(theme().color("bar"), 2))
        painter.setBrush(theme().color("warn"))
        painter.drawEllipse(place)
        painter.setPen(theme().color("on_warn"))
        painter.setFont(theme().font("badge"))
        shown = str(self._waiting) if self._waiting < 10 else "9+"
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.end()


class Mark(QFrame):
    """The product's mark: a ring, the zero, with three claw strokes through it."""

    def __init__(self) -> None:
        super().__init__()
        edge = size("activity_item")
        self.setFixedSize(edge, edge)
        self.setAccessibleName("ZeroClaw")
        theme().theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it in the accent."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = space(1)
        painter.translate(self.width() / 2, self.height() / 2)
        pen = QPen(theme().color("accent"), unit * 0.7)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawEllipse(QPointF(0, 0), unit * 3, unit * 3)
        for offset in (-1.2, 0.0, 1.2):
            x = offset * unit
            painter.drawLine(QPointF(x + unit * 0.5, -unit * 1.3), QPointF(x - unit * 0.5, unit * 1.3))
        painter.end()


class ActivityBar(QFrame):
    """Buttons for all pages in the given order.

    Args:
        specs: pages; those with ``at_bottom`` stand at the lower end.
    """

    page_chosen = Signal(str)

    def __init__(self, specs: Sequence[PageSpec]) -> None:
        super().__init__()
        self.setObjectName("activity_bar")
        self.setFixedWidth(size("activity_bar"))
        self._group = QButtonGroup(self)
        self.buttons: dict[str, ActivityButton] = {}
        for number, spec in enumerate(specs, start=1):
            button = ActivityButton(spec, f"Ctrl+{number}")
            button.clicked.connect(lambda _=False, key=spec.key: self.page_chosen.emit(key))
            self._group.addButton(button)
            self.buttons[spec.key] = button
        top = [button for button in self.buttons.values() if not button.spec.at_bottom]
        bottom = [button for button in self.buttons.values() if button.spec.at_bottom]
        layout = column(Mark(), *top, None, *bottom, gap=1, margins=(1.5, 1.5), parent=self)
        for button in (*top, *bottom):
            layout.setAlignment(button, Qt.AlignmentFlag.AlignHCenter)

    def set_current(self, key: str) -> None:
        """Mark the page that is shown; '' marks none (the welcome page)."""
        self._group.setExclusive(False)
        for name, button in self.buttons.items():
            button.setChecked(name == key)
            # One stop of the tab key; the arrow keys go on from there.
            reached = name == key or not key
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if reached else Qt.FocusPolicy.NoFocus)
        self._group.setExclusive(bool(key))

    def retranslate(self) -> None:
        """Follow the language."""
        for button in self.buttons.values():
            button.retranslate()
