"""HW-11: documents and passages as the window shows them, and tools and ways of flashing (HW-7)."""

from __future__ import annotations

from pathlib import Path

from zeroclaw_desktop.bridge.datasheets_bridge import MOST_EXCERPT, found_view, sheet_view
from zeroclaw_desktop.bridge.tool_views import WayView
from zeroclaw_desktop.bridge.tools_bridge import tool_view, way_title, way_view
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.flashing.methods import METHODS
from zeroclaw_desktop.runtime.datasheet_facts import PassageFacts, SheetFacts
from zeroclaw_desktop.runtime.flash_ways import FlashWay


def test_a_file_tells_its_board_and_what_it_gives() -> None:
    view = sheet_view(SheetFacts(Path("/d/uno.md"), "arduino-uno", 12, 3), "en")
    assert (view.name, view.facts) == ("uno.md", "arduino-uno · passages: 12 · names of pins: 3")
    assert sheet_view(SheetFacts(Path("/d/all.txt"), "", 2), "zh").facts == "所有开发板 · 段落：2"


def test_a_file_that_cannot_be_read_says_why_in_the_persons_language() -> None:
    fault = ZeroClawError(
        "The data sheet x.pdf cannot be read: it is damaged.",
        code="datasheet_unreadable",
        details={"file": "x.pdf", "reason": "it is damaged"},
    )
    assert sheet_view(SheetFacts(Path("/d/x.pdf"), "", fault=fault), "en").fault == fault.message
    assert sheet_view(SheetFacts(Path("/d/x.pdf"), "", fault=fault), "zh").fault.startswith("无法读取")


def test_a_passage_is_cut_at_a_word_and_tells_its_place() -> None:
    view = found_view(PassageFacts(Path("/d/x.pdf"), "Power", "page 7", "volts " * 200), "zh")
    assert view.place == "Power · 第 7 页"
    assert len(view.excerpt) <= MOST_EXCERPT + 2
    assert view.excerpt.endswith("volts …")


def test_what_a_file_holds_cannot_disturb_the_window() -> None:
    view = found_view(PassageFacts(Path("/d/x.md"), "a\u202eb", "line 1", "c\x1b[31md"), "en")
    assert "\u202e" not in view.place
    assert "\x1b" not in view.excerpt


def test_every_way_has_a_title_in_both_languages() -> None:
    for key in METHODS:
        assert way_title(key, "en") != key
        assert any("\u4e00" <= sign <= "\u9fff" for sign in way_title(key, "zh"))


def test_a_missing_program_comes_with_its_command() -> None:
    fault = ZeroClawError(
        "The program 'openocd' is not installed.",
        code="tool_missing",
        details={"tool": "openocd", "install": "sudo apt install openocd"},
    )
    view = way_view(FlashWay("openocd", fault), "en")
    assert (view.usable, view.tool, view.install) == (False, "openocd", "sudo apt install openocd")
    assert way_view(FlashWay("uf2"), "en") == WayView("uf2", way_title("uf2", "en"), True)


def test_tools_in_the_persons_language() -> None:
    row = {
        "name": "avrdude",
        "found": True,
        "path": "/usr/bin/avrdude",
        "version": "7.1",
        "purpose": {"en": "writes to Arduino boards", "zh": "用于写入 Arduino"},
        "install": "sudo apt install avrdude",
        "way": "avrdude",
        "boards": ["Arduino Uno", "Arduino Nano"],
    }
    assert tool_view(row, "zh").purpose == "用于写入 Arduino"
    assert tool_view(row, "en").boards == "Arduino Uno, Arduino Nano"
