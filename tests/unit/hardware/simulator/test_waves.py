"""The square waves at the pins are measured from their edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.simulator.waves import WaveMeter


def square(
    pin: int, hertz: float, duty: float, seconds: float, begin: float = 0.0
) -> list[tuple[float, int, int]]:
    """Edges of a square wave that begins with a rise."""
    edges = []
    for number in range(int(seconds * hertz)):
        rise = begin + number / hertz
        edges += [(rise, pin, 1), (rise + duty / hertz, pin, 0)]
    return edges


@given(hertz=st.floats(20.0, 20_000.0), duty=st.floats(0.05, 0.95))
def test_frequency_and_duty_are_those_of_the_wave(hertz: float, duty: float) -> None:
    meter = WaveMeter()
    meter.feed(square(9, hertz, duty, 4 / hertz + 0.1))
    measured = meter.waves(now=4 / hertz + 0.1)[9]
    assert measured == (pytest.approx(hertz, rel=1e-3), pytest.approx(duty, abs=1e-3))


def test_a_wave_that_has_ended_is_gone() -> None:
    meter = WaveMeter()
    meter.feed(square(9, 440.0, 0.5, 1.0))
    assert 9 in meter.waves(now=1.0)
    assert meter.waves(now=1.1) == {}


def test_what_an_eye_can_follow_is_no_wave() -> None:
    meter = WaveMeter()
    meter.feed(square(13, 2.0, 0.5, 3.0))
    assert meter.waves(now=3.0) == {}


def test_pins_are_measured_apart() -> None:
    meter = WaveMeter()
    meter.feed(sorted([*square(9, 50.0, 0.075, 1.0), *square(3, 490.0, 0.5, 1.0)]))
    waves = meter.waves(now=1.0)
    assert (round(waves[9][0]), round(waves[3][0])) == (50, 490)
