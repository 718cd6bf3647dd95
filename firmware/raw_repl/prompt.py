"""What the app gives to MicroPython's raw prompt once, so that each command is one short line (HW-5).

Nothing is written to the board's files. Every call goes through `z`, which prints the result or the number of
an OSError and feeds the watchdog.
"""

import time

import machine

_waves = {}
_outputs = set()
_guard = [0, 0, None]
"""Limit in milliseconds (0: off), when the host was heard last, the timer."""


def z(function, *arguments):
    """Call and tell."""
    _guard[1] = time.ticks_ms()
    try:
        print("=", function(*arguments))
    except OSError as error:
        print("!", error.errno)


def _end(pin):
    wave = _waves.pop(pin, None)
    if wave is not None:
        wave.deinit()


def alive():
    """Nothing but an answer."""
    return 1


def level(pin):
    """Level at a pin; its mode stays."""
    return machine.Pin(pin).value()


def levels(*pins):
    """Levels of several."""
    return "".join(str(level(pin)) for pin in pins)


def as_input(pin, pull_up):
    """An input."""
    _end(pin)
    _outputs.discard(pin)
    machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP if pull_up else None)


def as_output(pin, value):
    """An output with a level."""
    _end(pin)
    _outputs.add(pin)
    machine.Pin(pin, machine.Pin.OUT, value=value)


def analog(pin):
    """0 to 65535 of the reference."""
    options = {"atten": machine.ADC.ATTN_11DB} if hasattr(machine.ADC, "ATTN_11DB") else {}
    return machine.ADC(machine.Pin(pin), **options).read_u16()


def wave(pin, hertz, duty):
    """A square wave; duty in 65535ths."""
    if pin in _waves:
        _waves[pin].init(freq=hertz, duty_u16=duty)
        return
    _outputs.add(pin)
    _waves[pin] = machine.PWM(machine.Pin(pin), freq=hertz, duty_u16=duty)


def safe():
    """Every output becomes plain and low."""
    for pin in list(_outputs):
        as_output(pin, 0)


def _look(_timer):
    if _guard[0] and time.ticks_diff(time.ticks_ms(), _guard[1]) > _guard[0]:
        _guard[0] = 0
        safe()


def guard(milliseconds):
    """Make the outputs safe when nothing was heard for so long; 0 ends that. Whether the board can."""
    _guard[0] = milliseconds
    if _guard[2] is None and milliseconds:
        for number in (-1, 0, 1):
            try:
                _guard[2] = machine.Timer(number)
                _guard[2].init(period=100, mode=machine.Timer.PERIODIC, callback=_look)
                break
            except (AttributeError, OSError, TypeError, ValueError):
                _guard[2] = None
    return int(_guard[2] is not None or not milliseconds)


def _i2c(sda, scl):
    return machine.SoftI2C(scl=machine.Pin(scl), sda=machine.Pin(sda), freq=100000, timeout=50000)


def i2c_scan(sda, scl):
    """Addresses that answer; those that a bare address may change are read (SPEC.md, Buses)."""
    bus, found = _i2c(sda, scl), []
    for address in range(8, 120):
        try:
            if 48 <= address <= 55 or 80 <= address <= 95:
                bus.readfrom(address, 1)
            else:
                bus.writeto(address, b"")
            found.append(address)
        except OSError as error:
            if error.errno == 110:
                raise
    return found


def i2c_read(sda, scl, address, register, count):
    """Write the register unless it is empty, then read after a repeated start."""
    bus = _i2c(sda, scl)
    if register:
        bus.writeto(address, register, False)
    return bus.readfrom(address, count)


def i2c_write(sda, scl, address, data):
    """How many bytes were acknowledged."""
    return _i2c(sda, scl).writeto(address, data)


def spi(wires, select, data, mode, hertz):
    """Exchange bytes; wires are clock, out and in."""
    clock, out, into = (machine.Pin(number) for number in wires)
    _outputs.update((wires[0], wires[1], select))
    chip, answer = machine.Pin(select, machine.Pin.OUT, value=1), bytearray(len(data))
    bus = machine.SoftSPI(baudrate=hertz, polarity=mode >> 1, phase=mode & 1, sck=clock, mosi=out, miso=into)
    chip.value(0)
    try:
        bus.write_readinto(data, answer)
    finally:
        chip.value(1)
    return bytes(answer)
