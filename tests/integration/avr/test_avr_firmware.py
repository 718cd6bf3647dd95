"""Whole firmwares on simavr and on the shipped module: what goes out and when.

Known deviations of simavr 1.6 that the firmwares or the comparisons respect:

- SBI on PINx reads, changes and writes the whole register and so toggles other pins that read high; the chip
  toggles one (datasheet section 30, note 3). The firmwares write PINx by OUT.
- The ADC scales by 1023 instead of 1024 (section 23.7). The voltages are such that both give the same number.
- Prescalers start with the timer; on the chip they run from reset (section 17.2), so a prescaled timer is
  compared by its periods, not its phase. A compare value of 0 never matches in simavr.
- Waveforms of timers do not reach the pins in every mode, so PWM pins are left out (unit tests cover them).
"""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from tests.integration.avr import avr_firmware, avr_native
from tests.integration.avr.avr_firmware import Stimulus, typed
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine

DIGITAL_PINS = range(2, 14)
PREBUILT = avr_native.REPOSITORY / "firmware" / "prebuilt"


@pytest.fixture(scope="module")
def simavr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    avr_native.require_simavr()
    avr_native.require_avr_gcc()
    output = tmp_path_factory.mktemp("native") / "simavr_firmware"
    source = avr_native.HERE / "simavr_firmware.c"
    return avr_native.compile_program(output, [source], "-Wno-sign-compare", "-lsimavr", "-lelf")


def _same_in_both_scales(millivolts: int) -> int:
    while millivolts * 1024 // 5000 != millivolts * 1023 // 5000:
        millivolts += 1
    return millivolts


def _intervals(cycles: list[int]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(cycles)]


def test_polled_firmware_is_exact_to_the_cycle(simavr: Path, tmp_path: Path) -> None:
    image = avr_firmware.compile_c(avr_firmware.firmware_source("polled.c"), tmp_path)
    cycles = 600_000
    expected = avr_firmware.run_on_simavr(simavr, tmp_path, image, cycles)
    actual = avr_firmware.run_on_module(image, cycles)
    assert actual.sent == expected.sent
    assert actual.sent.endswith(b"done\n")
    edges = [edge for edge in actual.edges if edge[1] in DIGITAL_PINS]
    assert len(edges) > 400
    assert edges == [edge for edge in expected.edges if edge[1] in DIGITAL_PINS]


def _interrupt_script() -> list[Stimulus]:
    script = typed(1_000_000, b"hello, world", spacing=3000)
    for step in range(1, 10):
        start = 2_000_000 + step * 40_000
        volts = _same_in_both_scales(step * 111)
        script += [
            Stimulus(start, "pin", 2, step & 1),
            Stimulus(start + 10_000, "pin", 3, step & 1),
            Stimulus(start + 20_000, "adc", 2, volts),
            Stimulus(start + 20_001, "pin", 17, step & 1),
        ]
    return script


def test_interrupt_driven_firmware(simavr: Path, tmp_path: Path) -> None:
    image = avr_firmware.compile_c(avr_firmware.firmware_source("interrupts.c"), tmp_path)
    cycles = 4_000_000
    expected = avr_firmware.run_on_simavr(simavr, tmp_path, image, cycles, _interrupt_script())
    actual = avr_firmware.run_on_module(image, cycles, _interrupt_script())
    assert actual.sent == expected.sent
    assert actual.sent.startswith(b"ifmmp")
    for pin, period in ((13, 8 * 2000), (12, 64 * 256), (11, 64 * 125)):
        ours, theirs = actual.cycles(pin), expected.cycles(pin)
        assert abs(len(ours) - len(theirs)) <= 1, f"pin {pin}"
        periods = Counter(_intervals(ours))
        assert periods.most_common(1)[0][0] == period
        assert periods[period] >= 0.9 * len(ours)


