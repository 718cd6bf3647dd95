"""Finds the one drive that belongs to the board, mounting it where the system did not (AC38, AC39, AC47)."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.boot_port import port_named
from zeroclaw_desktop.hardware.flashing.failures import FIRMWARE_GONE
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.volumes import Volume
from zeroclaw_desktop.hardware.transport.discovery import PortInfo

POLL_SECONDS = 0.2
MOUNT_SECONDS = 10.0


@dataclass(frozen=True)
class WantedDrive:
    """A drive as a board shows it.

    Attributes:
        labels: its names; what is not mounted is known by them alone.
        accepts: whether a mounted volume is one; called on a worker thread.
        advice: what makes it appear; whole sentences.
    """

    labels: tuple[str, ...]
    accepts: Callable[[Volume], bool]
    advice: str


async def find_drive(job: FlashJob, wanted: WantedDrive, seconds: float) -> Volume:
    """Wait for the drive of the board.

    Args:
        seconds: how long.

    Raises:
        FlashError: ``volume_missing``, ``volume_unmounted`` or ``volume_several``; nothing was touched.
    """
    started = time.monotonic()
    tried: set[str] = set()
    home = await _port_of(job)
    while True:
        volumes, mounted = await asyncio.to_thread(_look, job, wanted)
        if mounted:
            return _only(job, mounted, home)
        idle = [one for one in volumes if one.path is None and one.label in wanted.labels]
        for one in idle:
            if one.device not in tried:
                tried.add(one.device)
                await _mount(job, one)
        if time.monotonic() - started >= seconds:
            raise _not_found(job, wanted, idle)
        await asyncio.sleep(POLL_SECONDS)


def _look(job: FlashJob, wanted: WantedDrive) -> tuple[Sequence[Volume], list[Volume]]:
    """All drives, and the ones that can be written now."""
    volumes = job.surroundings.find_volumes()
    return volumes, [volume for volume in volumes if volume.path is not None and wanted.accepts(volume)]


async def _port_of(job: FlashJob) -> PortInfo | None:
    return port_named(job.port, await asyncio.to_thread(job.surroundings.find_ports)) if job.port else None


def _only(job: FlashJob, mounted: Sequence[Volume], home: PortInfo | None) -> Volume:
    """One drive: the only one, or the one that the USB device of the board's port shows."""
    same = [one for one in mounted if home is not None and one.serial and one.serial == home.serial_number]
    chosen = same if len(same) == 1 else mounted
    if len(chosen) == 1:
        return chosen[0]
    names = ", ".join(f"{one.label} ({one.path})" for one in mounted)
    raise FlashError(
        f"Several drives could be the board's: {names}. Nothing was written.",
        hint="Unplug the boards that are not meant, and try again.",
        code="volume_several",
        retryable=True,
        details={"drives": names, "board": job.profile.name, "wrote": False},
    )


def _not_found(job: FlashJob, wanted: WantedDrive, idle: Sequence[Volume]) -> FlashError:
    labels = ", ".join(wanted.labels)
    details = {"labels": labels, "board": job.profile.name, "wrote": False}
    if idle:
        command = f"udisksctl mount -b {idle[0].device}"
        return FlashError(
            f"The drive {idle[0].label} of the board is there, but not mounted. Nothing was written.",
            hint=f"Open it in the file manager, or type: {command}. Then try again.",
            code="volume_unmounted",
            retryable=True,
            details={**details, "label": idle[0].label, "command": command},
        )
    return FlashError(
        f"There is no drive {labels} of a {job.profile.name}. Nothing was written.",
        hint=wanted.advice,
        code="volume_missing",
        retryable=True,
        details=details,
    )


def drive_refused(job: FlashJob, volume: Volume, reason: Words, *, wrote: bool = True) -> FlashError:
    """The error for a drive that did not do what it should with the file.

    Args:
        reason: ends a sentence.
        wrote: whether the file was begun, so that the old firmware is gone.
    """
    after = FIRMWARE_GONE if wrote else " Nothing was written."
    return FlashError(
        f"The drive {volume.label} of the board refused the firmware: {reason.en}.{after}",
        hint="Unplug the board, plug it in again and retry; if it fails again, try another cable or port. If "
        "the probe of a Nucleo cannot reset the chip: JP5 on U5V, both CN2 closed, BOOT0 on 3V3.",
        code="volume_refused",
        retryable=True,
        details={
            "reason": reason.en,
            "reason_zh": reason.zh,
            "label": volume.label,
            "board": job.profile.name,
            "wrote": wrote,
        },
    )


async def _mount(job: FlashJob, volume: Volume) -> None:
    """Ask the system to mount a drive, as the file manager does; whether it worked is seen afterwards."""
    program = shutil.which("udisksctl")
    if program is None or not sys.platform.startswith("linux"):
        return
    arguments = [program, "mount", "-b", volume.device, "--no-user-interaction"]
    job.listener.line("$ " + " ".join(arguments))
    ended = await job.runner.run(arguments, timeout=MOUNT_SECONDS)
    for line in ended.tail.splitlines():
        job.listener.line(line)
