"""What the offline assistant may know of the boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zeroclaw_desktop.contracts.boards import BoardInfo, WiredPart
from zeroclaw_desktop.providers.offline import BoardFacts

_THERMOMETER = ("temperature", "thermometer", "温度", "温度计")
PART_NAMES: Mapping[str, tuple[str, ...]] = {
    "button": ("button", "按钮", "按键"),
    "potentiometer": ("knob", "potentiometer", "旋钮", "电位器"),
    "tmp36": _THERMOMETER,
    "ntc": _THERMOMETER,
}
"""What people call the parts around a simulated board."""
NEW_BENCH = (WiredPart("button", 2), WiredPart("potentiometer", 14), WiredPart("tmp36", 15))
"""What is wired to a simulated Uno until somebody wires it otherwise; for one that does not run."""


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
    names |= _part_names(board)
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


def _part_names(board: BoardInfo) -> dict[str, int]:
    """Names of the parts around a simulated board; of several of a kind the first one has the name."""
    wired = board.wired if board.wired is not None else NEW_BENCH if board.simulated else ()
    names: dict[str, int] = {}
    for part in wired:
        for name in PART_NAMES.get(part.kind, ()):
            names.setdefault(name, part.pin)
    return names


def live_facts(boards: Sequence[BoardInfo], aliases: Aliases = _no_aliases) -> list[BoardFacts]:
    """Facts of the boards that can be talked to."""
    return [facts_of(board, aliases) for board in boards if board.state == "live"]
