"""From a raw call to a call of a known tool with fitting arguments, or to a fault the model can mend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.agent.toolcalls.json_calls import read_arguments
from zeroclaw_desktop.agent.toolcalls.json_repair import LOOSE_NUMBER
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError
from zeroclaw_desktop.agent.toolcalls.limits import MAX_NAME_CHARS
from zeroclaw_desktop.agent.toolcalls.model import MalformedCall, ParsedCall, RawCall, RawFault
from zeroclaw_desktop.agent.toolcalls.schema_fit import fit_arguments
from zeroclaw_desktop.agent.toolcalls.short_calls import ONLY_VALUE
from zeroclaw_desktop.agent.toolcalls.tool_table import Reach, ToolTable
from zeroclaw_desktop.contracts.chat import ToolCall
from zeroclaw_desktop.foundation.text import visible


def malformed(fault: RawFault, length: int, suggestions: tuple[str, ...] = ()) -> MalformedCall:
    """A fault with what belongs to it; the name is cut and made visible."""
    name = visible(fault.name[:MAX_NAME_CHARS])
    return MalformedCall(fault.code, fault.reason, fault.dialect, name, suggestions, length)


def settle(raw: RawCall, tools: ToolTable, length: int = 0) -> ParsedCall | MalformedCall:
    """Find the tool of a call and fit its arguments.

    Args:
        raw: as written.
        tools: those that were offered.
        length: characters of what was written, for the log.
    """
    repairs = list(raw.repairs)
    try:
        arguments, mended = read_arguments(raw.arguments)
    except JsonFaultError as error:
        reason = f"The arguments of the call are not readable: {error.reason}."
        return malformed(RawFault(error.code, reason, raw.dialect, raw.name), length)
    repairs += mended
    written = raw.name or _only_tool(tools, arguments)
    name, other_name = tools.resolve(written)
    if not name:
        return _unknown_tool(raw, written, tools, length)
    if other_name:
        repairs.append(other_name)
    if LOOSE_NUMBER in repairs and tools.reach(name) is not Reach.LOOKS:
        reason = "Write numbers as JSON has them: 1000, 5, 0.5 - not 1_000, +5, .5."
        return malformed(RawFault("arguments", reason, raw.dialect, name), length)
    if raw.short_form and tools.reach(name) is Reach.MOVES:
        reason = "A short form is not enough for this tool; write 'name' and 'arguments' as JSON."
        return malformed(RawFault("arguments", reason, raw.dialect, name), length)
    schema = tools.specs[name].parameters
    if ONLY_VALUE in arguments and raw.short_form:
        arguments = _named_value(schema, arguments)
    fit = fit_arguments(schema, arguments, only_looks=tools.reach(name) is Reach.LOOKS)
    if raw.short_form and _strange_address(fit.arguments):
        fit.faults.append("'url' must begin with http:// or https://")
    if fit.faults:
        reason = f"The arguments of {name} do not fit: {'; '.join(fit.faults[:5])}".rstrip("?") + "."
        return malformed(RawFault("arguments", reason, raw.dialect, name), length)
    return ParsedCall(ToolCall(raw.call_id, name, fit.arguments), raw.dialect, (*repairs, *fit.changes))


def _only_tool(tools: ToolTable, arguments: Mapping[str, Any]) -> str:
    """The one tool that takes arguments whose call has no name; only among those that move nothing."""
    fitting = [
        name
        for name, spec in tools.specs.items()
        if arguments
        and set(arguments) <= set(spec.parameters.get("properties") or ())
        and not fit_arguments(spec.parameters, arguments).faults
    ]
    return fitting[0] if len(fitting) == 1 and tools.reach(fitting[0]) < Reach.MOVES else ""


def _unknown_tool(raw: RawCall, written: str, tools: ToolTable, length: int) -> MalformedCall:
    if not written:
        fault = RawFault("no_name", "The call has no name of a tool.", raw.dialect)
        return malformed(fault, length)
    near = tools.near(written)
    shown = visible(written[:MAX_NAME_CHARS])
    hint = f"Did you mean {' or '.join(near)}?" if near else "Use one of the tools that were offered."
    fault = RawFault("unknown_tool", f"There is no tool called '{shown}'. {hint}", raw.dialect, written)
    return malformed(fault, length, near)


def _named_value(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the value of a short form the one name that it can have; else leave it, and it will not fit."""
    required = schema.get("required") or list(schema.get("properties") or ())
    if len(arguments) == 1 and len(required) == 1:
        return {str(required[0]): arguments[ONLY_VALUE]}
    return {"value": arguments[ONLY_VALUE]}


def _strange_address(arguments: Mapping[str, Any]) -> bool:
    url = arguments.get("url")
    return isinstance(url, str) and not url.lower().startswith(("http://", "https://"))
