"""Draws numpy segments through QPainter without a Python object for each line."""

from __future__ import annotations

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtSvg import QSvgGenerator

FINE_SEGMENTS = 2_500
"""A frame with at most this many sloping segments may be drawn smooth and a little thicker.

Measured: 8 x 600 sloping segments take 5 ms smooth at 1.5 px and 1 to 2 ms plain at 1 px; thick pens on long
dense curves take many times that."""
_FINE_WIDTH = 1.5


class LinePainter:
    """A buffer that looks like an array of ``QLineF`` (four float64 each) to Qt."""

    def __init__(self) -> None:
        self._buffer = np.zeros((4096, 4))

    def draw(self, painter: QPainter, lines: NDArray[np.float64], color: QColor, *, fine: bool) -> None:
        """Draw segments in the painter's present coordinates.

        Args:
            painter: active, in device pixels.
            lines: shape (m, 4): x1, y1, x2, y2; finite.
            color: opaque.
            fine: smooth and 1.5 px thick instead of plain and 1 px.
        """
        count = len(lines)
        if not count:
            return
        if isinstance(painter.device(), QSvgGenerator):
            _draw_path(painter, lines, color)
            return
        if count > len(self._buffer):
            self._buffer = np.zeros((2 * count, 4))
        self._buffer[:count] = lines
        pen = QPen(color, _FINE_WIDTH if fine else 1.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap if fine else Qt.PenCapStyle.SquareCap)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, fine)
        first = shiboken6.wrapInstance(int(self._buffer.ctypes.data), QLineF)
        # The binding's stubs know only the form with a list; the form with a pointer is the fast one.
        painter.drawLines(first, count)  # type: ignore[call-overload]


def _draw_path(painter: QPainter, lines: NDArray[np.float64], color: QColor) -> None:
    """Draw a curve as one path, which takes a fifth of the room of separate lines in a file.

    Coordinates are cut to a tenth of a device pixel, which nobody sees and which shortens the file.
    """
    path = QPainterPath()
    end = (np.nan, np.nan)
    for x1, y1, x2, y2 in np.round(lines, 1).tolist():
        if (x1, y1) != end:
            path.moveTo(x1, y1)
        path.lineTo(x2, y2)
        end = (x2, y2)
    pen = QPen(color, 1.0)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawPath(path)
