"""Surfaces that hold other things: card, sunken panel, scrolling page, sheet over a page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QLayout, QScrollArea, QSizePolicy, QWidget
from shiboken6 import isValid

from zeroclaw_desktop.gui.theme import size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import IconButton
from zeroclaw_desktop.gui.widgets.labels import ElidedText
from zeroclaw_desktop.gui.widgets.layout import Item, column, row


class Card(QFrame):
    """A raised surface with a hairline around it.

    Args:
        items: widgets or layouts from top to bottom.
        role: ``card``, ``sunken`` or ``sheet``.
        padding: grid steps inside.
        gap: grid steps between items.
    """

    def __init__(self, *items: Item, role: str = "card", padding: float = 4, gap: float = 3) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.body = column(*items, gap=gap, margins=(padding,), parent=self)

    def set_selected(self, selected: bool) -> None:
        """Mark the card as the current one."""
        if self.property("selected") != selected:
            self.setProperty("selected", selected)
            self.style().unpolish(self)
            self.style().polish(self)


class ScrollColumn(QScrollArea):
    """A page's content that scrolls vertically and never sideways."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        content = QWidget()
        content.setObjectName("scroll_content")
        content.setLayout(layout)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # What is inside takes the keyboard and hands page keys up; the area itself shows no focus.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)


class Sheet(QWidget):
    """A panel over a page: dims the page, keeps the frame with its Stop button free, closes with Esc.

    Args:
        host: the page that it lies over.
        title: name in its head.
    """

    closed = Signal()

    def __init__(self, host: QWidget, title: str = "") -> None:
        super().__init__(host)
        self._host = host
        self._before: QWidget | None = None
        self._title = ElidedText(title, "title")
        self.close_button = IconButton("close", self.tr("Close"))
        self.close_button.clicked.connect(self.close_sheet)
        self.panel = Card(row(self._title, self.close_button), role="sheet", padding=6, gap=4)
        self.panel.setMaximumWidth(size("sheet_width"))
        self.panel.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        centred = row(self.panel, gap=0)
        centred.setAlignment(self.panel, Qt.AlignmentFlag(0))
        centred.insertStretch(0, 1)
        centred.addStretch(1)
        centred.setStretch(1, 100)
        column(centred, None, gap=0, margins=(4, 12, 4, 4), parent=self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()
        host.installEventFilter(self)

    def set_title(self, title: str) -> None:
        """Change the name in its head."""
        self._title.set_text(title)
        self.setAccessibleName(title)

    def open_sheet(self) -> None:
        """Show it over its page and give it the keyboard; who had it gets it back at the end."""
        before = QApplication.focusWidget()
        if before is not None and before is not self and not self.isAncestorOf(before):
            self._before = before
        self.setGeometry(self._host.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def may_close(self) -> bool:
        """Tell whether Esc and the cross may close it now; subclasses refuse while work is running."""
        return True

    def close_sheet(self) -> None:
        """Close it unless ``may_close`` refuses."""
        if self.isVisible() and self.may_close():
            self.hide()
            before, self._before = self._before, None
            if before is not None and isValid(before) and before.isVisible():
                before.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_sheet()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Swallow clicks beside the panel, so that nothing under it acts."""
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Keep the tab key inside the sheet."""
        chain = [w for w in self.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        stops = [w for w in chain if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
        if not stops:
            return True
        current = self.focusWidget()
        step = 1 if forward else -1
        at = stops.index(current) if current in stops else (-1 if forward else 0)
        target = stops[(at + step) % len(stops)]
        target.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        around = target.parentWidget()
        while around is not None and around is not self:
            if isinstance(around, QScrollArea):
                around.ensureWidgetVisible(target)
            around = around.parentWidget()
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dim what lies under the sheet."""
        scrim = QColor(theme().color("scrim"))
        scrim.setAlphaF(0.45)
        painter = QPainter(self)
        painter.fillRect(self.rect(), scrim)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the page."""
        if watched is self._host and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._host.rect())
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.close_button.set_name(self.tr("Close"))
        super().changeEvent(event)


def page_margins() -> int:
    """Return the margin around a page's content in logical pixels."""
    return space(6)
