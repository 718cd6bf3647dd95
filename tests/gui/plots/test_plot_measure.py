"""HW-12: figures of a stretch and what two cursors read, as the table under the plot shows them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.gui.plots.plot_world import PlotCore, StorePlots
from zeroclaw_desktop.bridge.plot_measure_bridge import PlotMeasureBridge
from zeroclaw_desktop.bridge.plot_views import MeasureRow

UNO = "uno"


class Bench:
    """The bridge over a store; each question is answered before it returns."""

    def __init__(self) -> None:
        self.plots: Any = StorePlots()
        core: Any = PlotCore(None)  # type: ignore[arg-type]
        self.bridge = PlotMeasureBridge(core, self.plots)
        self.answers: list[list[MeasureRow]] = []
        self.bridge.measured.connect(self.answers.append)

    def row(self, label: str, t0: float, t1: float, cursors: tuple[float, float] | None = None) -> MeasureRow:
        self.bridge.measure([(UNO, label)], t0, t1, cursors)
        return self.answers[-1][0]


@pytest.fixture
def bench() -> Bench:
    """A ramp of 2 V a second from 10 s to 20 s, a hundred samples a second."""
    made = Bench()
    times = 10 + np.arange(1001) / 100
    made.plots.store.append(UNO, "ramp", times, 2 * (times - 10), "V")
    return made


def test_figures_are_those_of_the_stretch(bench: Bench) -> None:
    row = bench.row("ramp", 12, 14)
    assert (row.unit, row.count, row.gaps) == ("V", 200, 0)
    assert (row.minimum, row.maximum, row.peak_to_peak) == pytest.approx((4.0, 7.98, 3.98))
    assert row.mean == pytest.approx(5.99)
    assert row.rate == pytest.approx(100)
    assert math.isnan(row.at_a)
    assert math.isnan(row.slope)


def test_cursors_read_values_and_the_slope_between_them(bench: Bench) -> None:
    row = bench.row("ramp", 12, 17, (12.0, 17.0))
    assert (row.at_a, row.at_b) == pytest.approx((4.0, 14.0))
    assert row.slope == pytest.approx(2.0)


def test_the_order_of_the_cursors_gives_the_sign(bench: Bench) -> None:
    row = bench.row("ramp", 12, 17, (17.0, 12.0))
    assert (row.at_a, row.at_b) == pytest.approx((14.0, 4.0))
    assert row.slope == pytest.approx(2.0)


def test_a_cursor_beside_the_signal_reads_nothing(bench: Bench) -> None:
    row = bench.row("ramp", 0, 15, (2.0, 15.0))
    assert math.isnan(row.at_a)
    assert row.at_b == pytest.approx(10.0)
    assert math.isnan(row.slope)


def test_a_slow_signal_is_read_at_its_nearest_sample(bench: Bench) -> None:
    bench.plots.store.append(UNO, "slow", np.arange(0, 100, 10.0), np.arange(10.0))
    row = bench.row("slow", 31, 62, (31.0, 62.0))
    assert (row.at_a, row.at_b) == (3.0, 6.0)


def test_a_series_that_was_cleared_meanwhile_is_left_out(bench: Bench) -> None:
    bench.bridge.measure([(UNO, "gone"), (UNO, "ramp")], 12, 13, None)
    assert [row.label for row in bench.answers[-1]] == ["ramp"]


def test_a_stretch_without_samples_has_no_values(bench: Bench) -> None:
    row = bench.row("ramp", 0, 5)
    assert (row.count, row.rate) == (0, 0.0)
    assert all(math.isnan(value) for value in (row.minimum, row.mean, row.rms, row.deviation))
