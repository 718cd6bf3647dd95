"""The list of series beside the plot: colour, name, value, count, and what is shown or hidden."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from zeroclaw_desktop.gui.plots.series_model import Index, SeriesModel, SeriesRow
from zeroclaw_desktop.gui.theme import pixmap, size, space, theme
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing


class SeriesDelegate(QStyledItemDelegate):
    """Paints a row: colour box, name over count, value at the right.

    Attributes:
        count_text: template that says how many samples; ``{0}`` is the number.
        alarm_text: word for a series that is beyond a limit.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count_text = "{0}"
        self.alarm_text = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines of text."""
        lines = QFontMetrics(theme().font("body")).height() + QFontMetrics(theme().font("caption")).height()
        return QSize(space(40), lines + space(3))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row = index.data(Qt.ItemDataRole.UserRole)
        model = index.model()
        if not isinstance(row, SeriesRow) or not isinstance(model, SeriesModel):
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_MouseOver:
            _paint_ground(painter, area, "hover")
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme().color("accent"), 2))
            painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), space(1), space(1))
        _paint_check(painter, area, row)
        inner = area.adjusted(space(8), space(1.5), -space(3), -space(1.5))
        if state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus):
            _paint_more(painter, area)
        value_width = _paint_value(painter, inner, row)
        _paint_names(
            painter, inner.adjusted(0, 0, -value_width - space(2), 0), row, self._second_line(row, model)
        )
        painter.restore()

    def _second_line(self, row: SeriesRow, model: SeriesModel) -> str:
        text = f"{self.alarm_text} · " if row.alarm else ""
        text += self.count_text.format(f"{row.view.count:,}")
        if rate := row.view.rate_hz:
            text += f" · {rate:,.0f} Hz" if rate >= 10 else f" · {rate:.2g} Hz"
        return f"{row.view.source_id} · {text}" if model.has_several_sources() else text


def _paint_ground(painter: QPainter, area: QRect, role: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().color(role))
    painter.drawRoundedRect(area, space(1), space(1))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_check(painter: QPainter, area: QRect, row: SeriesRow) -> None:
    """Draw a box in the series' colour: filled with a tick when shown, an outline when hidden."""
    edge = space(3.5)
    box = QRectF(area.left() + space(3), area.center().y() - edge / 2 + 0.5, edge, edge)
    ink = theme().series_color(row.color_index)
    painter.setPen(QPen(ink if row.visible else theme().color("text_faint"), 1.5))
    painter.setBrush(ink if row.visible else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 3, 3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if row.visible:
        painter.setPen(QPen(theme().color("surface"), 1.75))
        middle = box.center()
        left, right = box.left() + edge * 0.24, box.right() - edge * 0.22
        low = box.bottom() - edge * 0.3
        painter.drawLine(round(left), round(middle.y()), round(middle.x() - 1), round(low))
        painter.drawLine(round(middle.x() - 1), round(low), round(right), round(box.top() + edge * 0.3))


def _paint_value(painter: QPainter, area: QRect, row: SeriesRow) -> int:
    unit_font, value_font = theme().font("caption"), theme().font("mono")
    unit_width = QFontMetrics(unit_font).horizontalAdvance(row.view.unit) + space(1) if row.view.unit else 0
    metrics = QFontMetrics(value_font)
    text = row.value_text()
    if metrics.horizontalAdvance(text) > area.width() * 0.6:
        value_font = theme().font("mono_small")
        metrics = QFontMetrics(value_font)
    line = QRect(area.left(), area.top(), area.width(), QFontMetrics(theme().font("body")).height())
    right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    painter.setFont(value_font)
    painter.setPen(theme().color("text" if row.visible else "text_faint"))
    painter.drawText(line.adjusted(0, 0, -unit_width, 0), right, text)
    painter.setFont(unit_font)
    painter.setPen(theme().color("text_muted"))
    painter.drawText(line, right, row.view.unit)
    return metrics.horizontalAdvance(text) + unit_width


def _paint_names(painter: QPainter, area: QRect, row: SeriesRow, second: str) -> None:
    left = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    font = theme().font("body")
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(theme().color("text" if row.visible else "text_faint"))
    name = metrics.elidedText(row.view.label, Qt.TextElideMode.ElideMiddle, max(area.width(), space(8)))
    painter.drawText(QRect(area.left(), area.top(), area.width(), metrics.height()), left, name)
    caption = theme().font("caption")
    small = QFontMetrics(caption)
    painter.setFont(caption)
    painter.setPen(theme().color("danger_ink" if row.alarm else "text_faint"))
    place = QRect(area.left(), area.bottom() - small.height() + 1, area.width() + space(30), small.height())
    painter.drawText(place, left, second)


def more_area(area: QRect) -> QRect:
    """Return where a row's menu is opened: its lower right corner."""
    edge = space(5)
    return QRect(area.right() - edge - space(2), area.bottom() - edge, edge, edge)


def _paint_more(painter: QPainter, area: QRect) -> None:
    place, edge = more_area(area), size("icon_small")
    corner = place.center() - QPoint(edge // 2, edge // 2)
    painter.drawPixmap(corner, pixmap("more", "text_muted", edge))


class SeriesList(QListView):
    """The list itself: a click or Enter shows or hides, a double click shows one alone."""

    highlighted = Signal(object)
    """SeriesId under the pointer, or None."""
    menu_requested = Signal(object, QPoint)
    """SeriesId whose menu is wanted, and where in global pixels."""

    def __init__(self, model: SeriesModel) -> None:
        super().__init__()
        self._series = model
        self._doubled = False
        self.setModel(model)
        self._delegate = SeriesDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # It lies on a card that has the border already.
        self.setStyleSheet("QListView { border: none; background: transparent; }")
        FocusRing(self)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self._retranslate()
        theme().theme_changed.connect(self._redress)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show or hide the series that was clicked."""
        index = self.indexAt(event.position().toPoint())
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and not self._doubled:
            if more_area(self.visualRect(index)).contains(at):
                self._open_menu(index, event.globalPosition().toPoint())
            else:
                self._series.toggle(index.row())
        self._doubled = False
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show only this series, or all again."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not more_area(self.visualRect(index)).contains(event.position().toPoint()):
            # The first click of the two has toggled it already; the release of the second must not.
            self._doubled = True
            self._series.toggle(index.row())
            self._series.show_only(index.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the series under the pointer."""
        index = self.indexAt(event.position().toPoint())
        row = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        self.highlighted.emit(row.series_id if isinstance(row, SeriesRow) and row.visible else None)
        super().mouseMoveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the series: by the right button, or by the menu key for the chosen row."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            self._open_menu(index, self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()))
        else:
            self._open_menu(self.indexAt(event.pos()), event.globalPos())

    def _open_menu(self, index: QModelIndex, at: QPoint) -> None:
        row = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        if isinstance(row, SeriesRow):
            self.menu_requested.emit(row.series_id, at)

    def leaveEvent(self, event: QEvent) -> None:
        """Name none."""
        self.highlighted.emit(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows or hides; up and down choose; all else goes to the page."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._series.toggle(self.currentIndex().row())
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _redress(self) -> None:
        self.doItemsLayout()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Series"))
        self._delegate.count_text = self.tr("{0} samples")
        self._delegate.alarm_text = self.tr("Alarm")
