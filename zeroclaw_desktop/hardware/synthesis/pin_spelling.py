"""How a pin is written: in a sketch of each dialect, and as people say it."""

from __future__ import annotations

import re

from zeroclaw_desktop.contracts.boards import BoardProfile, PinProfile
from zeroclaw_desktop.contracts.synthesis import Dialect

STM32_VENDOR = "STMicroelectronics:"
_PORT = re.compile(r"P[A-H]\d{1,2}")
_ANALOG = re.compile(r"A\d{1,2}")


def spell_pin(board: BoardProfile, pin: PinProfile, dialect: Dialect) -> str:
    """The pin as an expression of the dialect.

    Arduino cores know ``A0`` and, for STM32, ``PA5``; elsewhere the number of the board file is theirs.
    MicroPython takes the number, on an STM32 the name (``"PA5"``), on a Pico W ``"LED"`` for the LED.
    """
    if dialect == "rust":
        return str(pin.number)  # src/board.rs counts as the board file does
    if dialect == "micropython":
        return f'"{pin.name}"' if _PORT.fullmatch(pin.name) else str(pin.number)
    if _PORT.fullmatch(pin.name) or _ANALOG.fullmatch(pin.name):
        return pin.name
    return str(pin.number)


def find_pin(board: BoardProfile, said: str) -> PinProfile | None:
    """The pin that a person, a sketch or a request means by ``9``, ``D9``, ``A0``, ``PA5`` or ``GPIO4``."""
    word = said.strip().strip("\"'")
    named = board.pin_named(word)
    if named is not None:
        return named
    if word.isascii() and word.isdigit() and len(word) <= 3:
        return board.pin(int(word))
    return None
