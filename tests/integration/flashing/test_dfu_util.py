"""dfu-util and the USB boot loader of an STM32 (HW-6, HW-7; AC5, AC17, AC49).

There is no such device here: the real dfu-util says so; for the rest a program of the test prints what
dfu-util 0.11 prints (``dfu_util.c``, ``dfuse.c``, ``progress.c``).
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from tests.helpers.flash_bench import (
    STM32_FLASH,
    Notes,
    assert_real_progress,
    board_with,
    job_for,
    path_with,
    stand_in,
    stm32_image,
    stm32_program,
)
from tests.unit.sandbox.test_process import gone
from zeroclaw_desktop.contracts.flash_options import DfuOptions
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods.dfu_util import DfuUtil, bar_of, devices_in, memory_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
WAY = DfuUtil()
PROGRAM = stm32_program(10_000)
BOARD = board_with("Black Pill", "STM32F401CC", STM32_FLASH, {"dfu-util": DfuOptions((0x0483, 0xDF11))})
LAYOUT = "@Internal Flash  /0x08000000/04*016Kg,01*064Kg,03*128Kg"


def found(path: str = "1-1", alt: int = 0, name: str = LAYOUT, usb: str = "0483:df11") -> str:
    """A line of ``dfu-util --list``."""
    return (
        f'Found DFU: [{usb}] ver=2200, devnum=12, cfg=1, intf=0, path="{path}", alt={alt}, name="{name}", '
        'serial="357A35723135"'
    )


ONE = [found(alt=1, name="@Option Bytes  /0x1FFFC000/01*016 e"), found()]
BARS = """
bar() { printf '\\r%s\\t[%s] %3d%% %12d bytes' "$1" '=====' "$2" "$3"; }
"""
DOWNLOAD = "for p in 0 50 100; do bar 'Erase  ' $p 0; done; echo\n"
DOWNLOAD += "for p in 0 50 100; do bar Download $p 0; done; echo\n"
UPLOAD = "for p in 0 50 100; do bar 'Upload ' $p 0; done; echo\n"


class DfuTool:
    """The stand-in and its notes.

    Args:
        folder: of the test.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PATH", path_with([folder / "bin"]))
        monkeypatch.delenv("ZEROCLAW_DFU_UTIL", raising=False)

    def does(self, listing: list[str], *, download: str = DOWNLOAD, upload: str = "") -> None:
        lines = "\n".join(f"echo '{line}'" for line in listing)
        copy = f"for last; do :; done; cp '{self.folder}/flash' \"$last\"\n"
        script = (
            f"printf '%s\\n' \"$*\" >> '{self.folder}/calls'\n{BARS}"
            f'case "$*" in --list)\n{lines}\n;;\n'
            f"*-D*) for last; do :; done; cp \"$last\" '{self.folder}/flash'; {download};;\n"
            f"*-U*) {upload or UPLOAD + copy};; esac"
        )
        stand_in(self.folder / "bin", "dfu-util", script)

    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().splitlines()

    async def flash(self) -> Notes:
        job, notes = job_for(WAY, BOARD, stm32_image(PROGRAM), self.folder / "job")
        await WAY.write(job)
        return notes

    async def refused(self) -> FlashError:
        with pytest.raises(FlashError) as caught:
            await self.flash()
        return caught.value


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DfuTool:
    return DfuTool(tmp_path, monkeypatch)


@pytest.mark.skipif(shutil.which("dfu-util") is None, reason="needs dfu-util (Debian: apt install dfu-util)")
async def test_the_real_tool_finds_no_device(tmp_path: Path) -> None:
    job, _ = job_for(WAY, BOARD, stm32_image(PROGRAM), tmp_path / "job")
    with pytest.raises(FlashError) as caught:
        await WAY.write(job)
    assert caught.value.code == "dfu_missing"
    assert "BOOT0" in caught.value.hint
    assert "Nothing was written" in caught.value.message


