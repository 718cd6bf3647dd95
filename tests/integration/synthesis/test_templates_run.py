"""HW-9: what each template promises, on the simulated ATmega328P: its pins, its timing, its telemetry."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.integration.synthesis.sketch_bench import (
    RunningSketch,
    build,
    high_pulses,
    needs_compiler,
    plan,
)
from tests.integration.synthesis.wire_sensors import Thermometer, WireWatcher, answer_as_dht
from zeroclaw_desktop.hardware.simulator.avr_machine import I2cDevice
from zeroclaw_desktop.hardware.synthesis.templates import template_catalog

pytestmark = needs_compiler
LED = 13


def started(build_folder: Path, template: str, pull_up: int | None = None, **wish: object) -> RunningSketch:
    """A sketch that has greeted; ``pull_up``: a pin with a resistor to the supply."""
    report = build(plan(template, **wish), build_folder)  # type: ignore[arg-type]
    assert report.ok, report.log
    sketch = RunningSketch(Path(report.firmware))
    if pull_up is not None:
        sketch.machine.drive_pin(pull_up, 1)
    sketch.until(lambda: '"evt":"boot"' in sketch.text)
    return sketch


def test_blink_toggles_at_its_rate(build_folder: Path) -> None:
    sketch = started(build_folder, "blink", pins={"led": "9"}, params={"rate": 3})
    sketch.run(2.0)
    changes = sketch.changes(9)
    assert [level for _, level in changes[:4]] == [1, 0, 1, 0]
    gaps = [later - earlier for (earlier, _), (later, _) in itertools.pairwise(changes)]
    assert len(changes) == 12  # three times a second, on and off, for two seconds
    assert gaps == pytest.approx([1e6 / 6] * len(gaps), rel=0.002)
    assert sketch.series()["led"] == [1, 0] * 6


def test_button_toggles_the_led_and_bouncing_is_waited_out(build_folder: Path) -> None:
    sketch = started(build_folder, "button")
    pressed = sketch.machine.drive_pin
    pressed(2, 1)
    sketch.run(0.1)
    for _ in range(4):  # contacts that bounce for 8 ms
        pressed(2, 0)
        sketch.run(0.001)
        pressed(2, 1)
        sketch.run(0.001)
    sketch.run(0.1)
    assert sketch.changes(LED) == []
    for _ in range(2):
        pressed(2, 0)
        sketch.run(0.1)
        pressed(2, 1)
        sketch.run(0.1)
    assert [level for _, level in sketch.changes(LED)] == [1, 0]
    assert sketch.series() == {"button": [1, 0, 1, 0], "led": [1, 1, 0, 0]}


def test_button_held_keeps_the_led_on(build_folder: Path) -> None:
    sketch = started(build_folder, "button", params={"mode": "follow"})
    sketch.machine.drive_pin(2, 0)
    sketch.run(0.1)
    sketch.machine.drive_pin(2, 1)
    sketch.run(0.1)
    assert sketch.series() == {"button": [1, 0], "led": [1, 0]}


def test_servo_pulses_follow_the_angles(build_folder: Path) -> None:
    sketch = started(build_folder, "servo", pins={"servo": "9"}, params={"low": 0, "high": 180, "period": 1})
    sketch.run(1.2)
    pulses = high_pulses(sketch.changes(9))
    widths = [width for _, width in pulses]
    # 544 us at 0 and 2400 us at 180 degrees; the program adds a few microseconds at each end of a pulse.
    assert min(widths) == pytest.approx(544, abs=25)
    assert max(widths) == pytest.approx(2400, abs=25)
    gaps = [later - earlier for (earlier, _), (later, _) in itertools.pairwise(pulses)]
    assert gaps == pytest.approx([20_000] * len(gaps), abs=600)
    angles = sketch.series()["angle"]
    assert 0 <= min(angles) < 40
    assert 140 < max(angles) <= 180


@pytest.mark.parametrize(
    ("kind", "data", "least_start", "expected"),
    [
        # The example of the AM2302 data sheet: 65.2 % and 35.1 degrees; below zero the highest bit is set.
        ("dht22", bytes([0x02, 0x8C, 0x01, 0x5F, 0xEE]), 1_000, (35.1, 65.2)),
        ("dht22", bytes([0x02, 0x8C, 0x80, 0x65, 0x73]), 1_000, (-10.1, 65.2)),
        # DHT11 data sheet: whole and decimal parts; 53.0 % and 24.4 degrees.
        ("dht11", bytes([0x35, 0x00, 0x18, 0x04, 0x51]), 18_000, (24.4, 53.0)),
    ],
)
def test_dht_values(
    kind: str, data: bytes, least_start: float, expected: tuple[float, float], build_folder: Path
) -> None:
    sketch = started(build_folder, "dht", 7, pins={"data": "7"}, params={"kind": kind, "period": 2})
    start = answer_as_dht(WireWatcher(sketch, 7), data)
    sketch.run(0.05)
    assert start >= least_start
    series = sketch.series()
    assert (series["temperature"], series["humidity"]) == ([expected[0]], [expected[1]])


def test_dht_with_a_wrong_check_sum_gives_no_value(build_folder: Path) -> None:
    sketch = started(build_folder, "dht", 7, pins={"data": "7"})
    answer_as_dht(WireWatcher(sketch, 7), bytes([0x02, 0x8C, 0x01, 0x5F, 0x00]))
    sketch.run(0.05)
    assert sketch.series() == {}
    assert "does not answer" in sketch.text


# Data sheet of the DS18B20, table 1 (temperature/data relationship); check sums by its CRC-8 polynomial.
@pytest.mark.parametrize(
    ("low", "high", "celsius"), [(0x91, 0x01, 25.0625), (0x5E, 0xFF, -10.125), (0xD0, 0x07, 125.0)]
)
def test_ds18b20_values(low: int, high: int, celsius: float, build_folder: Path) -> None:
    memory = bytes([low, high, 0x4B, 0x46, 0x7F, 0xFF, 0x0C, 0x10])
    sketch = started(build_folder, "ds18b20", 7, pins={"data": "7"})
    thermometer = Thermometer(WireWatcher(sketch, 7), memory + bytes([dallas_crc(memory)]))
    commands, resets = thermometer.serve_reading()
    sketch.run(0.05)
    assert commands == [0xCC, 0x44, 0xCC, 0xBE]  # skip ROM, convert, skip ROM, read scratchpad
    assert all(480 <= length < 960 for length in resets)
    assert sketch.series()["temperature"] == [pytest.approx(celsius, abs=0.006)]


def dallas_crc(data: bytes) -> int:
    """CRC-8 of Maxim's application note 27, bit by bit: x^8 + x^5 + x^4 + 1, lowest bit first."""
    crc = 0
    for byte in data:
        for bit in range(8):
            mix = (crc ^ byte >> bit) & 1
            crc >>= 1
            crc ^= 0x8C if mix else 0
    return crc


