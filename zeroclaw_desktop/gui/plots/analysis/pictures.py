"""A chart as a picture: for the clipboard, as PNG, as SVG."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from zeroclaw_desktop.gui.plots.analysis.chart import Chart


def image_of(chart: Chart, ratio: float = 2.0) -> QImage:
    """Return the chart with ``ratio`` device pixels for each logical one."""
    picture = QImage(chart.size() * ratio, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    chart.paint_picture(painter, ratio)
    painter.end()
    return picture


def write_png(chart: Chart, path: str) -> bool:
    """Write a PNG picture; returns whether that went well."""
    return QImageWriter(path, b"png").write(image_of(chart))


def write_svg(chart: Chart, path: str) -> bool:
    """Write an SVG drawing; returns whether that went well. A cloud of points is a picture inside it."""
    drawing = QBuffer()
    drawing.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(drawing)
    generator.setSize(chart.size())
    generator.setViewBox(QRect(0, 0, chart.width(), chart.height()))
    painter = QPainter(generator)
    chart.paint_picture(painter, 1.0)
    painter.end()
    try:
        Path(path).write_bytes(drawing.data().data())
    except OSError:
        return False
    return True
