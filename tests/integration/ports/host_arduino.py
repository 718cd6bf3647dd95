"""The Arduino dialect of the firmware, built against a stub of Arduino.h; the test plays the chip.

What runs is firmware/esp32 and the protocol core, with the undefined-behaviour sanitizer; what Arduino's
functions do on the real chip is only imitated, after the documentation of the ESP32 core 3 and the ESP8266
core 3.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.integration.ports.wires import Wires
from tests.unit.firmware.vectors import FIRMWARE

SKETCH = FIRMWARE / "esp32" / "zeroclaw_esp32"
STUB = Path(__file__).with_name("arduino_stub")
CALLS = (
    *("pin_mode", "digital_write", "digital_read", "analog_read", "ledc_attach", "ledc_write", "ledc_detach"),
    *("wave", "wave_end", "micros", "wait", "available", "read", "write", "restart", "reset_reason", "watch"),
    "adc_bits",
)
"""In the order of stub.cpp."""
INPUT, OUTPUT, INPUT_PULLUP = 0x01, 0x03, 0x05
RESET_REASONS = {"power": 1, "external": 2, "command": 3, "panic": 4, "brownout": 9}
"""esp_reset_reason_t of ESP-IDF."""
CHIP_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]


def build_core(folder: Path) -> list[Path]:
    """Compile the protocol core, which no chip's numbers go into; returns the objects."""
    return _compile(folder, sorted((FIRMWARE / "protocol").glob("zc_*.c")), "ANY_CHIP")


def build(folder: Path, target: str, core: list[Path]) -> Path:
    """Compile the sketch for a chip.

    Args:
        folder: for what is made.
        target: ``CONFIG_IDF_TARGET_ESP32``, ``ESP8266`` ...
        core: objects of build_core().

    Returns:
        The library.
    """
    sketch = [*SKETCH.glob("*.cpp"), SKETCH / "zeroclaw_esp32.ino"]
    objects = _compile(folder, [*shared_sources(), *sketch, STUB / "stub.cpp"], target)
    library = folder / "sketch.so"
    _run(["c++", "-shared", "-fsanitize=undefined", "-o", str(library), *map(str, [*core, *objects])])
    return library


def _compile(folder: Path, sources: list[Path], target: str) -> list[Path]:
    include = [f"-I{path}" for path in (STUB, SKETCH, FIRMWARE / "shared", FIRMWARE / "protocol")]
    flags = ["-O1", "-fPIC", "-fsanitize=undefined", "-fno-sanitize-recover=all", f"-D{target}=1"]
    objects, commands = [], []
    for source in sources:
        compiler = ["cc", "-std=gnu99"] if source.suffix == ".c" else ["c++", "-std=gnu++17", "-x", "c++"]
        objects.append(folder / f"{source.name}.o")
        command = [*compiler, *flags, *WARNINGS, *include, "-c", "-o", str(objects[-1]), str(source)]
        commands.append(command)
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(_run, commands))
    return objects


def shared_sources() -> list[Path]:
    """The files of firmware/shared that the sketch has."""
    names = ("zc_pins.c", "zc_serial.c", "zc_i2c_lines.c", "zc_spi_lines.c", "zc_uart_lines.c")
    return [FIRMWARE / "shared" / name for name in names]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@dataclass
class _Channel:
    """One channel of the LED controller."""

    pin: int
    hertz: int
    bits: int
    duty: int = 0


