"""The list beside a chart: for each series its name in its colour, and rows of name and value."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from zeroclaw_desktop.gui.plots.analysis.content import SeriesFigures
from zeroclaw_desktop.gui.theme import space, theme

_WIDTH_IN_DIGITS = 30


class FigureList(QScrollArea):
    """Scrolls when there is more than fits; screen readers get it as one text."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = _Rows()
        self.setWidget(self._rows)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme().theme_changed.connect(self._fit_width)
        self._fit_width()
        self._retranslate()

    def set_figures(self, figures: Sequence[SeriesFigures]) -> None:
        """Show these."""
        self._rows.show_figures(figures)
        self._rows.setAccessibleDescription(self.text())

    def text(self) -> str:
        """Return what is shown, a line for each row, name and value apart by a tab."""
        lines = []
        for one in self._rows.figures:
            lines.append(one.series.series_id.label)
            lines += [f"{figure.name}\t{figure.value}".rstrip() for figure in one.figures]
        return "\n".join(lines)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _fit_width(self) -> None:
        self.setFixedWidth(QFontMetrics(theme().font("caption")).horizontalAdvance("0" * _WIDTH_IN_DIGITS))

    def _retranslate(self) -> None:
        self._rows.setAccessibleName(self.tr("Figures of the analysis"))


class _Rows(QWidget):
    """Paints the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.figures: tuple[SeriesFigures, ...] = ()
        theme().theme_changed.connect(self.update)

    def show_figures(self, figures: Sequence[SeriesFigures]) -> None:
        """Show these."""
        count = self._count()
        self.figures = tuple(figures)
        if self._count() != count:
            self.updateGeometry()
            self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for the height of all rows."""
        return QSize(space(40), self._count() * self._line())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all rows."""
        painter = QPainter(self)
        line, width = self._line(), self.width() - space(3)
        top = 0
        for one in self.figures:
            painter.fillRect(
                QRect(0, top + line // 2 - 1, space(2), 3), theme().series_color(one.series.color_index)
            )
            painter.setFont(theme().font("label"))
            painter.setPen(theme().color("text"))
            self._write(painter, QRect(space(3.5), top, width - space(3.5), line), one.series.series_id.label)
            top += line
            for name, value in one.figures:
                painter.setFont(theme().font("mono_small"))
                painter.setPen(theme().color("text"))
                taken = painter.fontMetrics().horizontalAdvance(value) + space(2) if value else 0
                self._write(painter, QRect(0, top, width, line), value, Qt.AlignmentFlag.AlignRight)
                painter.setFont(theme().font("caption"))
                painter.setPen(theme().color("text_muted"))
                self._write(painter, QRect(0, top, width - taken, line), name)
                top += line
            top += line // 2
        painter.end()

    @staticmethod
    def _write(
        painter: QPainter, area: QRect, text: str, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    ) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(1, area.width()))
        painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), shown)

    def _line(self) -> int:
        return QFontMetrics(theme().font("caption")).height() + space(1)

    def _count(self) -> int:
        """Number of lines that all rows take, gaps between series included."""
        return sum(2 + len(one.figures) for one in self.figures)
