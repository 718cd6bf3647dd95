"""Device time mapped to host time."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.hardware.telemetry.device_clock import DeviceClock


def test_spacing_is_the_boards_whatever_the_reads_do() -> None:
    clock = DeviceClock()
    jitter = [0.0, 0.012, 0.003, 0.03, 0.001, 0.02]
    times = [
        clock.to_host(1000.0 + 10 * number, 50.0 + 0.01 * number + late) for number, late in enumerate(jitter)
    ]
    assert times == pytest.approx([50.0 + 0.01 * number for number in range(6)])
    assert clock.segments == 1


def test_a_clock_that_is_half_a_percent_off_stays_near_host_time() -> None:
    clock = DeviceClock()
    for number in range(60_000):
        host = number * 0.01
        mapped = clock.to_host(host * 1000 * 1.005, host)
        assert abs(mapped - host) < 0.06
    assert clock.segments == 1


def test_time_going_back_is_a_reset_and_a_new_segment() -> None:
    clock = DeviceClock()
    clock.to_host(450.0, 10.0)
    assert clock.to_host(3.0, 11.0) == pytest.approx(11.0)
    assert clock.to_host(13.0, 11.04) == pytest.approx(11.01)
    assert clock.segments == 2


def test_two_signals_slightly_out_of_order_are_no_reset() -> None:
    clock = DeviceClock()
    clock.to_host(1000.0, 10.0)
    assert clock.to_host(995.0, 10.0) == pytest.approx(9.995)
    assert clock.segments == 1


def test_a_board_that_slept_comes_back_to_the_present() -> None:
    clock = DeviceClock()
    clock.to_host(1000.0, 10.0)
    assert clock.to_host(1010.0, 70.0) == pytest.approx(70.0)
