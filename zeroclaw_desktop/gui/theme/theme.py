"""The theme of the running application: follows the system or the person's choice and re-themes live."""

from __future__ import annotations

import os
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.gui.theme.fonts import Faces
from zeroclaw_desktop.gui.theme.tokens import DARK, LIGHT, style_template, tokens

MODES = ("system", LIGHT, DARK)
_STYLE = "Fusion"
_STYLE_VARIABLE = "QT_STYLE_OVERRIDE"

_PALETTE_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "text_faint",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "on_danger",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Link: "accent_ink",
    QPalette.ColorRole.LinkVisited: "accent_ink",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "hairline",
    QPalette.ColorRole.Dark: "hairline_strong",
    QPalette.ColorRole.Shadow: "scrim",
    QPalette.ColorRole.Accent: "accent",
}


class Theme(QObject):
    """Colours, sizes and fonts in force.

    Args:
        application: the application that is dressed.
        mode: ``system``, ``light`` or ``dark``.
        text_scale: factor on the type sizes.
    """

    theme_changed = Signal()

    def __init__(self, application: QApplication, mode: str = "system", text_scale: float = 1.0) -> None:
        super().__init__(application)
        self._application = application
        self._tokens = tokens()
        self._mode = mode if mode in MODES else "system"
        self._text_scale = text_scale
        self._faces = Faces(self._tokens, text_scale)
        self._name = ""
        self._colors: dict[str, QColor] = {}
        if os.environ.get(_STYLE_VARIABLE) != _STYLE:
            application.setStyle(_STYLE)
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._dress()

    @property
    def name(self) -> str:
        """``light`` or ``dark``: what is shown now."""
        return self._name

    @property
    def mode(self) -> str:
        """``system``, ``light`` or ``dark``: what was chosen."""
        return self._mode

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
        return self._name == DARK

    def set_mode(self, mode: str) -> None:
        """Choose ``system``, ``light`` or ``dark``; an unknown word means ``system``."""
        self._mode = mode if mode in MODES else "system"
        self._follow_system()

    def set_text_scale(self, scale: float) -> None:
        """Set the factor on every type size (0.8 to 2.0; outside it is clamped)."""
        self._text_scale = min(2.0, max(0.8, scale))
        self._faces = Faces(self._tokens, self._text_scale)
        self._dress()
        self.theme_changed.emit()

    def color(self, role: str) -> QColor:
        """Return the colour of a token such as ``accent``; KeyError for a name the palette does not have."""
        return QColor(self._colors[role])

    def hex(self, role: str) -> str:
        """Return the colour of a token as ``#rrggbb``."""
        return self._tokens.colors[self._name][role]

    def series_color(self, index: int) -> QColor:
        """Return the plot colour for the series with this number (eight, then they repeat)."""
        colors = self._tokens.series[self._name]
        return QColor(colors[index % len(colors)])

    def space(self, steps: float) -> int:
        """Return ``steps`` times the grid unit in logical pixels."""
        return round(steps * self._tokens.spacing_unit)

    def size(self, name: str) -> int:
        """Return a named length in logical pixels (``icon``, ``control`` ...)."""
        return self._tokens.sizes[name]

    def radius(self, name: str) -> int:
        """Return a corner radius: ``card``, ``control`` or ``pill``."""
        return self._tokens.radii[name]

    def font(self, role: str) -> QFont:
        """Return the font of a role; see ``Faces.font``."""
        return self._faces.font(role)

    def duration(self, name: str) -> int:
        """Return a motion's length in ms (``fast``, ``normal``); 0 when the system asks for no motion."""
        animate = self._application.isEffectEnabled(Qt.UIEffect.UI_General)
        return self._tokens.motion[name] if animate else 0

    def _wanted(self) -> str:
        if self._mode != "system":
            return self._mode
        scheme = self._application.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT

    def _follow_system(self) -> None:
        if self._wanted() != self._name:
            self._dress()
            self.theme_changed.emit()

    def _dress(self) -> None:
        self._name = self._wanted()
        self._colors = {role: QColor(text) for role, text in self._tokens.colors[self._name].items()}
        self._faces.apply(self._application)
        self._application.setPalette(self._palette())
        values = self._tokens.style_values(self._name) | self._faces.pixel_sizes()
        self._application.setStyleSheet(Template(style_template()).substitute(values))

    def _palette(self) -> QPalette:
        palette = QPalette()
        for role, token in _PALETTE_ROLES.items():
            palette.setColor(role, self._colors[token])
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self._colors["text_disabled"])
        return palette


_installed: list[Theme] = []


def choose_style() -> None:
    """Name the base style before ``QApplication`` is made.

    Not needed, but it spares the first paint the 10 ms that ``QApplication.setStyle`` takes in Python.
    """
    os.environ[_STYLE_VARIABLE] = _STYLE


def install_theme(application: QApplication, mode: str = "system", text_scale: float = 1.0) -> Theme:
    """Dress the application and make ``theme()`` answer; a second call changes the mode of the first."""
    if _installed:
        _installed[0].set_mode(mode)
    else:
        _installed.append(Theme(application, mode, text_scale))
    return _installed[0]


def theme() -> Theme:
    """Return the theme in force.

    Raises:
        IndexError: ``install_theme`` was not called yet.
    """
    return _installed[0]


def color(role: str) -> QColor:
    """Short for ``theme().color(role)``."""
    return theme().color(role)


def font(role: str) -> QFont:
    """Short for ``theme().font(role)``."""
    return theme().font(role)


def size(name: str) -> int:
    """Short for ``theme().size(name)``."""
    return theme().size(name)


def space(steps: float) -> int:
    """Short for ``theme().space(steps)``."""
    return theme().space(steps)