def test_no_thermometer_is_said(build_folder: Path) -> None:
    sketch = started(build_folder, "ds18b20", 7, pins={"data": "7"})
    WireWatcher(sketch, 7)
    sketch.run(1.5)
    assert "No thermometer answers" in sketch.text
    assert sketch.series() == {}


@pytest.mark.parametrize(
    ("kind", "volts", "series", "value"),
    [
        ("volts", 1.25, "volts", 1.25),
        ("tmp36", 0.75, "temperature", 25.0),  # data sheet: 750 mV at 25 degrees
        ("thermistor", 2.5, "temperature", 25.0),  # as many ohms as the resistor: 10 kOhm, 25 degrees
    ],
)
def test_analog_sensor_values(kind: str, volts: float, series: str, value: float, build_folder: Path) -> None:
    sketch = started(build_folder, "analog", params={"kind": kind})
    sketch.machine.set_analog(0, volts)
    sketch.run(0.35)
    assert len(sketch.series()[series]) == 3  # ten a second
    assert sketch.series()[series] == pytest.approx([value] * 3, abs=0.6 if kind != "volts" else 0.006)


class _Module(I2cDevice):
    """A module that acknowledges its address."""

    def begin(self, *, is_read: bool) -> bool:
        return True

    def write(self, value: int) -> bool:
        return True

    def read(self) -> int:
        return 0

    def end(self) -> None:
        """Nothing is kept."""


def test_i2c_scan_names_what_answers(build_folder: Path) -> None:
    sketch = started(build_folder, "i2c-scan")
    for address in (0x3C, 0x68):
        sketch.machine.attach_i2c(address, _Module())
    sketch.until(lambda: "devices:" in sketch.text)
    sketch.run(0.01)
    answers = [line.strip() for line in sketch.text.splitlines() if "answers" in line]
    assert answers == ["I2C address 0x3C answers", "I2C address 0x68 answers"]
    assert sketch.series()["devices"] == [2]


def test_motor_turns_both_ways_with_ramps(build_folder: Path) -> None:
    sketch = started(build_folder, "motor", params={"power": 60, "period": 2})
    speed, forward, backward = 3, 2, 4
    sketch.run(2.0)  # one second at rest, then half a second of ramp
    wave = sketch.machine.pwm(speed)
    assert wave is not None
    assert wave[1] == pytest.approx(0.6, abs=0.02)
    levels = sketch.machine.pin_levels()
    assert (levels[forward], levels[backward]) == (1, 0)
    sketch.run(3.0)
    levels = sketch.machine.pin_levels()
    assert (levels[forward], levels[backward]) == (0, 1)
    speeds = sketch.series()["speed"]
    assert (max(speeds), min(speeds)) == (60, -60)
    steps = [abs(later - earlier) for earlier, later in itertools.pairwise(speeds)]
    assert max(steps) <= 60 / 0.5 * 0.05 + 1  # no jump: half a second from rest to full, in steps of 50 ms


