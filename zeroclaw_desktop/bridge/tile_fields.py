"""What each kind of tile can be set to: the property sheet and its checks are made from it. No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_SERIES = 8
"""Series in one plot; the palette has as many colours."""
MOST_TEXT = 500


@dataclass(frozen=True)
class Field:
    """One setting of a tile.

    Attributes:
        kind: ``series`` ({"source", "label"} or {"source", "pin"}), ``series_list`` (a list of the first),
            ``command`` ({"board", "command", "params"}), ``parameter`` (name of a number among the parameters
            of the field ``command``), ``board``, ``number``, ``limit`` (a number or nothing), ``whole``,
            ``text``, ``choice`` or ``flag``.
        default: value of a field that is not set.
        minimum, maximum: inclusive.
        choices: of a ``choice``.
        unit: of a number.
    """

    name: str
    kind: str
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True)
class Problem:
    """Why a setting cannot stay as it is.

    Attributes:
        field: its name.
        code: ``missing``, ``not_a_number``, ``not_whole``, ``outside``, ``order``, ``too_many`` or
            ``not_a_choice``.
        low, high: the limits, for ``outside`` and ``order``.
    """

    field: str
    code: str
    low: float | None = None
    high: float | None = None


_SERIES = Field("series", "series")
_WINDOW = Field("window_s", "number", 15.0, 1.0, 3_600.0, unit="s")
_UNIT = Field("unit", "text", "")
_DECIMALS = Field("decimals", "whole", 2, 0, 9)
_RANGE = (Field("low", "number", 0.0), Field("high", "number", 5.0))
_ZONES = tuple(Field(name, "limit") for name in ("alarm_below", "warn_below", "warn_above", "alarm_above"))

FIELDS: Mapping[str, tuple[Field, ...]] = {
    "plot": (Field("series", "series_list"), _WINDOW),
    "gauge": (_SERIES, *_RANGE, _UNIT, _DECIMALS, *_ZONES),
    "bar": (_SERIES, *_RANGE, _UNIT, _DECIMALS, *_ZONES),
    "number": (
        _SERIES,
        _UNIT,
        _DECIMALS,
        _WINDOW,
        Field("figures", "flag", True),
        Field("sparkline", "flag", True),
    ),
    "led": (
        _SERIES,
        Field("rule", "choice", "above", choices=("above", "below")),
        Field("limit", "number", 0.5),
        Field("on_text", "text", ""),
        Field("off_text", "text", ""),
    ),
    "text": (Field("note", "text", ""), Field("board", "board", "")),
    "button": (Field("command", "command"),),
    "switch": (Field("on", "command"), Field("off", "command")),
    "slider": (
        Field("command", "command"),
        Field("parameter", "parameter"),
        Field("low", "limit"),
        Field("high", "limit"),
        Field("live", "flag", False),
    ),
}
"""Settings by kind of tile, in the order in which the property sheet shows them."""


def field_value(kind: str, settings: Mapping[str, Any], name: str) -> Any:
    """A setting or its default; KeyError for a field that the kind does not have."""
    field = next((field for field in FIELDS[kind] if field.name == name), None)
    if field is None:
        raise KeyError(name)
    value = settings.get(name)
    return field.default if value is None else value


def is_series(value: Any) -> bool:
    """Whether a value names a series or a pin."""
    if not isinstance(value, Mapping) or not isinstance(value.get("source"), str):
        return False
    return isinstance(value.get("label"), str) or type(value.get("pin")) is int


def is_command(value: Any) -> bool:
    """Whether a value names a command of a board."""
    return (
        isinstance(value, Mapping)
        and all(isinstance(value.get(key), str) and value[key] for key in ("board", "command"))
        and isinstance(value.get("params", {}), Mapping)
    )


def tile_problems(kind: str, settings: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong with the settings of a tile; what only the board knows is not looked at.

    Args:
        kind: one of ``FIELDS``; of any other nothing is known, so nothing is wrong.
    """
    found: list[Problem] = []
    for field in FIELDS.get(kind, ()):
        problem = _field_problem(field, settings.get(field.name))
        if problem is not None:
            found.append(problem)
    wrong = {problem.field for problem in found}
    found += [problem for problem in _order_problems(kind, settings) if problem.field not in wrong]
    return found


def _field_problem(field: Field, value: Any) -> Problem | None:
    if field.kind in ("number", "limit", "whole"):
        return _number_problem(field, value)
    if field.kind == "series":
        return None if is_series(value) else Problem(field.name, "missing")
    if field.kind == "command":
        return None if is_command(value) else Problem(field.name, "missing")
    if field.kind == "parameter":
        return None if isinstance(value, str) and value else Problem(field.name, "missing")
    if field.kind == "series_list":
        if not isinstance(value, list) or not value or not all(is_series(one) for one in value):
            return Problem(field.name, "missing")
        return Problem(field.name, "too_many", high=MOST_SERIES) if len(value) > MOST_SERIES else None
    if field.kind == "choice" and value is not None and value not in field.choices:
        return Problem(field.name, "not_a_choice")
    return None


def _number_problem(field: Field, value: Any) -> Problem | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return Problem(field.name, "not_a_number")
    if field.kind == "whole" and value != int(value):
        return Problem(field.name, "not_whole")
    low = -math.inf if field.minimum is None else field.minimum
    high = math.inf if field.maximum is None else field.maximum
    return None if low <= value <= high else Problem(field.name, "outside", field.minimum, field.maximum)


def _order_problems(kind: str, settings: Mapping[str, Any]) -> list[Problem]:
    """Limits that have to rise, but do not."""
    fields = [field for field in FIELDS.get(kind, ()) if field.name in ("low", "high")]
    rising = [_number(settings.get(field.name, field.default)) for field in fields]
    found: list[Problem] = []
    if len(rising) == 2:
        low, high = rising
        if low is not None and high is not None and low >= high:
            found.append(Problem("high", "order", low=low))
    zones = [(field.name, settings.get(field.name)) for field in _ZONES] if kind in ("gauge", "bar") else []
    before: float | None = None
    for name, value in zones:
        limit = _number(value)
        if limit is None:
            continue
        if before is not None and limit < before:
            found.append(Problem(name, "order", low=before))
        before = limit
    return found


def _number(value: Any) -> float | None:
    plain = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if plain else None
