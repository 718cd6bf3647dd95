"""What the offline assistant may know of the boards."""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.providers.offline import BoardFacts


def facts_of(board: BoardInfo) -> BoardFacts:
    """Facts of one board; reserved pins are left out."""
    usable = [pin for pin in board.profile.pins if not pin.reserved]
    return BoardFacts(
        board.board_id,
        board.name,
        board.profile.key,
        board.profile.led_pin,
        tuple(pin.number for pin in usable if "digital" in pin.functions),
        tuple(pin.name for pin in usable if "analog" in pin.functions),
        tuple(pin.number for pin in usable if "pwm" in pin.functions),
        tuple(pin.number for pin in usable if "servo" in pin.functions),
    )


def live_facts(boards: Sequence[BoardInfo]) -> list[BoardFacts]:
    """Facts of the boards that can be talked to."""
    return [facts_of(board) for board in boards if board.state == "live"]
