"""A long list of entries that stays smooth: only what is near the visible part exists as widgets.

Heights of entries that were never shown are estimated; when the real height turns out, the entry that the
person looks at stays where it is. The list follows new text only while it is scrolled to the end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget

from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing

_AT_END_STEPS = 4
"""Grid steps from the end within which the list counts as scrolled to the end."""
_KEPT_VIEWPORTS = 2
"""Widgets further away than this many heights of the view are given up."""
_SETTLING_ROUNDS = 4


class TranscriptView(QAbstractScrollArea):
    """The scrolling list.

    Args:
        count: returns the number of entries.
        make: returns a new widget that shows the entry with this number.
        show: lets the widget of an entry show its newest state.
        release: takes a widget back that is no longer near the visible part.
        estimate: returns a guess of the height of an entry at a width, in logical pixels.
    """

    at_end_changed = Signal(bool)

    def __init__(
        self,
        count: Callable[[], int],
        make: Callable[[int], QWidget],
        show: Callable[[int, QWidget], None],
        release: Callable[[QWidget], None],
        estimate: Callable[[int, int], int],
    ) -> None:
        super().__init__()
        self._count, self._make, self._show = count, make, show
        self._release, self._estimate = release, estimate
        self._heights: list[int] = []
        self._heights_changed = True
        self._tops: list[int] = [0]
        self._measured: set[int] = set()
        self._widgets: dict[int, QWidget] = {}
        self._numbers: dict[QWidget, int] = {}
        self._follows = True
        self._adjusting = False
        self._width = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        FocusRing(self)
        # One style sheet for all texts inside: a sheet for each would be parsed for each.
        self.setStyleSheet("QTextBrowser { background: transparent; border: none; padding: 0; }")
        self._settle_timer = self._single_shot(self._settle)
        self._prefetch_timer = self._single_shot(self._prefetch)
        self.end_button = Button("", "secondary", "down", compact=True)
        self.end_button.setParent(self)
        self.end_button.hide()
        self.end_button.clicked.connect(self.scroll_to_end)
        self._retranslate()

    def refresh(self, numbers: list[int]) -> None:
        """Show entries that are new or changed."""
        while len(self._heights) < self._count():
            self._heights.append(self._estimate(len(self._heights), self._entry_width()))
            self._heights_changed = True
        for number in numbers:
            if number in self._widgets:
                self._show(number, self._widgets[number])
        self._settle_timer.start()

    def widget_of(self, number: int) -> QWidget | None:
        """Return the widget of an entry while it exists."""
        return self._widgets.get(number)

    def live_widgets(self) -> int:
        """Return how many entries exist as widgets now."""
        return len(self._widgets)

    def follows(self) -> bool:
        """Tell whether the list keeps to its end."""
        return self._follows

    def scroll_to_end(self) -> None:
        """Go to the end and stay there."""
        self._set_follows(True)
        self._settle()

    def scroll_to_entry(self, number: int) -> None:
        """Bring an entry to the top of the view as far as the list allows."""
        self._set_follows(False)
        self._sum_heights()
        self.verticalScrollBar().setValue(self._tops[number])
        self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new size."""
        super().resizeEvent(event)
        if self._entry_width() != self._width:
            self._width = self._entry_width()
            self._measured.clear()
            for number in range(len(self._heights)):
                if number not in self._widgets:
                    self._heights[number] = self._estimate(number, self._width)
            self._heights_changed = True
        self._place_end_button()
        self._settle()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the widgets that are in sight."""
        super().showEvent(event)
        self._settle_timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Measure an entry again when its content asks for another size."""
        if event.type() == QEvent.Type.LayoutRequest and isinstance(watched, QWidget):
            number = self._numbers.get(watched)
            if number is not None:
                self._measured.discard(number)
                self._settle_timer.start()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Move the widgets; those that come into sight are made."""
        if not self._adjusting:
            bar = self.verticalScrollBar()
            self._set_follows(bar.value() >= bar.maximum() - space(_AT_END_STEPS))
            self._settle()

    def _single_shot(self, action: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(0)
        timer.timeout.connect(action)
        return timer

    def _entry_width(self) -> int:
        return max(space(20), min(size("reading_width"), self.width() - 2 * space(6)))

    def _sum_heights(self) -> None:
        if not self._heights_changed:
            return
        self._heights_changed = False
        gap = space(3)
        self._tops = list(accumulate((height + gap for height in self._heights), initial=space(4)))

    def _content_height(self) -> int:
        return self._tops[-1] + space(3)

    def _in_sight(self, margin: int = 0) -> range:
        top = self.verticalScrollBar().value()
        first = max(0, bisect_right(self._tops, top - margin) - 1)
        last = bisect_right(self._tops, top + self.viewport().height() + margin)
        return range(first, min(last, len(self._heights)))

    def _settle(self) -> None:
        """Make and measure what is in sight until nothing moves any more, then place it."""
        if not self.isVisible() or not self._heights:
            return
        self._adjusting = True
        anchor, offset = self._anchor()
        for _ in range(_SETTLING_ROUNDS):
            self._set_range(anchor, offset)
            if not self._measure(self._in_sight()):
                break
        self._set_range(anchor, offset)
        self._place()
        self._adjusting = False
        self._prefetch_timer.start()

    def _anchor(self) -> tuple[int, int]:
        """Return the first entry in sight and how far its top is above the view."""
        value = self.verticalScrollBar().value()
        number = min(max(0, bisect_right(self._tops, value) - 1), len(self._heights) - 1)
        return number, value - self._tops[number]

    def _set_range(self, anchor: int, offset: int) -> None:
        self._sum_heights()
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        bar.setRange(0, max(0, self._content_height() - room))
        bar.setPageStep(room)
        bar.setSingleStep(space(5))
        bar.setValue(bar.maximum() if self._follows else self._tops[anchor] + offset)

    def _measure(self, numbers: range) -> bool:
        """Make and measure entries; returns whether a height changed."""
        changed = False
        width = self._entry_width()
        for number in numbers:
            if number not in self._widgets:
                self._realise(number)
            if number in self._measured:
                continue
            self._measured.add(number)
            height = _height_of(self._widgets[number], width)
            if height != self._heights[number]:
                self._heights[number] = height
                self._heights_changed = changed = True
        return changed

    def _realise(self, number: int) -> None:
        widget = self._make(number)
        if widget.parent() is not self.viewport():
            widget.setParent(self.viewport())
        widget.setGeometry(0, -2 * self.height() - self._heights[number], self._entry_width(), 1)
        self._widgets[number] = widget
        self._numbers[widget] = number
        self._measured.discard(number)
        widget.installEventFilter(self)
        widget.show()

    def _place(self) -> None:
        value = self.verticalScrollBar().value()
        width = self._entry_width()
        left = max(space(6), (self.width() - width) // 2)
        kept = self._in_sight(_KEPT_VIEWPORTS * self.viewport().height())
        focused = QApplication.focusWidget()
        for number, widget in list(self._widgets.items()):
            if number in kept or (focused is not None and widget.isAncestorOf(focused)):
                place = QRect(left, self._tops[number] - value, width, self._heights[number])
                if widget.geometry() != place:
                    widget.setGeometry(place)
            else:
                self._give_up(number)

    def _give_up(self, number: int) -> None:
        widget = self._widgets.pop(number)
        self._numbers.pop(widget)
        widget.removeEventFilter(self)
        widget.hide()
        self._release(widget)

    def _prefetch(self) -> None:
        """Make one entry beyond the visible part, then come back for the next: no step takes long."""
        if not self.isVisible():
            return
        near = self._in_sight(self.viewport().height() // 2)
        missing = [number for number in near if number not in self._widgets or number not in self._measured]
        if missing:
            self._adjusting = True
            anchor, offset = self._anchor()
            self._measure(range(missing[0], missing[0] + 1))
            self._set_range(anchor, offset)
            self._place()
            self._adjusting = False
            self._prefetch_timer.start()

    def _set_follows(self, follows: bool) -> None:
        if follows != self._follows:
            self._follows = follows
            self.end_button.setVisible(not follows)
            self._place_end_button()
            self.end_button.raise_()
            self.at_end_changed.emit(follows)

    def _place_end_button(self) -> None:
        button = self.end_button
        button.adjustSize()
        left = (self.width() - button.width()) // 2
        button.move(left, self.height() - button.height() - space(2))

    def _retranslate(self) -> None:
        self.end_button.setText(self.tr("Latest"))
        self.end_button.setAccessibleName(self.tr("Go to the latest message"))
        self._place_end_button()


def _height_of(widget: QWidget, width: int) -> int:
    height_for = getattr(widget, "height_for", None)
    if callable(height_for):
        return int(height_for(width))
    layout = widget.layout()
    if layout is not None:
        layout.activate()
    if widget.hasHeightForWidth():
        return widget.heightForWidth(width)
    return widget.sizeHint().height()
