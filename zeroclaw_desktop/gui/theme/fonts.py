"""Chooses faces: the shipped Inter and JetBrains Mono, behind them the system's, with faces for Chinese."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.theme.tokens import Tokens

_TEXT_FACES = ("Inter", "Inter Variable")
_CHINESE_FACES = ("Noto Sans CJK SC", "Noto Sans SC", "Microsoft YaHei UI", "PingFang SC")
_MONO_FACES = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas", "Noto Sans Mono")

_WEIGHTS = {
    "title": QFont.Weight.DemiBold,
    "display": QFont.Weight.DemiBold,
    "strong": QFont.Weight.DemiBold,
    "label": QFont.Weight.Medium,
    "badge": QFont.Weight.DemiBold,
}
_LIGATURES = ("liga", "calt", "dlig")
"""OpenType features that draw ``->`` or ``//`` as one sign; in values and logs each sign stands alone."""
_BASE_SIZES = {"strong": "body", "label": "caption", "mono": "body", "mono_small": "caption"}


class Faces:
    """The font families in use and fonts by role.

    Args:
        tokens: type sizes.
        scale: factor on every size, chosen by the person (1.0 is the design's size).
    """

    def __init__(self, tokens: Tokens, scale: float = 1.0) -> None:
        for shipped in sorted((asset_root() / "resources" / "fonts").glob("*.[ot]tf")):
            QFontDatabase.addApplicationFont(str(shipped))
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).families()
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families()
        # Qt skips families that are not installed; asking which ones are would load every font at start.
        self.text = [*_TEXT_FACES, *system, *_CHINESE_FACES]
        self.mono = [*_MONO_FACES, *fixed, *_CHINESE_FACES]
        self._sizes = {name: round(pixels * scale) for name, pixels in tokens.type_sizes.items()}

    def font(self, role: str) -> QFont:
        """Return the font for ``caption``, ``label``, ``body``, ``strong``, ``lead``, ``title``, ``display``,
        ``badge``, ``mono`` or ``mono_small``.

        Raises:
            KeyError: no such role.
        """
        result = QFont()
        result.setFamilies(self.mono if role.startswith("mono") else self.text)
        result.setPixelSize(self._sizes[_BASE_SIZES.get(role, role)])
        result.setWeight(_WEIGHTS.get(role, QFont.Weight.Normal))
        if role.startswith("mono"):
            for feature in _LIGATURES:
                result.setFeature(QFont.Tag(feature), 0)
        else:
            result.setFeature(QFont.Tag("tnum"), 1)
        return result

    def pixel_sizes(self) -> dict[str, str]:
        """Return the scaled sizes under the names that the style sheet uses (``type_body`` ...)."""
        return {f"type_{name}": f"{pixels}px" for name, pixels in self._sizes.items()}

    def apply(self, application: QApplication) -> None:
        """Make the body face the application's font."""
        application.setFont(self.font("body"))
