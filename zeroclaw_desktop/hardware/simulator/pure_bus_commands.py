"""The commands of the simplified board for buses, the second serial line and motors (SPEC.md, Commands).

Arguments are read in the order of firmware/protocol/zc_bus.c and zc_motor.c, so that a request with several
faults is told of the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from zeroclaw_desktop.hardware.simulator.pure_buses import BusError, I2cBus, SpiBus
from zeroclaw_desktop.hardware.simulator.pure_motors import Motors
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode, Pins, TimerConflictError
from zeroclaw_desktop.hardware.simulator.pure_protocol import (
    DONE,
    Command,
    Request,
    RequestRefusedError,
    Result,
)
from zeroclaw_desktop.hardware.simulator.pure_uart import SecondLine

BYTES_MAX = 32
REGISTER_BYTES_MAX = 4
FIRST_ADDRESS, LAST_ADDRESS = 8, 119
SPI_HERTZ = (125_000, 8_000_000)
DEFAULT_SPI_HERTZ = 1_000_000
RAMP_MAX_MS = 10_000
_READ_WHEN_PROBED = (*range(0x30, 0x38), *range(0x50, 0x60))
"""A bare write can lock some write-protected memories, so a byte is read there."""
_I2C_TEXTS = {
    "no_device": "Nothing answers at address {address}",
    "no_ack": "A byte was refused at address {address}",
    "conflict": "A pin of the I2C bus is an output",
    "bus_fault": "I2C is stuck: SDA or SCL is held low",
}
_SPI_TEXTS = {
    "unsupported": "Pin {pin} cannot select an SPI device",
    "conflict": "A pin of the SPI bus has PWM, servo or tone",
    "bus_fault": "SPI is stuck: SS is held low",
}


class BusBoard(Protocol):
    """What these commands need of the board."""

    pins: Pins
    i2c: I2cBus
    spi: SpiBus
    second_line: SecondLine
    motors: Motors


class BusCommands:
    """The commands; ``table`` has them by name, in the order of capabilities."""

    def __init__(self, board: BusBoard) -> None:
        self._pins = board.pins
        self._i2c = board.i2c
        self._spi = board.spi
        self._line = board.second_line
        self._motors = board.motors
        self.table: Mapping[str, Command] = {
            "i2c_scan": self._i2c_scan,
            "i2c_read": self._i2c_read,
            "i2c_write": self._i2c_write,
            "spi_transfer": self._spi_transfer,
            "uart_write": self._uart_write,
            "uart_read": self._uart_read,
            "motor_start": self._motor_start,
            "motor_stop": self._motor_stop,
        }

    # -- I2C and SPI ----------------------------------------------------------------------------------
    def _transfer(self, request: Request, address: int, out: bytes, count: int) -> bytes:
        try:
            return self._i2c.transfer(address, out, count)
        except BusError as error:
            raise request.refused(_I2C_TEXTS[error.code].format(address=address), error.code) from error

    def _i2c_scan(self, request: Request) -> Result:
        found = []
        for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1):
            try:
                self._transfer(request, address, b"", int(address in _READ_WHEN_PROBED))
                found.append(address)
            except RequestRefusedError as error:
                if error.code != "no_device":
                    raise
        return {"found": found}

    def _i2c_read(self, request: Request) -> Result:
        address = request.number("addr", FIRST_ADDRESS, LAST_ADDRESS)
        register = _register(request)
        count = request.number("count", 1, BYTES_MAX)
        return self._transfer(request, address, register, count).hex()

    def _i2c_write(self, request: Request) -> Result:
        address = request.number("addr", FIRST_ADDRESS, LAST_ADDRESS)
        self._transfer(request, address, request.byte_string("data", BYTES_MAX), 0)
        return DONE

    def _spi_transfer(self, request: Request) -> Result:
        select, data = request.output_pin("cs"), request.byte_string("data", BYTES_MAX)
        request.optional("mode", 0, 3, 0)
        request.optional("hz", *SPI_HERTZ, DEFAULT_SPI_HERTZ)
        try:
            return self._spi.transfer(select, data).hex()
        except BusError as error:
            raise request.refused(_SPI_TEXTS[error.code].format(pin=select), error.code) from error

    # -- second serial line ---------------------------------------------------------------------------
    def _check_sender(self, request: Request, pin: int) -> None:
        is_free = self._pins.is_input(pin) or self._pins.mode(pin) is PinMode.OUTPUT
        if self._line.listens(pin) or not is_free:
            raise request.refused(f"Pin {pin} is in use", "conflict")

    def _check_receiver(self, request: Request, pin: int) -> None:
        if not self._pins.is_input(pin):
            raise request.refused(f"Pin {pin} is in use", "conflict")

    def _uart_write(self, request: Request) -> Result:
        sender, data = request.output_pin("tx"), request.byte_string("data", BYTES_MAX)
        receiver = request.digital_pin("rx") if request.has("rx") else None
        if receiver == sender:
            raise request.refused("tx and rx must be two pins", "bad_value")
        self._check_sender(request, sender)
        if receiver is not None:
            self._check_receiver(request, receiver)
            self._line.listen(receiver)
        self._line.send(sender, data)
        return DONE

    def _uart_read(self, request: Request) -> Result:
        receiver, count = request.digital_pin("rx"), request.optional("count", 1, BYTES_MAX, BYTES_MAX)
        self._check_receiver(request, receiver)
        self._line.listen(receiver)
        data = self._line.take(count)
        return {"data": data.hex(), "lost": self._line.take_lost()}

    # -- motors ---------------------------------------------------------------------------------------
    def _motor_start(self, request: Request) -> Result:
        pin, duty = request.pin(), request.number("duty", 1, 255)
        direction = request.optional("direction", 0, 1, 0)
        ramp = request.optional("ramp_ms", 0, RAMP_MAX_MS, 0)
        direction_pin = request.output_pin("dir_pin") if request.has("dir_pin") else None
        if direction_pin == pin or (direction_pin is None and direction):
            raise request.refused("direction needs a dir_pin of its own", "bad_value")
        motor = self._motors.on(pin)
        if motor is None:
            self._check_motor_pins(request, pin, direction_pin)
            motor = self._motors.add(pin, direction_pin, direction)
        elif (motor.direction_pin, motor.direction) != (direction_pin, direction):
            raise request.refused("The motor runs the other way: stop it first", "conflict")
        self._motors.turn(motor, duty, ramp)
        return DONE

    def _check_motor_pins(self, request: Request, pin: int, direction_pin: int | None) -> None:
        """Refuse what a motor that stands cannot have; what it can have gets PWM with duty 0."""
        if direction_pin is not None and not self._motors.may_steer(direction_pin):
            raise request.refused(f"Pin {direction_pin} is in use", "conflict")
        if self._motors.steers(pin):
            raise request.refused(f"Pin {pin} is in use", "conflict")
        if self._motors.is_full:
            raise request.refused("No free motor", "full")
        if pin not in request.model.pwm_pins:
            raise request.refused(f"Pin {pin} has no PWM", "unsupported")
        try:
            self._pins.pwm(pin, 0)
        except TimerConflictError as error:
            raise request.refused(f"Pin {pin}: its timer is in use", "conflict") from error

    def _motor_stop(self, request: Request) -> Result:
        pin, ramp = request.pin(), request.optional("ramp_ms", 0, RAMP_MAX_MS, 0)
        motor = self._motors.on(pin)
        if motor is not None:
            self._motors.turn(motor, 0, ramp)
        elif self._pins.mode(pin) is PinMode.PWM:  # pwm_write has taken the pin: it stops all the same
            self._pins.write(pin, 0)
        return DONE


def _register(request: Request) -> bytes:
    """The argument ``reg``: one byte as a number, or some bytes; none when it is missing."""
    if not request.has("reg"):
        return b""
    if request.argument("reg").kind == "number":
        return bytes([request.number("reg", 0, 255)])
    return request.byte_string("reg", REGISTER_BYTES_MAX)