def test_neopixel_bits_keep_the_times_of_the_data_sheet(build_folder: Path) -> None:
    sketch = started(
        build_folder, "neopixel", pins={"data": "6"}, params={"count": 3, "brightness": 100, "effect": "red"}
    )
    sketch.run(0.06)
    pulses = high_pulses(sketch.changes(6))[-3 * 24 :]
    # WS2812B data sheet: T0H 0.4 us, T1H 0.8 us, each +-0.15 us; a bit lasts 1.25 us +-0.6 us.
    bits = [width > 0.6 for _, width in pulses]
    for (_, width), bit in zip(pulses, bits, strict=True):
        assert width == pytest.approx(0.8 if bit else 0.4, abs=0.15)
    inside = [
        later - earlier
        for at, ((earlier, _), (later, _)) in enumerate(itertools.pairwise(pulses))
        if (at + 1) % 8
    ]
    assert inside == pytest.approx([1.25] * len(inside), abs=0.6)
    values = [sum(bit << 7 - at for at, bit in enumerate(bits[n : n + 8])) for n in range(0, 72, 8)]
    assert values == [0, 255, 0] * 3  # green, red, blue


def test_telemetry_lines_are_read_by_the_plots(build_folder: Path) -> None:
    sketch = started(build_folder, "telemetry", params={"period": 0.05})
    sketch.machine.set_analog(0, 1.0)
    sketch.machine.set_analog(1, 4.0)
    sketch.machine.drive_pin(2, 0)
    sketch.run(1.02)
    series = sketch.series()
    assert set(series) == {"first", "second", "input", "uptime"}
    assert len(series["first"]) == 20
    assert series["first"] == pytest.approx([1.0] * 20, abs=0.006)
    assert series["second"] == pytest.approx([4.0] * 20, abs=0.006)
    assert set(series["input"]) == {0}
    gaps = [b - a for a, b in itertools.pairwise(series["uptime"])]
    assert gaps == pytest.approx([0.05] * 19, abs=0.003)


def test_protocol_firmware_serves_its_pins_only(build_folder: Path) -> None:
    sketch = started(
        build_folder, "protocol", params={"map": "lamp=9, fan=5:pwm, door=2:in, light=A0:analog"}
    )
    assert sketch.ask("ping") == {"id": "7", "ok": True, "result": "pong"}
    assert sketch.ask("gpio_write", pin=9, value=1)["result"] == "done"
    assert sketch.machine.pin_levels()[9] == 1
    assert sketch.ask("pwm_write", pin=5, duty=64)["result"] == "done"
    wave = sketch.machine.pwm(5)
    assert wave is not None
    assert wave[1] == pytest.approx(64 / 255, abs=0.01)
    sketch.machine.drive_pin(2, 0)
    assert sketch.ask("gpio_read", pin=2)["result"] == "0"
    sketch.machine.set_analog(0, 2.5)
    assert sketch.ask("adc_read", pin=14)["result"] == pytest.approx(512, abs=1)
    assert sketch.ask("gpio_write", pin=10, value=1)["code"] == "bad_pin"
    assert sketch.ask("gpio_write", pin=2, value=1)["code"] == "unsupported"
    assert sketch.ask("gpio_write", pin=9, value=2)["code"] == "bad_value"
    assert sketch.ask("gpio_write", pin=9)["code"] == "bad_request"
    assert sketch.ask("servo_write", pin=9, angle=9)["code"] == "unknown_command"
    assert sketch.ask("stop_all")["result"] == {"stopped": 2}
    assert sketch.machine.pin_levels()[9] == 0


@pytest.mark.parametrize("template", template_catalog())
def test_every_sketch_is_recognised_and_can_be_stopped(template: str, build_folder: Path) -> None:
    """HW-3, EX-17: the app greets the sketch, and 'stop everything' reaches it."""
    sketch = started(build_folder, template)
    capabilities = sketch.ask("capabilities")["result"]
    assert f'"fw":"zeroclaw-{template}"' in capabilities
    assert '"board":"arduino-uno"' in capabilities
    sketch.run(1.6)  # until everything that moves is moving
    assert sketch.ask("stop_all")["ok"]
    sketch.run(0.1)
    begun = len(sketch.edges)
    sketch.run(2.5)
    assert sketch.edges[begun:] == []
    state = sketch.ask("state")["result"]
    driven = [pin for pin, mode in enumerate(state["mode"]) if mode == "o"]
    assert all(state["level"][pin] == "0" for pin in driven)
