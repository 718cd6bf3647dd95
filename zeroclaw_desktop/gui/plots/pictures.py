"""The plot as a picture: pixels for the screen and the clipboard, lines and texts for print."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRect
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtSvg import QSvgGenerator

from zeroclaw_desktop.gui.plots.canvas import PlotCanvas

PIXEL_RATIO = 2.0
"""Device pixels for each logical pixel of a picture."""
VECTOR_RATIO = 2.0
"""Columns of a dense curve for each logical pixel; a window that is full of eight of them takes 1 MB."""
_DOTS_PER_INCH = 96


def picture_of(canvas: PlotCanvas) -> QImage:
    """Return the plot without the crosshair, with twice the pixels of the screen."""
    picture = QImage(canvas.size() * PIXEL_RATIO, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(PIXEL_RATIO)
    canvas.paint_on(picture, PIXEL_RATIO)
    return picture


def write_png(canvas: PlotCanvas, path: str) -> None:
    """Write the plot as PNG; raises OSError where that does not work, and leaves no half file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(picture_of(canvas))
    _write_whole(path, bytes(buffer.data().data()))


def write_svg(canvas: PlotCanvas, path: str, title: str) -> None:
    """Write the plot as SVG with curves as paths; raises OSError like ``write_png``."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # 1.2 Tiny cannot cut at a panel's edge
    generator.setOutputDevice(buffer)
    generator.setResolution(_DOTS_PER_INCH)
    generator.setSize(canvas.size())
    generator.setViewBox(QRect(0, 0, canvas.width(), canvas.height()))
    generator.setTitle(title)
    generator.setDescription("ZeroClaw Desktop")
    canvas.paint_on(generator, VECTOR_RATIO, vector=True)
    _write_whole(path, bytes(buffer.data().data()))


def _write_whole(path: str, data: bytes) -> None:
    target = Path(path)
    unfinished = target.with_name(target.name + ".part")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
