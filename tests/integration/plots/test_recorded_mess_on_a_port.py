"""HW-12, HW-13: recorded serial output through a real pseudo terminal: the series and the console text.

Each file of ``tests/data/serial`` goes through the port's own thread into the store and the console, as when
a board without our protocol is plotted.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.hardware.telemetry.lines import LineCounters
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_habits import PortWish
from zeroclaw_desktop.runtime.plot_sources import PlotSources

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo terminals", allow_module_level=True)

import tty

DATA = Path(__file__).parents[2] / "data" / "serial"
GAP = math.nan
LONGEST_SHOWN = 2_000
CALM_LOOKS = 30
"""A hundredth of a second apart, without a change: then the port's thread has nothing more to do."""


async def until(condition: Callable[[], bool], what: str) -> None:
    try:
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.01)
    except TimeoutError:
        pytest.fail(f"{what} did not happen")


class Board:
    """The other end of the port, and what became of what it sent."""

    def __init__(self, number: int, port: str, sources: PlotSources, store: TelemetryStore) -> None:
        self.port = port
        self.sources = sources
        self.store = store
        self._number = number
        self._sent = 0

    async def print(self, data: bytes, piece: int = 61) -> None:
        """Send in pieces, so that lines are torn at any place, and wait until all is read."""
        for start in range(0, len(data), piece):
            part = data[start : start + piece]
            while part:
                part = part[await asyncio.to_thread(os.write, self._number, part) :]
            if piece < 1_000:
                await asyncio.sleep(0)
        self._sent += len(data)
        await until(lambda: self.counters.bytes == self._sent, "reading all bytes")
        await self._quiet()

    async def _quiet(self) -> None:
        """Wait until nothing has changed for a while: bytes are counted before they are read as lines."""
        before: object = None
        calm = 0
        while calm < CALM_LOOKS:
            await asyncio.sleep(0.01)
            now = (asdict(self.counters), len(self.console()), self.store.generation)
            calm = calm + 1 if now == before else 0
            before = now

    @property
    def counters(self) -> LineCounters:
        found = self.sources.counters()[self.port]
        assert isinstance(found, LineCounters)
        return found

    def values(self) -> dict[str, list[float]]:
        return {
            info.key.label: self.store.snapshot(info.key).value.tolist()
            for info in self.store.series(self.port)
        }

    def console(self) -> list[str]:
        return self.sources.consoles[self.port].since(0)[1]


@asynccontextmanager
async def board(folder: Path, encoding: str = "utf-8") -> AsyncIterator[Board]:
    """A board on a pseudo terminal that is listened to."""
    number, host = os.openpty()
    tty.setraw(host)
    tty.setraw(number)
    port = os.ttyname(host)

    async def address(_key: str) -> str:
        return ""

    store = TelemetryStore()
    sources = PlotSources(store, ConfigStore(folder / "config.toml"), address)
    try:
        await sources.ports.listen(PortWish(port, encoding=encoding))
        yield Board(number, port, sources, store)
    finally:
        await sources.stop()
        os.close(host)
        os.close(number)


def assert_values(found: dict[str, list[float]], expected: dict[str, list[float]]) -> None:
    assert list(found) == list(expected)
    for label, values in expected.items():
        # repr, as a gap does not equal itself.
        assert list(map(repr, found[label])) == [repr(float(value)) for value in values], label


def ended_lines(data: bytes, encoding: str) -> list[str]:
    """What stands in a file by itself: its lines that have an end, without empty ones."""
    parts = re.split(rb"[\r\n]", data)[:-1]
    return [part.decode(encoding, "replace") for part in parts if part]


LABELS: dict[str, list[float]] = {
    "temp": [20, 21, 22, 23],
    "hum": [40, 41, 42, 43],
    "lux": [300, 301],
    "value 1": [24, 25],
    "value 2": [44, 45],
    "x": [1, 2],
    "y": [3, 4],
}
UNITS: dict[str, list[float]] = {
    "T": [23.5, GAP, GAP, GAP],
    "H": [40],
    "angle": [30.1, 31.5],
    "value 1": [23.5],
    "value 2": [40],
    "Humidity": [40],
    "Temperature": [23.5],
    "Temperature °F": [74.3],
    "P": [1013.25],
    "温度": [23.5],
    "湿度": [40],
}


@pytest.mark.parametrize("piece", [1, 61, 4096])
@pytest.mark.parametrize(
    ("name", "encoding", "expected"),
    [
        ("gbk-text.bin", "gbk", {"温度": [23.5, 23.6], "湿度": [40, 41], "light": [512]}),
        ("mixed-endings.bin", "utf-8", {"a": [1, 2, 3, 4, 5, 6, 7]}),
        ("half-lines.bin", "utf-8", {"a": [1, 4, 8], "b": [2, 5, 9]}),
        ("label-changes.bin", "utf-8", LABELS),
        ("units.bin", "utf-8", UNITS),
        ("prose.bin", "utf-8", {}),
    ],
)
async def test_series_and_console(
    name: str, encoding: str, expected: dict[str, list[float]], piece: int, tmp_path: Path
) -> None:
    data = (DATA / name).read_bytes()
    async with board(tmp_path, encoding) as opened:
        await opened.print(data, piece)
        assert_values(opened.values(), expected)
        assert opened.console() == ended_lines(data, encoding)


async def test_gbk_that_is_read_as_utf8_is_shown_when_the_encoding_is_chosen(tmp_path: Path) -> None:
    async with board(tmp_path) as opened:
        await opened.print((DATA / "gbk-text.bin").read_bytes())
        assert_values(opened.values(), {"light": [512]})
        opened.sources.consoles[opened.port].encoding = "gbk"
        assert "传感器错误" in opened.console()


async def test_boot_noise_at_a_wrong_rate_is_no_series_and_no_control_character(tmp_path: Path) -> None:
    async with board(tmp_path) as opened:
        await opened.print((DATA / "boot-garbage.bin").read_bytes())
        assert_values(opened.values(), {"temp": [21.5, 21.6]})
        assert "WiFi connected" in opened.console()
        assert all(character.isprintable() or character == "\t" for character in "".join(opened.console()))
        assert opened.counters.partial_dropped == 1


async def test_a_line_of_a_megabyte_is_cut_for_showing_and_the_next_is_whole(tmp_path: Path) -> None:
    async with board(tmp_path) as opened:
        await opened.print(b"\na:1\n" + b"b:" + b"7" * 1_000_000, 65_536)
        last, length = opened.sources.ports.open[opened.port].ingest.unfinished
        assert (last[-3:], length) == (b"777", 1_000_002)
        await opened.print(b"\na:2\n")
        assert_values(opened.values(), {"a": [1, 2]})
        first, long, second = opened.console()
        assert (first, second) == ("a:1", "a:2")
        assert long.startswith("b:" + "7" * (LONGEST_SHOWN - 2) + " …")
        assert opened.counters.overlong == 1
        assert opened.counters.bytes == 1_000_012
