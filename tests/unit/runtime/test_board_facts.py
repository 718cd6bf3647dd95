"""What the assistant knows of pins (HW-11): names of the person, of data sheets, of the simulated parts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from zeroclaw_desktop.contracts.boards import BoardInfo, NamedPin
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.providers.offline import understand
from zeroclaw_desktop.runtime.board_facts import facts_of

UNO = board_catalog()["arduino-uno"]


def board(*named: NamedPin, simulated: bool = False) -> BoardInfo:
    return BoardInfo("uno", "Uno", UNO, "", "live", simulated, named_pins=named)


def sheet(_board_key: str) -> Mapping[str, str]:
    return {"reading lamp": "12", "soil": "A0", "serial": "0", "nowhere": "D99", "阅读灯": "12"}


def test_a_data_sheets_names_are_pins_that_the_board_has_and_that_may_be_used() -> None:
    assert facts_of(board(), sheet).aliases == {"reading lamp": 12, "soil": 14, "阅读灯": 12}


def test_the_persons_names_win() -> None:
    facts = facts_of(board(NamedPin("reading lamp", 5, "led"), simulated=True), sheet)
    assert facts.aliases["reading lamp"] == 5
    assert facts.aliases["button"] == 2


@pytest.mark.parametrize("sentence", ["turn on the reading lamp", "打开阅读灯"])
def test_a_name_from_a_data_sheet_is_understood(sentence: str) -> None:
    understood = understand(sentence, boards=[facts_of(board(), sheet)])
    [call] = understood.calls
    assert call.arguments["pin"] == 12
