"""HW-8: a board whose host is gone puts its outputs into the safe state by itself; a silent board is told."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.hardware import heartbeat

LED = 13


async def test_outputs_go_off_when_the_host_falls_silent(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bench.do("led_set", state=1)
    assert await bench.level(LED) == 1
    assert bench.connection._heartbeat is not None
    bench.connection._heartbeat.cancel()  # as if the app hung: nothing is sent any more
    await bench.until(
        lambda: bench.process.snapshot.levels[LED] == 0,
        "the safe state",
        heartbeat.WATCHDOG_MILLISECONDS / 1000 + 4,
    )


async def test_outputs_stay_while_the_host_lives(bench: Bench) -> None:
    await bench.do("led_set", state=1)
    await asyncio.sleep(heartbeat.WATCHDOG_MILLISECONDS / 1000 + 1.5)
    assert await bench.level(LED) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="freezes the simulator by a POSIX signal")
async def test_a_board_that_stops_answering_is_lost_and_comes_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(heartbeat, "REPLY_SECONDS", 0.3)
    await bench.connection.disconnect()
    await bench.connection.connect()
    child = bench.process._child
    assert child is not None
    os.kill(child.pid, signal.SIGSTOP)
    try:
        await bench.until_state("lost")
    finally:
        os.kill(child.pid, signal.SIGCONT)
    await bench.until_state("live")
    assert (await bench.do("led_set", state=1)).ok
