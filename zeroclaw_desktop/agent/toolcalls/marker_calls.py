"""Calls between special tokens: Mistral, DeepSeek V3, Kimi K2, Llama's python tag."""

from __future__ import annotations

import re

from zeroclaw_desktop.agent.toolcalls.json_calls import Found, calls_of, json_calls, read_value
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, check_depth
from zeroclaw_desktop.agent.toolcalls.limits import MAX_CALLS
from zeroclaw_desktop.agent.toolcalls.model import RawCall, RawFault
from zeroclaw_desktop.agent.toolcalls.python_calls import looks_pythonic, python_calls

MISTRAL = "[TOOL_CALLS]"
_MISTRAL_HEAD = re.compile(r"\s*([\w.\-]{1,100})(?:\[CALL_ID\]([A-Za-z0-9]{1,64}))?(?:\[ARGS\])?\s*(?=[{｛])")
_KIMI_CALL = re.compile(r"<\|tool_call_begin\|>\s*([^<>]{0,200}?)\s*<\|tool_call_argument_begin\|>\s*")
_KIMI_END = re.compile(r"\s*<\|tool_call_end\|>")
_KIMI_ID = re.compile(r"(?:functions\.)?([A-Za-z_][\w.\-]{0,99}):(\d{1,9})")
_DEEPSEEK_CALL = re.compile(
    r"<｜tool▁call▁begin｜>\s*"
    r"(?:function\s*<｜tool▁sep｜>\s*([^<>\n]{1,100})\n\s*```(?:json)?|([^<>\n]{1,100})<｜tool▁sep｜>)\s*"
)
_DEEPSEEK_END = re.compile(r"\s*(?:```)?\s*<｜tool▁call▁end｜>")


def mistral_calls(body: str) -> tuple[Found, int]:
    """What follows ``[TOOL_CALLS]`` up to the end of the answer.

    Returns:
        The calls, and the place in the body from which on it is text again.
    """
    dialect = "mistral"
    start = len(body) - len(body.lstrip())
    try:
        check_depth(body)
        if body[start : start + 1] in ("[", "［", "{", "｛"):
            value, end, repairs = read_value(body, start)
            if MISTRAL in body[end:]:
                reason = "[TOOL_CALLS] stands twice; put all calls into one list."
                return [RawFault("syntax", reason, dialect)], len(body)
            return calls_of(value, dialect, repairs), end
        return _mistral_sequence(body)
    except JsonFaultError as error:
        return [RawFault(error.code, f"The call is not readable: {error.reason}.", dialect)], len(body)


def _mistral_sequence(body: str) -> tuple[Found, int]:
    """``name{json}[TOOL_CALLS]name{json}`` (from tokenizer version 11 on)."""
    found: Found = []
    at = 0
    while len(found) <= MAX_CALLS:
        head = _MISTRAL_HEAD.match(body, at)
        if head is None:
            reason = "After [TOOL_CALLS] a tool's name and a JSON object were expected."
            return [*found, RawFault("syntax", reason, "mistral")], len(body)
        value, at, repairs = read_value(body, head.end())
        found.append(RawCall(head[1], value, "mistral", head[2] or "", repairs))
        rest = body[at:].lstrip() if len(body) - at < len(MISTRAL) + 80 else body[at : at + 80].lstrip()
        if not rest.startswith(MISTRAL):
            break
        at = body.index(MISTRAL, at) + len(MISTRAL)
    return found, at


def kimi_calls(body: str) -> Found:
    """The section of Kimi K2: id, marker, JSON; an id that is a number only leaves the tool open."""
    if too_deep := _too_deep(body, "kimi"):
        return [too_deep]
    found: Found = []
    at = 0
    while opened := _KIMI_CALL.search(body, at):
        identity = opened[1]
        named = _KIMI_ID.fullmatch(identity)
        name = named[1] if named else ""
        at = opened.end()
        if len(found) > MAX_CALLS:
            break
        if not named and not identity.isdecimal():
            reason = "The id of the call must be functions.NAME:NUMBER."
            found.append(RawFault("no_name", reason, "kimi", identity))
            continue
        try:
            value, end, repairs = read_value(body, at)
        except JsonFaultError as error:
            found.append(RawFault(error.code, f"The call is not readable: {error.reason}.", "kimi", name))
            continue
        if not _KIMI_END.match(body, end):
            found.append(RawFault("truncated", "The call has no end; write the whole call.", "kimi", name))
            continue
        at = end
        found.append(RawCall(name, value, "kimi", identity if named else "", repairs))
    return found or [RawFault("syntax", "There is no call between the markers.", "kimi")]


def deepseek_calls(body: str) -> Found:
    """DeepSeek V3 (name, fence, JSON) and V3.1 (name, separator, JSON)."""
    if too_deep := _too_deep(body, "deepseek"):
        return [too_deep]
    found: Found = []
    at = 0
    while opened := _DEEPSEEK_CALL.search(body, at):
        name = (opened[1] or opened[2]).strip()
        at = opened.end()
        if len(found) > MAX_CALLS:
            break
        try:
            value, end, repairs = read_value(body, at)
        except JsonFaultError as error:
            found.append(RawFault(error.code, f"The call is not readable: {error.reason}.", "deepseek", name))
            continue
        if not _DEEPSEEK_END.match(body, end):
            found.append(
                RawFault("truncated", "The call has no end; write the whole call.", "deepseek", name)
            )
            continue
        at = end
        found.append(RawCall(name, value, "deepseek", repairs=repairs))
    return found or [RawFault("syntax", "There is no call between the markers.", "deepseek")]


def _too_deep(body: str, dialect: str) -> RawFault | None:
    try:
        check_depth(body)
    except JsonFaultError as error:
        return RawFault(error.code, f"The call is not readable: {error.reason}.", dialect)
    return None


def llama_calls(body: str) -> Found:
    """What follows ``<|python_tag|>``: JSON objects with ``;`` between them, or calls in Python."""
    if looks_pythonic(body):
        return python_calls(body, "llama")
    return json_calls(body, "llama")
