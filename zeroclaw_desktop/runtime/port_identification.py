"""Finds out which board is on a port that nobody knows (HW-2): asks its firmware, then its boot loader.

Nothing is chosen for the person unless the firmware itself names the board; a chip only narrows the choice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.discovery.chip_probe import boards_with, probe_chip
from zeroclaw_desktop.hardware.discovery.greeting import Greeting, greet
from zeroclaw_desktop.hardware.transport.open_errors import refuse_unusable


@dataclass(frozen=True)
class Identified:
    """What is known of a port after it was asked.

    Attributes:
        kinds: keys of the boards that it may be, best first; empty when nothing answered.
        certain: the firmware named its board.
        firmware: its name and version; '' when nobody spoke our protocol.
        chip: as the boot loader told it; ''.
        prints: something that we do not understand was printed.
    """

    kinds: tuple[str, ...] = ()
    certain: bool = False
    firmware: str = ""
    chip: str = ""
    prints: bool = False


async def identify_port(
    port: str, runner: ChildRunner, on_step: Callable[[str], None] = lambda _step: None
) -> Identified:
    """Ask; takes up to half a minute and may restart the board.

    Args:
        port: path that nobody has open.
        on_step: told whom the question goes to: ``firmware``, or the title of a boot loader.

    Raises:
        PortError: the port cannot be opened; with the holder's name when it is in use.
    """
    await asyncio.to_thread(refuse_unusable, port)
    on_step("firmware")
    heard = await greet(port)
    if heard.board in board_catalog():
        return Identified((heard.board,), True, heard.firmware)
    found = await probe_chip(port, runner, lambda probe: on_step(probe.title))
    if found is None:
        return _nothing_more(heard)
    kinds = tuple(board.key for board in boards_with(found, board_catalog().values()))
    return Identified(kinds, False, heard.firmware, found.chip, heard.lines > 0)


def _nothing_more(heard: Greeting) -> Identified:
    return Identified(firmware=heard.firmware, prints=heard.lines > 0)