async def test_it_writes_reads_back_and_starts(tool: DfuTool) -> None:
    tool.does(ONE)
    notes = await tool.flash()
    listed, download, upload = tool.calls()
    assert listed == "--list"
    assert download.startswith("-d 0483:df11 -p 1-1 -a 0 -s 0x08000000 -D ")
    assert upload.startswith(f"-d 0483:df11 -p 1-1 -a 0 -s 0x08000000:leave:{len(PROGRAM)} -U ")
    assert (tool.folder / "flash").read_bytes() == PROGRAM
    assert notes.phases == ["prepare", "write", "verify"]
    assert_real_progress(notes, "write", 6)
    assert notes.percents("verify") == [0.0, 50.0, 100.0]


async def test_a_device_that_breaks_off_when_it_starts_is_no_failure(tool: DfuTool) -> None:
    """What was read back before is the program, so it was written."""
    copy = f"for last; do :; done; cp '{tool.folder}/flash' \"$last\"\n"
    tool.does(ONE, upload=f"{copy} echo 'dfu-util: can'\"'\"'t detach'; exit 74")
    await tool.flash()
    assert (tool.folder / "flash").read_bytes() == PROGRAM


async def test_bytes_that_differ_are_found(tool: DfuTool) -> None:
    tool.does(ONE, upload=f'for last; do :; done; head -c {len(PROGRAM)} /dev/zero > "$last"')
    error = await tool.refused()
    assert error.code == "verify_failed"
    assert "no working firmware" in error.message


async def test_a_write_that_fails(tool: DfuTool) -> None:
    tool.does(ONE, download="echo 'dfu-util: Page at 0x08000000 is not writeable'; exit 74")
    error = await tool.refused()
    assert error.code == "write_protected"
    assert error.details["wrote"] is True


@pytest.mark.parametrize(
    ("listing", "code"),
    [
        ([], "dfu_missing"),
        ([found(usb="0483:0000")], "dfu_missing"),
        ([found("1-1"), found("1-2")], "dfu_several"),
        ([found(name="@Internal Flash  /0x08000000/08*001Kg")], "wrong_chip"),
        ([found(name="@External Flash  /0x90000000/64*064Kg")], "dfu_missing"),
        ([found(name="UNDEFINED")], "dfu_missing"),
        (
            ["Cannot open DFU device 0483:df11 found on devnum 5 (LIBUSB_ERROR_ACCESS)"],
            "usb_permission",
        ),
    ],
)
async def test_nothing_is_written_unless_the_one_device_fits(
    tool: DfuTool, listing: list[str], code: str
) -> None:
    tool.does(listing)
    error = await tool.refused()
    assert error.code == code
    assert "Nothing was written" in error.message
    assert tool.calls() == ["--list"]


async def test_cancelling_ends_it(tool: DfuTool) -> None:
    tool.does(ONE, download=f"sleep 300 & echo $! > '{tool.folder}/child'; wait")
    work = asyncio.create_task(tool.flash())
    note = tool.folder / "child"
    while not note.exists() or not note.read_text().strip():
        await asyncio.sleep(0.01)
    work.cancel()
    async with asyncio.timeout(2):
        with pytest.raises(asyncio.CancelledError):
            await work
    assert await gone(int(note.read_text()))


def test_the_memory_is_read_from_the_name() -> None:
    """UM0424: sectors as count*size and unit, letters for what may be done with them."""
    assert memory_of(LAYOUT) == (0x0800_0000, 0x0808_0000)
    assert memory_of("@Option Bytes  /0x1FFFC000/01*016 e") == (0x1FFF_C000, 0x1FFF_C010)
    assert memory_of("@Flash/0x08000000/128*0001Kg") == (0x0800_0000, 0x0802_0000)
    assert memory_of("Camera") is None


def test_devices_of_the_board_alone_are_listed() -> None:
    other = found(usb="1d50:6017")
    runtime = found().replace("Found DFU", "Found Runtime")
    assert [device.path for device in devices_in("\n".join([other, runtime, found()]), (0x0483, 0xDF11))] == [
        "1-1"
    ]


def test_bars() -> None:
    assert bar_of(b"Download\t[====     ]  44%") == ("write", 72.0)
    assert bar_of(b"Erase   \t[====     ]  44%") == ("write", 22.0)
    assert bar_of(b"Upload  \t[====     ]  44%") == ("verify", 44.0)
    assert bar_of(b"Download\t[====     ]  44% ") is None
    assert bar_of(b"Download done.") is None
