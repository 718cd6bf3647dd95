"""What the tools that write through a debug probe share: which probe, which chip, connecting under reset."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing.boot_port import port_named
from zeroclaw_desktop.hardware.flashing.failures import Cause
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.stm32_program import WRONG_CHIP
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun, succeeded

IDENTIFY_SECONDS = 30.0
WRITE_SECONDS = 180.0
DEVICE_ID_MASK = 0xFFF
"""DEV_ID is the low 12 bits of DBGMCU_IDCODE (ST reference manuals, "MCU device ID code")."""
ST_VENDOR = 0x0483
ST_LINK_PRODUCTS = (0x374B, 0x374E, 0x374F, 0x3752, 0x3753, 0x3754, 0x3757)
"""ST-LINK that show a serial port beside the probe."""
_UDEV_HINTS = {
    "linux": "Install the udev rules of the probe (sudo apt install stlink-tools brings them), unplug the "
    "board and plug it in again.",
    "win32": "Install ST's driver of the ST-LINK (STSW-LINK009), or WinUSB for it by Zadig.",
}
UNDER_RESET = "under reset"
"""How a chip answers that does so only while it is held in reset; see ChipIdentity."""
NO_PROBE = "No debug probe was found. Nothing was written."
NO_PROBE_HINT = "Connect the board by the USB socket of its ST-LINK; many cables carry power only."


def probe_causes(
    *, missing: str, several: str, permission: str, silent: str, protected: str, differs: str
) -> tuple[Cause, ...]:
    """The causes of a probe's tool.

    Args:
        missing: pattern of its message when there is no probe; the others likewise: several probes, a probe
            that may not be opened, a chip that does not answer, a protected flash, a failed comparison.
    """
    return (
        Cause(
            permission,
            "probe_permission",
            "The debug probe is there, but may not be opened. Nothing was written.",
            _UDEV_HINTS.get(sys.platform, "Close other programs that use the probe, and plug it in again."),
        ),
        Cause(
            several,
            "probe_several",
            "There are several debug probes, and none of them is known as the board's. Nothing was written.",
            "Unplug the boards that are not meant, and try again.",
        ),
        Cause(missing, "probe_missing", NO_PROBE, NO_PROBE_HINT),
        Cause(
            protected,
            "write_protected",
            "The flash of the chip is protected against writing.",
            "Lift the protection with STM32CubeProgrammer (option bytes); that erases the chip.",
        ),
        Cause(
            differs,
            "verify_failed",
            "What was read back from the board differs from what was written.",
            "Flash again; if it fails again, try another cable or port.",
        ),
        Cause(
            silent,
            "target_silent",
            "The debug probe is there, but the {chip} does not answer it, not even under reset.",
            "Check power and jumpers (Nucleo: JP5 on U5V, both CN2 closed). If a program has switched the "
            "debug pins off, hold the reset button while you try again, or connect BOOT0 with 3V3.",
        ),
    )


async def probe_serial(job: FlashJob, run: ToolRun) -> str:
    """Serial number of the board's own probe, which shows the board's port, too; '' when it is not known.

    Raises:
        FlashError: ``probe_several``: it is not known, and there are several.
    """
    ports = await asyncio.to_thread(job.surroundings.find_ports)
    probes = {
        port.serial_number: port
        for port in ports
        if port.vendor == ST_VENDOR and port.product in ST_LINK_PRODUCTS and port.serial_number
    }
    home = port_named(job.port, ports) if job.port else None
    if home is not None and home.serial_number in probes:
        return home.serial_number
    if len(probes) > 1:
        names = ", ".join(f"{port.path} ({serial})" for serial, port in sorted(probes.items()))
        raise run.refusal(
            Cause(
                "",
                "probe_several",
                "There are several debug probes: {probes}. Nothing was written.",
                "Choose the port of the board that is meant, or unplug the others.",
            ),
            probes=names,
        )
    return next(iter(probes), "")


def compare_chip(run: ToolRun, found: int, wanted: int, output: str) -> None:
    """Refuse another chip before anything is written.

    Args:
        found: as the chip says; only the device id counts.
        output: of the tool, for the details.

    Raises:
        FlashError: ``wrong_chip``.
    """
    if found & DEVICE_ID_MASK != wanted & DEVICE_ID_MASK:
        raise run.refusal(WRONG_CHIP, output, found=found & DEVICE_ID_MASK, wanted=wanted & DEVICE_ID_MASK)


async def identify_chip(
    job: FlashJob,
    run: ToolRun,
    device_id: int,
    ask: Callable[[bool], Awaitable[tuple[ChildExit, int | None]]],
    silent: str,
) -> ChipIdentity:
    """Ask the chip who it is, once more under reset when it does not answer (AC43), and compare.

    Args:
        device_id: that the board's chip must have.
        ask: runs the tool, under reset or not; gives its end and the device id that it told.
        silent: pattern of an output that means that the chip did not answer.

    Raises:
        FlashError: it cannot be reached, or it is another chip; nothing was written.
    """
    job.listener.phase("prepare", None, "")
    ended, found = await ask(False)
    how = ""
    if found is None and re.search(silent, ended.tail, re.IGNORECASE):
        job.listener.line("The chip does not answer; once more while it is held in reset.")
        how = UNDER_RESET
        ended, found = await ask(True)
    if found is None:
        raise run.failure(ended if not succeeded(ended) else _as_failed(ended))
    compare_chip(run, found, device_id, ended.tail)
    return ChipIdentity(job.profile.chip, "", job.profile.flash_bytes, how=how)


def _as_failed(ended: ChildExit) -> ChildExit:
    """A run that ended well but told nothing: for the tables of causes it has failed."""
    return ChildExit(1, ended.timed_out, ended.seconds, ended.tail)
