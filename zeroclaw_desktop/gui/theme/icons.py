"""Icons by meaning, all from the Phosphor family that the QtAwesome package carries.

Only the font file and its character table are read: importing QtAwesome itself costs about 100 ms at start.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.foundation.errors import AssetMissingError
from zeroclaw_desktop.gui.theme.theme import theme

_NAMES = {
    "add": "plus",
    "analyse": "waves",
    "ask": "hand-palm",
    "attach": "paperclip",
    "back": "arrow-left",
    "bar_level": "chart-bar-horizontal",
    "board": "cpu",
    "brown_out": "battery-warning",
    "bug": "bug",
    "button": "hand-pointing",
    "buzzer": "speaker-high",
    "chat": "chat-teardrop-text",
    "check": "check",
    "clear": "eraser",
    "close": "x",
    "collapse": "caret-down",
    "connect": "link-simple",
    "console": "terminal-window",
    "copy": "copy",
    "cursors": "ruler",
    "dashboard": "squares-four",
    "delete": "trash-simple",
    "devices": "cpu",
    "disconnect": "link-simple-break",
    "done": "check-circle",
    "down": "arrow-down",
    "edit": "pencil-simple",
    "error": "warning-circle",
    "expand": "caret-right",
    "export": "export",
    "fault": "lightning-slash",
    "figures": "table",
    "file": "file",
    "filter": "funnel-simple",
    "firmware": "package",
    "flash": "lightning",
    "folder": "folder-open",
    "full_screen": "corners-out",
    "help": "question",
    "histogram": "chart-bar",
    "image": "image",
    "info": "info",
    "keyboard": "keyboard",
    "keep": "lock-simple",
    "knob": "gauge",
    "language": "translate",
    "layout": "layout",
    "led": "lightbulb-filament",
    "logs": "list-dashes",
    "model": "sparkle",
    "more": "dots-three",
    "motor": "gear-six",
    "note": "note",
    "number": "hash",
    "offline": "cloud-slash",
    "pause": "pause",
    "pin": "push-pin-simple",
    "play": "play",
    "plots": "chart-line",
    "port": "arrow-square-in",
    "record": "record",
    "redo": "arrow-u-up-right",
    "refresh": "arrows-clockwise",
    "release": "lock-simple-open",
    "retry": "arrow-counter-clockwise",
    "run": "play",
    "search": "magnifying-glass",
    "send": "paper-plane-right",
    "servo": "compass",
    "settings": "sliders-horizontal",
    "simulator": "flask",
    "sources": "broadcast",
    "step_back": "skip-back",
    "step_on": "skip-forward",
    "stop": "octagon",
    "stop_small": "stop",
    "switch": "toggle-left",
    "temperature": "thermometer-simple",
    "theme": "circle-half",
    "trigger": "crosshair-simple",
    "undo": "arrow-u-up-left",
    "up": "arrow-up",
    "user": "user",
    "warning": "warning",
    "xy": "scribble-loop",
    "zoom_fit": "frame-corners",
    "zoom_in": "magnifying-glass-plus",
    "zoom_out": "magnifying-glass-minus",
}


@cache
def _family() -> tuple[str, str]:
    spec = find_spec("qtawesome")
    folders = list(spec.submodule_search_locations or []) if spec else []
    for folder in folders:
        fonts = sorted((Path(folder) / "fonts").glob("phosphor-*.ttf"))
        tables = sorted((Path(folder) / "fonts").glob("phosphor-charmap-*.json"))
        if fonts and tables:
            number = QFontDatabase.addApplicationFont(str(fonts[-1]))
            families = QFontDatabase.applicationFontFamilies(number)
            if families:
                return families[0], tables[-1].read_text(encoding="utf-8")
    raise AssetMissingError(
        "The icon font Phosphor of the package QtAwesome was not found.",
        hint="Install the requirements of ZeroClaw Desktop again.",
    )


def _character(name: str) -> str:
    _, table = _family()
    glyph = _NAMES.get(name, name)
    # Looking for one name in the text costs less than parsing the table of 4,500 or compiling a pattern.
    start = table.find(f'"{glyph}":')
    if start < 0:
        return _character("question")
    number = table[start + len(glyph) + 3 :].lstrip()[1:].partition('"')[0]
    return chr(int(number, 16))


def icon_names() -> tuple[str, ...]:
    """Return the names that ``icon`` knows by meaning (Phosphor's own names are accepted too)."""
    return tuple(_NAMES)


def pixmap(name: str, role: str = "text", pixels: int | None = None) -> QPixmap:
    """Return a sharp picture of an icon.

    Args:
        name: meaning (``chat``, ``flash``) or a Phosphor name; an unknown name gives a question mark.
        role: colour token that it is drawn in.
        pixels: edge length in logical pixels; the design's icon size when None.
    """
    return _tinted(name, theme().color(role).name(), pixels or theme().size("icon"), _pixel_ratio())


def icon(
    name: str, role: str = "text", pixels: int | None = None, *, gap: int = 0, disabled: bool = True
) -> QIcon:
    """Return an icon in a token colour; its disabled form is drawn in ``text_disabled``.

    The colour is fixed when the icon is made: make it again on ``theme().theme_changed``.

    Args:
        name, role, pixels: as for ``pixmap``.
        gap: empty logical pixels at its right, for buttons whose text would stand too near.
        disabled: False leaves the disabled form out, which halves the cost.
    """
    edge = pixels or theme().size("icon")
    result = QIcon(_widened(pixmap(name, role, edge), gap))
    if disabled:
        result.addPixmap(_widened(pixmap(name, "text_disabled", edge), gap), QIcon.Mode.Disabled)
    return result


def _widened(picture: QPixmap, gap: int) -> QPixmap:
    if not gap:
        return picture
    ratio = picture.devicePixelRatio()
    wide = QPixmap(picture.width() + round(gap * ratio), picture.height())
    wide.setDevicePixelRatio(ratio)
    wide.fill(Qt.GlobalColor.transparent)
    painter = QPainter(wide)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return wide


def _pixel_ratio() -> float:
    application = QApplication.instance()
    return max(2.0, application.devicePixelRatio()) if isinstance(application, QApplication) else 2.0


@cache
def _tinted(name: str, color: str, pixels: int, ratio: float) -> QPixmap:
    family, _ = _family()
    picture = QPixmap(round(pixels * ratio), round(pixels * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    font = QFont(family)
    font.setPixelSize(pixels)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setFont(font)
    painter.setPen(QColor(color))
    painter.drawText(QRectF(0, 0, pixels, pixels), Qt.AlignmentFlag.AlignCenter, _character(name))
    painter.end()
    return picture
