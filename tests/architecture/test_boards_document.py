"""The documents about boards keep up with the board files and with what a board file may say (HW-1)."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from zeroclaw_desktop.contracts.boards import BoardProfile, ElectricalLimits, MemoryRegion, SerialLine
from zeroclaw_desktop.contracts.flash_options import OPTIONS_OF_METHOD
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.boards import catalog, pin_table, policy

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "boards.md"
GUIDES = [ROOT / "docs" / "user-guide" / language / "add-a-board.md" for language in ("en", "zh-CN")]
SHIPPED = [
    board
    for board in catalog.board_catalog().values()
    if (Path(resource_path("boards")) / f"{board.key}.toml").is_file()
]
NONE = "–"


def led_of(board: BoardProfile) -> str:
    if board.rgb_led is not None:
        return f"{board.rgb_led.pin}: colour LED ({board.rgb_led.kind.upper()})"
    if board.led_pin is None:
        return NONE
    pin = board.pin(board.led_pin)
    assert pin is not None
    return f"{pin.name}, lit while low" if board.led_active_low else pin.name


def row_of(board: BoardProfile) -> list[str]:
    """What the table must say of a board; the last two columns are free."""
    ids = " ".join(f"{vendor:04x}:{product:04x}" for vendor, product in board.usb_ids)
    methods = ", ".join(board.flash.methods)
    return [board.name, f"`{board.key}`", board.chip, methods or NONE, led_of(board), ids or NONE]


def rows_in(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if re.match(r"\| [^|]+ \| `[\w-]+` \|", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_table_says_what_the_files_say() -> None:
    rows = rows_in(TABLE.read_text(encoding="utf-8"))
    assert sorted(row[:6] for row in rows) == sorted(map(row_of, SHIPPED))
    assert all(len(row) == 8 for row in rows)


def test_what_was_tested_names_ways_of_that_board() -> None:
    for row in rows_in(TABLE.read_text(encoding="utf-8")):
        named = [part.partition(":")[0].strip() for part in row[6].split(";") if row[6] != NONE]
        assert set(named) <= set(row[3].split(", ")), row


def known_keys() -> set[str]:
    """Every key that a board file may have."""
    kinds = {*OPTIONS_OF_METHOD.values(), SerialLine, MemoryRegion, ElectricalLimits}
    fields = {field.name for kind in kinds for field in dataclasses.fields(kind)}
    limits = {*policy._NUMBERS, "modes", "exclusive"}
    return {*catalog.KEYS, *catalog.FLASH_KEYS, *pin_table.KEYS, *fields, *limits}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.parent.name)
class TestGuide:
    def test_every_key_is_explained(self, guide: Path) -> None:
        text = re.sub(r"^```.*?^```$", "", guide.read_text(encoding="utf-8"), flags=re.M | re.S)
        codes = re.findall(r"`([^`\n]+)`", text)
        explained = {word for code in codes for word in re.findall(r"[\w-]+", code)}
        assert known_keys() - explained == set()

    def test_the_example_is_a_board(self, guide: Path) -> None:
        (example,) = re.findall(r"^```toml\n(.*?)^```$", guide.read_text(encoding="utf-8"), re.M | re.S)
        board = catalog.read_board(example, guide.name)
        assert board.key == "tea-machine"
        assert board.flash.methods == ("esptool",)


def named_tests() -> list[str]:
    return sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TABLE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("named", named_tests())
def test_the_tests_that_the_tables_name_are_there(named: str) -> None:
    path, _, name = named.partition("::")
    assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8")
