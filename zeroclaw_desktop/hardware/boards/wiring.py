"""Reads ``[buses]`` and ``[motors]`` of a board file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.board_wiring import BoardWiring, MotorWiring, SpiWiring
from zeroclaw_desktop.contracts.boards import PinProfile
from zeroclaw_desktop.hardware.boards.pin_table import PinTable
from zeroclaw_desktop.hardware.boards.table_reader import TableReader

SPI_KEYS = ("out", "in", "clock")
MOTOR_KEYS = ("pwm", "direction")
LONGEST_NAME = 40


def read_wiring(
    table: Mapping[str, Any], pin_table: PinTable, pins: Sequence[PinProfile], reader: TableReader
) -> BoardWiring:
    """Build the wiring from a parsed board file; what is wrong with it is added to the reader's problems.

    Args:
        pin_table: finds the number of a pin that the file refers to.
        pins: the board's pins, for what they can do.
    """
    return _Wiring(pin_table, pins, reader).read(table)


class _Wiring:
    def __init__(self, pin_table: PinTable, pins: Sequence[PinProfile], reader: TableReader) -> None:
        self._table = pin_table
        self._pins = {pin.number: pin for pin in pins}
        self._reader = reader

    def read(self, table: Mapping[str, Any]) -> BoardWiring:
        buses = self._reader.get(table, "buses", dict, {})
        self._reader.only(buses, "buses.", ("spi",))
        spi = self._spi(buses["spi"]) if "spi" in buses else None
        motors = {}
        for name, row in self._reader.get(table, "motors", dict, {}).items():
            motor = self._motor(name, row)
            if motor is not None:
                motors[name] = motor
        self._each_once(motors)
        return BoardWiring(spi, motors)

    def _complain(self, problem: str) -> None:
        self._reader.problems.append(problem)

    def _rows(self, row: Any, path: str, keys: tuple[str, ...]) -> Mapping[str, Any] | None:
        if not isinstance(row, Mapping):
            self._complain(f"{path} must be a table")
            return None
        self._reader.only(row, f"{path}.", keys)
        return row

    def _pin(self, row: Mapping[str, Any], path: str, key: str, function: str) -> int | None:
        """A pin that must be there and able to do something; None, with a problem, when it is not."""
        where = f"{path}.{key}"
        if key not in row:
            self._complain(f"{where} is missing")
            return None
        number = self._table.number(row[key], where)
        if number is None:
            return None
        pin = self._pins[number]
        if pin.reserved or function not in pin.functions:
            why = "is reserved" if pin.reserved else f"is not among pins.{function}"
            self._complain(f"{where}: {row[key]!r} {why}")
        elif key in ("out", "clock", *MOTOR_KEYS) and pin.input_only:
            self._complain(f"{where}: {row[key]!r} is an input only")
        return number

    def _spi(self, row: Any) -> SpiWiring | None:
        path = "buses.spi"
        known = self._rows(row, path, SPI_KEYS)
        if known is None:
            return None
        numbers = [self._pin(known, path, key, "spi") for key in SPI_KEYS]
        found = [number for number in numbers if number is not None]
        if len(found) < len(SPI_KEYS):
            return None
        if len(set(found)) < len(found):
            self._complain(f"{path} must name three different pins")
        return SpiWiring(*found)

    def _motor(self, name: str, row: Any) -> MotorWiring | None:
        path = f"motors.{name}"
        if not 0 < len(name) <= LONGEST_NAME:
            self._complain(f"{path} must have a name of 1 to {LONGEST_NAME} characters")
        known = self._rows(row, path, MOTOR_KEYS)
        if known is None:
            return None
        speed = self._pin(known, path, "pwm", "pwm")
        direction = self._pin(known, path, "direction", "digital") if "direction" in known else None
        return MotorWiring(speed, direction) if speed is not None else None

    def _each_once(self, motors: Mapping[str, MotorWiring]) -> None:
        """A pin belongs to one motor, once."""
        users: dict[int, str] = {}
        for name, motor in motors.items():
            for number in (motor.pwm_pin, motor.direction_pin):
                if number is not None and number in users:
                    self._complain(f"motors.{name}: pin {number} belongs to motor {users[number]} already")
                elif number is not None:
                    users[number] = name
