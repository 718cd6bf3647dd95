"""The palette keeps its promises: contrast, hues, colour blindness; the theme changes live."""

from __future__ import annotations

import colorsys
import itertools
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from zeroclaw_desktop.gui.theme import Theme, icon, theme
from zeroclaw_desktop.gui.theme.contrast import contrast_ratio
from zeroclaw_desktop.gui.theme.icons import icon_names, pixmap
from zeroclaw_desktop.gui.theme.tokens import style_template, tokens

THEMES = ("light", "dark")
SURFACES = ("window", "bar", "surface", "raised", "sunken", "hover")
TEXTS = ("text", "text_muted", "text_faint")
PAIRS = [
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_accent", "accent_pressed"),
    ("on_danger", "danger"),
    ("on_danger", "danger_hover"),
    ("on_danger", "danger_pressed"),
    ("accent_ink", "accent_soft"),
    ("text", "accent_soft"),
    ("text_muted", "accent_soft"),
    ("text", "danger_soft"),
    ("danger_ink", "danger_soft"),
    ("warn_ink", "warn_soft"),
    ("on_warn", "warn"),
    ("text_faint", "accent_soft"),
    ("danger_ink", "accent_soft"),
    ("warn_ink", "accent_soft"),
    ("live_ink", "live_soft"),
    ("simulated_ink", "simulated_soft"),
    ("simulated_ink", "sunken"),
    ("accent_ink", "raised"),
    ("accent_ink", "surface"),
    ("text", "selection"),
]
# Machado, Oliveira, Fernandes 2009, severity 1.0, linear RGB.
DEFICIENCIES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def test_contrast_ratio_of_black_and_white_is_21() -> None:
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast_ratio("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the known near miss


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", TEXTS)
def test_text_can_be_read_on_every_surface(name: str, surface: str, ink: str) -> None:
    colors = tokens().colors[name]
    assert contrast_ratio(colors[ink], colors[surface]) >= 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_ink_can_be_read_on_its_ground(name: str, ink: str, ground: str) -> None:
    colors = tokens().colors[name]
    assert contrast_ratio(colors[ink], colors[ground]) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_plot_colours_can_be_read_on_the_plot(name: str) -> None:
    for color in tokens().series[name]:
        assert contrast_ratio(color, tokens().colors[name]["surface"]) >= 4.5


def test_plot_colours_keep_their_hue_in_both_themes() -> None:
    for light, dark in zip(tokens().series["light"], tokens().series["dark"], strict=True):
        hues = [colorsys.rgb_to_hsv(*_channels(color))[0] * 360 for color in (light, dark)]
        assert abs((hues[0] - hues[1] + 180) % 360 - 180) <= 25


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("deficiency", [*DEFICIENCIES, "none"])
def test_plot_colours_stay_apart(name: str, deficiency: str) -> None:
    seen = [_lab(_simulated(color, deficiency)) for color in tokens().series[name]]
    for first, second in itertools.combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5
        assert distance >= 15  # CIE76; 2.3 is a just noticeable difference


def test_no_colour_is_written_outside_the_palette() -> None:
    root = Path(__file__).resolve().parents[2]
    files = [*(root / "zeroclaw_desktop" / "gui").rglob("*.py"), root / "ui" / "themes" / "style.qss"]
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|QColor\(\s*\d|rgba?\(")
    found = [f"{path.name}: {hit}" for path in files for hit in literal.findall(path.read_text("utf-8"))]
    assert found == []
    assert re.findall(r"\d{2,}px", style_template()) == []


def test_every_icon_exists_in_the_font(dress: Theme) -> None:
    unknown = pixmap("question", pixels=24).toImage()
    for name in icon_names():
        drawn = pixmap(name, pixels=24).toImage()
        assert not drawn.isNull()
        if name != "help":
            assert drawn != unknown, name


def test_icon_is_drawn_in_the_token_colour(dress: Theme) -> None:
    picture = icon("stop", "danger", 32).pixmap(32, 32).toImage()
    solid = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
    inks = {QColor(c.rgb()).name() for c in solid if c.alpha() == 255}
    assert tokens().colors["light"]["danger"] in inks


def test_theme_changes_live(qtbot: QtBot, qapp: QApplication, dress: Theme) -> None:
    label = QLabel("x")
    qtbot.addWidget(label)
    label.ensurePolished()
    assert label.palette().windowText().color().name() == tokens().colors["light"]["text"]
    with qtbot.waitSignal(dress.theme_changed):
        dress.set_mode("dark")
    label.ensurePolished()
    assert theme().is_dark
    assert label.palette().windowText().color().name() == tokens().colors["dark"]["text"]
    with qtbot.assertNotEmitted(dress.theme_changed):
        dress.set_mode("dark")


def test_text_scale_reaches_fonts(dress: Theme) -> None:
    before = dress.font("body").pixelSize()
    dress.set_text_scale(2.0)
    try:
        assert dress.font("body").pixelSize() == 2 * before
    finally:
        dress.set_text_scale(1.0)


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _simulated(color: str, deficiency: str) -> tuple[float, ...]:
    linear = [_linear(channel) for channel in _channels(color)]
    if deficiency == "none":
        return tuple(linear)
    matrix = DEFICIENCIES[deficiency]
    mixed = [sum(f * c for f, c in zip(line, linear, strict=True)) for line in matrix]
    return tuple(min(1.0, max(0.0, channel)) for channel in mixed)


def _lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear sRGB, white D65 (IEC 61966-2-1, CIE 15)."""
    red, green, blue = linear
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
