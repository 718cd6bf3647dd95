"""The explain family: what would happen and why, without doing anything (RT-12)."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, Permission
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.contracts.flash_request import EraseRequest, FlashRequest
from zeroclaw_desktop.execution.error_table import error_table
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.builtin import register_builtin
from zeroclaw_desktop.execution.handlers.erase import erase_command
from zeroclaw_desktop.execution.parsers.registry import form_of, standard_parsers
from zeroclaw_desktop.execution.preparation import prepare
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.providers.offline import understand
from zeroclaw_desktop.runtime.board_facts import facts_of
from zeroclaw_desktop.runtime.paper_board import SIMULATED_ID, PaperBoards, paper_board
from zeroclaw_desktop.runtime.sentences import AssistantSentenceReader

_WORST_FIRST = ("refuse", "ask", "run")


async def _do_nothing(*_args: Any) -> Any:
    raise ZeroClawError("Nothing is done while explaining.")


def paper_registry(boards: PaperBoards) -> CommandRegistry:
    """All commands, for boards that are not there; nothing is done by them."""

    async def stop(_source: str) -> EmergencyStopChanged:
        return EmergencyStopChanged(False, "")

    def flash(board_id: str, request: FlashRequest) -> Awaitable[Mapping[str, Any]]:
        return _do_nothing(board_id, request)

    def erase(board_id: str, request: EraseRequest) -> Awaitable[Mapping[str, Any]]:
        return _do_nothing(board_id, request)

    registry = CommandRegistry()
    register_builtin(registry, boards, flash, stop)
    registry.register(erase_command(erase))
    return registry


def explain_payload(text: str, board: str = "") -> dict[str, Any]:
    """Say what the execution layer would make of what ``exec`` takes.

    Args:
        text: a payload as JSON, a list of actions as YAML, or sentences.
        board: kind of board to assume, freshly reset; '' for the one of ``exec``, the simulated Uno.

    Returns:
        ``verdict``, ``errors``, ``pins``, ``resources`` and ``permission`` of all actions together (the worst
        verdict, the highest level). For a list and for sentences each action by itself as well, in
        ``actions``.

    Raises:
        ZeroClawError: there is no such kind of board.
    """
    paper = PaperBoards(paper_board(board or SIMULATED_ID))
    registry = paper_registry(paper)
    reader, form = AssistantSentenceReader(facts_of(paper.boards()[0])), form_of(text)
    try:
        payloads = standard_parsers(reader, plugins=False).parse(form, text, source="manual")
    except FaultError as error:
        return {**_together([]), "errors": [_fault_row(fault) for fault in error.faults]}
    actions = [_explain_action(payload, registry, paper) for payload in payloads]
    return _together(actions) if form == "json" else {**_together(actions), "actions": actions}


def _explain_action(payload: ActionPayload, registry: CommandRegistry, paper: PaperBoards) -> dict[str, Any]:
    row: dict[str, Any] = {"action": payload.action, "params": dict(payload.params), "verdict": "refuse"}
    row |= {"errors": [], "pins": [], "resources": [], "permission": ""}
    if any(command.name == payload.action for command in registry.list_commands()):
        row["permission"] = registry.resolve(payload.action).permission.label
    board = paper.boards()[0]
    named = payload.device_id or board.board_id
    info = replace(board, board_id=named)
    try:
        prepared = prepare(payload, registry, [info], paper.pin_states)
    except FaultError as error:
        row["errors"] = [_fault_row(fault) for fault in error.faults]
        return row
    row["verdict"], row["permission"] = prepared.verdict, prepared.needed.label
    row["pins"] = [
        {"pin": change.pin, "before": change.before, "after": change.after} for change in prepared.changes
    ]
    row["resources"] = [name for name, _ in prepared.resources]
    return row


def _together(actions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What holds for several actions as a whole."""
    verdicts = {action["verdict"] for action in actions}
    levels = [Permission[action["permission"].upper()] for action in actions if action["permission"]]
    return {
        "verdict": next((verdict for verdict in _WORST_FIRST if verdict in verdicts), "refuse"),
        "errors": [error for action in actions for error in action["errors"]],
        "pins": [pin for action in actions for pin in action["pins"]],
        "resources": list(dict.fromkeys(name for action in actions for name in action["resources"])),
        "permission": max(levels).label if levels else "",
    }


def _fault_row(fault: ActionFault) -> dict[str, Any]:
    return {"code": fault.code, "symbol": fault.symbol, "message": fault.message, "param": fault.param}


def explain_sentence(text: str) -> dict[str, Any]:
    """Say what the offline assistant understands, with the simulated Arduino Uno connected."""
    understood = understand(text, boards=[facts_of(paper_board(SIMULATED_ID))])
    return {
        "intent": understood.intent,
        "calls": [{"name": call.name, "arguments": dict(call.arguments)} for call in understood.calls],
        "question": understood.question,
        "language": understood.language,
        "say": understood.say,
        "reason": understood.reason,
    }


def explain_code(text: str) -> dict[str, Any]:
    """Say what an error code means.

    Args:
        text: ``0x31``, ``49`` or ``TIMEOUT``.

    Raises:
        ZeroClawError: no such code.
    """
    table = error_table()
    wanted = text.strip()
    try:
        entry = table.get(int(wanted, 0))
    except ValueError:
        entry = next((row for row in table.values() if row.symbol == wanted.upper()), None)
    if entry is None:
        raise ZeroClawError(
            f"There is no error code '{text}'.",
            hint="Known: " + ", ".join(f"0x{code:02X}" for code in table) + ".",
            code="unknown_code",
        )
    return {
        "code": entry.code,
        "symbol": entry.symbol,
        "zh": _blank(entry.text["zh"]),
        "en": _blank(entry.text["en"]),
        "retry": entry.retry,
        "next_zh": _blank(entry.next_step["zh"]),
        "next_en": _blank(entry.next_step["en"]),
    }


def _blank(text: str) -> str:
    """A text without a case at hand: the names in braces become ellipses."""
    import re

    return re.sub(r"\{\w+\}", "…", text)
