"""What the offline assistant may know of the boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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


Aliases = Callable[[str], Mapping[str, str]]
"""Key of a kind of board -> names of pins and what data sheets call the pins."""


def _no_aliases(_board_key: str) -> Mapping[str, str]:
    return {}


def facts_of(board: BoardInfo, aliases: Aliases = _no_aliases) -> BoardFacts:
    """Facts of one board; reserved pins are left out.

    Pins have the names that data sheets give them, those of a simulated board's parts, and above all those
    that the person gave.
    """
    sheet_names = {name: board.profile.pin_named(pin) for name, pin in aliases(board.profile.key).items()}
    names = {name: pin.number for name, pin in sheet_names.items() if pin is not None and not pin.reserved}
    names |= SIMULATED_PARTS if board.simulated else {}
    names |= {named.name: named.pin for named in board.named_pins}
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
        names,
    )


def live_facts(boards: Sequence[BoardInfo], aliases: Aliases = _no_aliases) -> list[BoardFacts]:
    """Facts of the boards that can be talked to."""
    return [facts_of(board, aliases) for board in boards if board.state == "live"]
