"""A board's own SVG drawing (``resources/boards/*.svg``): rendering and the places of its pins and LEDs.

The drawing is the only source of places: the middle of the element ``pin-13`` is where pin 13 is shown.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import AssetMissingError

_FALLBACK = "generic"
_NAME = re.compile(r"(?:boards/)?([a-z0-9][a-z0-9-]*)(?:\.svg)?")
_PIN = re.compile(r'id="pin-(\d+)"')
_LED = re.compile(r'id="(led-[a-z0-9]+)"')


class BoardDrawing:
    """One drawing.

    Args:
        picture: name of a drawing that ships (``arduino-uno``, ``boards/arduino-uno.svg``), or the whole path
            of one of the person's own; what is not there or is no drawing gets the generic one.

    Raises:
        AssetMissingError: the generic drawing is missing too.
    """

    def __init__(self, picture: str) -> None:
        text = _drawing_text(picture)
        self._renderer = QSvgRenderer(text.encode("utf-8"))
        if not self._renderer.isValid() or self._renderer.viewBoxF().isEmpty():
            text = _drawing_text(_FALLBACK)
            self._renderer = QSvgRenderer(text.encode("utf-8"))
        self.view = self._renderer.viewBoxF()
        self.pins = {int(number): self._middle(f"pin-{number}") for number in _PIN.findall(text)}
        self.leds = {name: self._renderer.boundsOnElement(name) for name in _LED.findall(text)}
        self._pixmap = QPixmap()

    def size(self) -> QSizeF:
        """Return the drawing's size in its own units."""
        return self.view.size()

    def pixmap(self, width: float, ratio: float) -> QPixmap:
        """Return the drawing rendered sharply.

        Args:
            width: logical pixels; the height follows.
            ratio: device pixels for each logical pixel.
        """
        height = width * self.view.height() / self.view.width()
        wanted = (max(1, round(width * ratio)), max(1, round(height * ratio)))
        if (self._pixmap.width(), self._pixmap.height()) != wanted:
            picture = QPixmap(*wanted)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._renderer.render(painter, QRectF(0, 0, *wanted))
            painter.end()
            picture.setDevicePixelRatio(ratio)
            self._pixmap = picture
        return self._pixmap

    def _middle(self, element: str) -> QPointF:
        return self._renderer.boundsOnElement(element).center()


def _drawing_text(picture: str) -> str:
    own = Path(picture)
    if own.is_absolute() and own.suffix == ".svg":
        try:
            return own.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return _drawing_text(_FALLBACK)
    name = _NAME.fullmatch(picture)
    try:
        path = resource_path(f"boards/{name.group(1) if name else _FALLBACK}.svg")
    except AssetMissingError:
        path = resource_path(f"boards/{_FALLBACK}.svg")
    return path.read_text(encoding="utf-8")
