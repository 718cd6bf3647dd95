"""The real stm32flash and stm32loader against the ROM's protocol (HW-6, HW-7; AC5, AC30, AC49)."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    Notes,
    assert_real_progress,
    job_for,
    nucleo,
    stand_in,
    stm32_image,
    stm32_program,
)
from tests.helpers.serial_line import build_line, missing_tools
from tests.helpers.stm32_rom import ERASE, EXTENDED_ERASE, F103, FLASH_START, GO, READ, WRITE, Stm32Rom
from zeroclaw_desktop.contracts.boards import MemoryRegion
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods import stm32_uart
from zeroclaw_desktop.hardware.flashing.methods.stm32_uart import (
    STM32FLASH,
    STM32LOADER,
    Stm32Uart,
    take_progress,
)
from zeroclaw_desktop.hardware.flashing.tools import Tool, find_tool
from zeroclaw_desktop.hardware.transport.open_errors import port_holders

pytestmark = pytest.mark.skipif(missing_tools() != "", reason=missing_tools())
BOARD = nucleo("stm32-uart")
PROGRAM = stm32_program(5_003)
WAY = Stm32Uart()


def tool_named(name: str) -> Tool:
    """One of the two tools, as the way finds it."""
    if name == "stm32flash" and shutil.which("stm32flash") is None:
        pytest.skip("needs stm32flash (Debian: apt install stm32flash)")
    found = find_tool({"stm32flash": STM32FLASH, "stm32loader": STM32LOADER}[name])
    assert found.name == name
    return found


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What gives a pseudo terminal parity and modem lines."""
    return build_line(tmp_path_factory.mktemp("line"))


