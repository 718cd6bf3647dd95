"""What goes wrong on a desk: unplugging, garbage, endless lines, brown-out, a second program on the port."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading

import pytest
import serial

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.foundation.errors import ZeroClawError

LED = 13


async def test_unplugging_in_mid_command_is_a_bus_fault_and_the_board_comes_back(bench: Bench) -> None:
    work = bench.start("led_blink", count=50, interval=0.1)
    await bench.until(lambda: len(bench.process.rising_edges(LED)) >= 2, "the second blink")
    await bench.process.inject_fault("unplug")
    result = await work
    assert result.state is ActionState.FAILED
    assert result.error_code in (Code.BUS_FAULT, Code.DEVICE_NOT_CONNECTED)
    await bench.until_state("lost")
    refused = await bench.do("led_set", state=1)
    assert refused.error_code == Code.DEVICE_NOT_CONNECTED

    await bench.process.inject_fault("replug")
    await bench.until_state("live")
    assert (await bench.do("led_set", state=1)).ok
    assert await bench.level(LED) == 1


async def test_subscriptions_survive_a_reconnection(bench: Bench) -> None:
    await bench.do("plot_series", signals=["a0"], period=0.02)
    await bench.process.inject_fault("unplug")
    await bench.until_state("lost")
    await bench.process.inject_fault("replug")
    await bench.until_state("live")
    before = sum(info.count for info in bench.runtime.store.series())
    await bench.until(
        lambda: sum(info.count for info in bench.runtime.store.series()) > before + 10, "new samples"
    )


@pytest.mark.parametrize("fault", ["garbage", "long_line"])
async def test_rubbish_on_the_line_is_counted_and_the_board_stays(bench: Bench, fault: str) -> None:
    lines = bench.connection.info.counters["lines"]
    await bench.process.inject_fault(fault)
    await bench.until(lambda: bench.connection.info.counters["lines"] > lines, "lines to arrive")
    result = await bench.do("led_set", state=1)
    assert result.ok
    assert bench.connection.state == "live"
    if fault == "long_line":
        assert bench.connection.info.counters["overlong"] == 1
        total, shown = bench.connection.console.since(0)
        assert total >= 1
        assert max(map(len, shown)) < 3_000


async def test_a_brown_out_is_seen_and_the_outputs_are_known_again(bench: Bench) -> None:
    await bench.do("led_set", state=1)
    await bench.process.inject_fault("brown_out")
    await bench.until(lambda: bench.connection.pins[LED].level == 0, "the pin to be read again")
    assert bench.connection.state == "live"
    assert (await bench.do("led_set", state=1)).ok


@pytest.mark.skipif(sys.platform == "win32", reason="a second program opens the pseudo terminal; POSIX only")
async def test_a_port_that_another_program_holds_is_named(bench: Bench) -> None:
    await bench.connection.disconnect()
    other = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"import serial, sys; p = serial.Serial({bench.process.system_path!r}, 115200);"
        "print('open', flush=True); sys.stdin.read()",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert other.stdout is not None
    assert other.stdin is not None
    assert (await other.stdout.readline()).strip() == b"open"
    try:
        with pytest.raises(ZeroClawError) as caught:
            await bench.connection.connect()
        assert caught.value.code == "port_busy"
        if sys.platform.startswith("linux"):
            assert str(other.pid) in caught.value.message
        assert bench.connection.info.fault_code == "port_busy"
        flashed = await bench.do("flash_firmware", firmware="default")
        assert not flashed.ok
    finally:
        other.stdin.close()
        await other.wait()
    await bench.connection.connect()
    assert (await bench.do("led_set", state=1)).ok


async def test_other_programs_may_open_the_port_and_get_a_reset_board(bench: Bench) -> None:
    await bench.do("led_set", state=1)
    await bench.connection.disconnect()

    heard: list[bytes] = []

    def talk() -> None:
        with serial.Serial(bench.process.system_path, 115_200, timeout=4) as port:
            heard.append(port.readline())

    other = threading.Thread(target=talk)
    other.start()
    await bench.until(lambda: bool(heard), "the boot line")
    other.join()
    assert b'"boot"' in heard[0]
    assert await bench.level(LED) == 0


async def test_a_killed_simulator_is_a_lost_board_and_can_be_started_again(bench: Bench) -> None:
    child = bench.process._child
    assert child is not None
    os.kill(child.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    await bench.until_state("lost")
    await bench.runtime.simulators.start()
    fresh = Bench(bench.runtime)
    assert fresh.connection.state == "live"
    assert (await fresh.do("led_set", state=1)).ok


async def test_the_stop_reaches_the_board_ahead_of_queued_traffic(bench: Bench) -> None:
    await bench.do("plot_series", signals=["a0", "a1", "a2", "a3"], period=0.01)
    work = [bench.start("digital_write", pin=pin, value=1) for pin in range(2, 12)]
    await bench.do("led_set", state=1)
    report = await bench.runtime.stop_everything.trigger("test")
    results = await asyncio.gather(*work)
    assert all(result.state in (ActionState.COMPLETED, ActionState.CANCELLED) for result in results)
    assert report.outcomes[0].confirmed
    levels = (await bench.process.query()).levels
    assert [levels[pin] for pin in range(2, 14)] == [0] * 12
    assert (await bench.do("led_set", state=1)).error_code == Code.EMERGENCY_STOPPED
