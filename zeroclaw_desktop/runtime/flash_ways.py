"""The ways by which a firmware can be written to a board, with why one of them cannot be used here."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.flasher import known_methods
from zeroclaw_desktop.hardware.flashing.images import find_image


@dataclass(frozen=True)
class FlashWay:
    """One way.

    Attributes:
        key: as board files name it.
        fault: why it cannot be used for the firmware; None when it can.
    """

    key: str
    fault: ZeroClawError | None = None


def flash_ways(profile: BoardProfile, firmware: str) -> list[FlashWay]:
    """The ways of a board, best first; reads the firmware, so call it on a worker thread.

    Args:
        firmware: as FlashRequest.firmware.

    Raises:
        FlashError: the firmware itself does not fit the board.
    """
    image = find_image(firmware, profile)
    ways = []
    for method in known_methods(profile):
        if image.kind not in method.image_kinds:
            continue
        try:
            method.check(image, profile)
            method.find_tool()
        except FlashError as error:
            ways.append(FlashWay(method.key, error))
        else:
            ways.append(FlashWay(method.key))
    return ways
