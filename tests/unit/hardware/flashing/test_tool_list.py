"""The list of programs for flashing: what is there, in which version, and how to get the rest (HW-7)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.flash_bench import stand_in
from zeroclaw_desktop.hardware.flashing import tool_list
from zeroclaw_desktop.hardware.flashing.methods import METHODS
from zeroclaw_desktop.hardware.flashing.tool_list import TOOLS, ToolList, ToolState, version_in
from zeroclaw_desktop.runtime.tool_facts import rows_of
from zeroclaw_desktop.sandbox.process import ChildProcesses

#: Ways that need no program: files are copied to a drive.
WITHOUT_PROGRAM = {"stm32-mass-storage", "uf2"}


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of the search path that has programs for flashing."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for spec, _ in TOOLS:
        monkeypatch.setenv(spec.environment_name, "")
    return folder


async def states(tools: ToolList) -> dict[str, ToolState]:
    return {state.spec.name: state for state in await tools.look()}


def test_every_way_that_needs_a_program_has_it_in_the_list() -> None:
    assert {way for _, way in TOOLS} == set(METHODS) - WITHOUT_PROGRAM


@pytest.mark.parametrize("spec", [spec for spec, _ in TOOLS], ids=lambda spec: spec.name)
def test_each_has_a_purpose_in_both_languages_and_a_command(spec: object) -> None:
    assert spec.purpose.en  # type: ignore[attr-defined]
    assert any("\u4e00" <= sign <= "\u9fff" for sign in spec.purpose.zh)  # type: ignore[attr-defined]
    assert "install" in spec.install_command  # type: ignore[attr-defined]


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
class TestLooking:
    async def test_what_is_there_comes_with_place_and_version(self, bin_folder: Path) -> None:
        program = stand_in(bin_folder, "avrdude", "echo 'avrdude version 7.1, URL: <x>' >&2; exit 1")
        state = (await states(ToolList(ChildProcesses())))["avrdude"]
        assert (state.path, state.version, state.way) == (str(program), "7.1", "avrdude")
        assert "Arduino Uno" in state.boards

    async def test_what_is_missing_comes_with_its_command(self, bin_folder: Path) -> None:
        found = await states(ToolList(ChildProcesses()))
        assert (found["openocd"].path, found["openocd"].version) == ("", "")
        (row,) = [row for row in rows_of(list(found.values())) if row["name"] == "openocd"]
        assert row["found"] is False
        assert row["install"]
        assert set(row["purpose"]) == {"en", "zh"}

    async def test_our_own_modules_are_there_without_starting_them(self, bin_folder: Path) -> None:
        state = (await states(ToolList(ChildProcesses())))["esptool"]
        assert state.path.endswith("-m esptool")
        assert state.version[:1].isdigit()

    async def test_a_version_is_asked_once_until_the_program_changes(self, bin_folder: Path) -> None:
        note = bin_folder / "asked"
        stand_in(bin_folder, "openocd", f"echo x >> '{note}'; echo 'Open On-Chip Debugger 0.12.0'")
        tools = ToolList(ChildProcesses())
        assert (await states(tools))["openocd"].version == "0.12.0"
        assert (await states(tools))["openocd"].version == "0.12.0"
        assert note.read_text() == "x\n"
        stand_in(bin_folder, "openocd", "echo 'Open On-Chip Debugger 0.13.0-rc1'")
        assert (await states(tools))["openocd"].version == "0.13.0-rc1"

    async def test_one_that_hangs_or_cannot_run_holds_nothing_up(
        self, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tool_list, "VERSION_SECONDS", 0.3)
        stand_in(bin_folder, "dfu-util", "/bin/sleep 60")
        stand_in(bin_folder, "openocd", "", interpreter="/nowhere/sh")
        found = await states(ToolList(ChildProcesses()))
        assert found["dfu-util"].path
        assert (found["dfu-util"].version, found["openocd"].version) == ("", "")


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ("v1.7.0\n", "1.7.0"),
        ("Open On-Chip Debugger 0.12.0\nLicensed under GNU GPL v2\n", "0.12.0"),
        ("dfu-util 0.11\n\nCopyright 2005-2009 Weston Schmidt", "0.11"),
        ("stm32flash 0.7\n\nhttp://stm32flash.sourceforge.net/\n", "0.7"),
        ("arduino-cli  Version: 1.1.1 Commit: fa6eafcbb Date: 2024-11-22T09:39:54Z", "1.1.1"),
        ("  -B 1.5kHz\navrdude version 8.0-20240901 (1234), https://x", "8.0-20240901"),
        ("0.46.0\n", "0.46.0"),
        ("nothing to see\n", ""),
        ("", ""),
    ],
)
def test_versions_as_the_programs_tell_them(output: str, version: str) -> None:
    assert version_in(output) == version