class HostArduino:
    """One board; see chip_board.Chip.

    Args:
        library: of build().
        folder: for copies, since a library is loaded only once.
        wires: what hangs on the pins.
        adc_bits: that the chip has before the sketch says otherwise.
    """

    def __init__(self, library: Path, folder: Path, wires: Wires, adc_bits: int) -> None:
        self.wires = wires
        self.wires.listener = self._level_may_have_changed
        self._library, self._folder = library, folder
        self._copies = 0
        self._default_bits = adc_bits
        self.analog: dict[int, int] = {}
        self.loops: dict[int, int] = {}
        """Wires from a pin to another one, beside those of the buses."""
        self.restart("power")

    # -- running --------------------------------------------------------------------------------------
    def restart(self, cause: str) -> None:
        """Load the sketch anew and run its setup()."""
        self._copies += 1
        copy = self._folder / f"sketch{self._copies}.so"
        shutil.copyfile(self._library, copy)
        self._sketch = ctypes.CDLL(str(copy))
        copy.unlink()
        self._cause = RESET_REASONS[cause]
        self.micros = 0
        self.received = bytearray()
        self.sent = bytearray()
        self._fault: Exception | None = None
        self._restart_wanted = False
        self._watched = -1
        self._watched_level = 0
        self._bits = self._default_bits
        self._plain: dict[int, int] = {}
        """Arduino's mode of the pins that are plain ones."""
        self.channels: dict[int, _Channel] = {}
        self.waves: dict[int, tuple[int, int]] = {}
        for pin in self.wires.pins:
            pin.is_output, pin.latch, pin.pull_up = False, 0, False
        self._function = CHIP_FUNCTION(self._call)
        self._sketch.host_begin(self._function)
        self._check()

    def _check(self) -> None:
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    def _call(self, call: int, first: int, second: int, third: int) -> int:
        functions: dict[str, Callable[..., int | None]] = {name: getattr(self, f"_{name}") for name in CALLS}
        try:
            return int(functions[CALLS[call]](first, second, third) or 0)
        except (
            AssertionError,
            LookupError,
            ValueError,
        ) as error:  # ctypes would swallow it; _check() raises it
            self._fault = self._fault or error
            return 0

    def run_ms(self, milliseconds: int) -> bytes:
        """See chip_board.Chip."""
        end = self.micros + milliseconds * 1000
        while self.micros < end:
            self._sketch.host_loop()
            self._check()
            if self._restart_wanted:
                sent = bytes(self.sent)
                left = max(1, (end - self.micros) // 1000)
                self.restart("command")
                return sent + self.run_ms(left)
        sent = bytes(self.sent)
        self.sent.clear()
        return sent

    def receive(self, data: bytes) -> None:
        """See chip_board.Chip."""
        self.received += data

    @property
    def is_line_busy(self) -> bool:
        """See chip_board.Chip."""
        return bool(self.received)

    @property
    def seconds(self) -> float:
        """See chip_board.Chip."""
        return self.micros / 1e6

    def set_analog(self, pin: int, value: int) -> None:
        """See chip_board.Chip."""
        self.analog[pin] = value

    def output_state(self) -> object:
        """See chip_board.Chip."""
        timers = {pin: vars(channel) | {} for pin, channel in self.channels.items()}
        return dict(self._plain), [vars(pin) | {} for pin in self.wires.pins], timers, dict(self.waves)

    def pulse(self, pin: int) -> tuple[float, float] | None:
        """(high time, period) in microseconds that a timer makes at a pin; None when none does."""
        for channel in self.channels.values():
            if channel.pin == pin:
                period = 1e6 / channel.hertz
                # "255 of 8 bits": the core writes 256 for the highest duty (esp32-hal-ledc.c, ledcWrite).
                highest = (1 << channel.bits) - 1
                share = 1.0 if channel.duty == highest else channel.duty / (1 << channel.bits)
                return share * period, period
        return self.waves.get(pin)

    # -- Arduino's functions --------------------------------------------------------------------------
    def _pin_mode(self, pin: int, mode: int, _third: int) -> None:
        assert all(channel.pin != pin for channel in self.channels.values()), f"pin {pin} is on the LEDC"
        self._plain[pin] = mode
        wire = self.wires.pins[pin]
        wire.is_output, wire.pull_up = mode == OUTPUT, mode == INPUT_PULLUP
        self.wires.changed()
        self._level_may_have_changed(pin)

    def _digital_write(self, pin: int, level: int, _third: int) -> None:
        assert pin in self._plain, f"pin {pin} is not set as GPIO (the core refuses that)"
        self.wires.pins[pin].latch = level
        self.wires.changed()
        self._level_may_have_changed(pin)

    def _digital_read(self, pin: int, _second: int, _third: int) -> int:
        return self._level(pin)

    def _level(self, pin: int) -> int:
        driver = self.loops.get(pin)
        if driver is not None and self.wires.pins[driver].is_output:
            return self.wires.pins[driver].latch
        return self.wires.level(pin)

    def _level_may_have_changed(self, _pin: int) -> None:
        if self._watched >= 0 and self._level(self._watched) != self._watched_level:
            self._watched_level = self._level(self._watched)
            self._sketch.host_edge()

    def _analog_read(self, pin: int, _second: int, _third: int) -> int:
        self._plain.pop(pin, None)
        self.wires.pins[pin].is_output = self.wires.pins[pin].pull_up = False
        value = self.analog.get(pin, 0)
        assert value < 1 << self._bits
        return value

    def _adc_bits(self, bits: int, _second: int, _third: int) -> None:
        self._bits = bits

    def _ledc_attach(self, pin: int, channel_and_bits: int, hertz: int) -> int:
        channel, bits = channel_and_bits >> 8, channel_and_bits & 0xFF
        assert channel not in self.channels, f"channel {channel} is in use"
        other = self.channels.get(channel ^ 1)
        assert other is None or (other.hertz, other.bits) == (hertz, bits), "the timer has another use"
        assert 40e6 / hertz / (1 << bits) < 1024, "the divider does not reach so low"
        assert 40e6 / hertz >= 1 << bits, "the clock is too slow for so many bits"
        self.channels[channel] = _Channel(pin, hertz, bits)
        self._plain.pop(pin, None)
        wire = self.wires.pins[pin]
        wire.is_output, wire.latch = True, 0
        return 1

    def _ledc_write(self, pin: int, duty: int, _third: int) -> int:
        found = [channel for channel in self.channels.values() if channel.pin == pin]
        assert found, f"pin {pin} is not on the LEDC"
        found[0].duty = duty
        self.wires.pins[pin].latch = int(duty >= (1 << found[0].bits) - 1)
        return 1

    def _ledc_detach(self, pin: int, _second: int, _third: int) -> int:
        self.channels = {number: channel for number, channel in self.channels.items() if channel.pin != pin}
        self.wires.pins[pin].is_output = False
        return 1

    def _wave(self, pin: int, high: int, period: int) -> int:
        self.waves[pin] = (high, period)
        return 1

    def _wave_end(self, pin: int, _second: int, _third: int) -> int:
        self.waves.pop(pin, None)
        return 1

    def _micros(self, _first: int, _second: int, _third: int) -> int:
        self.micros += 1
        return self.micros & 0xFFFFFFFF

    def _wait(self, microseconds: int, to_next: int, _third: int) -> None:
        self.micros += microseconds - (self.micros % microseconds if to_next else 0)

    def _available(self, _first: int, _second: int, _third: int) -> int:
        return len(self.received)

    def _read(self, _first: int, _second: int, _third: int) -> int:
        return self.received.pop(0)

    def _write(self, byte: int, _second: int, _third: int) -> None:
        if not self._restart_wanted:
            self.sent.append(byte)

    def _restart(self, _first: int, _second: int, _third: int) -> None:
        self._restart_wanted = True

    def _reset_reason(self, _first: int, _second: int, _third: int) -> int:
        return self._cause

    def _watch(self, pin: int, _second: int, _third: int) -> None:
        self._watched = pin
        self._watched_level = self._level(pin) if pin >= 0 else 0
