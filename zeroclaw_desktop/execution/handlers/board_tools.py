"""Commands that a board of somebody's own brings: ``tools`` of its capabilities (docs/own-board.md).

What a board says of its commands is not trusted: names are checked, words are shortened and marked as the
board's, and whatever it says, such a command has the level ``operator``, so that an agent asks a person. The
commands of the protocol cannot be brought in this way: that would lead around the limits of pins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.handlers.board_needs import PROTOCOL_COMMANDS
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_SHARED, snapshot
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse
from zeroclaw_desktop.foundation.text import visible

MAX_TOOLS = 16
MAX_ARGUMENTS = 8
MAX_CHOICES = 16
MAX_WORDS = 160
MAX_PREFIX = 24
MAX_SECONDS = 120.0
MAX_TEXT_ARGUMENT = 100
USUAL_SECONDS = 5.0
STOP_SECONDS = 0.8
END_SECONDS = 2.0
"""Beyond the board's own time, for reading the pins back."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
_NO_WORD = re.compile(r"[^a-z0-9]+")
_TYPES = ("int", "float", "bool", "str")


def declared_commands(board: BoardInfo) -> list[Command]:
    """The commands that a connected board brings besides those of the protocol; what is wrong is left out.

    Their names begin with the board's, so none can take the place of another command: ``greenhouse_water``.
    """
    rows = board.capabilities.get("tools")
    if not isinstance(rows, (list, tuple)):
        return []
    found = (_command(board, row) for row in rows[:MAX_TOOLS])
    return list({command.name: command for command in found if command is not None}.values())


def _prefix(board: BoardInfo) -> str:
    """The board's name as a word; its id where the name has no letters for that."""
    for text in (board.name, board.board_id):
        word = _NO_WORD.sub("_", text.lower()).strip("_")[:MAX_PREFIX].strip("_")
        if word and word[0].isalpha():
            return word
    return "board"


def _command(board: BoardInfo, row: Any) -> Command | None:
    if not isinstance(row, Mapping) or not _is_name(row.get("name")) or row["name"] in PROTOCOL_COMMANDS:
        return None
    tool, owner = str(row["name"]), board.board_id
    schema = _schema(row.get("args", {}))
    if schema is None:
        return None
    seconds = row.get("seconds", USUAL_SECONDS)
    seconds = float(seconds) if _is_number(seconds) and 0 < seconds <= MAX_SECONDS else USUAL_SECONDS

    async def run(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
        result = await context.link.request(tool, dict(params), timeout=seconds)
        said = result if isinstance(result, (int, float)) else visible(str(result), MAX_WORDS)
        pins = await context.link.observe()
        return Outcome({"result": said}, snapshot(pins, *pins))

    def check(_params: Mapping[str, Any], chosen: BoardInfo) -> Sequence[ActionFault]:
        if chosen.board_id == owner:
            return ()
        message = f"This command belongs to the board '{board.name}'."
        return [fault(Code.UNKNOWN_DEVICE, message, "device_id", device=chosen.board_id, allowed=owner)]

    def uses(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
        return (ResourceUse(f"tool:{tool}"), SERIAL_SHARED)

    words = visible(str(row.get("description", "")), MAX_WORDS)
    return Command(
        f"{_prefix(board)}_{tool}",
        f"Command of the board '{board.name}' (device_id {owner}), which says of it: {words or tool}",
        run,
        schema,
        Permission.OPERATOR,
        check=check,
        resources=uses,
        cancel=_stop,
        default_timeout=seconds + END_SECONDS,
        asks=frozenset({tool}),
        owner=owner,
    )


async def _stop(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    """Nobody but the board knows what it drives, so everything of it becomes safe."""
    await context.link.request("stop_all", {}, timeout=STOP_SECONDS)
    return Outcome()


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _schema(rows: Any) -> dict[str, Param] | None:
    """Parameters of a tool; None when they are not understood."""
    if not isinstance(rows, Mapping) or len(rows) > MAX_ARGUMENTS:
        return None
    schema: dict[str, Param] = {}
    for name, row in rows.items():
        if not _is_name(name) or not isinstance(row, Mapping) or row.get("type", "str") not in _TYPES:
            return None
        choices = row.get("choices", ())
        if not isinstance(choices, (list, tuple)) or len(choices) > MAX_CHOICES:
            return None
        kind = str(row.get("type", "str"))
        least, most = (row.get(key) if _is_number(row.get(key)) else None for key in ("min", "max"))
        schema[name] = Param(
            kind,
            visible(str(row.get("description", "")), MAX_WORDS),
            required=row.get("required") is True,
            minimum=least,
            maximum=MAX_TEXT_ARGUMENT if kind == "str" and most is None else most,
            choices=tuple(choice for choice in choices if isinstance(choice, (str, int, float))),
            unit=visible(str(row.get("unit", "")), 8),
        )
    return schema
