"""Parameter schemas (EX-5): description, recursive validation, all errors at once, JSON schema for models."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Source
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.foundation.text import QUOTED, visible

_TYPES: dict[str, Any] = {
    "int": int, "float": (int, float), "bool": bool, "str": str, "list": list, "dict": dict,
}  # fmt: skip
_JSON_TYPES = {
    "int": "integer", "float": "number", "bool": "boolean",
    "str": "string", "list": "array", "dict": "object",
}  # fmt: skip

_FLOAT_TEXT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I | re.ASCII)


@dataclass(frozen=True)
class Param:
    """One parameter of a command.

    Attributes:
        type: ``int``, ``float``, ``bool``, ``str``, ``list`` or ``dict``.
        minimum, maximum: inclusive limits of a number, in ``unit``; of a list or text: its length.
        default: value when it is not given; only for parameters that are not required.
        pattern: regular expression that a whole text must match, with ``pattern_words`` to explain it; as in
            JSON Schema its ``\\d`` and ``\\w`` mean ASCII.
        items: schema of each element of a list.
        fields: schema of the members of a dict.
    """

    type: str
    description: str = ""
    required: bool = False
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[Any, ...] = ()
    unit: str = ""
    pattern: str = ""
    pattern_words: str = ""
    items: Param | None = None
    fields: Mapping[str, Param] = field(default_factory=dict)


@dataclass(frozen=True)
class Checked:
    """Outcome of a validation: either complete values or faults."""

    values: Mapping[str, Any]
    faults: tuple[ActionFault, ...]


def check_params(schema: Mapping[str, Param], given: Mapping[str, Any], source: Source) -> Checked:
    """Check parameters against a schema.

    Args:
        schema: the command's parameters.
        given: values as they came.
        source: numeric text is accepted from ``manual`` only, and only when nothing is lost.

    Returns:
        Values with defaults filled in, and every fault that was found.
    """
    faults: list[ActionFault] = []
    values = _check_fields(schema, given, source, "", faults)
    return Checked(values, tuple(faults))


def _check_fields(
    schema: Mapping[str, Param],
    given: Mapping[str, Any],
    source: Source,
    path: str,
    faults: list[ActionFault],
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in given:
        if name not in schema:
            near = difflib.get_close_matches(str(name)[:QUOTED], list(schema), 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            unknown = f"{path}{visible(str(name), QUOTED)}"
            faults.append(
                fault(
                    Code.UNKNOWN_PARAMETER,
                    f"Unknown parameter '{unknown}'{hint or '.'}",
                    unknown,
                    near=hint,
                    allowed=", ".join(schema),
                )
            )
    for name, param in schema.items():
        where = f"{path}{name}"
        if name not in given or (given[name] is None and not param.required):
            if param.required:
                faults.append(fault(Code.MISSING_PARAMETER, f"The parameter '{where}' is missing.", where))
            elif param.default is not None:
                values[name] = param.default
            continue
        ok, value = _check_value(param, given[name], source, where, faults)
        if ok:
            values[name] = value
    return values


def _check_value(
    param: Param, value: Any, source: Source, where: str, faults: list[ActionFault]
) -> tuple[bool, Any]:
    ok, value = _convert(param, value, source)
    if not ok:
        expected = f"{param.type}" + (f" ({param.unit})" if param.unit else "")
        got = _describe(value)
        faults.append(
            fault(
                Code.WRONG_TYPE,
                f"'{where}' must be {expected}, not {got}.",
                where,
                expected=expected,
                got=got,
            )
        )
        return False, None
    before = len(faults)
    _check_choice(param, value, where, faults)
    _check_limits(param, value, where, faults)
    if param.pattern and isinstance(value, str) and not re.fullmatch(param.pattern, value, re.ASCII):
        expected = param.pattern_words or param.pattern
        faults.append(
            fault(
                Code.BAD_FORMAT,
                f"'{where}' is {_quoted(value)}; expected {expected}.",
                where,
                expected=expected,
            )
        )
    value = _check_nested(param, value, source, where, faults)
    return len(faults) == before, value


def _convert(param: Param, value: Any, source: Source) -> tuple[bool, Any]:
    """Accept the exact type; from a person also a numeric text that loses nothing."""
    if isinstance(value, str) and param.type in ("int", "float") and source == "manual":
        number = _lossless_number(value, param.type)
        if number is None:
            return False, value
        value = number
    if isinstance(value, bool) and param.type != "bool":
        return False, value
    if not isinstance(value, _TYPES[param.type]):
        if param.type == "int" and isinstance(value, float) and value.is_integer() and source == "manual":
            return True, int(value)
        return False, value
    if isinstance(value, float) and not math.isfinite(value):
        return False, value
    if param.type == "float":
        try:
            return True, float(value)
        except OverflowError:
            return False, value
    return True, value


def _lossless_number(text: str, kind: str) -> int | float | None:
    stripped = text.strip()
    try:
        if kind == "int":
            return int(stripped) if re.fullmatch(r"[+-]?\d{1,18}", stripped, re.ASCII) else None
        number = float(stripped) if _FLOAT_TEXT.fullmatch(stripped) else None
    except ValueError:
        return None
    return number if number is not None and math.isfinite(number) else None


def _quoted(value: Any) -> str:
    return visible(repr(value), QUOTED)


def _describe(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


def _check_choice(param: Param, value: Any, where: str, faults: list[ActionFault]) -> None:
    if param.choices and value not in param.choices:
        allowed = ", ".join(map(str, param.choices))
        faults.append(
            fault(
                Code.NOT_A_CHOICE,
                f"'{where}' is {_quoted(value)}; allowed are {allowed}.",
                where,
                got=_quoted(value),
                allowed=allowed,
            )
        )


def _check_limits(param: Param, value: Any, where: str, faults: list[ActionFault]) -> None:
    size = len(value) if param.type in ("str", "list") else value
    if param.type in ("bool", "dict") or (param.minimum is None and param.maximum is None):
        return
    low = -math.inf if param.minimum is None else param.minimum
    high = math.inf if param.maximum is None else param.maximum
    if low <= size <= high:
        return
    unit = f" {param.unit}" if param.unit else ""
    faults.append(
        fault(
            Code.OUT_OF_RANGE,
            f"'{where}' is {_short_number(size)}; allowed is {low:g} to {high:g}{unit}.",
            where,
            got=_short_number(size),
            minimum=f"{low:g}",
            maximum=f"{high:g}",
            unit=unit,
        )
    )


def _short_number(value: float) -> str:
    """A number for a message; an int may be too large for a float."""
    return f"{value:g}" if abs(value) < 1e15 else f"about {'-' if value < 0 else ''}10^{_digits(value) - 1}"


def _digits(value: float) -> int:
    return math.floor(math.log10(abs(value))) + 1


def _check_nested(param: Param, value: Any, source: Source, where: str, faults: list[ActionFault]) -> Any:
    if param.type == "list" and param.items is not None:
        checked = [
            _check_value(param.items, item, source, f"{where}[{index}]", faults)
            for index, item in enumerate(value)
        ]
        return [item for ok, item in checked if ok]
    if param.type == "dict" and param.fields:
        return _check_fields(param.fields, value, source, f"{where}.", faults)
    return value


def json_schema(schema: Mapping[str, Param]) -> dict[str, Any]:
    """The schema in JSON Schema form, for tool specifications."""
    return {
        "type": "object",
        "properties": {name: _json_param(param) for name, param in schema.items()},
        "required": [name for name, param in schema.items() if param.required],
        "additionalProperties": False,
    }


def _json_param(param: Param) -> dict[str, Any]:
    described = f"{param.description} [{param.unit}]" if param.unit else param.description
    row: dict[str, Any] = {"type": _JSON_TYPES[param.type]}
    if described:
        row["description"] = described
    if param.choices:
        row["enum"] = list(param.choices)
    limits: Sequence[tuple[str, float | None]] = (("minimum", param.minimum), ("maximum", param.maximum))
    if param.type in ("int", "float"):
        row.update({name: value for name, value in limits if value is not None})
    if param.default is not None:
        row["default"] = param.default
    if param.pattern:
        row["pattern"] = f"^(?:{param.pattern})$"
    if param.items is not None:
        row["items"] = _json_param(param.items)
    return row
