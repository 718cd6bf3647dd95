"""``arduino-cli upload`` (HW-6, HW-7; AC5, AC49).

It comes from no package of Debian or PyPI, so a program of the test stands in for it. The words are those of
its versions 0.21 to 1.4 in reports that people published; what avrdude prints inside of it is avrdude's own.
"""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    UNO,
    Notes,
    assert_real_progress,
    board_with,
    image_of,
    job_for,
    path_with,
    stand_in,
    stm32_image,
    stm32_program,
)
from tests.unit.sandbox.test_process import gone
from zeroclaw_desktop.contracts.boards import BoardProfile, MemoryRegion
from zeroclaw_desktop.contracts.flash_options import ArduinoCliOptions, AvrdudeOptions, FlashProfile
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.methods.arduino_cli import ArduinoCli, install_command
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
WAY = ArduinoCli()
PORT = "/dev/ttyACM7"
PROGRAM = random.Random(4).randbytes(2_000)
IMAGE = image_of({0: PROGRAM})
OLD_NANO = replace(
    UNO,
    key="arduino-nano-old",
    fqbn="arduino:avr:nano",
    flash=FlashProfile(
        ("arduino-cli",),
        2_048,
        {
            "arduino-cli": ArduinoCliOptions("cpu=atmega328old"),
            "avrdude": AvrdudeOptions("m328p", "arduino", 57_600),
        },
    ),
)
NUCLEO = replace(
    board_with(
        "Nucleo-F401RE",
        "STM32F401RE",
        MemoryRegion(0x0800_0000, 512 << 10),
        {"arduino-cli": ArduinoCliOptions("pnum=NUCLEO_F401RE")},
    ),
    fqbn="STMicroelectronics:stm32:Nucleo_64",
)
BAR = "#" * 50
AVRDUDE_RUN = (
    f"printf 'Writing | '; printf '{BAR}'; printf ' | 100%% 0.4s\\n'; "
    f"printf 'Reading | '; printf '{BAR}'; printf ' | 100%% 0.3s\\n'; "
)
DONE = f"echo 'New upload port: {PORT} (serial)'"


class Cli:
    """The stand-in and its notes."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PATH", path_with([folder / "bin"]))
        monkeypatch.delenv("ZEROCLAW_ARDUINO_CLI", raising=False)

    def does(self, script: str) -> None:
        keep = (
            f'next=; for word; do [ "$next" ] && cp "$word" "{self.folder}/uploaded"; next=; '
            '[ "$word" = --input-file ] && next=1; done\n'
        )
        note = f"printf '%s\\n' \"$*\" >> '{self.folder}/calls'\n"
        stand_in(self.folder / "bin", "arduino-cli", note + keep + script)

    def call(self) -> str:
        (line,) = (self.folder / "calls").read_text().splitlines()
        return line

    async def flash(self, board: BoardProfile = OLD_NANO, image: FirmwareImage = IMAGE) -> Notes:
        job, notes = job_for(WAY, board, image, self.folder / "job", PORT)
        await WAY.write(job)
        return notes

    async def refused(self) -> FlashError:
        with pytest.raises(FlashError) as caught:
            await self.flash()
        return caught.value


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path, monkeypatch)


async def test_it_is_told_board_port_and_file_and_to_verify(cli: Cli) -> None:
    cli.does(AVRDUDE_RUN + DONE)
    notes = await cli.flash()
    call = cli.call()
    assert call.startswith(f"upload --fqbn arduino:avr:nano:cpu=atmega328old --port {PORT} --input-file ")
    assert "--verify" in call
    assert parse_intel_hex((cli.folder / "uploaded").read_text()) == {0: PROGRAM}
    assert notes.phases == ["write", "verify"]
    assert_real_progress(notes, "write", 50)


async def test_cores_that_are_not_avr_get_a_binary(cli: Cli) -> None:
    program = stm32_program(1_000)
    cli.does("echo 'Download in Progress:'; echo 'Download: 50 %'; echo 'Download: 100 %'")
    notes = await cli.flash(NUCLEO, stm32_image(program, "elf"))
    assert (cli.folder / "uploaded").read_bytes() == program
    assert "--fqbn STMicroelectronics:stm32:Nucleo_64:pnum=NUCLEO_F401RE" in cli.call()
    assert notes.percents("write") == [50.0, 100.0]


async def test_a_missing_core_comes_with_the_command(cli: Cli) -> None:
    cli.does(
        "echo \"Error during Upload: Platform 'arduino:avr' not found: \" "
        "'platform arduino:avr is not installed'\n"
        "echo 'Try running `arduino-cli core install arduino:avr`'; exit 1"
    )
    error = await cli.refused()
    assert error.code == "core_missing"
    assert "arduino-cli core install arduino:avr" in error.hint
    assert "Nothing was written" in error.message


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (
            "avrdude: stk500_getsync() attempt 10 of 10: not in sync: resp=0x00\n"
            "Error during Upload: Failed uploading: uploading error: exit status 1",
            "not_in_sync",
        ),
        (
            'avrdude: ser_open(): can\'"\'"\'t open device "/dev/ttyACM0": Permission denied',
            "port_permission",
        ),
        (
            "No upload port found, using /dev/cu.usbmodem1 as fallback\nNo device found on cu.usbmodem1",
            "port_missing",
        ),
        ("Error during Upload: Property upload.tool.serial is undefined", "flash_failed"),
    ],
)
async def test_what_the_tools_inside_say_is_told(cli: Cli, words: str, code: str) -> None:
    cli.does(f"printf '%s\\n' '{words}' >&2; exit 1")
    error = await cli.refused()
    assert error.code == code
    assert "no working firmware" not in error.message


async def test_the_exit_code_decides(cli: Cli) -> None:
    cli.does(AVRDUDE_RUN + DONE + "; exit 1")
    error = await cli.refused()
    assert error.code == "flash_failed"
    assert "no working firmware" in error.message


async def test_cancelling_ends_it_and_the_tools_inside(cli: Cli) -> None:
    cli.does(f"sleep 300 & echo $! > '{cli.folder}/child'; wait")
    work = asyncio.create_task(cli.flash())
    note = cli.folder / "child"
    while not note.exists() or not note.read_text().strip():
        await asyncio.sleep(0.01)
    work.cancel()
    async with asyncio.timeout(2):
        with pytest.raises(asyncio.CancelledError):
            await work
    assert await gone(int(note.read_text()))


class TestBefore:
    def test_a_missing_tool_comes_with_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ZEROCLAW_ARDUINO_CLI", "/nowhere/arduino-cli")
        with pytest.raises(FlashError) as caught:
            WAY.find_tool()
        assert caught.value.code == "tool_missing"
        assert "install" in caught.value.hint

    def test_cores_of_other_makers_come_with_their_address(self) -> None:
        assert install_command("arduino:avr:uno") == "arduino-cli core install arduino:avr"
        third = install_command("rp2040:rp2040:rpipico")
        assert third.startswith("arduino-cli core install rp2040:rp2040 --additional-urls https://")

    def test_boards_whose_core_wants_a_whole_build_are_refused(self) -> None:
        board = replace(OLD_NANO, fqbn="esp32:esp32:esp32")
        with pytest.raises(FlashError, match="use esptool"):
            WAY.check(IMAGE, board)
        with pytest.raises(FlashError, match="uf2"):
            WAY.check(image_of({0: PROGRAM}, "uf2"), OLD_NANO)
