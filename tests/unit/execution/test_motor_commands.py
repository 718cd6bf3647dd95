"""Motors (EX-18) through the door, on both simulated boards."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.helpers import loopback_board
from tests.helpers.execution import Door
from tests.helpers.firmware_bench import Bench, until
from zeroclaw_desktop.contracts.actions import ActionState, Constraints
from zeroclaw_desktop.contracts.board_wiring import BoardWiring, MotorWiring
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.payloads import make_payload


async def test_a_named_motor_starts_and_stops(bench: Bench) -> None:
    """EX-18 motor_start and motor_stop; motor A of the Arduino Motor Shield Rev3: PWM 3, direction 12."""
    result = await bench.do("motor_start", motor="A", duty=0.5, direction="backward", ramp=0.05)
    assert result.ok, result.faults
    assert result.value == {"motor": "A", "pwm_pin": 3, "direction": "backward", "duty": 0.5}
    assert result.hardware_states["pin_3"]["duty"] == pytest.approx(0.5, abs=1 / 255)
    assert result.hardware_states["pin_12"] == {"mode": "output", "level": 1}
    stopped = await bench.do("motor_stop", motor="A")
    assert stopped.hardware_states == {"pin_3": {"mode": "output", "level": 0}}


async def test_a_motor_runs_for_a_time(bench: Bench) -> None:
    """EX-18: with a duration the motor is off afterwards, and the plan says both."""
    planned = bench.prepare("motor_start", pwm_pin=5, duty=1.0, duration=0.2).changes
    assert [(change.pin, change.mode, change.after) for change in planned] == [
        (5, "pwm", 1.0),
        (5, "output", 0),
    ]
    result = await bench.do("motor_start", pwm_pin=5, duty=1.0, ramp=0.0, duration=0.2)
    assert result.ok, result.faults
    assert result.hardware_states == {"pin_5": {"mode": "output", "level": 0}}


async def test_a_motor_is_stopped_before_it_turns_the_other_way(bench: Bench) -> None:
    """EX-4: the state that a former run left is cleared first; a driver is never reversed under way."""
    await bench.done("motor_start", motor="A", duty=0.6, ramp=0.0)
    await bench.done("motor_start", motor="A", duty=0.6, direction="backward", ramp=0.05)
    sent = [command for command, _ in bench.boards.requests("motor_start", "motor_stop")]
    assert sent == ["motor_start", "motor_stop", "motor_start"]
    assert (await bench.pin(12))["level"] == 1


async def test_cancelling_stops_the_motor(bench: Bench) -> None:
    """EX-4 cancel, EX-8: outputs are put into their safe state."""
    payload = make_payload("motor_start", {"pwm_pin": 6, "duty": 0.9, "duration": 60.0}, source="manual")
    work = asyncio.create_task(bench.executor.submit(payload))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    assert bench.executor.cancel(payload.task_id)
    assert (await work).state is ActionState.CANCELLED
    assert await bench.pin(6) == {"mode": "output", "level": 0}


async def test_a_time_out_stops_the_motor(bench: Bench) -> None:
    """EX-8: code 0x31 and the safe state."""
    payload = make_payload(
        "motor_start",
        {"pwm_pin": 6, "duty": 0.9, "duration": 60.0},
        source="manual",
        constraints=Constraints(timeout=0.3),
    )
    assert (await bench.executor.submit(payload)).error_code == Code.TIMEOUT
    assert await bench.pin(6) == {"mode": "output", "level": 0}


async def test_motor_stop_ends_a_run_that_has_the_pins(bench: Bench) -> None:
    """EX-18: motor_stop does not wait behind the run it is to end; the run says that it was stopped."""
    work = asyncio.create_task(bench.do("motor_start", motor="B", duty=0.4, duration=60.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    assert (await bench.do("motor_stop", motor="B")).ok
    result = await asyncio.wait_for(work, 5.0)
    assert (result.state, result.error_code) == (ActionState.CANCELLED, Code.SUPERSEDED)
    assert await bench.pin(11) == {"mode": "output", "level": 0}


async def test_motor_stop_during_a_reversal_keeps_the_motor_from_starting_again(bench: Bench) -> None:
    """EX-18: the later command wins, even while the run still waits for the motor to stand."""
    await bench.done("motor_start", motor="A", duty=0.6, ramp=0.0)
    work = asyncio.create_task(bench.do("motor_start", motor="A", duty=0.6, direction="backward", ramp=0.4))
    await until(lambda: bool(bench.boards.requests("motor_stop")))
    assert (await bench.do("motor_stop", motor="A")).ok
    assert (await work).error_code == Code.SUPERSEDED
    assert await bench.pin(3) == {"mode": "output", "level": 0}
    assert len(bench.boards.requests("motor_start")) == 1


async def test_a_start_that_waits_never_runs_after_a_later_stop(bench: Bench) -> None:
    """EX-11: what was submitted before the stop is over with it, so the motor stands until a new start."""
    running = asyncio.create_task(bench.do("motor_start", motor="A", duty=0.4, duration=60.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    waiting = asyncio.create_task(bench.do("motor_start", pwm_pin=3, duty=0.9, duration=60.0))
    other = asyncio.create_task(bench.do("motor_start", motor="B", duty=0.5, ramp=0.0))
    await until(lambda: len(bench.executor.queue_entries()) == 3)
    assert (await bench.do("motor_stop", motor="A")).ok
    for work in (running, waiting):
        result = await work
        assert (result.state, result.error_code) == (ActionState.CANCELLED, Code.SUPERSEDED)
        assert "motor_stop" in result.faults[0].message
    assert (await other).ok
    assert {args["pin"] for _, args in bench.boards.requests("motor_start")} == {3, 11}
    assert await bench.pin(3) == {"mode": "output", "level": 0}
    assert (await bench.pin(11))["mode"] == "pwm"


async def test_a_start_after_the_stop_runs_when_the_motor_stands(bench: Bench) -> None:
    """EX-11: in order of submission; the start does not break into the ramp of the stop before it."""
    await bench.done("motor_start", pwm_pin=5, duty=1.0, ramp=0.0)
    stop = asyncio.create_task(bench.do("motor_stop", pwm_pin=5, ramp=0.3))
    await until(lambda: bool(bench.boards.requests("motor_stop")))
    start = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=0.5, ramp=0.0))
    await asyncio.sleep(0.05)
    assert len(bench.boards.requests("motor_start")) == 1
    stopped, started = await asyncio.gather(stop, start)
    assert stopped.hardware_states == {"pin_5": {"mode": "output", "level": 0}}
    assert started.hardware_states["pin_5"]["duty"] == pytest.approx(0.5, abs=1 / 255)


async def test_a_run_that_a_soft_stop_ends_slows_down_with_its_ramp(bench: Bench) -> None:
    """EX-18 motor_stop, at once or softly: the clean-up of the run does not cut the ramp short."""
    work = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=1.0, ramp=0.0, duration=60.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    assert (await bench.do("motor_stop", pwm_pin=5, ramp=0.3)).ok
    assert (await work).error_code == Code.SUPERSEDED
    assert {args["ramp_ms"] for _, args in bench.boards.requests("motor_stop")} == {300}
    assert await bench.pin(5) == {"mode": "output", "level": 0}


async def test_a_stop_at_once_ends_a_soft_stop(bench: Bench) -> None:
    """The newest stop counts: nobody waits for a ramp of ten seconds who wants the motor to stand now."""
    await bench.done("motor_start", pwm_pin=5, duty=1.0, ramp=0.0)
    soft = asyncio.create_task(bench.do("motor_stop", pwm_pin=5, ramp=10.0))
    await until(lambda: bool(bench.boards.requests("motor_stop")))
    assert (await bench.do("motor_stop", pwm_pin=5)).ok
    assert (await asyncio.wait_for(soft, 1.0)).error_code == Code.SUPERSEDED
    assert await bench.pin(5) == {"mode": "output", "level": 0}


async def test_a_motor_that_something_else_stopped_is_no_success(bench: Bench) -> None:
    """EX-12: what is reported was read back; a stop by the board itself is told."""
    work = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=0.4, ramp=0.0, duration=0.4))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    bench.boards.exchange("uno", "stop_all", {})
    assert (await work).error_code == Code.CANCELLED


async def test_the_emergency_stop_ends_motors_and_ramps(bench: Bench) -> None:
    """EX-16: the board's stop command ends the ramp as well."""
    work = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=1.0, ramp=5.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    await asyncio.sleep(0.1)
    await bench.stop.trigger("button")
    assert (await work).state is ActionState.CANCELLED
    bench.boards.board.advance(6.0)
    assert bench.boards.board.snapshot().levels[5] == 0
    assert 5 not in bench.boards.board.snapshot().pwm


