"""HW-14: the pin view follows live signals, as far as they are fresh."""

from __future__ import annotations

import math

import pytest

from zeroclaw_desktop.bridge.telemetry_pins import FRESH_SECONDS, PinReading, telemetry_pins
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.telemetry.calibration import Calibration
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

UNO = board_catalog()["arduino-uno"]
BOARD = BoardInfo("uno-1", "Arduino Uno", UNO, "/dev/ttyACM0", "live")
A0 = UNO.pin_named("A0")
assert A0 is not None


class Bench:
    """A store whose clock is in the hand of the test."""

    def __init__(self) -> None:
        self.time = 100.0
        self.store = TelemetryStore(clock=lambda: self.time)
        self.store.started = 0.0

    def send(self, label: str, value: float, board_id: str = "uno-1") -> None:
        self.store.append(board_id, label, self.time, value)

    def pins(self) -> dict[int, PinReading]:
        return telemetry_pins(self.store, BOARD)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_levels_and_volts_by_wire_number(bench: Bench) -> None:
    bench.send("d2", 1)
    bench.send("d3", 0)
    bench.send("a0", 1023)
    assert A0 is not None
    assert bench.pins() == {
        2: PinReading(1, None),
        3: PinReading(0, None),
        A0.number: PinReading(None, 5.0),
    }


def test_what_is_old_says_nothing_about_now(bench: Bench) -> None:
    bench.send("d2", 1)
    bench.time += FRESH_SECONDS + 0.1
    assert bench.pins() == {}


def test_a_scale_of_the_plots_does_not_change_what_was_measured(bench: Bench) -> None:
    bench.send("a0", 1023)
    bench.store.calibrate(("uno-1", "a0"), Calibration(0.001, 7.0, "m"))
    assert A0 is not None
    assert bench.pins()[A0.number].volts == 5.0


@pytest.mark.parametrize("label", ["temp", "d", "a99", "d99", "d0", "a1.5", "uptime", "D2"])
def test_other_series_and_pins_that_do_not_exist_are_left_out(bench: Bench, label: str) -> None:
    bench.send(label, 1)
    assert bench.pins() == {}


def test_a_gap_and_another_board_say_nothing(bench: Bench) -> None:
    bench.send("d2", math.nan)
    bench.send("d3", 1, board_id="other")
    assert bench.pins() == {}
