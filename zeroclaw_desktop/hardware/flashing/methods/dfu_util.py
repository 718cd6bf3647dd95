"""dfu-util (GPL, a child process) and the USB boot loader of an STM32 (DfuSe, ST AN3156 and UM0424)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import DfuOptions
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.stm32_program import IMAGE_KINDS, check_program, flat_program
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

LIST_SECONDS = 15.0
WRITE_SECONDS = 180.0
DFU_UTIL = ToolSpec(
    "dfu-util",
    ("dfu-util",),
    Words("writes to boards by the boot loader on their USB", "通过 USB 引导程序向开发板写入固件"),
    {
        "linux": "sudo apt install dfu-util",
        "darwin": "brew install dfu-util",
        "win32": "choco install dfu-util",
    },
)
NO_DEVICE = Cause(
    r"no dfu capable usb device",
    "dfu_missing",
    "No {board} is in the boot mode of its USB. Nothing was written.",
    "Connect the chip's own USB socket (not the probe's), connect BOOT0 with 3V3, press reset and try again.",
)
SEVERAL = Cause(
    r"more than one dfu capable usb device",
    "dfu_several",
    "Several devices are in the boot mode of their USB. Nothing was written.",
    "Unplug the boards that are not meant, and try again.",
)
OTHER_KIND = Cause(
    "",
    "dfu_missing",
    "The device in boot mode has no flash that this program can write ({found}). Nothing was written.",
    "Check that it is the board '{board}'.",
)
TOO_SMALL = Cause(
    "",
    "wrong_chip",
    "The flash of the device in boot mode ends at 0x{found_end:X}, but the program needs it up to 0x{end:X}. "
    "Nothing was written.",
    "Choose the right board.",
)
DIFFERS = Cause(
    "",
    "verify_failed",
    "What was read back from the board differs from what was written.",
    "Flash again; if it fails again, try another cable or port.",
)
CAUSES = (
    Cause(
        r"libusb_error_access|cannot open (?:dfu )?device|libusb_error_not_supported",
        "usb_permission",
        "The device in boot mode is there, but may not be opened. Nothing was written.",
        "Linux: allow it by a udev rule for its USB id, then plug it in again. Windows: install WinUSB for "
        "it by Zadig.",
    ),
    SEVERAL,
    NO_DEVICE,
    Cause(
        r"(?:page at \S+ )?(?:can not be erased|is not writeable)|read.?protect|errvendor",
        "write_protected",
        "The boot loader refuses to write the flash: it is protected.",
        "Lift the protection with STM32CubeProgrammer; that erases the chip.",
    ),
)
_FOUND = re.compile(
    r'Found (?P<mode>DFU|Runtime): \[(?P<id>[0-9a-f]{4}:[0-9a-f]{4})\].*?path="(?P<path>[^"]*)", '
    r'alt=(?P<alt>\d+), name="(?P<name>[^"]*)"',
    re.IGNORECASE,
)
_BAR = re.compile(rb"^(Erase|Download|Upload)\s+\[.*?\]\s+(\d+)%")
_UNITS = {" ": 1, "B": 1, "K": 1024, "M": 1024 * 1024}


@dataclass(frozen=True)
class DfuDevice:
    """One alternate setting of a device in boot mode.

    Attributes:
        path: where it is on the bus.
        name: of the setting; for DfuSe it tells the memory, ``@Internal Flash  /0x08000000/04*016Kg``.
    """

    path: str
    alt: int
    name: str


def devices_in(listing: str, usb: tuple[int, int]) -> list[DfuDevice]:
    """Devices in boot mode from ``dfu-util --list``."""
    wanted = f"{usb[0]:04x}:{usb[1]:04x}"
    return [
        DfuDevice(found["path"], int(found["alt"]), found["name"])
        for found in _FOUND.finditer(listing)
        if found["id"].lower() == wanted and found["mode"] == "DFU"
    ]


def memory_of(name: str) -> tuple[int, int] | None:
    """First address and end of the memory that a DfuSe name tells (UM0424, chapter 10); None for others."""
    found = re.fullmatch(r"@[^/]*/0x([0-9a-fA-F]+)/([^/]+).*", name.strip())
    if found is None:
        return None
    size = sum(
        int(count) * int(bytes_) * _UNITS.get(unit.upper(), 1)
        for count, bytes_, unit in re.findall(r"(\d+)\*(\d+)([ BKM])[a-g]", found[2])
    )
    start = int(found[1], 16)
    return start, start + size


def bar_of(line: bytes | bytearray) -> tuple[str, float] | None:
    """Phase and percent of an unfinished line that is dfu-util's bar."""
    found = _BAR.match(bytes(line))
    if found is None or not line.endswith(b"%"):
        return None
    percent = float(found[2])
    if found[1] == b"Upload":
        return "verify", percent
    # Erasing and writing are one phase for the person: half of the way each.
    return "write", percent / 2 if found[1] == b"Erase" else 50.0 + percent / 2


