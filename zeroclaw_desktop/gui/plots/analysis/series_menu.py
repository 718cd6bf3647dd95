"""A button that shows which series are analysed, and the menu in which they are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QMenu

from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.plots.panels import PlotSeries
from zeroclaw_desktop.gui.theme import pixmap, size, space, theme
from zeroclaw_desktop.gui.widgets.buttons import Button

_LONGEST_NAME = 18


class SeriesMenuButton(Button):
    """Chooses one or more of some series; at least one stays chosen."""

    chosen = Signal(list)
    """The ``SeriesId`` of all that are chosen now."""

    def __init__(self) -> None:
        super().__init__("", "secondary")
        room = size("icon_small") + space(3)
        self.setStyleSheet(f"QPushButton {{ text-align: left; padding: 0 {room}px 0 {space(2)}px; }}")
        self._lead = ""
        self._choices: list[PlotSeries] = []
        self._checked: list[PlotSeries] = []
        self.series_menu = _StayingMenu(self)
        actions().guard(self.series_menu)
        # A button that owns its menu would ignore the room at the left of its text.
        self.clicked.connect(lambda: self.series_menu.popup(self.mapToGlobal(self.rect().bottomLeft())))
        theme().theme_changed.connect(self._rebuild)

    def set_lead(self, lead: str, name: str) -> None:
        """Change the word before the chosen series, and the name for tooltip and screen readers."""
        self._lead = lead
        self.setToolTip(name)
        self._show_text()

    def set_series(self, choices: Sequence[PlotSeries], checked: Sequence[PlotSeries]) -> None:
        """Offer these series; ``checked`` are chosen."""
        if list(choices) != self._choices:
            self._choices, self._checked = list(choices), list(checked)
            self._rebuild()
        else:
            self._checked = list(checked)
            for action in self.series_menu.actions():
                action.setChecked(self._choices[action.data()] in self._checked)
        self._show_text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the caret at the right, as other choices have it."""
        super().paintEvent(event)
        edge = size("icon_small")
        painter = QPainter(self)
        place = QPointF(self.width() - edge - space(2), (self.height() - edge) / 2)
        painter.drawPixmap(place, pixmap("collapse", "text_muted", edge))
        painter.end()

    def _rebuild(self) -> None:
        self.series_menu.clear()
        for number, series in enumerate(self._choices):
            action = QAction(_swatch(series.color_index), series.series_id.label, self.series_menu)
            action.setData(number)
            action.setCheckable(True)
            action.setChecked(series in self._checked)
            action.triggered.connect(lambda _=False, at=number: self._toggle(at))
            self.series_menu.addAction(action)

    def _toggle(self, number: int) -> None:
        series = self._choices[number]
        checked = [one for one in self._choices if (one in self._checked) != (one == series)]
        if checked:
            self._checked = checked
        for action in self.series_menu.actions():
            action.setChecked(self._choices[action.data()] in self._checked)
        self._show_text()
        if checked:
            self.chosen.emit([one.series_id for one in checked])

    def _show_text(self) -> None:
        names = [one.series_id.label for one in self._checked] or ["–"]
        first = names[0] if len(names[0]) <= _LONGEST_NAME else f"{names[0][: _LONGEST_NAME - 1]}…"
        text = f"{self._lead} {first}" + (f" +{len(names) - 1}" if len(names) > 1 else "")
        self.setText(text.strip())
        self.setAccessibleName(f"{self.toolTip()}: {', '.join(names)}")


class _StayingMenu(QMenu):
    """A menu that stays open while its entries are checked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and event.button() == Qt.MouseButton.LeftButton:
            action.trigger()
        else:
            super().mouseReleaseEvent(event)


def _swatch(color_index: int) -> QIcon:
    edge = space(3.5)
    picture = QPixmap(edge, edge)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme().series_color(color_index))
    painter.drawRoundedRect(picture.rect(), 3, 3)
    painter.end()
    return QIcon(picture)
