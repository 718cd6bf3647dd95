"""I2C and SPI masters by MicroPython's software ones, which every port has on any pins."""

import time

from machine import Pin, SoftI2C, SoftSPI
from zc_protocol import Refused

BYTES_MAX = 32
FIRST, LAST = 8, 119
RECOVERY_CLOCKS = 9
LINE_LIMIT_US = 10000
NO_DEVICE = 19  # ENODEV


def run_i2c_scan(board, pins, request):
    """i2c_scan"""
    found = []
    with _Bus(board, pins) as bus:
        for address in range(FIRST, LAST + 1):
            by_reading = 0x30 <= address <= 0x37 or 0x50 <= address <= 0x5F
            try:
                bus.transfer(address, b"", 1 if by_reading else 0)
                found.append(address)
            except Refused as error:
                if error.code != "no_device":
                    raise
    return b'{"found":[' + ",".join(map(str, found)).encode() + b"]}"


def run_i2c_read(board, pins, request):
    """i2c_read"""
    address = request.number("addr", FIRST, LAST)
    register = _register(request)
    count = request.number("count", 1, BYTES_MAX)
    with _Bus(board, pins) as bus:
        return _hex(bus.transfer(address, register, count))


def run_i2c_write(board, pins, request):
    """i2c_write"""
    address = request.number("addr", FIRST, LAST)
    data = request.byte_list("data", BYTES_MAX)
    with _Bus(board, pins) as bus:
        bus.transfer(address, data, 0)
    return b'"done"'


def run_spi_transfer(board, pins, request):
    """spi_transfer"""
    select = request.pin("cs")
    data = request.byte_list("data", BYTES_MAX)
    mode = request.optional("mode", 0, 3, 0)
    hertz = request.optional("hz", 125000, 8000000, 1000000)
    request.checked_output(select)
    clock, out, into = board.SPI["clock"], board.SPI["out"], board.SPI["in"]
    if select in (clock, out, into):
        raise Refused("Pin %d cannot select an SPI device" % select, "unsupported")
    if any(pins.has_timer(pin) for pin in (select, clock, out, into)):
        raise Refused("A pin of the SPI bus has PWM, servo or tone", "conflict")
    pins.write(clock, mode >> 1)
    pins.write(out, 0)
    if not pins.is_input(into):
        pins.set_mode(into, "i")
    pins.write(select, 1)
    lines = [Pin(board.pin_id(pin)) for pin in (clock, out, into)]
    bus = SoftSPI(
        baudrate=hertz, polarity=mode >> 1, phase=mode & 1, sck=lines[0], mosi=lines[1], miso=lines[2]
    )
    received = bytearray(len(data))
    pins.write(select, 0)
    bus.write_readinto(data, received)
    pins.write(select, 1)
    for pin in (clock, out):  # SoftSPI has made the pins its own
        pins.set_mode(pin, "i")
        pins.write(pin, 0)
    pins.set_mode(into, pins.mode(into))
    return _hex(received)


def _hex(data):
    return b'"' + "".join("%02x" % byte for byte in data).encode() + b'"'


def _register(request):
    if not request.has("reg"):
        return b""
    if request.argument("reg")[0] == "n":
        return bytes([request.number("reg", 0, 255)])
    return request.byte_list("reg", 4)


class _Bus:
    """The bus during a command: pull-ups on, afterwards the pins as before."""

    def __init__(self, board, pins):
        self._pins = pins
        self._lines = board.I2C["sda"], board.I2C["scl"]
        self._ids = [board.pin_id(pin) for pin in self._lines]
        self._modes = [pins.mode(pin) for pin in self._lines]
        if any(mode not in "iu" for mode in self._modes):
            raise Refused("A pin of the I2C bus is an output", "conflict")

    def __enter__(self):
        for pin in self._lines:
            self._pins.set_mode(pin, "u")
        try:
            self._free_lines()
            self._bus = SoftI2C(
                scl=Pin(self._ids[1]), sda=Pin(self._ids[0]), freq=100000, timeout=LINE_LIMIT_US
            )
        except Refused:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        for pin, mode in zip(self._lines, self._modes):  # noqa: B905 (MicroPython's zip has no strict)
            self._pins.set_mode(pin, mode)

    def _free_lines(self):
        """Clock a device free that was cut off in the middle of a byte; a line that stays low is a fault."""
        sda, scl = self._lines
        for _ in range(RECOVERY_CLOCKS):
            if self._pins.level(sda) or not self._pins.level(scl):
                break
            self._pins.write(scl, 0)
            time.sleep_us(5)
            self._pins.set_mode(scl, "u")
            time.sleep_us(5)
        if not (self._pins.level(sda) and self._pins.level(scl)):
            raise Refused("I2C is stuck: SDA or SCL is held low", "bus_fault")

    def transfer(self, address, out, count):
        """Write bytes, then read `count` after a repeated start; with neither, write the bare address."""
        try:
            if out or not count:
                acknowledged = self._bus.writeto(address, out, not count)
                if acknowledged < len(out):
                    if count:
                        self._bus.stop()
                    raise Refused("A byte was refused at address %d" % address, "no_ack")
            return self._bus.readfrom(address, count) if count else b""
        except OSError as error:
            if error.errno == NO_DEVICE:
                raise Refused("Nothing answers at address %d" % address, "no_device") from None
            raise Refused("I2C is stuck: SDA or SCL is held low", "bus_fault") from None
