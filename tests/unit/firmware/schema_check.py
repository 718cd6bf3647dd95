"""Checks a JSON value against the few JSON Schema keywords that the protocol's schema uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]
TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def faults(value: Any, schema: Schema, root: Schema) -> list[str]:
    """Return what in the value breaks the schema, one text each; references are looked up in root."""
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "oneOf" in schema:
        fitting = [choice for choice in schema["oneOf"] if not faults(value, choice, root)]
        return [] if len(fitting) == 1 else [f"{value!r} fits {len(fitting)} of the choices"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(TYPES[kind](value) for kind in kinds):
        return [f"{value!r} is no {kinds}"]
    return _scalar_faults(value, schema) + _nested_faults(value, schema, root)


def _scalar_faults(value: Any, schema: Schema) -> list[str]:
    found = []
    if "const" in schema and value != schema["const"]:
        found.append(f"{value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{value!r} is not one of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        found.append(f"{value!r} does not match {schema['pattern']}")
    if value < schema["minimum"] if "minimum" in schema else False:
        found.append(f"{value!r} is too small")
    if value > schema["maximum"] if "maximum" in schema else False:
        found.append(f"{value!r} is too large")
    return found


def _nested_faults(value: Any, schema: Schema, root: Schema) -> list[str]:
    found = []
    if isinstance(value, list):
        for item in value:
            found += faults(item, schema.get("items", {}), root)
    if isinstance(value, dict):
        found += [f"{key} is missing" for key in schema.get("required", []) if key not in value]
        others = schema.get("additionalProperties", {})
        for key, item in value.items():
            found += faults(key, schema.get("propertyNames", {}), root)
            found += faults(item, schema.get("properties", {}).get(key, others), root)
    return found
