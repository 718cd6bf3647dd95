"""Commands as sentences for cards: 'Blink the LED 3 times'. No Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import resource_path


@cache
def _templates() -> Mapping[str, Mapping[str, str]]:
    import tomllib

    with resource_path("i18n/actions.toml").open("rb") as file:
        return tomllib.load(file)


def action_sentence(action: str, params: Mapping[str, Any], language: Language) -> str:
    """Say what a command does.

    Args:
        params: its parameters; a name that has no value shows as an ellipsis. ``{name:yes|no}`` in a
            template chooses by the truth of the value.
    """
    template = _templates().get(action, {}).get(language)
    if template is None:
        return action

    def fill(match: re.Match[str]) -> str:
        name, choice = match.group(1), match.group(2)
        if choice:
            yes, no = choice.split("|")
            return yes if params.get(name) else no
        return _plain(params.get(name, "…"))

    return re.sub(r"\{(\w+)(?::([^{}]+))?\}", fill, template)


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def pin_value(value: float | int | None, mode: str, language: Language) -> str:
    """A pin's value in words: ``high``, ``50 %``, ``90°``."""
    if value is None:
        return "?"
    if mode == "pwm":
        return f"{value * 100:.0f} %"
    if mode == "servo":
        return f"{value:g}°"
    words = {"en": ("low", "high"), "zh": ("低", "高")}[language]
    return words[1 if value else 0]


def value_line(value: object) -> str:
    """A result in one line for the card."""
    if not isinstance(value, dict):
        return ""
    parts = [
        f"{key} {item:g}" if isinstance(item, float) else f"{key} {item}"
        for key, item in value.items()
        if not isinstance(item, (dict, list, tuple)) and item not in ("", None)
    ]
    return "  ·  ".join(parts)[:200]
