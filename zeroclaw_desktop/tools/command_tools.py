"""Registered commands as tools for models."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionPayload, ActionResult, ActionState
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.execution.error_table import Code, explain_error, next_step
from zeroclaw_desktop.execution.params import json_schema
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import Command, CommandRegistry

Submit = Callable[[ActionPayload], Awaitable[ActionResult]]

_DEVICE = {"type": "string", "description": "Id of the board; only needed when several are connected"}
_REFUSALS = frozenset(
    {
        Code.PERMISSION_DENIED,
        Code.APPROVAL_DENIED,
        Code.APPROVAL_TIMED_OUT,
        Code.APPROVAL_OUTDATED,
        Code.EMERGENCY_STOPPED,
    }
)


def tool_spec(command: Command) -> ToolSpec:
    """A command as a model sees it."""
    schema = json_schema(command.schema)
    if command.needs_board:
        schema["properties"] = {**schema["properties"], "device_id": _DEVICE}
    return ToolSpec(command.name, command.description, schema)


def outcome_row(result: ActionResult, language: Language) -> dict[str, Any]:
    """A result as data for the next turn of a model.

    Returns:
        ``status`` (``ok``, ``failed``, ``refused``, ``cancelled``), ``result``, ``observed`` and for faults
        ``error_code``, ``error``, ``hint``.
    """
    row: dict[str, Any] = {
        "status": _status(result),
        "result": dict(result.value),
        "observed": dict(result.hardware_states),
        "dry_run": result.dry_run,
    }
    if result.faults:
        fault = result.faults[0]
        row["error_code"] = fault.code
        row["error"] = explain_error(fault.code, language, fault.details)
        row["hint"] = next_step(fault.code, language, fault.details)
        row["faults"] = [fault.message for fault in result.faults]
    return row


def _status(result: ActionResult) -> str:
    if result.ok:
        return "ok"
    if result.state is ActionState.CANCELLED:
        return "cancelled"
    return "refused" if result.error_code in _REFUSALS else "failed"


class CommandTool:
    """One command; implements contracts.chat.Tool."""

    def __init__(self, command: Command, submit: Submit, language: Callable[[], Language]) -> None:
        self._command = command
        self._submit = submit
        self._language = language
        self._spec = tool_spec(command)

    @property
    def spec(self) -> ToolSpec:
        """Description for the model."""
        return self._spec

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        """Send the action through the door; ``turn_id`` and the call's id become its task id."""
        arguments = dict(call.arguments)
        device_id = arguments.pop("device_id", "") or ""
        payload = make_payload(
            self._command.name,
            arguments,
            source="agent",
            device_id=str(device_id),
            task_id=f"{turn_id}.{call.call_id}",
        )
        row = outcome_row(await self._submit(payload), self._language())
        return tool_message(call, row)


def tool_message(call: ToolCall, row: Mapping[str, Any]) -> ChatMessage:
    """The ``tool`` message that answers a call."""
    text = json.dumps(row, ensure_ascii=False, default=str)
    return ChatMessage("tool", text, tool_call_id=call.call_id, data=row)


def command_tools(
    registry: CommandRegistry, submit: Submit, language: Callable[[], Language]
) -> dict[str, CommandTool]:
    """All commands that models may be told of, by name."""
    return {
        command.name: CommandTool(command, submit, language)
        for command in registry.list_commands()
        if command.for_models
    }
