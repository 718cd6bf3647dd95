"""HW-2: how soon a plugged board is known, and what watching the ports costs while nothing happens.

The latency runs from udev's announcement to the event on the bus: a pipe stands for udev's socket, as no
USB device can be plugged here; the look at the ports, the settling time and the identity are the real ones.
Its peer is the same roster without announcements, which looks every second. The cost is processor time, for
the roster as it runs on Linux against a list of pyserial every 0.3 s, as programs do that poll.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import time
from typing import Any

from serial.tools import list_ports

from benchmarks._bench import row
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import BoardsChanged
from zeroclaw_desktop.hardware.discovery.port_watch import HotplugSource
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.discovery import PortInfo, list_serial_ports

ROUNDS = 15
IDLE_SECONDS = 20.0
POLLING_SECONDS = 0.3


class _Announcer:
    """Stands for udev's socket."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)

    def announce(self) -> None:
        os.write(self._writer, b"x")

    def fileno(self) -> int:
        return self._reader

    def drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._reader, 4096)

    def close(self) -> None:
        os.close(self._reader)
        os.close(self._writer)


class _Bench:
    """A roster on the machine's own ports and one more that is plugged in and out."""

    def __init__(self, announced: bool) -> None:
        self._announcer = _Announcer() if announced else None
        self._plugged: tuple[PortInfo, ...] = ()
        self._known = asyncio.Event()
        bus = EventBus()
        bus.subscribe(BoardsChanged, lambda _event: self._known.set())
        self.roster = BoardRoster(bus, TelemetryStore(), self._ports, hotplug=self._source)
        self._watching = asyncio.create_task(self.roster.watch_ports())

    def _source(self) -> HotplugSource | None:
        return self._announcer

    def _ports(self) -> tuple[PortInfo, ...]:
        return (*list_serial_ports(), *self._plugged)

    async def plug(self, number: int) -> float:
        """Seconds from the announcement of a board to its event."""
        self._known.clear()
        port = PortInfo(f"/dev/ttyACM{number}", "", 0x2341, 0x0043, f"SERIAL{number}", f"1-{number}", "")
        self._plugged = (port,)
        began = time.perf_counter()
        if self._announcer is not None:
            self._announcer.announce()
        await self._known.wait()
        return time.perf_counter() - began

    async def stop(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await self.roster.shut_down()


async def _latencies(announced: bool) -> list[float]:
    bench = _Bench(announced)
    try:
        await asyncio.sleep(0.5)
        found = []
        for number in range(ROUNDS):
            await asyncio.sleep(random.Random(number).uniform(0.3, 1.3))  # a person keeps no time
            found.append(await bench.plug(number) * 1e3)
        return found
    finally:
        await bench.stop()


async def _idle_share() -> float:
    """Share of one core that watching takes while nothing is plugged."""
    bench = _Bench(announced=True)
    try:
        await asyncio.sleep(0.5)
        began = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        return (time.process_time() - began) / IDLE_SECONDS
    finally:
        await bench.stop()


async def _polling_share() -> float:
    """The same for a program that lists the ports over and over."""
    began, end = time.process_time(), time.monotonic() + IDLE_SECONDS
    while time.monotonic() < end:
        await asyncio.to_thread(list_ports.comports)
        await asyncio.sleep(POLLING_SECONDS)
    return (time.process_time() - began) / IDLE_SECONDS


def run() -> list[dict[str, Any]]:
    """Return the rows."""
    polled, told = asyncio.run(_latencies(announced=False)), asyncio.run(_latencies(announced=True))
    base = sorted(polled)[len(polled) // 2]
    polling, watching = asyncio.run(_polling_share()), asyncio.run(_idle_share())
    return [
        row("HW2-polled", "a board is plugged: looking every second", polled, "ms", ratio=1.0),
        row(
            "HW2",
            "a board is plugged: announced by udev",
            told,
            "ms",
            ratio=sorted(told)[len(told) // 2] / base,
            note="budget of HW-2: 1,000 ms; 100 ms of it wait for the permissions of the node",
        ),
        row("HW2-idle-peer", "idle: list of ports every 0.3 s", [polling * 100], "% of a core", ratio=1.0),
        row(
            "HW2-idle",
            "idle: watching",
            [watching * 100],
            "% of a core",
            ratio=watching / polling if polling else None,
        ),
    ]
