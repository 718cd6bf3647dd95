"""What is fuzzed: each target takes bytes and raises only when the execution layer breaks a promise.

The promises (EX-1, EX-2, EX-5, EX-6, EX-10): a text gives payloads or a FaultError, never another error; each
fault has a code of the table, can be told in both languages and says a place within the text; nobody but a
person speaks for another source; what may run has parameters within its schema and touches pins of the board
only.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from tests.fuzz.byte_source import ByteSource
from tests.fuzz.firmware_target import firmware_file
from tests.fuzz.toolcall_target import toolcall_text
from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import SOURCES, ActionFault, ActionPayload, Source
from zeroclaw_desktop.execution.error_table import Code, explain_error, next_step
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.params import Param, check_params, json_schema
from zeroclaw_desktop.execution.parsers.json_text import JsonParser
from zeroclaw_desktop.execution.parsers.protocol import Parser
from zeroclaw_desktop.execution.parsers.text import TextParser
from zeroclaw_desktop.execution.parsers.yaml_list import YamlListParser
from zeroclaw_desktop.execution.permissions import DEFAULT_CEILINGS
from zeroclaw_desktop.execution.preparation import prepare

CODES = {int(code) for code in Code}
TYPES: dict[str, Any] = {"int": int, "float": float, "bool": bool, "str": str, "list": list, "dict": dict}


@cache
def door() -> Door:
    """One execution layer for all runs; nothing is sent."""
    return Door()


def hold(promise: bool, what: str) -> None:
    """Raise when a promise is broken; not 'assert', which can be switched off."""
    if not promise:
        raise AssertionError(what)


# -- texts -------------------------------------------------------------------------------------------------
def json_payload(data: bytes) -> None:
    """One JSON payload."""
    read_and_check(JsonParser(), data)


def yaml_list(data: bytes) -> None:
    """A YAML list of actions."""
    read_and_check(YamlListParser(), data)


def sentences(data: bytes) -> None:
    """Sentences in English and Chinese."""
    read_and_check(TextParser(), data)


def read_and_check(parser: Parser, data: bytes) -> None:
    """The first byte chooses the source, the rest is the text."""
    source = SOURCES[data[0] % len(SOURCES)] if data else "manual"
    text = data[1:].decode("utf-8", "surrogateescape")
    try:
        payloads = parser.parse(text, source=source)
    except FaultError as error:
        _check_faults(error.faults, text)
        return
    hold(len(payloads) > 0, "a text gave neither payloads nor faults")
    hold(
        len({payload.task_id for payload in payloads}) == len(payloads) or "task_id" in text,
        "a task id twice",
    )
    for payload in payloads:
        hold(payload.source == source or source == "manual", "somebody speaks for another source")
        _check_prepared(payload)


def _check_prepared(payload: ActionPayload) -> None:
    boards = door().boards
    try:
        prepared = prepare(payload, door().registry, boards.boards(), boards.pin_states)
    except FaultError as error:
        _check_faults(error.faults)
        return
    schema = prepared.command.schema
    hold(set(prepared.params) <= set(schema), "an unknown parameter came through")
    for name, param in schema.items():
        hold(name in prepared.params or not param.required, "a required parameter is missing")
        if name in prepared.params:
            hold(conforms(param, prepared.params[name]), f"'{name}' is outside its schema")
    may = DEFAULT_CEILINGS[payload.source]
    hold((prepared.verdict == "run") == (prepared.needed <= may), "the ceiling does not hold")
    for change in prepared.changes:
        pin = prepared.board.profile.pin(change.pin) if prepared.board is not None else None
        hold(pin is not None and not pin.reserved, "a pin that must not be driven")


def _check_faults(faults: tuple[ActionFault, ...], text: str | None = None) -> None:
    hold(len(faults) > 0, "a refusal without a fault")
    for fault in faults:
        hold(fault.code in CODES, "an unknown code")
        for lang in ("en", "zh"):
            told = explain_error(fault.code, lang, fault.details) + next_step(fault.code, lang, fault.details)
            hold(bool(told), "a fault without words")
            told.encode("utf-8")
        fault.message.encode("utf-8")
        if text is not None and "line" in fault.details:
            line, column = fault.details["line"], fault.details["column"]
            lines = text.split("\n")
            hold(1 <= line <= len(lines), "a line outside the text")
            hold(1 <= column <= len(lines[line - 1]) + 1, "a column outside the line")


# -- the schema --------------------------------------------------------------------------------------------
def param_schema(data: bytes) -> None:
    """A random schema and random values for it."""
    source_bytes = ByteSource(data)
    source: Source = source_bytes.choose(SOURCES)
    schema = {name: _param(source_bytes, 0) for name in source_bytes.some(("a", "b", "c", "pin"))}
    given = {name: _value(source_bytes, 0) for name in source_bytes.some(("a", "b", "c", "pin", "zz"))}
    json.dumps(json_schema(schema))
    checked = check_params(schema, given, source)
    if checked.faults:
        _check_faults(checked.faults)
        return
    hold(set(given) <= set(schema), "an unknown parameter came through")
    for name, param in schema.items():
        if name not in checked.values:
            hold(not param.required, "a required parameter is missing")
        elif given.get(name) is None:
            hold(checked.values[name] == param.default, "another default")
        else:
            hold(conforms(param, checked.values[name]), f"{checked.values[name]!r} is outside {param}")
            hold(_lossless(given[name], checked.values[name], source), "a value was changed")


def conforms(param: Param, value: Any) -> bool:
    """Whether a value is what the schema describes; written from EX-5, not from the checker."""
    if type(value) is not TYPES[param.type] or (param.choices and value not in param.choices):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    size = len(value) if isinstance(value, str | list) else value
    if isinstance(size, int | float) and not isinstance(size, bool):
        if param.minimum is not None and size < param.minimum:
            return False
        if param.maximum is not None and size > param.maximum:
            return False
    if isinstance(value, str) and param.pattern and not re.fullmatch(param.pattern, value, re.ASCII):
        return False
    if isinstance(value, list) and param.items is not None:
        return all(conforms(param.items, item) for item in value)
    if isinstance(value, dict) and param.fields:
        return _fields_conform(param.fields, value)
    return True


def _fields_conform(fields: Mapping[str, Param], value: Mapping[str, Any]) -> bool:
    if not set(value) <= set(fields):
        return False
    return all(
        conforms(field, value[name]) if name in value else not field.required
        for name, field in fields.items()
        if value.get(name) is not None or field.required
    )


def _lossless(given: Any, taken: Any, source: Source) -> bool:
    """Numbers keep their value; texts become numbers for a person only."""
    if isinstance(taken, int | float) and not isinstance(taken, bool):
        if isinstance(given, str):
            return source == "manual" and float(given) == taken
        return bool(given == taken) or (isinstance(given, int) and float(given) == taken)
    return type(given) is type(taken)


def _param(source: ByteSource, depth: int) -> Param:
    kinds = ("int", "float", "bool", "str", "list", "dict") if depth < 2 else ("int", "float", "bool", "str")
    kind = source.choose(kinds)
    low, high = sorted((source.integer(-20, 20), source.integer(-20, 300)))
    limited = source.flag() and kind in ("int", "float", "str", "list")
    nested = source.flag()
    return Param(
        kind,
        required=source.flag(),
        minimum=low if limited and source.flag() else None,
        maximum=high if limited and source.flag() else None,
        choices=source.choose(((), (0, 1), ("x", "y"))) if kind in ("int", "str") else (),
        unit=source.choose(("", "s")),
        pattern=source.choose(("", r"[Aa]\d{1,2}", r"\w+")) if kind == "str" else "",
        items=_param(source, depth + 1) if kind == "list" and nested else None,
        fields={name: _param(source, depth + 1) for name in source.some(("x", "y"))}
        if kind == "dict" and nested
        else {},
    )


def _value(source: ByteSource, depth: int) -> Any:
    makers: tuple[Callable[[], Any], ...] = (
        lambda: None,
        source.flag,
        lambda: source.integer(-30, 300),
        lambda: source.choose((0, 1, -1, 2**31, 2**63, 10**300, -(10**300))),
        source.number,
        lambda: source.choose((math.nan, math.inf, -math.inf, -0.0, 1e-300, 1.7e308, 0.5, 1.0)),
        lambda: source.choose(
            ("", "x", "A0", "A٣", "7", " 7 ", "7.5", "-0", "nan", "1e400", "１", "9" * 40, "0x1")
        ),
        lambda: source.text(12),
        lambda: [_value(source, depth + 1) for _ in range(source.integer(0, 4))] if depth < 3 else [],
        lambda: (
            {name: _value(source, depth + 1) for name in source.some(("x", "y", "z"))} if depth < 3 else {}
        ),
    )
    return source.choose(makers)()


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "json_payload": json_payload,
    "yaml_list": yaml_list,
    "sentences": sentences,
    "param_schema": param_schema,
    "firmware_file": firmware_file,
    "toolcall_text": toolcall_text,
}
