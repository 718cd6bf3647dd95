"""What the offline assistant may know of the boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.providers.offline import BoardFacts

# What is wired to the simulated Uno (hardware/simulator/board_process.py), as people call it.
SIMULATED_PARTS: Mapping[str, int] = {
    "button": 2,
    "按钮": 2,
    "按键": 2,
    "knob": 14,
    "potentiometer": 14,
    "旋钮": 14,
    "电位器": 14,
    "temperature": 15,
    "thermometer": 15,
    "温度": 15,
    "温度计": 15,
}


def facts_of(board: BoardInfo) -> BoardFacts:
    """Facts of one board; reserved pins are left out, the parts of a simulated board have names."""
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
        SIMULATED_PARTS if board.simulated else {},
    )


def live_facts(boards: Sequence[BoardInfo]) -> list[BoardFacts]:
    """Facts of the boards that can be talked to."""
    return [facts_of(board) for board in boards if board.state == "live"]
