"""Calls that came through a model's own interface for tools: judged like those in text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, decode
from zeroclaw_desktop.agent.toolcalls.limits import MAX_BLOCK_CHARS
from zeroclaw_desktop.agent.toolcalls.model import MalformedCall, ParsedCall, RawCall, RawFault
from zeroclaw_desktop.agent.toolcalls.settling import malformed, settle
from zeroclaw_desktop.agent.toolcalls.tool_table import ToolTable

DIALECT = "native"


def read_native(call_id: str, name: str, arguments: Any, tools: ToolTable) -> ParsedCall | MalformedCall:
    """Judge one call.

    Args:
        call_id: kept as it is; the answer must carry it.
        arguments: the text of the interface, or the object when somebody read it already.
        tools: those that were offered.
    """
    length = len(arguments) if isinstance(arguments, str) else 0
    if length > MAX_BLOCK_CHARS:
        return malformed(RawFault("too_large", "The arguments are too long.", DIALECT, name), length)
    if not name.strip():
        return malformed(RawFault("no_name", "The call has no name of a tool.", DIALECT), length)
    found = settle(RawCall(name.strip(), arguments, DIALECT, call_id), tools, length)
    if isinstance(found, ParsedCall):
        return replace(found, call=replace(found.call, call_id=call_id))
    return found


def is_good_json(text: str) -> bool:
    """Whether arguments need no repair."""
    try:
        decode(text)
    except JsonFaultError:
        return False
    return True
