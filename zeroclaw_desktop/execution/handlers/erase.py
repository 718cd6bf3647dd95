"""erase_flash: the one command that empties a whole chip, with a confirmation of its own (HW-6)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.flash_request import EraseRequest
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.handlers.app import FLASH_SECONDS
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_ALONE
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse

EraseCall = Callable[[str, EraseRequest], Awaitable[Mapping[str, Any]]]
"""(board id, what is wanted) -> report as a plain row."""


def _needs_its_name(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    """Nobody empties a board by a slip: its name must be given, and that of another board will not do."""
    if params["confirm"] == board.name:
        return ()
    text = f"To erase everything on this board, 'confirm' must be its name: {board.name}."
    return [fault(Code.NOT_A_CHOICE, text, "confirm", got=params["confirm"], allowed=board.name)]


def _whole_line(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
    return (SERIAL_ALONE,)


def erase_command(erase: EraseCall) -> Command:
    """Build the command around the app's service; no model is ever told of it."""

    async def erase_flash(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
        wish = EraseRequest(params["by_hand"], params["save_first"])
        return Outcome(await erase(context.board.board_id, wish))

    return Command(
        "erase_flash",
        "Erase the whole flash of the board's chip: program, boot loader, settings and files.",
        erase_flash,
        {
            "confirm": Param("str", "the name of the board, as a confirmation", required=True, maximum=200),
            "by_hand": Param(
                "bool", "the board was put into its boot mode by hand, so do not reset it", default=False
            ),
            "save_first": Param("bool", "read what is on the board first", default=True),
        },
        Permission.ROOT,
        check=_needs_its_name,
        resources=_whole_line,
        default_timeout=FLASH_SECONDS,
        needs_live=False,
        for_models=False,
        end_grace=15.0,
        after_crash="ask",
    )
