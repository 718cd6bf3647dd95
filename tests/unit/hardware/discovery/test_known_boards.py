"""What the person said of boards is remembered (HW-2), whatever the file holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.discovery import known_boards as module
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoard, KnownBoards

CLONE = "1a86:7523@1-1.2"


def test_kind_and_name_are_there_at_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "known-boards.toml"
    boards = KnownBoards(file)
    boards.remember(CLONE, kind="arduino-nano")
    boards.remember(CLONE, name="阅读灯", pins=(NamedPin('fan "2"', 5, "dimmer"), NamedPin("灯", 6)))
    assert KnownBoards(file).find(CLONE) == KnownBoard(
        CLONE, "arduino-nano", "阅读灯", (NamedPin('fan "2"', 5, "dimmer"), NamedPin("灯", 6))
    )
    boards.forget(CLONE)
    assert KnownBoards(file).find(CLONE) is None


@given(
    st.text().filter(bool),
    st.text(),
    st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: "\x7f" not in text),
)
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, a: str, b: str, name: str) -> None:
    file = tmp_path_factory.mktemp("known") / "known-boards.toml"
    KnownBoards(file).remember("x", kind=a, name=name)
    found = KnownBoards(file).find("x")
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "content", [b"\xff", b"[[board", b"board = 3", b"[[board]]\nkind = 'x'", b"[[board]]\nidentity = 3"]
)
def test_a_file_that_is_no_list_of_boards_is_no_fault(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "known-boards.toml"
    file.write_bytes(content)
    boards = KnownBoards(file)
    assert boards.find("x") is None
    boards.remember("x", kind="arduino-uno")
    assert KnownBoards(file).find("x") == KnownBoard("x", "arduino-uno")


def test_a_file_that_cannot_be_written_is_told_and_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    boards = KnownBoards(tmp_path / "file" / "known-boards.toml")
    with pytest.raises(ZeroClawError):
        boards.remember("x", name="Lamp")
    assert boards.find("x") == KnownBoard("x", "", "Lamp")


def test_two_programs_do_not_overwrite_each_other(tmp_path: Path) -> None:
    file = tmp_path / "known-boards.toml"
    window, command = KnownBoards(file), KnownBoards(file)
    command.remember("x", name="Lamp")
    window.remember("y", kind="arduino-uno")
    command.remember("x", kind="esp32")
    window.forget("y")
    assert KnownBoards(file).find("x") == KnownBoard("x", "esp32", "Lamp")
    assert KnownBoards(file).find("y") is None


def test_the_list_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 3)
    boards = KnownBoards(tmp_path / "known-boards.toml")
    for number in range(5):
        boards.remember(str(number), kind="arduino-uno")
        boards.remember("0", name="used again and again")
    assert [identity for identity in map(str, range(5)) if boards.find(identity)] == ["0", "3", "4"]
