"""HW-10: faults that last until they are ended, and what the app does meanwhile (HW-2, HW-3, HW-4)."""

from __future__ import annotations

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionState, Constraints
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.hardware.errors import SimulatorError
from zeroclaw_desktop.hardware.simulator.line_faults import SLOW_SECONDS

LED = 13


async def begin(bench: Bench, kind: str) -> None:
    await bench.process.set_fault(kind, True)
    await bench.until(lambda: kind in bench.process.faults, f"the fault {kind}")


async def end(bench: Bench, kind: str) -> None:
    await bench.process.set_fault(kind, False)
    await bench.until(lambda: kind not in bench.process.faults, f"the end of {kind}")


async def test_a_pulled_cable_is_a_lost_board_until_it_is_plugged_in(bench: Bench) -> None:
    await begin(bench, "unplug")
    await bench.until_state("lost")
    assert bench.connection.info.fault_code
    assert (await bench.do("led_set", state=1)).error_code == Code.DEVICE_NOT_CONNECTED
    await end(bench, "unplug")
    await bench.until_state("live")
    assert (await bench.do("led_set", state=1)).ok


async def test_garbage_between_the_replies_is_counted_and_commands_go_on(bench: Bench) -> None:
    """HW-3: garbage is never fatal."""
    await begin(bench, "garbage")
    lines = bench.connection.info.counters["lines"]
    for state in (1, 0, 1):
        assert (await bench.do("led_set", state=state)).ok
    await bench.until(lambda: bench.connection.info.counters["lines"] > lines + 20, "lines of garbage")
    assert bench.connection.state == "live"
    shown, _lines = bench.connection.console.since(0)
    assert shown > 20
    await end(bench, "garbage")


async def test_slow_replies_delay_a_command_and_fail_none(bench: Bench) -> None:
    """The timeout of a command is longer than the delay, and so is that of the heartbeat."""
    await begin(bench, "slow")
    result = await bench.do("led_set", state=1)
    assert result.ok
    assert result.elapsed_ms >= SLOW_SECONDS * 1000
    assert bench.connection.state == "live"
    await end(bench, "slow")
    assert (await bench.do("led_set", state=0)).ok


async def test_a_command_with_less_time_than_the_delay_times_out(bench: Bench) -> None:
    await begin(bench, "slow")
    payload = make_payload(
        "led_set", {"state": 1}, source="manual", device_id="sim-uno", constraints=Constraints(timeout=0.4)
    )
    result = await bench.runtime.executor.submit(payload)
    assert (result.state, result.error_code) == (ActionState.FAILED, Code.TIMEOUT)
    await end(bench, "slow")
    assert (await bench.do("led_set", state=0)).ok


async def test_without_supply_the_chip_is_silent_and_its_state_is_lost(bench: Bench) -> None:
    await bench.do("led_set", state=1)
    await begin(bench, "brown_out")
    assert await bench.level(LED) == 0
    refused = await bench.do("led_set", state=1)
    assert not refused.ok
    assert await bench.level(LED) == 0
    await end(bench, "brown_out")
    await bench.until(
        lambda: bench.connection.state == "live" and bench.connection.pins[LED].level == 0,
        "the pins to be read again",
        25.0,
    )
    assert (await bench.do("led_set", state=1)).ok


async def test_a_board_that_was_given_up_comes_back_with_its_supply(bench: Bench) -> None:
    """After three unanswered pings and a handshake without an answer the app gives up; not for ever."""
    await begin(bench, "brown_out")
    await bench.until(lambda: bench.connection.state == "failed", "the app to give up", 40.0)
    assert bench.connection.info.fault_code == "no_handshake"
    await bench.runtime.simulators.set_fault("sim-uno", "brown_out", False)
    assert bench.connection.state == "live"
    assert (await bench.do("led_set", state=1)).ok


@pytest.mark.parametrize("level", [0, 1])
async def test_a_stuck_input_reads_its_level_whatever_is_wired_to_it(bench: Bench, level: int) -> None:
    await bench.process.set_stuck(2, level)
    await bench.until(lambda: bench.process.stuck == {2: level}, "the stuck pin")
    for pressed in (True, False):
        await bench.process.press_button(pressed)
        await bench.process.query()
        assert (await bench.do("digital_read", pin=2)).value["value"] == level
    await bench.process.set_stuck(2, None)
    await bench.until(lambda: not bench.process.stuck, "the end")
    assert (await bench.do("digital_read", pin=2)).value["value"] == 1


async def test_a_stuck_output_is_read_back_as_it_is_and_not_as_it_was_commanded(bench: Bench) -> None:
    """EX-10: the hardware's own state is in the result."""
    await bench.process.set_stuck(LED, 0)
    await bench.until(lambda: bench.process.stuck == {LED: 0}, "the stuck pin")
    result = await bench.do("digital_write", pin=LED, value=1)
    assert result.hardware_states[f"pin_{LED}"]["level"] == 0
    assert await bench.level(LED) == 0
    await bench.process.set_stuck(LED, None)
    await bench.until(lambda: not bench.process.stuck, "the end")
    assert await bench.level(LED) == 1


async def test_a_stuck_analog_pin_measures_the_rail(bench: Bench) -> None:
    await bench.process.set_stuck(14, 1)
    await bench.until(lambda: bench.process.stuck == {14: 1}, "the stuck pin")
    assert (await bench.do("analog_read", pin="A0")).value["volts"] == pytest.approx(5.0, abs=0.01)


async def test_faults_that_there_are_not_are_refused(bench: Bench) -> None:
    with pytest.raises(SimulatorError, match="lasting fault 'fire'"):
        await bench.process.set_fault("fire", True)
    with pytest.raises(SimulatorError, match="no pin 99"):
        await bench.process.set_stuck(99, 1)


async def test_several_faults_last_at_the_same_time_and_end_one_by_one(bench: Bench) -> None:
    await begin(bench, "garbage")
    await begin(bench, "slow")
    assert bench.process.faults == ("garbage", "slow")
    await end(bench, "garbage")
    assert bench.process.faults == ("slow",)
    await end(bench, "slow")
    assert (await bench.do("led_set", state=1)).ok
