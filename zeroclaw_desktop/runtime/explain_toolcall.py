"""What the agent would make of a text of a model: what is shown, which calls, which are refused and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.agent.stream_guard.guard import parse_answer
from zeroclaw_desktop.agent.toolcalls.retry_message import retry_message
from zeroclaw_desktop.agent.toolcalls.tool_table import Reach, ToolTable
from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.chat import ToolSpec
from zeroclaw_desktop.runtime.explain import paper_registry
from zeroclaw_desktop.runtime.paper_board import SIMULATED_ID, PaperBoards, paper_board
from zeroclaw_desktop.tools.command_tools import tool_spec


def offered_tools() -> ToolTable:
    """The commands that a model is told of with the simulated board; what only observes, looks."""
    commands = paper_registry(PaperBoards(paper_board(SIMULATED_ID))).list_commands()
    specs: list[ToolSpec] = []
    reaches: dict[str, Reach] = {}
    for command in commands:
        if command.for_models:
            specs.append(tool_spec(command))
            looks = command.permission is Permission.OBSERVER
            reaches[command.name] = Reach.LOOKS if looks else Reach.MOVES
    return ToolTable.of(specs, reaches)


def explain_toolcall(text: str, *, native_tools: bool = False, cut_off: bool = False) -> Mapping[str, Any]:
    """Take a text apart as the agent does.

    Args:
        text: an answer of a model, whole.
        native_tools: the model has its own interface for tools, so a bare call in its text is none.
        cut_off: the answer ended because it was too long.

    Returns:
        ``text`` (what the person would see), ``thinking``, ``calls`` (``id``, ``name``, ``arguments``,
        ``dialect``, ``repairs``), ``malformed`` (``name``, ``code``, ``reason``, ``dialect``,
        ``suggestions``), ``ignored`` (``reason``, ``dialect``, ``length``), ``retry`` (what the model would
        be told, '' for nothing).
    """
    answer = parse_answer(text, offered_tools(), native_tools=native_tools, cut_off=cut_off)
    retry = retry_message(answer.malformed, 1) if answer.malformed else ""
    return {**answer.as_row(), "retry": retry}
