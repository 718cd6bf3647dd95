"""Design tokens made into Qt: colours, sizes, fonts, style sheet and icons.

Pages ask ``theme()`` for everything that has a colour or a size. No widget may be defined here.
"""

from __future__ import annotations

from zeroclaw_desktop.gui.theme.icons import icon, pixmap
from zeroclaw_desktop.gui.theme.theme import (
    Theme,
    choose_style,
    color,
    font,
    install_theme,
    size,
    space,
    theme,
)

__all__ = [
    "Theme",
    "choose_style",
    "color",
    "font",
    "icon",
    "install_theme",
    "pixmap",
    "size",
    "space",
    "theme",
]
