"""Reads ``ui/themes/palette.toml``, the only place where colours and sizes are written down. Qt-free."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from zeroclaw_desktop.foundation.assets import ui_path

LIGHT = "light"
DARK = "dark"


class Tokens:
    """The content of the palette file.

    Attributes:
        spacing_unit: grid step in logical pixels.
        sizes, radii, type_sizes: name to logical pixels.
        motion: name to milliseconds.
        line_height: factor for running text.
        colors: theme name to (colour name to ``#rrggbb``).
        series: theme name to the plot colours in order.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.spacing_unit = int(document["space"]["unit"])
        self.radii: dict[str, int] = dict(document["radius"])
        typography = dict(document["type"])
        self.line_height = float(typography.pop("line_height"))
        self.type_sizes: dict[str, int] = typography
        self.sizes: dict[str, int] = dict(document["size"])
        self.motion: dict[str, int] = dict(document["motion"])
        self.colors: dict[str, dict[str, str]] = {
            name: {**document["board"], **document[name]} for name in (LIGHT, DARK)
        }
        self.series: dict[str, list[str]] = document["series"]

    def style_values(self, theme_name: str) -> dict[str, str]:
        """Return every value the style sheet template may name, for ``light`` or ``dark``."""
        values = dict(self.colors[theme_name])
        values.update({f"radius_{name}": f"{pixels}px" for name, pixels in self.radii.items()})
        values.update({f"type_{name}": f"{pixels}px" for name, pixels in self.type_sizes.items()})
        values.update({f"size_{name}": f"{pixels}px" for name, pixels in self.sizes.items()})
        values.update({f"space_{step}": f"{step * self.spacing_unit}px" for step in range(1, 9)})
        values["knob_margin"] = f"{(self.sizes['progress'] - self.sizes['knob']) // 2}px"
        values["knob_radius"] = f"{self.sizes['knob'] // 2}px"
        values["progress_radius"] = f"{self.sizes['progress'] // 2}px"
        values["scrollbar_radius"] = f"{self.sizes['scrollbar'] // 2 - 2}px"
        return values


@cache
def tokens() -> Tokens:
    """Return the tokens, read once.

    Raises:
        AssetMissingError: the palette file is not in the installation.
    """
    return Tokens(tomllib.loads(ui_path("themes/palette.toml").read_text(encoding="utf-8")))


@cache
def style_template() -> str:
    """Return the text of ``ui/themes/style.qss``; raises AssetMissingError when it is not there."""
    return ui_path("themes/style.qss").read_text(encoding="utf-8")
