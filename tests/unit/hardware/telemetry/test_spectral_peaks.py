"""HW-12: the lines of a spectrum that stand out, on signals with known answers."""

from __future__ import annotations

import numpy as np
import pytest

from zeroclaw_desktop.hardware.telemetry.analysis import Scaling, WindowName, spectrum
from zeroclaw_desktop.hardware.telemetry.ring import SeriesSnapshot
from zeroclaw_desktop.hardware.telemetry.spectral_peaks import SpectralPeak, find_peaks

RATE = 1000.0


def peaks_of(
    signal: np.ndarray, window: WindowName = "hann", scaling: Scaling = "amplitude", count: int = 5
) -> list[SpectralPeak]:
    samples = SeriesSnapshot(np.arange(len(signal)) / RATE, signal, 0)
    return find_peaks(spectrum(samples, window=window, scaling=scaling), window, scaling, count)


def sine(frequency: float, amplitude: float, count: int = 1000) -> np.ndarray:
    return amplitude * np.sin(2 * np.pi * frequency * np.arange(count) / RATE)


@pytest.mark.parametrize("window", ["rectangular", "hann", "hamming", "blackman", "flattop"])
@pytest.mark.parametrize("frequency", [50.0, 50.25, 50.5, 50.9])
def test_frequency_and_height_are_found_between_the_lines(window: WindowName, frequency: float) -> None:
    peak = peaks_of(sine(frequency, 2.0), window)[0]
    # A line is 1 Hz wide. The lines alone are off by half a hertz and, with a Hann window, 15 %.
    assert peak.frequency == pytest.approx(frequency, abs=0.03)
    assert peak.magnitude == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize(
    ("scaling", "height"),
    [("amplitude", 2.0), ("rms", 2**0.5), ("decibel", 20 * np.log10(2.0)), ("density", 2.0 / 1.5)],
)
def test_the_height_is_in_the_scaling_of_the_spectrum(scaling: Scaling, height: float) -> None:
    # Density: the power of 2 spreads over the noise bandwidth of the Hann window, 1.5 lines of 1 Hz.
    assert peaks_of(sine(50.0, 2.0), scaling=scaling)[0].magnitude == pytest.approx(height, rel=1e-3)


def test_several_tones_come_highest_first_each_once() -> None:
    found = peaks_of(sine(50, 2.0) + sine(120, 0.5) + sine(300, 1.0))
    assert [round(peak.frequency) for peak in found] == [50, 300, 120]
    assert [round(peak.frequency) for peak in peaks_of(sine(50, 2) + sine(120, 1), count=1)] == [50]


def test_white_noise_has_no_peaks() -> None:
    # At ten windows a second one that comes and goes would be a nuisance.
    noise = np.random.default_rng(5)
    assert [peaks_of(noise.normal(0, 1, 1000)) for _ in range(100)] == [[]] * 100


def test_a_tone_in_noise_is_found() -> None:
    noise = np.random.default_rng(6).normal(0, 1, 1000)
    assert [round(peak.frequency) for peak in peaks_of(noise + sine(200, 1.0))] == [200]


def test_a_tone_near_half_the_rate_is_found_and_a_constant_has_none() -> None:
    assert peaks_of(sine(495.0, 1.0))[0].frequency == pytest.approx(495.0, abs=0.05)
    assert peaks_of(np.zeros(100)) == []
    assert peaks_of(np.array([1.0, 2.0, 1.0, 2.0])) == []
