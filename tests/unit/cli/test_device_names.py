"""Names of boards and pins without a window (EX-6), and asking what is on a port (HW-2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Zeroclaw
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoards


def test_a_name_lets_the_assistant_use_the_pin(zeroclaw: Zeroclaw, own_state_folder: Path) -> None:
    """The chat has nobody to ask here, so a pin without a name is refused."""
    refused = zeroclaw("chat", "turn on pin 5")
    assert refused.code == 1
    assert "0x13" in refused.out
    named = zeroclaw("device", "name", "sim-uno", "fan", "--pin", "5", "--role", "dimmer", "--json")
    assert named.row == {
        "identity": "board:sim-uno",
        "name": "",
        "pins": [{"name": "fan", "pin": 5, "role": "dimmer"}],
    }
    assert zeroclaw("chat", "turn on pin 5").code == 0
    assert zeroclaw("chat", "turn on the fan").code == 0
    known = KnownBoards(own_state_folder / "known-boards.toml").find("board:sim-uno")
    assert known is not None
    assert known.pins[0].name == "fan"


def test_a_board_is_named_and_its_name_taken_away(zeroclaw: Zeroclaw) -> None:
    assert zeroclaw("device", "name", "sim-uno", " 窗台  板 ", "--json").row["name"] == "窗台 板"
    assert zeroclaw("device", "name", "sim-uno", "", "--json").row["name"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sim-uno", "fan", "--pin", "D99"], "no pin 'D99'"),
        (["sim-uno", "rx", "--pin", "0"], "no pin '0'"),
        (["sim-uno", "fan", "--pin", "5", "--role", "rocket"], "switch"),
        (["/dev/no-such-port", "Lamp"], "device list"),
    ],
)
def test_what_cannot_be_named_is_told(
    zeroclaw: Zeroclaw, own_state_folder: Path, arguments: list[str], said: str
) -> None:
    ended = zeroclaw("device", "name", *arguments)
    assert ended.code == 1
    assert said in ended.err
    assert not (own_state_folder / "known-boards.toml").exists()


def test_a_port_that_is_not_there_cannot_be_asked(zeroclaw: Zeroclaw) -> None:
    ended = zeroclaw("device", "ask", "/dev/no-such-port")
    assert ended.code == 1
    assert "There is no port /dev/no-such-port" in ended.err
