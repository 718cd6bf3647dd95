"""EX-6, HW-11: names of pins that would be mistaken for something else are refused, with the reason."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.runtime.board_names import MOST_CHARACTERS, pin_name_problem

UNO = board_catalog()["arduino-uno"]
NAMED = (NamedPin("reading lamp", 12, "led"),)


@pytest.mark.parametrize(
    ("pin", "name", "problem"),
    [
        (5, "fan", ("", "")),
        (5, "", ("", "")),
        (12, "Reading Lamp", ("", "")),
        (5, "READING  lamp", ("taken", "12")),
        (5, "a0", ("printed", "A0")),
        (14, "A0", ("", "")),
        (0, "line", ("reserved", "0")),
        (99, "nothing", ("reserved", "99")),
        (5, "x" * (MOST_CHARACTERS + 1), ("too_long", str(MOST_CHARACTERS))),
    ],
)
def test_what_a_pin_may_be_called(pin: int, name: str, problem: tuple[str, str]) -> None:
    assert pin_name_problem(UNO, NAMED, pin, name) == problem