def test_faults_of_motor_parameters(bench: Bench) -> None:
    """EX-5, EX-6."""
    assert bench.faults("motor_start", duty=0.5) == [(Code.MISSING_PARAMETER, "pwm_pin")]
    assert bench.faults("motor_start", motor="Z", duty=0.5) == [(Code.NOT_A_CHOICE, "motor")]
    assert bench.faults("motor_start", motor="A", pwm_pin=5, duty=0.5) == [(Code.BAD_FORMAT, "pwm_pin")]
    assert bench.faults("motor_start", pwm_pin=4, duty=0.5) == [(Code.ILLEGAL_PIN, "pwm_pin")]
    assert bench.faults("motor_start", pwm_pin=5, direction_pin=1, duty=0.5) == [
        (Code.ILLEGAL_PIN, "direction_pin")
    ]
    assert bench.faults("motor_start", pwm_pin=5, direction_pin=5, duty=0.5) == [
        (Code.BAD_FORMAT, "direction_pin")
    ]
    backward = bench.faults("motor_start", pwm_pin=5, direction="backward", duty=0.5)
    assert backward == [(Code.MISSING_PARAMETER, "direction_pin")]
    assert bench.faults("motor_start", pwm_pin=5, duty=0.0) == [(Code.OUT_OF_RANGE, "duty")]
    assert bench.faults("motor_start", pwm_pin=5, duty=1.5) == [(Code.OUT_OF_RANGE, "duty")]
    assert bench.faults("motor_stop") == [(Code.MISSING_PARAMETER, "pwm_pin")]


def test_a_motor_of_a_board_of_ones_own_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """HW-1: a new board is one file; its motors are the profile's, whichever file they came from."""
    own = replace(loopback_board.UNO, wiring=BoardWiring(motors={"fan": MotorWiring(5)}))
    monkeypatch.setattr(loopback_board, "UNO", own)
    payload = make_payload("motor_start", {"motor": "fan", "duty": 0.5}, source="manual")
    prepared = Door().executor.prepare(payload)
    assert (prepared.params["pwm_pin"], prepared.params.get("direction_pin")) == (5, None)
    with pytest.raises(FaultError, match="known: fan"):
        Door().executor.prepare(make_payload("motor_start", {"motor": "A", "duty": 0.5}, source="manual"))
