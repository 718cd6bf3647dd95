"""What a model is told before a conversation: who it is, the rules, the boards of this moment, its tools."""

from __future__ import annotations

import json
from collections.abc import Sequence

from zeroclaw_desktop.contracts.chat import ToolSpec
from zeroclaw_desktop.foundation.assets import resource_path

NO_BOARD = "No board is connected now."


def system_prompt(boards: Sequence[str], tools_in_text: Sequence[ToolSpec] = (), remembered: str = "") -> str:
    """Return the system message.

    Args:
        boards: one line of facts for each connected board.
        tools_in_text: tools for a model that has no interface for them; it calls them by text.
        remembered: block of memories about what was asked, '' for none.
    """
    parts = [_resource("assistant.md"), "Connected boards:" if boards else NO_BOARD, *boards]
    if remembered:
        parts.append("\n" + remembered)
    if tools_in_text:
        parts.append("\n" + _resource("tools_in_text.md"))
        parts += [_tool_line(tool) for tool in tools_in_text]
    return "\n".join(parts)


def _tool_line(tool: ToolSpec) -> str:
    schema = json.dumps(tool.parameters, ensure_ascii=False, separators=(",", ":"))
    return f"- {tool.name}: {tool.description} {schema}"


def _resource(name: str) -> str:
    return resource_path(f"prompts/{name}").read_text(encoding="utf-8").rstrip("\n") + "\n"
