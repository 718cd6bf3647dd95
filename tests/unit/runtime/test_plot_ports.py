"""HW-12: ports without protocol are kept over restarts, waited for, lent, and not flickering when slow."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_habits import PlotHabits, PortWish, ReadingWish
from zeroclaw_desktop.runtime.plot_ports import PlotPorts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals: run it on POSIX")
LOOK = 0.02


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """The board's end of a serial line, and the name of the other end."""
    import tty

    board, host = os.openpty()
    tty.setraw(host)
    yield board, os.ttyname(host)
    os.close(board)
    os.close(host)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.01)


def ports_with(habits: PlotHabits, store: TelemetryStore | None = None) -> PlotPorts:
    return PlotPorts(store or TelemetryStore(), habits, lambda *_: None, LOOK)


async def test_a_port_is_listened_to_again_at_the_next_start(
    terminal: tuple[int, str], tmp_path: Path
) -> None:
    board, path = terminal
    first = ports_with(PlotHabits(tmp_path / "kept.json"))
    await first.listen(PortWish(path, 57_600, "gbk"))
    await first.stop()
    store = TelemetryStore()
    second = ports_with(PlotHabits(tmp_path / "kept.json"), store)
    second.start()
    await until(lambda: path in second.open)
    assert second.wishes == (PortWish(path, 57_600, "gbk"),)
    os.write(board, "\n温度:21\n".encode("gbk"))
    await until(lambda: bool(store.series(path)))
    assert store.series(path)[0].key.label == "温度"
    await second.leave(path)
    assert PlotHabits(tmp_path / "kept.json").ports() == []
    await second.stop()


async def test_a_port_that_is_away_is_waited_for_and_told_once(
    terminal: tuple[int, str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board, path = terminal
    name = tmp_path / "ttyLater"
    habits = PlotHabits(None)
    habits.set_ports([PortWish(str(name))])
    store = TelemetryStore()
    ports = ports_with(habits, store)
    ports.start()
    await until(lambda: str(name) in ports.faults)
    await asyncio.sleep(5 * LOOK)
    assert sum("not listened to" in record.message for record in caplog.records) == 1
    name.symlink_to(path)
    await until(lambda: str(name) in ports.open)
    assert ports.faults == {}
    os.write(board, b"\nvolt:3\n")
    await until(lambda: bool(store.series(str(name))))
    await ports.stop()


async def test_a_lent_port_is_free_and_comes_back_with_its_counters(terminal: tuple[int, str]) -> None:
    board, path = terminal
    store = TelemetryStore()
    ports = ports_with(PlotHabits(None), store)
    await ports.listen(PortWish(path))
    os.write(board, b"\nvolt:3\n")
    await until(lambda: bool(store.series(path)))
    source = ports.open[path]
    async with ports.lend(path, ""):
        assert ports.lent(path)
        assert not source.listening
        await asyncio.sleep(5 * LOOK)
        assert not source.listening
    await until(lambda: source.listening)
    os.write(board, b"\nvolt:4\n")
    await until(lambda: source.ingest.counters.samples == 2)
    assert store.snapshot((path, "volt")).value.tolist() == [3, 4]
    assert source.bytes_read == source.ingest.counters.bytes
    await ports.stop()


async def test_another_port_is_not_taken_away(terminal: tuple[int, str]) -> None:
    _, path = terminal
    ports = ports_with(PlotHabits(None))
    await ports.listen(PortWish(path))
    async with ports.lend("/dev/some-other-port"):
        assert ports.open[path].listening
    await ports.stop()


async def test_a_port_that_says_nothing_stays_connected(terminal: tuple[int, str]) -> None:
    """Complaint 79: a stream of a line in ten seconds must not flicker between connected and lost."""
    _, path = terminal
    ports = ports_with(PlotHabits(None))
    await ports.listen(PortWish(path))
    worker = ports.open[path]._worker
    states = set()
    for _ in range(60):  # several times longer than a read waits for a byte
        states.add(ports.open[path].listening)
        await asyncio.sleep(0.03)
    assert states == {True}
    assert ports.open[path]._worker is worker
    assert ports.faults == {}
    await ports.stop()


async def test_a_port_that_vanishes_is_told_and_does_not_end_the_others(terminal: tuple[int, str]) -> None:
    import tty

    _, path = terminal
    board, host = os.openpty()
    tty.setraw(host)
    lost = os.ttyname(host)
    ports = ports_with(PlotHabits(None))
    await ports.listen(PortWish(path))
    await ports.listen(PortWish(lost))
    os.close(host)
    os.close(board)
    await until(lambda: lost in ports.faults)
    assert ports.open[path].listening
    await ports.stop()


async def test_a_chosen_way_to_read_survives_a_restart(terminal: tuple[int, str]) -> None:
    _, path = terminal
    habits = PlotHabits(None)
    ports = ports_with(habits)
    await ports.listen(PortWish(path))
    habits.set_reading(path, ReadingWish("big5", "index", 50.0))
    await ports.stop()
    again = ports_with(habits)
    again.start()
    await until(lambda: path in again.open)
    again.open[path].ingest.feed(b"\n", 0.0)
    reading = again.open[path].ingest.reading()
    assert (reading.encoding, reading.time_base, reading.rate) == ("big5", "index", 50.0)
    await again.stop()