class DfuUtil:
    """See FlashMethod."""

    key = "dfu-util"
    image_kinds = IMAGE_KINDS
    needs_port = False
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(DFU_UTIL)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_program(image, profile)

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        options = job.profile.flash.options[self.key]
        assert isinstance(options, DfuOptions)
        run = ToolRun(job, "dfu-util", CAUSES)
        program, start = flat_program(job.image), job.profile.memory["flash"].start
        device = await self._find(job, run, options, start + len(program))
        file, back = job.folder / "firmware.bin", job.folder / "read-back.bin"
        file.write_bytes(program)
        usb = f"{options.usb[0]:04x}:{options.usb[1]:04x}"
        common = [*job.tool.argv, "-d", usb, "-p", device.path, "-a", str(device.alt)]

        def on_growth(line: bytearray) -> None:
            bar = bar_of(line)
            if bar is not None:
                run.report(*bar)

        run.report("write", 0.0)
        download = [*common, "-s", f"0x{start:08x}", "-D", str(file)]
        await run.must_run(download, timeout=WRITE_SECONDS, on_growth=on_growth)
        upload = [*common, "-s", f"0x{start:08x}:leave:{len(program)}", "-U", str(back)]
        ended = await run.run(upload, timeout=WRITE_SECONDS, on_growth=on_growth)
        # Some chips break off the talk when they are told to start; what was read before counts.
        if not back.exists() or len(content := back.read_bytes()) != len(program):
            raise run.failure(ended)
        if content != program:
            raise run.refusal(DIFFERS, ended.tail)
        job.listener.line("If the board does not start: connect BOOT0 with GND and press reset.")
        return run.seconds

    @staticmethod
    async def _find(job: FlashJob, run: ToolRun, options: DfuOptions, end: int) -> DfuDevice:
        """The one device in boot mode, with room for the program.

        Raises:
            FlashError: there is none, there are several, or it is another chip; nothing was written.
        """
        job.listener.phase("prepare", None, "")
        listed = await run.must_run([*job.tool.argv, "--list"], timeout=LIST_SECONDS)
        devices = devices_in(listed.tail, options.usb)
        if not devices:
            if re.search(CAUSES[0].pattern, listed.tail, re.IGNORECASE):
                raise run.refusal(CAUSES[0], listed.tail)
            raise run.refusal(NO_DEVICE, listed.tail)
        if len({device.path for device in devices}) > 1:
            raise run.refusal(SEVERAL, listed.tail)
        chosen = next((device for device in devices if device.alt == options.alt), devices[0])
        memory = memory_of(chosen.name)
        if memory is None or memory[0] != job.profile.memory["flash"].start:
            raise run.refusal(OTHER_KIND, listed.tail, found=_names(devices))
        if end > memory[1]:
            raise run.refusal(TOO_SMALL, listed.tail, found_end=memory[1], end=end)
        return chosen


def _names(devices: Sequence[DfuDevice]) -> str:
    return ", ".join(device.name for device in devices)