@pytest.fixture(params=["stm32flash", "stm32loader"])
def tool(request: pytest.FixtureRequest, line: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    """Each of the two tools."""
    found = tool_named(request.param)
    monkeypatch.setenv("LD_PRELOAD", str(line))
    return found


@pytest.fixture
def quick_tool(line: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    """stm32flash alone; stm32loader waits 5 s at every second greeting."""
    found = tool_named("stm32flash")
    monkeypatch.setenv("LD_PRELOAD", str(line))
    return found


async def flash(folder: Path, rom: Stm32Rom, tool: Tool, board: object = BOARD) -> Notes:
    job, notes = job_for(WAY, board, stm32_image(PROGRAM), folder / "job", rom.path)  # type: ignore[arg-type]
    await WAY.write(replace(job, tool=tool))
    return notes


async def refused(folder: Path, rom: Stm32Rom, tool: Tool) -> FlashError:
    with pytest.raises(FlashError) as caught:
        await flash(folder, rom, tool)
    return caught.value


async def test_the_program_is_written_compared_and_started(tmp_path: Path, tool: Tool) -> None:
    with Stm32Rom() as rom:
        notes = await flash(tmp_path, rom, tool)
        assert rom.flash[: len(PROGRAM)] == PROGRAM
        assert rom.started_at == FLASH_START
        assert rom.commands.index(EXTENDED_ERASE) < rom.commands.index(WRITE)
        assert READ in rom.commands[rom.commands.index(WRITE) :]
        assert port_holders(rom.path) == []
    assert notes.phases == ["prepare", "write", "verify"]
    assert_real_progress(notes, "write", len(PROGRAM) // 256)
    assert any("BOOT0 with GND" in line for line in notes.lines)
    assert not any("Wrote and verified" in line or "*** Command" in line for line in notes.lines)


async def test_the_whole_flash_is_read_for_a_restore_point(tmp_path: Path, tool: Tool) -> None:
    board = replace(BOARD, memory={"flash": MemoryRegion(FLASH_START, 8_192)})
    with Stm32Rom() as rom:
        rom.flash[:8_192] = random.Random(5).randbytes(8_192)
        job, notes = job_for(WAY, board, stm32_image(PROGRAM), tmp_path / "job", rom.path)
        job = replace(job, tool=tool)
        await WAY.read_back(replace(job, identity=await WAY.identify(job)), tmp_path / "kept.bin")
        assert (tmp_path / "kept.bin").read_bytes() == rom.flash[:8_192]
        assert not {ERASE, EXTENDED_ERASE, WRITE, GO} & set(rom.commands)
    assert notes.phases == ["prepare", "backup"]
    assert_real_progress(notes, "backup", 32)


async def test_only_what_the_program_needs_is_erased(tmp_path: Path, quick_tool: Tool) -> None:
    """Data that a program keeps in the sectors behind it survive, with the tool that knows the sectors."""
    with Stm32Rom() as rom:
        await flash(tmp_path, rom, quick_tool)
        assert set(rom.flash[len(PROGRAM) : 16 << 10]) == {0xFF}
        assert set(rom.flash[16 << 10 :]) == {0x00}


async def test_another_chip_is_refused_before_anything_is_touched(tmp_path: Path, tool: Tool) -> None:
    with Stm32Rom(F103) as rom:
        error = await refused(tmp_path, rom, tool)
        assert not {ERASE, EXTENDED_ERASE, WRITE, GO} & set(rom.commands)
    assert error.code == "wrong_chip"
    assert "0x410" in error.message
    assert "Nothing was written" in error.message


async def test_without_boot0_nobody_answers_and_the_text_says_what_to_connect(
    tmp_path: Path, quick_tool: Tool
) -> None:
    with Stm32Rom(running=True) as rom:
        error = await refused(tmp_path, rom, quick_tool)
    assert error.code == "rom_silent"
    assert "BOOT0" in error.hint
    assert "PA9" in error.hint
    assert "Nothing was written" in error.message


async def test_a_garbled_line_is_told_from_a_silent_one(tmp_path: Path, quick_tool: Tool) -> None:
    with Stm32Rom(noise=True) as rom:
        error = await refused(tmp_path, rom, quick_tool)
        assert WRITE not in rom.commands
    assert error.code == "rom_noise"


async def test_a_protected_chip_refuses_to_erase_and_keeps_its_firmware(
    tmp_path: Path, quick_tool: Tool
) -> None:
    with Stm32Rom(nack_on=EXTENDED_ERASE) as rom:
        error = await refused(tmp_path, rom, quick_tool)
        assert set(rom.flash) == {0}
    assert error.code == "write_protected"
    assert "no working firmware" not in error.message


async def test_a_write_that_is_refused_after_erasing(tmp_path: Path, quick_tool: Tool) -> None:
    with Stm32Rom(nack_on=WRITE) as rom:
        error = await refused(tmp_path, rom, quick_tool)
    assert error.code == "write_protected"
    assert "no working firmware" in error.message


async def test_a_damaged_cell_is_found_by_comparing(tmp_path: Path, tool: Tool) -> None:
    with Stm32Rom(damaged=FLASH_START + 1_000) as rom:
        error = await refused(tmp_path, rom, tool)
        assert rom.started_at is None
    assert error.code == "verify_failed"
    assert "no working firmware" in error.message


async def test_cancelling_lets_go_of_the_port(
    tmp_path: Path, quick_tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class SlowRom(Stm32Rom):
        def _write(self) -> bool:
            time.sleep(0.05)
            return super()._write()

    with SlowRom() as rom:
        job, notes = job_for(WAY, BOARD, stm32_image(PROGRAM), tmp_path / "job", rom.path)
        work = asyncio.create_task(WAY.write(replace(job, tool=quick_tool)))
        async with asyncio.timeout(20):
            while not any(percent > 20 for percent in notes.percents("write")):
                await asyncio.sleep(0.01)
        work.cancel()
        async with asyncio.timeout(2):
            with pytest.raises(asyncio.CancelledError):
                await work
        assert port_holders(rom.path) == []
        assert rom.started_at is None


class TestFinding:
    def test_stm32flash_goes_first_as_it_erases_less(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stand_in(tmp_path, "stm32flash", "exit 0")
        monkeypatch.setenv("PATH", str(tmp_path))
        assert WAY.find_tool().name == "stm32flash"
        (tmp_path / "stm32flash").unlink()
        assert WAY.find_tool().name == "stm32loader"

    def test_neither_comes_with_the_command_for_the_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("STM32FLASH", "STM32LOADER"):
            monkeypatch.setenv(f"ZEROCLAW_{name}", "/nowhere/tool")
        with pytest.raises(FlashError) as caught:
            WAY.find_tool()
        assert caught.value.details["tool"] == "stm32flash"


def test_only_an_stm32f1_is_erased_by_pages_with_stm32loader() -> None:
    """Its pages have one size (RM0008); on an STM32F4 the numbers would mean other sectors."""
    loader, file = Tool("stm32loader", ("x",)), Path("f.bin")
    f4 = stm32_uart.write_arguments(loader, "p", BOARD, file, 1_500)
    assert "-l" not in f4
    assert f4[f4.index("-f") + 1] == "F4"
    f1 = stm32_uart.write_arguments(loader, "p", replace(BOARD, chip="STM32F103RB"), file, 1_500)
    assert f1[f1.index("-l") + 1] == "2048"


def test_lines_that_are_progress() -> None:
    told: list[tuple[str, float | None]] = []

    def take(text: str) -> bool:
        return take_progress(text, FLASH_START, 1_024, lambda phase, percent: told.append((phase, percent)))

    assert take("Wrote address 0x08000100 (25.00%)")
    assert take("Write 256 bytes at 0x8000100")
    assert take("Read 256 bytes at 0x8000300")
    assert take("*** Command: Extended erase memory")
    assert not take("Erasing memory")
    assert not take("Chip id: 0x433 (STM32F4xxD/E)")
    assert take("Read 256 bytes at 0x1fff7a00")  # the chip's own data, no part of the program
    assert told == [("write", 25.0), ("write", 50.0), ("verify", 100.0), ("write", None), ("write", None)]
