"""The serial reporter (EX-12): status lines on a port, which may be slow, stuck or gone."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import tty

import pytest

from tests.unit.execution.reporters.reports import transition
from zeroclaw_desktop.execution.reporters.background import BackgroundReporter
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.serial_line import SerialReporter


class TerminalPort:
    """One end of a pseudo terminal as a port."""

    def __init__(self, number: int) -> None:
        self._number = number

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._number, data) :]

    def close(self) -> None:
        os.close(self._number)


class GatedPort:
    """Blocks in write until it is opened; keeps what was written."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.lines: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.entered.set()
        self.gate.wait()
        self.lines.append(data)

    def close(self) -> None:
        self.closed = True


class FailingPort:
    """Fails so many times, then works."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.lines: list[bytes] = []

    def write(self, data: bytes) -> None:
        if self.times > 0:
            self.times -= 1
            raise OSError("unplugged")
        self.lines.append(data)

    def close(self) -> None:
        raise OSError("already gone")


async def test_status_lines_arrive_on_a_real_terminal() -> None:
    """EX-12: one JSON line for each finished action, on a line that a monitor program reads."""
    master, slave = os.openpty()
    tty.setraw(slave)
    reporter = SerialReporter(TerminalPort(slave))
    reporter.start()
    for seq in (1, 2):
        reporter.report(transition(seq))
    with os.fdopen(master, "rb") as monitor:
        lines = [monitor.readline() for _ in range(2)]
        await reporter.stop()
    assert [json.loads(line)["seq"] for line in lines] == [1, 2]


async def test_a_slow_line_keeps_the_newest_and_never_holds_up_the_executor() -> None:
    """EX-12: while the port takes nothing, reports return at once and the latest ones wait."""
    port = GatedPort()
    reporter = SerialReporter(port, limit=5)
    reporter.start()
    reporter.report(transition(0))
    assert await asyncio.to_thread(port.entered.wait, 10.0)
    for seq in range(1, 101):
        reporter.report(transition(seq))
    port.gate.set()
    await reporter.stop()
    assert [json.loads(line)["seq"] for line in port.lines] == [0, 96, 97, 98, 99, 100]
    assert reporter.dropped == 95
    assert port.closed


async def test_a_stuck_port_does_not_hold_up_the_end(caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: stopping is bounded even when the port never returns; it is told."""
    port = GatedPort()
    reporter = SerialReporter(port)
    reporter.start()
    reporter.report(transition(1))
    assert await asyncio.to_thread(port.entered.wait, 10.0)
    await reporter.stop(timeout=0.05)
    assert "does not end" in caplog.text
    port.gate.set()


async def test_an_unplugged_port_is_logged_once_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: a failing reporter is logged once, backs off, and loses nothing that still fits."""
    port = FailingPort(3)

    class Lines:
        def write(self, line: bytes) -> None:
            port.write(line)

        def close(self) -> None:
            port.close()

    reporter = BackgroundReporter(Lines(), "serial", backoff=Backoff(0.01, 0.02))
    reporter.start()
    for seq in range(3):
        reporter.report(transition(seq))
    await reporter.stop()
    assert [json.loads(line)["seq"] for line in port.lines] == [0, 1, 2]
    assert [record.levelname for record in caplog.records].count("ERROR") == 1
    assert "already gone" in caplog.text
