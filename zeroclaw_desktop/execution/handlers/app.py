"""Commands that reach beyond one link: device_list, flash_firmware, motor_emergency_stop.

They need services of the running app, which the composition root hands in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.boards import BoardAccess, BoardInfo
from zeroclaw_desktop.contracts.events import EmergencyStopChanged
from zeroclaw_desktop.contracts.flash_options import OPTIONS_OF_METHOD
from zeroclaw_desktop.contracts.flash_request import FlashRequest
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_ALONE
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse

FlashCall = Callable[[str, FlashRequest], Awaitable[Mapping[str, Any]]]
"""(board id, what is wanted) -> report as a plain row."""
FLASH_SECONDS = 3_600.0
"""Reading and writing 16 MB at 115,200 baud take 50 minutes; the tools have shorter limits of their own."""


def board_row(board: BoardInfo) -> dict[str, Any]:
    """A board as a plain row."""
    return {
        "board_id": board.board_id,
        "name": board.name,
        "type": board.profile.key,
        "port": board.port,
        "path": board.system_path,
        "state": board.state,
        "simulated": board.simulated,
        "simplified": board.simplified,
        "firmware": board.firmware,
        "fault": board.fault_message,
    }


def app_commands(
    boards: BoardAccess,
    flash: FlashCall,
    stop: Callable[[str], Awaitable[EmergencyStopChanged]],
) -> tuple[Command, ...]:
    """Build the commands around the app's services."""

    async def device_list(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        return Outcome({"boards": [board_row(board) for board in boards.boards()]})

    async def flash_firmware(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
        wish = FlashRequest(params["firmware"], params["method"], params["by_hand"], params.get("save_first"))
        return Outcome(await flash(context.board.board_id, wish))

    async def emergency_stop(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        report = await stop("command")
        return Outcome(
            {
                "cancelled": report.cancelled,
                "boards": [
                    {"name": outcome.name, "confirmed": outcome.confirmed, "wire_ms": outcome.wire_ms}
                    for outcome in report.outcomes
                ],
            }
        )

    def whole_line(_params: Mapping[str, Any], _board: BoardInfo | None) -> Sequence[ResourceUse]:
        return (SERIAL_ALONE,)

    return (
        Command(
            "device_list",
            "List the boards.",
            device_list,
            permission=Permission.OBSERVER,
            idempotent=True,
            needs_board=False,
            when_stopped=True,
        ),
        Command(
            "flash_firmware",
            "Write firmware to the board, verify it and greet the board again.",
            flash_firmware,
            {
                "firmware": Param(
                    "str",
                    "'default', the name of a shipped firmware or a file",
                    default="default",
                    maximum=4096,
                ),
                "method": Param(
                    "str",
                    "way of writing; left out: the best one of the board that works here",
                    default="",
                    choices=("", *OPTIONS_OF_METHOD),
                ),
                "by_hand": Param(
                    "bool", "the board was put into its boot mode by hand, so do not reset it", default=False
                ),
                "save_first": Param(
                    "bool", "read what is on the board before its first flash; left out: as Settings says"
                ),
            },
            Permission.OPERATOR,
            resources=whole_line,
            default_timeout=FLASH_SECONDS,
            needs_live=False,
            end_grace=15.0,
        ),
        Command(
            "motor_emergency_stop",
            "Stop everything: cancel all commands and put every output into its safe state.",
            emergency_stop,
            permission=Permission.ROOT,
            needs_board=False,
            when_stopped=True,
            for_models=False,
            only_makes_safe=True,
        ),
    )
