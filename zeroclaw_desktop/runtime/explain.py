"""The explain family: what would happen and why, without doing anything (RT-12)."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.boards import (
    BoardInfo,
    BoardLink,
    ExecutionGrant,
    PinState,
    StopOutcome,
)
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.execution.error_table import error_table
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.builtin import register_builtin
from zeroclaw_desktop.execution.payloads import parse_payload
from zeroclaw_desktop.execution.preparation import prepare
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.providers.offline import understand
from zeroclaw_desktop.runtime.board_facts import facts_of

DEFAULT_BOARD = "arduino-uno"


class _PaperBoards:
    """A board on paper: just reset, nothing connected. Implements BoardAccess."""

    def __init__(self, board: BoardInfo) -> None:
        self._board = board

    def boards(self) -> Sequence[BoardInfo]:
        return [self._board]

    def pin_states(self, _board_id: str) -> Mapping[int, PinState]:
        pins = self._board.profile.pins
        return {pin.number: PinState(pin.number, "input", 0) for pin in pins if not pin.reserved}

    def link(self, _board_id: str, _grant: ExecutionGrant) -> BoardLink:
        raise ZeroClawError("Nothing is done while explaining.")

    async def stop_all(self, _triggered_at: float) -> Sequence[StopOutcome]:
        return ()


def _paper_board(key: str) -> BoardInfo:
    catalog = board_catalog()
    profile = catalog.get(key) or catalog.get(key.removeprefix("sim-")) or catalog.get(f"arduino-{key}")
    if key in ("sim-uno", ""):
        profile = catalog[DEFAULT_BOARD]
    if profile is None:
        raise ZeroClawError(
            f"There is no board '{key}'.", hint=f"Known: {', '.join(catalog)}.", code="unknown_board"
        )
    simulated = key == "sim-uno"
    return BoardInfo(key or profile.key, profile.name, profile, "", "live", simulated=simulated)


async def _do_nothing(*_args: Any) -> Any:
    raise ZeroClawError("Nothing is done while explaining.")


def _registry(boards: _PaperBoards) -> CommandRegistry:
    async def stop(_source: str) -> EmergencyStopChanged:
        return EmergencyStopChanged(False, "")

    def flash(board_id: str, key: str) -> Awaitable[Mapping[str, Any]]:
        return _do_nothing(board_id, key)

    registry = CommandRegistry()
    register_builtin(registry, boards, flash, stop)
    return registry


def explain_payload(text: str, board: str = "") -> dict[str, Any]:
    """Say what the execution layer would make of a payload.

    Args:
        text: the payload as JSON.
        board: kind of board to assume, freshly reset; '' for the Arduino Uno.

    Raises:
        ZeroClawError: there is no such kind of board.
    """
    paper = _PaperBoards(_paper_board(board))
    registry = _registry(paper)
    row: dict[str, Any] = {"verdict": "refuse", "errors": [], "pins": [], "resources": [], "permission": ""}
    try:
        payload = parse_payload(text)
        if any(command.name == payload.action for command in registry.list_commands()):
            row["permission"] = registry.resolve(payload.action).permission.label
        boards = paper.boards()
        payload_board = payload.device_id or boards[0].board_id
        named = BoardInfo(payload_board, boards[0].name, boards[0].profile, "", "live")
        prepared = prepare(payload, registry, [named], {payload_board: paper.pin_states("")})
    except FaultError as error:
        row["errors"] = [_fault_row(fault) for fault in error.faults]
        return row
    row["verdict"] = prepared.verdict
    row["pins"] = [
        {"pin": change.pin, "before": change.before, "after": change.after} for change in prepared.changes
    ]
    row["resources"] = [name for name, _ in prepared.resources]
    return row


def _fault_row(fault: ActionFault) -> dict[str, Any]:
    return {"code": fault.code, "symbol": fault.symbol, "message": fault.message, "param": fault.param}


def explain_sentence(text: str) -> dict[str, Any]:
    """Say what the offline assistant understands, with the simulated Arduino Uno connected."""
    understood = understand(text, boards=[facts_of(_paper_board("sim-uno"))])
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
