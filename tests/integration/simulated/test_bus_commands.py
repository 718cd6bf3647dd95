"""Commands for buses, motors and sensors (EX-18) in the running app: process, port, session, door."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.execution.handlers.bus import BUS_COMMANDS
from zeroclaw_desktop.execution.handlers.bus_requests import NO_DEVICE
from zeroclaw_desktop.execution.handlers.motor import MOTOR_COMMANDS
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.runtime.simulators import UNO_ID


@pytest.fixture(params=["bench", "simple"])
def bus_bench(request: pytest.FixtureRequest) -> Bench:
    """The app with the real firmware, and with the simplified board."""
    found: Bench = request.getfixturevalue(request.param)
    return found


async def done(bench: Bench, action: str, **params: Any) -> Mapping[str, Any]:
    """The value of an action that must complete."""
    result = await bench.do(action, **params)
    assert result.ok, result.faults
    return result.value


async def test_devices_on_the_bus_of_the_simulated_uno(bus_bench: Bench) -> None:
    """EX-18 i2c_scan, i2c_write, i2c_read: thermometer at 0x48, memory at 0x50."""
    assert (await done(bus_bench, "i2c_scan"))["addresses"] == ["0x48", "0x50"]
    await done(bus_bench, "i2c_write", addr=0x50, hex="00107a63")
    assert (await done(bus_bench, "i2c_read", addr=0x50, reg=0x10, reg_bytes=2, count=2))["data"] == [
        0x7A,
        0x63,
    ]
    missing = await bus_bench.do("i2c_read", addr=0x23)
    assert (missing.state, missing.error_code) == (ActionState.FAILED, NO_DEVICE)


async def test_devices_are_read_at_the_same_time(bus_bench: Bench) -> None:
    """EX-11: different devices on one bus do not wait for each other, and no answers are mixed up."""
    await done(bus_bench, "i2c_write", addr=0x50, hex="000011")
    await asyncio.sleep(0.02)
    reads = [bus_bench.do("i2c_read", addr=0x48, reg=0, count=2) for _ in range(20)]
    reads += [bus_bench.do("i2c_read", addr=0x50, reg=0, reg_bytes=2, count=1) for _ in range(20)]
    results = await asyncio.gather(*reads)
    assert all(result.ok for result in results)
    assert {result.value["hex"] for result in results[:20]} == {"1680"}
    assert {result.value["hex"] for result in results[20:]} == {"11"}


@pytest.mark.parametrize("celsius", [-5.0, 22.5, 60.0])
async def test_both_thermometers_follow_the_virtual_part(bus_bench: Bench, celsius: float) -> None:
    """EX-18 sensor_read; without a driver the simulated board's own thermometer is meant."""
    await bus_bench.process.set_temperature(celsius)
    await bus_bench.process.query()
    analog = await done(bus_bench, "sensor_read", sensor="temperature")
    assert (analog["driver"], analog["unit"]) == ("tmp36", "°C")
    assert analog["value"] == pytest.approx(celsius, abs=0.5)
    digital = await done(bus_bench, "sensor_read", sensor="temperature", driver="lm75")
    assert digital["value"] == pytest.approx(celsius, abs=0.25)


async def test_spi_and_the_second_serial_line(bus_bench: Bench) -> None:
    """EX-18 spi_transfer, uart_write, uart_read."""
    assert (await done(bus_bench, "spi_transfer", cs=10, data=[1, 2, 3]))["data"] == [1, 2, 3]
    await done(bus_bench, "uart_write", tx=8, rx=7, text="hello")
    assert await bus_bench.level(8) == 1
    assert (await done(bus_bench, "uart_read", rx=7, wait=0.1))["data"] == []


async def test_a_motor_from_start_to_stop(bus_bench: Bench) -> None:
    """EX-18 motor_start and motor_stop, measured at the pins: PWM of pin 3 at half, direction high."""
    await done(bus_bench, "motor_start", motor="A", duty=0.5, direction="backward", ramp=0.1)
    snapshot = await bus_bench.process.query()
    hertz, duty = snapshot.pwm[3]
    assert hertz == pytest.approx(490.2, rel=0.01)
    assert duty == pytest.approx(0.5, abs=0.01)
    assert snapshot.levels[12] == 1
    await done(bus_bench, "motor_stop", motor="A", ramp=0.1)
    snapshot = await bus_bench.process.query()
    assert 3 not in snapshot.pwm
    assert snapshot.levels[3] == 0


async def test_cancelling_and_timing_out_stop_the_motor(bus_bench: Bench) -> None:
    """EX-4, EX-8: the safe state is reached at the pin."""
    payload = make_payload(
        "motor_start", {"pwm_pin": 5, "duty": 1.0, "duration": 60.0}, source="manual", device_id=UNO_ID
    )
    work = asyncio.create_task(bus_bench.runtime.executor.submit(payload))
    await bus_bench.until(lambda: bus_bench.process.snapshot.levels[5] == 1, "the motor's start")
    assert bus_bench.runtime.executor.cancel(payload.task_id)
    result = await work
    assert result.state is ActionState.CANCELLED
    assert await bus_bench.level(5) == 0
    assert 5 not in (await bus_bench.process.query()).pwm


async def test_the_emergency_stop_ends_a_ramp(bus_bench: Bench) -> None:
    """EX-16: nothing rises again after the stop."""
    work = bus_bench.start("motor_start", pwm_pin=6, duty=1.0, ramp=10.0)
    await bus_bench.until(lambda: 6 in bus_bench.process.snapshot.pwm, "the ramp's start")
    await bus_bench.runtime.stop_everything.trigger("button")
    assert (await work).state is ActionState.CANCELLED
    await asyncio.sleep(0.3)
    snapshot = await bus_bench.process.query()
    assert (snapshot.levels[6], 6 in snapshot.pwm) == (0, False)


async def test_the_firmware_lists_what_it_can(bus_bench: Bench) -> None:
    """SPEC.md: a host uses a command only when it is listed."""
    listed = set(bus_bench.connection.info.capabilities["commands"])
    assert {command.name for command in (*BUS_COMMANDS, *MOTOR_COMMANDS)} <= listed
