"""Whether arguments fit a JSON schema, and the few changes of form that cannot be wrong.

Changed where the schema asks for it: "13" and 13.0 to 13, "0x3C" to 60, "1.5" to 1.5, "true" to true, 13 to
"13", a text of JSON to its list or object. A null for something optional counts as left out. Nothing else is
changed; "low" is never a number. The execution layer checks everything again.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, decode
from zeroclaw_desktop.agent.toolcalls.limits import MAX_DEPTH

_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,15}")
_NUMBER = re.compile(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PATH_NAME = re.compile(r"(?:^|_)(?:path|file|filename|folder|directory|dir)$", re.IGNORECASE)
_CLAIMS = {"approved", "confirm", "confirmed", "risk"}
_BOOLEAN_WORDS = {
    "真": True, "开": True, "是": True, "假": False, "关": False, "否": False,
}  # fmt: skip
_PATTERN_CHARS = 200
_SHOWN = 40
_ARTICLES = {
    "integer": "a whole number", "number": "a number", "string": "a text", "boolean": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip


@dataclass
class Fit:
    """The arguments as the tool takes them, what was changed, what is wrong (for the model)."""

    arguments: dict[str, Any] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class _MisfitError(ValueError):
    """One value does not fit; the message says what would."""


def fit_arguments(
    schema: Mapping[str, Any], arguments: Mapping[str, Any], *, only_looks: bool = False
) -> Fit:
    """Fit arguments to the schema of a tool.

    Args:
        schema: of an object.
        arguments: as read.
        only_looks: the tool changes nothing; then words like 真 count as true and false as well.
    """
    fit = Fit()
    fitter = _Fitter(only_looks, fit.changes)
    fit.arguments = fitter.fit_object(schema, arguments, "", 0, fit.faults)
    return fit


class _Fitter:
    def __init__(self, only_looks: bool, changes: list[str]) -> None:
        self._only_looks = only_looks
        self._changes = changes

    def fit_object(
        self, schema: Mapping[str, Any], given: Mapping[str, Any], path: str, depth: int, faults: list[str]
    ) -> dict[str, Any]:
        """An object with its named properties; faults are collected, so that the model hears all of them."""
        known = schema.get("properties")
        properties: Mapping[str, Any] = known if isinstance(known, Mapping) else {}
        required = schema.get("required")
        needed: Sequence[str] = required if isinstance(required, list) else ()
        extra = schema.get("additionalProperties", True)
        row: dict[str, Any] = {}
        for name, value in given.items():
            at = f"{path}{name}"
            inner = properties.get(name)
            if inner is None and name.lower() in _CLAIMS:
                self._changes.append(f"'{name}' left out: a call cannot approve itself")
                continue
            if inner is None and extra is False:
                faults.append(_unknown(name, path, properties))
                continue
            inner = inner if inner is not None else extra
            if value is None and name not in needed and not _takes_null(inner):
                self._changes.append(f"'{at}': null counts as left out")
                continue
            if isinstance(value, str) and _PATH_NAME.search(name) and _CONTROL.search(value):
                faults.append(f"'{at}' has a control character in it; write each backslash twice")
                continue
            try:
                row[name] = self.fit_value(inner, value, at, depth + 1)
            except _MisfitError as error:
                faults.append(str(error))
        missing = [name for name in needed if name not in given]
        faults += [f"'{path}{name}' is missing" for name in missing]
        return row

    def fit_value(self, schema: Any, value: Any, at: str, depth: int) -> Any:
        """One value; raises _MisfitError."""
        if not isinstance(schema, Mapping) or not schema or depth > MAX_DEPTH:
            return value
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list):
                return self._fit_one_of(schema[key], value, at, depth)
        taken = self._typed(schema, value, at)
        if "enum" in schema and not any(_same(taken, choice) for choice in schema["enum"]):
            raise _MisfitError(
                f"'{at}' must be one of {_choices(schema['enum'])}{_near(taken, schema['enum'])}"
            )
        if "const" in schema and not _same(taken, schema["const"]):
            raise _MisfitError(f"'{at}' must be {_shown(schema['const'])}")
        _check_limits(schema, taken, at)
        if isinstance(taken, Mapping):
            faults: list[str] = []
            taken = self.fit_object(schema, taken, f"{at}.", depth, faults)
            if faults:
                raise _MisfitError("; ".join(faults))
        elif isinstance(taken, list):
            items = schema.get("items", {})
            taken = [self.fit_value(items, item, f"{at}[{n}]", depth + 1) for n, item in enumerate(taken)]
        return taken

    def _fit_one_of(self, schemas: Sequence[Any], value: Any, at: str, depth: int) -> Any:
        """The first that takes the value as it is; else the first that takes it changed, texts last."""
        kept = len(self._changes)
        for changed in (False, True):
            for schema in sorted(schemas, key=_is_text) if changed else schemas:
                del self._changes[kept:]
                try:
                    taken = self.fit_value(schema, value, at, depth + 1)
                except _MisfitError:
                    continue
                if changed or _same(taken, value):
                    return taken
        del self._changes[kept:]
        raise _MisfitError(f"'{at}' has none of the forms that the tool takes")

    def _typed(self, schema: Mapping[str, Any], value: Any, at: str) -> Any:
        named = schema.get("type")
        kinds = [named] if isinstance(named, str) else named if isinstance(named, list) else []
        kinds = [kind for kind in kinds if kind in _ARTICLES]
        if not kinds or any(_is(kind, value) for kind in kinds):
            return value
        for kind in sorted(kinds, key=lambda kind: kind == "string"):
            taken = self._changed(kind, value)
            if taken is not None:
                self._changes.append(f"'{at}': {_shown(value)} taken as {_ARTICLES[kind]}")
                return taken
        wanted = " or ".join(_ARTICLES[kind] for kind in kinds)
        raise _MisfitError(f"'{at}' must be {wanted}, not {_shown(value)}")

    def _changed(self, kind: str, value: Any) -> Any:
        """The value in another form, or None when that could be wrong."""
        if isinstance(value, bool):
            return None
        if kind == "integer" and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            return int(value)
        if kind == "string" and isinstance(value, int):
            return str(value)
        if not isinstance(value, str):
            return None
        text = value.strip()
        if kind in ("integer", "number") and _HEX.fullmatch(text):
            return int(text, 16)
        if kind in ("integer", "number") and _INTEGER.fullmatch(text):
            return int(text)
        if kind == "number" and _NUMBER.fullmatch(text):
            number = float(text)
            return number if math.isfinite(number) else None
        if kind == "boolean":
            words = {"true": True, "false": False} | (_BOOLEAN_WORDS if self._only_looks else {})
            return words.get(text.lower())
        if kind in ("array", "object") and text[:1] in ("[", "{"):
            return _decoded(text, list if kind == "array" else dict)
        return None


def _decoded(text: str, kind: type) -> Any:
    try:
        value = decode(text)
    except JsonFaultError:
        return None
    return value if isinstance(value, kind) else None


def _is(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    kinds: Mapping[str, Any] = {
        "integer": int, "number": int | float, "string": str, "array": list, "object": Mapping,
        "null": type(None), "boolean": bool,
    }  # fmt: skip
    return isinstance(value, kinds[kind])


def _takes_null(schema: Any) -> bool:
    if not isinstance(schema, Mapping):
        return True
    named = schema.get("type")
    if named is None:
        inner = schema.get("anyOf") or schema.get("oneOf")
        return any(_takes_null(row) for row in inner) if isinstance(inner, list) else "enum" not in schema
    return named == "null" or (isinstance(named, list) and "null" in named)


def _is_text(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "string"


def _check_limits(schema: Mapping[str, Any], value: Any, at: str) -> None:
    if isinstance(value, bool):
        return
    size: Any = value if isinstance(value, int | float) else None
    low, high = "minimum", "maximum"
    if isinstance(value, str):
        size, low, high = len(value), "minLength", "maxLength"
    elif isinstance(value, list):
        size, low, high = len(value), "minItems", "maxItems"
    if size is None:
        return
    of = "" if size is value else "the length of "
    if _is_number(schema.get(low)) and size < schema[low]:
        raise _MisfitError(f"{of}'{at}' must be {schema[low]} or more")
    if _is_number(schema.get(high)) and size > schema[high]:
        raise _MisfitError(f"{of}'{at}' must be {schema[high]} or less")
    if size is value and _is_number(schema.get("exclusiveMinimum")) and size <= schema["exclusiveMinimum"]:
        raise _MisfitError(f"'{at}' must be more than {schema['exclusiveMinimum']}")
    if size is value and _is_number(schema.get("exclusiveMaximum")) and size >= schema["exclusiveMaximum"]:
        raise _MisfitError(f"'{at}' must be less than {schema['exclusiveMaximum']}")
    pattern = schema.get("pattern")
    if isinstance(value, str) and isinstance(pattern, str) and len(value) <= _PATTERN_CHARS:
        _check_pattern(pattern, value, at)


def _check_pattern(pattern: str, value: str, at: str) -> None:
    """JSON Schema searches; a pattern that this machine cannot read is left to the tool."""
    try:
        fits = re.search(pattern, value) is not None
    except (re.error, OverflowError, RecursionError):
        return
    if not fits:
        raise _MisfitError(f"'{at}' must match {pattern[:100]}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _unknown(name: str, path: str, properties: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name[:_SHOWN], list(properties), 1)
    if near:
        return f"'{path}{name[:_SHOWN]}' is no parameter; did you mean '{path}{near[0]}'?"
    return f"'{path}{name[:_SHOWN]}' is no parameter; there are {_choices(list(properties)) or 'none'}"


def _near(value: Any, choices: Sequence[Any]) -> str:
    near = difflib.get_close_matches(str(value)[:_SHOWN], [str(choice) for choice in choices], 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _choices(values: Sequence[Any]) -> str:
    return ", ".join(_shown(value) for value in values[:12]) + (", ..." if len(values) > 12 else "")


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
