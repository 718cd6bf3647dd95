"""sensor_read (EX-18) through the door, on both simulated boards."""

from __future__ import annotations

import pytest

from tests.helpers.firmware_bench import Bench
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.handlers.bus_requests import NO_DEVICE
from zeroclaw_desktop.execution.handlers.sensors import DRIVERS


@pytest.mark.parametrize("celsius", [-10.0, 0.0, 21.5, 80.0])
async def test_both_thermometers_give_the_temperature(bench: Bench, celsius: float) -> None:
    """EX-18 sensor_read: TMP36 (0.5 V + 10 mV a degree; an ADC step is 0.49 degrees), LM75 on I2C."""
    bench.boards.board.set_volts(1, 0.5 + 0.010 * celsius)
    bench.boards.board.set_room(celsius)
    analog = await bench.done("sensor_read", sensor="temperature", driver="tmp36", pin="A1")
    assert analog == {
        "sensor": "temperature",
        "value": pytest.approx(celsius, abs=0.5),
        "unit": "°C",
        "driver": "tmp36",
    }
    digital = await bench.do("sensor_read", sensor="temperature", driver="lm75")
    assert digital.value["value"] == pytest.approx(celsius, abs=0.25)
    assert set(digital.hardware_states) == {"i2c_0x48"}


async def test_humidity_is_the_share_of_the_supply(bench: Bench) -> None:
    """EX-18 humidity by driver: HIH-4030 at 50 % gives 5 V * (0.0062 * 50 + 0.16) = 2.35 V."""
    bench.boards.board.set_volts(2, 2.35)
    value = await bench.done("sensor_read", sensor="humidity", driver="hih4030", pin="a2")
    assert value["value"] == pytest.approx(50.0, abs=0.8)
    assert value["unit"] == "%"


async def test_a_reading_beyond_the_sensor_is_a_fault_and_no_value(bench: Bench) -> None:
    """EX-12: never invented; nothing at A3 (0 V) would be -50 degrees, at 5 V it would be 450."""
    for volts in (0.0, 5.0):
        bench.boards.board.set_volts(3, volts)
        result = await bench.do("sensor_read", sensor="temperature", driver="tmp36", pin="A3")
        assert (result.state, result.error_code) == (ActionState.FAILED, Code.DEVICE_REFUSED)


async def test_a_missing_i2c_sensor_is_a_bus_fault(bench: Bench) -> None:
    """EX-10."""
    result = await bench.do("sensor_read", sensor="temperature", driver="lm75", addr=0x49)
    assert result.error_code == NO_DEVICE


def test_faults_of_sensor_parameters(bench: Bench) -> None:
    """EX-5: which part and where."""
    assert bench.faults("sensor_read", sensor="weight") == [(Code.NOT_A_CHOICE, "sensor")]
    assert bench.faults("sensor_read", sensor="temperature") == [(Code.MISSING_PARAMETER, "driver")]
    assert bench.faults("sensor_read", sensor="humidity", driver="lm75") == [(Code.NOT_A_CHOICE, "driver")]
    assert bench.faults("sensor_read", sensor="temperature", driver="tmp36") == [
        (Code.MISSING_PARAMETER, "pin")
    ]
    wrong = bench.faults("sensor_read", sensor="temperature", driver="tmp36", pin="A9")
    assert wrong == [(Code.ILLEGAL_PIN, "pin")]


def test_every_driver_covers_its_range() -> None:
    """The data of the drivers: an analog sensor's range lies within the 0 to 5 V of the converter."""
    for driver in DRIVERS.values():
        assert driver.low < driver.high
        if driver.bus == "analog":
            supply = 1.0 if driver.ratiometric else 5.0
            assert (
                0.0
                <= driver.low / driver.scale + driver.zero
                < driver.high / driver.scale + driver.zero
                <= supply
            )
        else:
            assert 0x08 <= driver.address <= 0x77
