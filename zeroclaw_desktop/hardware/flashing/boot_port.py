"""Boards with native USB: start the boot loader by the 1200-baud touch and find the port that it opens.

The boot loader is another USB device with a port of its own, often under another path (AC7, AC9, AC10). It is
known by the place on the bus or the serial number, never by its path; a port that has newly come goes first.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError, PortError
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.transport.discovery import PortInfo

POLL_SECONDS = 0.1
WAIT_SECONDS = 10.0
"""For the boot loader's port; Windows takes some 5 s when it sees it for the first time."""
STAY_SECONDS = 4.0
"""A port that is still there after this time never left: the boot loader may be running already."""
SETTLE_SECONDS = 1.0
"""For a port in another place than the board's: the right one may come a moment later."""
ACCESS_SECONDS = 2.0
"""For udev to give the new port to the group of the person."""
Seen = frozenset[tuple[str, str]]


def port_named(path: str, ports: Sequence[PortInfo]) -> PortInfo | None:
    """What is known of a port; None for one that is not on USB."""
    real = os.path.realpath(path)
    return next((port for port in ports if port.path in (path, real)), None)


def same_board(one: PortInfo, other: PortInfo) -> bool:
    """Whether two ports are of the same board: by the place on the bus, else by the serial number."""
    if one.location and other.location:
        return one.location.split(":")[0] == other.location.split(":")[0]
    return one.serial_number != "" and one.serial_number == other.serial_number


async def start_boot_loader(job: FlashJob) -> str:
    """Touch the board's port and wait for the boot loader's.

    Returns:
        Path of the port to write through; the old one when it never left.

    Raises:
        PortError: the board's port could not be opened.
        FlashError: code ``boot_port_missing``; nothing was written.
    """
    around = job.surroundings
    before = await _wait_for_board(job)
    home = port_named(job.port, before)
    job.listener.line(f"Opening {job.port} at 1200 baud, which starts the boot loader.")
    await asyncio.to_thread(around.touch, job.port)
    path = await _wait_for_port(job, home, frozenset(map(_name, before)))
    await _wait_for_access(path)
    return path


async def _wait_for_board(job: FlashJob) -> Sequence[PortInfo]:
    """The ports once the board's own is there: after an earlier step of the job it may still restart."""
    started = time.monotonic()
    while True:
        ports = await _look(job.surroundings)
        there = ports is not None and (port_named(job.port, ports) or _exists(job.port))
        if ports is not None and (there or time.monotonic() - started >= WAIT_SECONDS):
            return ports
        await asyncio.sleep(POLL_SECONDS)


def _exists(path: str) -> bool:
    return os.path.exists(path)


async def _wait_for_port(job: FlashJob, home: PortInfo | None, known: Seen) -> str:
    started = time.monotonic()
    came_at = 0.0
    left = False
    while (waited := time.monotonic() - started) < WAIT_SECONDS:
        ports = await _look(job.surroundings)
        if ports is None:
            continue
        names = frozenset(map(_name, ports))
        known &= names  # a port that has left and is back under its old name is a new one
        left = left or (home is not None and _name(home) not in known)
        fresh = [port for port in ports if _name(port) not in known]
        here = [port for port in fresh if home is not None and same_board(port, home)]
        came_at = came_at or (waited if fresh else 0.0)
        if here:
            job.listener.line(f"The boot loader is on {here[0].path}.")
            return here[0].path
        if fresh and waited - came_at >= SETTLE_SECONDS:
            return _only(fresh, job).path
        if not left and not fresh and waited >= STAY_SECONDS:
            job.listener.line(f"{job.port} stays; the boot loader may be running already.")
            return job.port
        await asyncio.sleep(POLL_SECONDS)
    seconds = f"{WAIT_SECONDS:.0f}"
    raise _missing(
        job,
        Words(
            f"no port of a boot loader came within {seconds} s, and the board's own port left",
            f"开发板的端口已消失，{seconds} 秒内没有出现引导程序的端口",
        ),
    )


async def _look(around: Surroundings) -> Sequence[PortInfo] | None:
    """The ports that are there now; None when one vanished while it was looked at."""
    try:
        return await asyncio.to_thread(around.find_ports)
    except PortError:
        await asyncio.sleep(POLL_SECONDS)
        return None


def _name(port: PortInfo) -> tuple[str, str]:
    return port.path, port.usb_id


def _only(fresh: Sequence[PortInfo], job: FlashJob) -> PortInfo:
    if len(fresh) > 1:
        names = ", ".join(port.path for port in fresh)
        reason = Words(
            f"several ports came ({names}), and none of them is known as the board's",
            f"出现了多个新端口（{names}），无法确定哪一个属于这块开发板",
        )
        raise _missing(job, reason)
    job.listener.line(f"A new port has come: {fresh[0].path}.")
    return fresh[0]


def _missing(job: FlashJob, reason: Words) -> FlashError:
    return FlashError(
        f"The boot loader was not found: {reason.en}. Nothing was written.",
        hint="Press the reset button of the board twice, quickly, and try again at once.",
        code="boot_port_missing",
        retryable=True,
        details={
            "reason": reason.en,
            "reason_zh": reason.zh,
            "port": job.port,
            "board": job.profile.name,
        },
    )


async def _wait_for_access(path: str) -> None:
    """Wait until the port may be opened; if that does not come, the tool says why."""
    started = time.monotonic()
    while time.monotonic() - started < ACCESS_SECONDS:
        if os.access(path, os.R_OK | os.W_OK) or not path.startswith("/"):
            return
        await asyncio.sleep(POLL_SECONDS)