@pytest.mark.parametrize("name", ["zeroclaw-arduino-uno.hex", "zeroclaw-demo-uno.hex"])
def test_shipped_firmware_answers_alike(simavr: Path, tmp_path: Path, name: str) -> None:
    if not (PREBUILT / name).exists():
        pytest.skip("needs the shipped firmware: python firmware/build.py")
    image = avr_firmware.image_of_hex(PREBUILT / name)
    commands = [
        b'{"id":"1","cmd":"ping","args":{}}\n',
        b'{"id":"2","cmd":"gpio_write","args":{"pin":13,"value":1}}\n',
        b'{"id":"3","cmd":"capabilities","args":{}}\n',
        b'{"id":"4","cmd":"gpio_read","args":{"pin":7}}\n',
        b"garbage\n",
        b'{"id":"5","cmd":"adc_read","args":{"channel":2}}\n',
        b'{"id":"6","cmd":"stop_all","args":{}}\n',
    ]
    script = [Stimulus(1000, "adc", 2, _same_in_both_scales(1999))]
    start = 8_000_000
    for command in commands:
        script += typed(start, command)
        start += 2_000_000
    expected = avr_firmware.run_on_simavr(simavr, tmp_path, image, start, script)
    actual = avr_firmware.run_on_module(image, start, script)
    assert _answers(actual.sent) == _answers(expected.sent)
    assert len(_answers(actual.sent)) >= len(commands)


def _answers(sent: bytes) -> list[bytes]:
    """The JSON lines; telemetry lines between them may fall before or after an answer."""
    return [line for line in sent.split(b"\n") if line.startswith(b"{")]


class Thermometer:
    """An I2C device that counts up from the register number written to it."""

    def __init__(self) -> None:
        self.register = 0

    def begin(self, *, is_read: bool) -> bool:
        return True

    def write(self, value: int) -> bool:
        self.register = value
        return True

    def read(self) -> int:
        self.register += 1
        return self.register

    def end(self) -> None:
        return


def test_arduino_wire_and_spi_libraries(tmp_path: Path) -> None:
    avr_native.require_avr_gcc()
    if not avr_firmware.ARDUINO.exists():
        pytest.skip("needs the apt package arduino-core-avr")
    machine = AvrMachine(boot_reset=False, wasm_path=avr_native.WASM)
    machine.load_flash(avr_firmware.compile_sketch(avr_firmware.firmware_source("wire.cpp"), tmp_path))
    machine.attach_i2c(0x48, Thermometer())
    machine.attach_i2c(0x68, Thermometer())
    machine.spi_transfer = lambda value: value * 10
    machine.run(4_000_000)
    assert machine.uart_transmitted().split() == b"found 48 found 68 17 18 19 0 10 20 30".split()


def test_arduino_sketch(simavr: Path, tmp_path: Path) -> None:
    if not avr_firmware.ARDUINO.exists():
        pytest.skip("needs the apt package arduino-core-avr")
    image = avr_firmware.compile_sketch(avr_firmware.firmware_source("sketch.cpp"), tmp_path)
    script = [Stimulus(1, "pin", 4, 1), Stimulus(2, "adc", 0, _same_in_both_scales(1111))]
    script += typed(3_000_000, b"mixed Case\n")
    cycles = 8_000_000
    expected = avr_firmware.run_on_simavr(simavr, tmp_path, image, cycles, script)
    actual = avr_firmware.run_on_module(image, cycles, script)
    assert actual.sent.startswith(b"ready\r\n5A\r\n1\r\n227 0.0000\r\n227 1.4142\r\n")
    assert b"got MIXED CASE\r\n" in actual.sent
    assert actual.sent == expected.sent
    blinks, others = actual.cycles(13), expected.cycles(13)
    assert abs(len(blinks) - len(others)) <= 1
    # Serial.readStringUntil() may wait for its time-out of a second once.
    assert all(320_000 <= step < 360_000 or step > 1_000_000 for step in _intervals(blinks)[1:])
    tone = actual.cycles(8)
    assert len(tone) in (100, 101, 102)  # 50 ms at 1 kHz, two edges a period
    longest_interrupt = 150  # timer 0's overflow routine may delay the one that toggles the pin
    assert all(abs(step - 8000) <= longest_interrupt for step in _intervals(tone)[:-1])
