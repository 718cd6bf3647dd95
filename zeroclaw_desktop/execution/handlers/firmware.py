"""firmware_generate: a sketch from a request or a template, checked and built. Writes to no board (HW-9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome

GenerateCall = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
"""(board id, checked parameters) -> the plan and the build as a plain row."""
BUILD_SECONDS = 900.0
MAX_SKETCH = 100_000


def firmware_command(generate: GenerateCall) -> Command:
    """The command around the service that makes firmware."""

    async def firmware_generate(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
        return Outcome(await generate(context.board.board_id, params))

    pair = Param("str", "name=value", maximum=200)
    return Command(
        "firmware_generate",
        "Make firmware for the board: a sketch from a request or template, its pins checked, compiled. "
        "Nothing is written to the board; flash_firmware with firmware 'generated' does that.",
        firmware_generate,
        {
            "request": Param("str", "what it shall do, in words", default="", maximum=1_000),
            "template": Param("str", "kind of firmware, instead of a request", default="", maximum=60),
            "dialect": Param(
                "str",
                "language of the sketch; left out: the best of the board",
                default="",
                choices=("", "arduino", "micropython", "rust"),
            ),
            "pins": Param("list", "pins by need: led=9", default=(), maximum=16, items=pair),
            "params": Param("list", "values of the template: rate=3", default=(), maximum=16, items=pair),
            "sketch": Param(
                "str", "the whole sketch, edited; it is checked as well", default="", maximum=MAX_SKETCH
            ),
        },
        Permission.SKILL,
        default_timeout=BUILD_SECONDS,
        needs_live=False,
        end_grace=5.0,
        idempotent=True,
    )
