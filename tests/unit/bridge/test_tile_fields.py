"""UI-6: what may be set on a tile, and how old a value may be before it counts as silence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from zeroclaw_desktop.bridge.tile_fields import FIELDS, field_value, tile_problems
from zeroclaw_desktop.bridge.tile_values import is_silent

SERIES = {"source": "board", "label": "a0"}
COMMAND = {"board": "board", "command": "led_set", "params": {}}


def found(kind: str, **settings: Any) -> set[tuple[str, str]]:
    return {(problem.field, problem.code) for problem in tile_problems(kind, settings)}


@pytest.mark.parametrize(
    ("kind", "settings", "wanted"),
    [
        ("gauge", {}, {("series", "missing")}),
        ("gauge", {"series": SERIES}, set()),
        ("gauge", {"series": {"source": "board", "pin": 3}}, set()),
        ("gauge", {"series": {"source": "board", "pin": True}}, {("series", "missing")}),
        ("gauge", {"series": SERIES, "low": 5, "high": 5}, {("high", "order")}),
        ("gauge", {"series": SERIES, "low": "x"}, {("low", "not_a_number")}),
        ("gauge", {"series": SERIES, "high": math.nan}, {("high", "not_a_number")}),
        ("gauge", {"series": SERIES, "high": True}, {("high", "not_a_number")}),
        ("gauge", {"series": SERIES, "warn_above": 4, "alarm_above": 3}, {("alarm_above", "order")}),
        ("gauge", {"series": SERIES, "alarm_below": 1, "warn_above": 0.5}, {("warn_above", "order")}),
        ("gauge", {"series": SERIES, "alarm_below": 1, "warn_below": 2, "alarm_above": 4}, set()),
        ("number", {"series": SERIES, "decimals": 1.5}, {("decimals", "not_whole")}),
        ("number", {"series": SERIES, "decimals": 10}, {("decimals", "outside")}),
        ("number", {"series": SERIES, "window_s": 0}, {("window_s", "outside")}),
        ("plot", {"series": []}, {("series", "missing")}),
        ("plot", {"series": [SERIES] * 9}, {("series", "too_many")}),
        ("led", {"series": SERIES, "rule": "beside"}, {("rule", "not_a_choice")}),
        ("switch", {"on": COMMAND}, {("off", "missing")}),
        ("button", {"command": {**COMMAND, "board": ""}}, {("command", "missing")}),
        ("slider", {"command": COMMAND, "parameter": "duty", "low": 3, "high": 1}, {("high", "order")}),
        ("slider", {"command": COMMAND, "parameter": "duty"}, set()),
        ("text", {}, set()),
        ("hologram", {"x": 1}, set()),
    ],
)
def test_settings_are_checked(kind: str, settings: dict[str, Any], wanted: set[tuple[str, str]]) -> None:
    assert found(kind, **settings) == wanted


def test_every_default_is_allowed() -> None:
    needed = ("series", "command", "on", "off", "parameter")
    for kind, fields in FIELDS.items():
        settings = {field.name: field.default for field in fields if field.default is not None}
        problems = [problem for problem in tile_problems(kind, settings) if problem.field not in needed]
        assert problems == [], kind
        for field in fields:
            assert field_value(kind, {}, field.name) == field.default


@pytest.mark.parametrize(
    ("age", "period", "silent"),
    [
        (1.9, None, False),
        (2.1, None, True),
        (2.1, 0.05, True),
        (25.0, 10.0, False),
        (31.0, 10.0, True),
    ],
)
def test_a_slow_source_is_not_called_silent(age: float, period: float | None, silent: bool) -> None:
    assert is_silent(age, period) is silent
