"""The command sensor_read and its drivers, which are data: where a value is found and how it is scaled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionFault, Permission
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.handlers.analog_pins import (
    analog_faults,
    analog_param,
    analog_pin,
    converter_args,
    fill_analog,
)
from zeroclaw_desktop.execution.handlers.bus import ADDRESS
from zeroclaw_desktop.execution.handlers.bus_requests import as_bytes, ask, i2c_uses, known_to_firmware
from zeroclaw_desktop.execution.handlers.pin_rules import SERIAL_SHARED
from zeroclaw_desktop.execution.params import Param
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse


@dataclass(frozen=True)
class SensorDriver:
    """How one kind of sensor is read: value = (reading - ``zero``) * ``scale``.

    Attributes:
        sensor: quantity that it measures.
        bus: ``analog`` (the reading is volts, or their share of the supply) or ``i2c`` (a whole number).
        low, high: range of the sensor, in ``unit``; readings outside are faults.
        zero: reading at which the value is 0.
        scale: ``unit`` for each unit of the reading.
        digits: decimals of the value that mean something.
        ratiometric: the output follows the supply voltage, so the reading is the share of it.
        address, register, count: of an I2C device.
        shift: unused low bits of the register; the number above them is two's complement.
    """

    name: str
    sensor: str
    unit: str
    bus: str
    low: float
    high: float
    scale: float
    zero: float = 0.0
    digits: int = 1
    ratiometric: bool = False
    address: int = 0
    register: int = 0
    count: int = 2
    shift: int = 0


DRIVERS: Mapping[str, SensorDriver] = {
    driver.name: driver
    for driver in (
        # TMP36 data sheet (Analog Devices): 750 mV at 25 degrees, 10 mV a degree.
        SensorDriver("tmp36", "temperature", "°C", "analog", -40.0, 125.0, 100.0, 0.5),
        # TI SNIS153: register 0, 9 bits of 0.5 degrees at the high end of 16.
        SensorDriver("lm75", "temperature", "°C", "i2c", -55.0, 125.0, 0.5, address=0x48, shift=7),
        # TI SBOS397: register 0, 12 bits of 0.0625 degrees.
        SensorDriver(
            "tmp102", "temperature", "°C", "i2c", -55.0, 150.0, 0.0625, digits=2, address=0x48, shift=4
        ),
        # Honeywell HIH-4030: output = supply * (0.0062 * humidity + 0.16), at 25 degrees.
        SensorDriver("hih4030", "humidity", "%", "analog", 0.0, 100.0, 1 / 0.0062, 0.16, ratiometric=True),
    )
}
SENSORS = tuple(dict.fromkeys(driver.sensor for driver in DRIVERS.values()))
SIMULATED = {"temperature": ("tmp36", "A1")}
"""What is wired to a simulated board until somebody wires it otherwise; on a real one the person says it."""
SLACK = 0.02
"""Share of the range that a reading may lie outside through tolerance alone."""


def _fill_sensor(params: Mapping[str, Any], board: BoardInfo) -> Mapping[str, Any]:
    is_open = board.simulated and params.get("addr") is None
    wired = _wired_sensor(str(params.get("sensor")), board) if is_open else None
    if wired is not None and params.get("driver") in (None, wired[0]):
        params = {"pin": wired[1], **params, "driver": wired[0]}
    driver = DRIVERS.get(str(params.get("driver")))
    if driver is not None and driver.bus == "i2c" and params.get("addr") is None:
        return {**params, "addr": driver.address}
    return fill_analog(params, board)


def _wired_sensor(sensor: str, board: BoardInfo) -> tuple[str, str] | None:
    """Driver and pin of the virtual part that measures a quantity; None when there is none."""
    if board.wired is None:
        return SIMULATED.get(sensor)
    for part in board.wired:
        driver, pin = DRIVERS.get(part.kind), board.profile.pin(part.pin)
        if driver is not None and driver.sensor == sensor and pin is not None:
            return driver.name, pin.name
    return None


def _check_sensor(params: Mapping[str, Any], board: BoardInfo) -> Sequence[ActionFault]:
    fitting = ", ".join(name for name, driver in DRIVERS.items() if driver.sensor == params["sensor"])
    name = params.get("driver")
    if name is None:
        message = f"Say which part measures the {params['sensor']}: driver {fitting}."
        return [fault(Code.MISSING_PARAMETER, message, "driver", allowed=fitting)]
    driver = DRIVERS[name]
    if driver.sensor != params["sensor"]:
        message = f"'{name}' does not measure {params['sensor']}; use {fitting}."
        return [fault(Code.NOT_A_CHOICE, message, "driver", got=repr(name), allowed=fitting)]
    if driver.bus == "i2c":
        return known_to_firmware("i2c_read")(params, board)
    if params.get("pin") is None:
        return [fault(Code.MISSING_PARAMETER, f"Say at which analog pin the {name} is.", "pin")]
    return analog_faults(params["pin"], board)


async def _measure(
    context: HandlerContext, driver: SensorDriver, params: Mapping[str, Any]
) -> tuple[float, dict[str, Any]]:
    """The reading, and what was read back from the hardware."""
    if driver.bus == "i2c":
        args = {"addr": params["addr"], "reg": driver.register, "count": driver.count}
        data = as_bytes(await ask(context, "i2c_read", args))
        number = int.from_bytes(data, "big", signed=True) >> driver.shift
        return float(number), {f"i2c_0x{params['addr']:02X}": {"reg": driver.register, "data": data.hex()}}
    profile = context.board.profile
    pin = analog_pin(params["pin"], context.board)
    assert pin is not None  # the checker saw to it
    raw, highest = int(await context.link.request("adc_read", converter_args(pin))), 1 << profile.adc_bits
    volts = raw * profile.adc_reference_volts / (highest - 1)
    reading = raw / (highest - 1) if driver.ratiometric else volts
    return reading, {pin.name: {"raw": raw, "volts": round(volts, 4)}}


async def _sensor_read(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    driver = DRIVERS[params["driver"]]
    reading, states = await _measure(context, driver, params)
    value = round((reading - driver.zero) * driver.scale, driver.digits)
    slack = SLACK * (driver.high - driver.low)
    if not driver.low - slack <= value <= driver.high + slack:
        reason = (
            f"the reading would be {value:g} {driver.unit}, beyond the {driver.low:g} to {driver.high:g} "
            f"{driver.unit} of a {driver.name}; check the part and its wiring"
        )
        raise FaultError([fault(Code.DEVICE_REFUSED, f"No sensible value: {reason}.", reason=reason)])
    return Outcome(
        {"sensor": driver.sensor, "value": value, "unit": driver.unit, "driver": driver.name}, states
    )


def _sensor_uses(params: Mapping[str, Any], board: BoardInfo | None) -> Sequence[ResourceUse]:
    driver = DRIVERS[params["driver"]]
    if driver.bus == "i2c":
        return i2c_uses(board, params["addr"])
    return (ResourceUse(f"adc:{params['pin'].upper()}", "read"), SERIAL_SHARED)


SENSOR_COMMANDS: tuple[Command, ...] = (
    Command(
        "sensor_read",
        "Measure with a sensor and give the value with its unit.",
        _sensor_read,
        {
            "sensor": Param("str", "What to measure", required=True, choices=SENSORS),
            "driver": Param("str", "Kind of the part", choices=tuple(DRIVERS)),
            "pin": analog_param("Analog pin of an analog sensor"),
            "addr": Param("int", ADDRESS.description, False, None, ADDRESS.minimum, ADDRESS.maximum),
        },
        Permission.OBSERVER,
        fill=_fill_sensor,
        check=_check_sensor,
        resources=_sensor_uses,
        idempotent=True,
        default_timeout=5.0,
    ),
)
