"""Calls in markup: ``<invoke>`` with parameters (Anthropic, MiniMax, DSML), Qwen3-Coder, GLM, plain XML.

Values are texts until a schema says otherwise; DeepSeek's DSML alone tells which values are JSON.
"""

from __future__ import annotations

import re
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_calls import Found, json_calls
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, decode
from zeroclaw_desktop.agent.toolcalls.limits import MAX_CALLS
from zeroclaw_desktop.agent.toolcalls.model import RawCall, RawFault

_DSML = r"(?:｜DSML｜)?"
_INVOKE = re.compile(rf"<{_DSML}invoke(\s[^<>]{{0,200}})>")
_INVOKE_END = re.compile(rf"</{_DSML}invoke>")
_PARAMETER = re.compile(rf"<{_DSML}parameter(\s[^<>]{{0,200}})>")
_PARAMETER_END = re.compile(rf"</{_DSML}parameter>")
_FUNCTION = re.compile(r"<function=\s*[\"']?([^<>\s\"']{1,100})[\"']?\s*>")
_FUNCTION_END = re.compile(r"</function>")
_QWEN_PARAMETER = re.compile(r"<parameter=\s*[\"']?([^<>\s\"']{1,100})[\"']?\s*>")
_ARG_KEY = re.compile(r"<arg_key>([^<>]{1,100})</arg_key>\s*<arg_value>")
_ARG_END = re.compile(r"</arg_value>")
_GLM_NAME = re.compile(r"\s*([\w.\-]{1,100})\s*(?=<arg_key>|$)")
_ATTRIBUTE = re.compile(r"([\w\-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_PLAIN_OPEN = re.compile(r"\s*<([A-Za-z_][\w.\-]{0,99})>")


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag, without the tag's name."""
    return {name: double or single or bare for name, double, single, bare in _ATTRIBUTE.findall(text)}


def value_text(text: str) -> str:
    """A value as it stands between its tags, without the one line break on each side that belongs to them."""
    return text.removeprefix("\n").removesuffix("\n")


def markup_calls(body: str, dialect: str) -> Found | None:
    """The calls of a body in markup; None when it is none of these forms."""
    if _INVOKE.search(body):
        return _repeated(body, dialect, _INVOKE, _INVOKE_END, _invoke_parameters)
    if _FUNCTION.search(body):
        return _repeated(body, dialect, _FUNCTION, _FUNCTION_END, _qwen_parameters)
    if "<arg_key>" in body:
        return [_glm_call(body, dialect)]
    return _plain_call(body, dialect)


def invoke_call(attributes: str, body: str, dialect: str) -> RawCall | RawFault:
    """One call whose tag was already taken off."""
    return _one(attributes_of(attributes).get("name", ""), body, dialect, _invoke_parameters)


def function_call(name: str, body: str, dialect: str) -> RawCall | RawFault:
    """One Qwen3-Coder call whose ``<function=NAME>`` was already taken off."""
    return _one(name, body, dialect, _qwen_parameters)


def _repeated(
    body: str, dialect: str, opening: re.Pattern[str], closing: re.Pattern[str], read: Any
) -> Found:
    found: Found = []
    at = 0
    while len(found) <= MAX_CALLS:
        opened = opening.search(body, at)
        if opened is None:
            return found
        name = opened[1] if opening is _FUNCTION else attributes_of(opened[1]).get("name", "")
        closed = _end_of_call(body, opened.end(), closing)
        if closed is None:
            found.append(RawFault("truncated", "The call has no end; write the whole call.", dialect, name))
            return found
        found.append(_one(name, body[opened.end() : closed.start()], dialect, read))
        at = closed.end()
    return found


def _end_of_call(body: str, at: int, closing: re.Pattern[str]) -> re.Match[str] | None:
    """The end tag of a call; one within the value of a parameter is data."""
    while True:
        closed = closing.search(body, at)
        if closed is None:
            return None
        inner = _ANY_PARAMETER.search(body, at, closed.start())
        if inner is None:
            return closed
        ended = _PARAMETER_END.search(body, inner.end())
        if ended is None:
            return closed
        at = ended.end()


_ANY_PARAMETER = re.compile(rf"<{_DSML}parameter[\s=][^<>]{{0,200}}>")


def _one(name: str, body: str, dialect: str, read: Any) -> RawCall | RawFault:
    name = name.strip()
    if not name:
        return RawFault("no_name", "The call has no name of a tool.", dialect)
    if "<" not in body or body.lstrip()[:1] in ("{", "｛"):
        found = json_calls(body, dialect, name=name)
        return found[0]
    try:
        return RawCall(name, read(body), dialect)
    except JsonFaultError as error:
        return RawFault(error.code, f"The call is not readable: {error.reason}.", dialect, name)


def _invoke_parameters(body: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    at = 0
    while opened := _PARAMETER.search(body, at):
        attributes = attributes_of(opened[1])
        key = attributes.get("name", "")
        at, text = _value(body, opened.end(), _PARAMETER_END, key)
        value: Any = value_text(text)
        if attributes.get("string") == "false":
            value = decode(value)
        _put(row, key, value)
    return row


def _qwen_parameters(body: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    at = 0
    while opened := _QWEN_PARAMETER.search(body, at):
        at, text = _value(body, opened.end(), _PARAMETER_END, opened[1])
        _put(row, opened[1], value_text(text))
    return row


def _value(body: str, at: int, closing: re.Pattern[str], key: str) -> tuple[int, str]:
    closed = closing.search(body, at)
    if closed is None:
        raise JsonFaultError("truncated", f"the value of '{key[:40]}' has no end; write the whole call")
    return closed.end(), body[at : closed.start()]


def _put(row: dict[str, Any], key: str, value: Any) -> None:
    if not key:
        raise JsonFaultError("syntax", "a parameter has no name")
    if key in row:
        raise JsonFaultError("duplicate_key", f"'{key[:40]}' is given twice")
    row[key] = value


def _glm_call(body: str, dialect: str) -> RawCall | RawFault:
    head = _GLM_NAME.match(body)
    if head is None:
        return RawFault("no_name", "The call has no name of a tool.", dialect)
    row: dict[str, Any] = {}
    at = head.end()
    try:
        while opened := _ARG_KEY.search(body, at):
            at, text = _value(body, opened.end(), _ARG_END, opened[1])
            _put(row, opened[1].strip(), value_text(text))
    except JsonFaultError as error:
        return RawFault(error.code, f"The call is not readable: {error.reason}.", dialect, head[1])
    return RawCall(head[1], row, dialect)


def _plain_call(body: str, dialect: str) -> Found | None:
    """``<shell><command>ls</command></shell>``: a tag named as the tool, in it one for each parameter."""
    opened = _PLAIN_OPEN.match(body)
    if opened is None:
        return None
    name = opened[1]
    inside = body[opened.end() :].rstrip()
    if not inside.endswith(f"</{name}>"):
        return [RawFault("truncated", "The call has no end; write the whole call.", dialect, name)]
    inside = inside.removesuffix(f"</{name}>")
    row: dict[str, Any] = {}
    at = 0
    try:
        while field := _PLAIN_OPEN.match(inside, at):
            closing = re.compile(re.escape(f"</{field[1]}>"))
            at, text = _value(inside, field.end(), closing, field[1])
            _put(row, field[1], value_text(text))
    except JsonFaultError as error:
        return [RawFault(error.code, f"The call is not readable: {error.reason}.", dialect, name)]
    if inside[at:].strip():
        return [RawFault("syntax", "Between the parameters stands something else.", dialect, name)]
    return [RawCall(name, row, dialect)]
