"""Ports whose board speaks no protocol: listened to whenever they are there, lent to flash jobs meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.hardware.sources.port_lines import PortLines, port_reading
from zeroclaw_desktop.hardware.telemetry.frame_description import read_description
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.line_times import TimeBase
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings
from zeroclaw_desktop.runtime.plot_habits import PlotHabits, PortWish, ReadingWish

LOOK_SECONDS = 1.0
SHOWN = Callable[[str, Sequence[bytes], float], None]
_log = logger("runtime")


class PlotPorts:
    """Keeps the ports that a person wants open, as far as they are there.

    Args:
        store: where samples go.
        habits: remembers the ports.
        show: hears of the lines of a source.
        look_seconds: between two looks for a port that is away.

    Attributes:
        open: readers by the name of the port; one whose port is away keeps its counters.
        faults: why a port that is wanted is not listened to, by its name.
    """

    def __init__(
        self, store: TelemetryStore, habits: PlotHabits, show: SHOWN, look_seconds: float = LOOK_SECONDS
    ) -> None:
        self.open: dict[str, PortLines] = {}
        self.faults: dict[str, ZeroClawError] = {}
        self._store = store
        self._habits = habits
        self._show = show
        self._look_seconds = look_seconds
        self._wishes: dict[str, PortWish] = {}
        self._lent: set[str] = set()
        self._guard = asyncio.Lock()
        self._tasks = TaskSupervisor("plot-ports")
        self._watch: asyncio.Task[None] | None = None

    @property
    def wishes(self) -> tuple[PortWish, ...]:
        """The ports that are wanted, oldest first."""
        return tuple(self._wishes.values())

    def lent(self, port: str) -> bool:
        """Whether a port belongs to somebody else for a while."""
        return port in self._lent

    def start(self) -> None:
        """Begin with the ports of the last time; one that is away is waited for."""
        self._wishes = {wish.port: wish for wish in self._habits.ports()}
        if self._wishes:
            self._begin_watch()

    async def stop(self) -> None:
        """Let go of all ports; they stay remembered."""
        await self._tasks.stop()
        for source in list(self.open.values()):
            await asyncio.to_thread(source.stop)
        self.open.clear()

    async def listen(self, wish: PortWish) -> None:
        """Plot a port and remember it; its source has the name of the port.

        Raises:
            ZeroClawError: the port cannot be opened, or the description of frames is not usable. Nothing is
                remembered then.
        """
        await self.leave(wish.port)
        base, rate = ("index", wish.line_rate) if wish.line_rate else ("device", 1.0)
        self._habits.set_reading(wish.port, ReadingWish(wish.encoding, base, rate))
        async with self._guard:
            await self._open(wish)
        self._wishes[wish.port] = wish
        self._habits.set_ports(list(self._wishes.values()))
        self._begin_watch()

    async def leave(self, port: str) -> None:
        """Let go of a port and forget it; nothing happens when it is not wanted."""
        self.faults.pop(port, None)
        if self._wishes.pop(port, None) is not None:
            self._habits.set_ports(list(self._wishes.values()))
        async with self._guard:
            source = self.open.pop(port, None)
            if source is not None:
                await asyncio.to_thread(source.stop)

    @contextlib.asynccontextmanager
    async def lend(self, *paths: str) -> AsyncIterator[None]:
        """Let go of a port for the time of the block, and listen again afterwards.

        Args:
            paths: names that the port may have; '' is none.
        """
        lent = _same_port(self._wishes, paths) - self._lent
        self._lent |= lent
        async with self._guard:
            for port in lent & set(self.open):
                await asyncio.to_thread(self.open[port].stop)
        try:
            yield
        finally:
            self._lent -= lent
            if lent:
                self._begin_watch()

    def _begin_watch(self) -> None:
        if self._watch is None or self._watch.done():
            self._watch = self._tasks.start(self._look_after(), "ports of the plots")

    async def _look_after(self) -> None:
        while self._wishes:
            for wish in self.wishes:
                await self._mend(wish)
            await asyncio.sleep(self._look_seconds)

    async def _mend(self, wish: PortWish) -> None:
        """Open a port that is wanted and not open; say once why that does not work."""
        async with self._guard:
            source = self.open.get(wish.port)
            if wish.port in self._lent or wish.port not in self._wishes:
                return
            if source is not None and source.listening:
                return
            try:
                if source is None:
                    await self._open(wish)
                else:
                    await asyncio.to_thread(source.start)
            except ZeroClawError as error:
                before = self.faults.get(wish.port)
                if before is None or before.code != error.code:
                    _log.warning("%s is not listened to: %s", wish.port, error.message)
                self.faults[wish.port] = error
            else:
                self.faults.pop(wish.port, None)
                _log.info("%s is listened to again", wish.port)

    async def _open(self, wish: PortWish) -> None:
        description = ""
        if wish.frames:
            description = (await asyncio.to_thread(read_description, Path(wish.frames))).text
        reading = port_reading(wish.port, wish.encoding, description, wish.line_rate)
        source = PortLines(
            self._store,
            wish.port,
            PortSettings(wish.baud),
            reading,
            lambda lines, when: self._show(wish.port, lines, when),
        )
        chosen = self._habits.reading(wish.port)
        if chosen is not None and isinstance(source.ingest, TelemetryIngest):
            apply_reading(source.ingest, chosen)
        await asyncio.to_thread(source.start)
        self.open[wish.port] = source


def apply_reading(reader: TelemetryIngest, reading: ReadingWish) -> None:
    """Let a reader read in a certain way; raises TelemetrySettingError where that is not possible."""
    base = TimeBase(reading.time_base, reading.rate)  # type: ignore[arg-type]  # it checks
    reader.choose(encoding=reading.encoding, time_base=base)


def _same_port(ports: Iterable[str], paths: Iterable[str]) -> set[str]:
    """Return which of ``ports`` are one of ``paths`` under whatever name."""
    wanted = {os.path.realpath(path) for path in paths if path}
    return {port for port in ports if os.path.realpath(port) in wanted}
