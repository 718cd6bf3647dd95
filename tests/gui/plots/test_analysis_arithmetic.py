"""HW-12: choices, axes and reduction of the analysis pane, without a window."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.gui.plots.analysis.axis import (
    axis_ticks,
    common_unit,
    decade_text,
    fine_ticks,
    frequency_text,
    frequency_unit,
    places,
    quantity_text,
    value_at,
)
from zeroclaw_desktop.gui.plots.analysis.options import AnalysisOptions, select
from zeroclaw_desktop.gui.plots.analysis.reduction import Curve, age_bands, band_pixels, distinct_pixels
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId


def series(label: str, unit: str = "V") -> PlotSeries:
    return PlotSeries(SeriesId("uno", label), unit, 0)


A, B, C = series("a"), series("b"), series("c", "°C")


def test_the_first_visible_series_is_analysed_until_others_are_chosen() -> None:
    options = AnalysisOptions()
    assert select(options, [A, B]).series == (A,)
    options.chosen = [C.series_id, B.series_id]
    assert select(options, [A, B, C]).series == (B, C)
    assert select(options, [A]).series == (A,)
    assert select(options, []).series == ()


def test_xy_takes_two_different_series_or_none() -> None:
    options = AnalysisOptions(kind="xy")
    assert select(options, [A, B, C]) == (A, (B,))
    options.x = B.series_id
    assert select(options, [A, B, C]) == (B, (A,))
    options.x, options.ys = None, [A.series_id, C.series_id]
    assert select(options, [A, B, C]) == (B, (A, C))
    assert select(options, [A]).series == ()


def test_choices_survive_a_layout_file() -> None:
    options = AnalysisOptions(
        kind="xy",
        chosen=[A.series_id],
        x=B.series_id,
        ys=[C.series_id],
        window="flattop",
        scaling="density",
        log_frequency=True,
        show_peaks=False,
        bins=37,
        share=True,
        show_mean=False,
        equal=True,
        trail=False,
        lines=True,
    )
    assert AnalysisOptions.from_state(json.loads(json.dumps(options.state()))) == options
    assert AnalysisOptions.from_state({}) == AnalysisOptions()


@pytest.mark.parametrize(
    "nonsense",
    [
        {"kind": "pie", "window": 3, "scaling": None, "bins": 1001, "share": "yes", "x": "a0"},
        {"kind": ["xy"], "bins": True, "chosen": [["uno"], "a", ["uno", 5]], "ys": {"a": 1}, "x": ["uno"]},
        {"bins": -1, "chosen": None, "equal": 1},
    ],
)
def test_nonsense_in_a_layout_file_is_left_out(nonsense: dict[str, Any]) -> None:
    assert AnalysisOptions.from_state(nonsense) == AnalysisOptions()


@given(st.floats(1e-12, 1e12))
def test_a_place_on_a_logarithmic_axis_is_the_logarithm(value: float) -> None:
    assert value_at(float(places(np.array([value]), True)[0]), True) == pytest.approx(value)
    assert np.isnan(places(np.array([0.0, -value]), True)).all()


def test_decades_are_marked_and_named() -> None:
    assert axis_ticks(-1, 3, True, 10) == [(-1, "0.1"), (0, "1"), (1, "10"), (2, "100"), (3, "1000")]
    assert [place for place, _ in axis_ticks(-6, 6, True, 4)] == [-6, -3, 0, 3, 6]
    assert (decade_text(6), decade_text(-9)) == ("10⁶", "10⁻⁹")
    assert fine_ticks(0, 1) == pytest.approx([math.log10(factor) for factor in range(2, 10)])
    assert fine_ticks(0, 20) == []


def test_less_than_a_decade_is_marked_at_round_values() -> None:
    ticks = axis_ticks(math.log10(20), math.log10(50), True, 4)
    assert [text for _, text in ticks] == ["20", "30", "40", "50"]
    assert [10**place for place, _ in ticks] == pytest.approx([20, 30, 40, 50])


@pytest.mark.parametrize(
    ("hertz", "exact_to", "text"),
    [
        (50.0, 0.0, "50 Hz"),
        (50.017, 0.01, "50.02 Hz"),
        (1250.0, 0.0, "1.25 kHz"),
        (0.1, 0.0, "0.1 Hz"),
        (0.0033, 0.0, "3.3 mHz"),
        (0.0, 0.0, "0 Hz"),
        (123456.0, 100.0, "123.5 kHz"),
        (2.5e6, 0.0, "2.5 MHz"),
        (999.98, 0.0, "1 kHz"),
    ],
)
def test_frequencies(hertz: float, exact_to: float, text: str) -> None:
    assert frequency_text(hertz, exact_to) == text


def test_units_of_axes() -> None:
    assert frequency_unit(500) == (1.0, "Hz")
    assert frequency_unit(50_000) == (1e3, "kHz")
    assert common_unit(["V", "V"]) == "V"
    assert common_unit(["V", "A"]) == common_unit([]) == ""
    assert quantity_text(0.5008, "V") == "0.5008 V"
    assert quantity_text(3.0, "") == "3"


@pytest.mark.parametrize("count", [10, 5_000, 200_000])
@pytest.mark.parametrize("part", [(0.0, 1.0), (0.3, 0.31), (0.5, 0.500001)])
def test_no_line_is_lost_when_a_curve_is_reduced(count: int, part: tuple[float, float]) -> None:
    x = np.arange(count) / count
    y = np.random.default_rng(4).normal(0, 1, count)
    found = Curve(x, y).columns(*part, 700)
    inside = (x >= part[0]) & (x < part[1])
    assert len(found.time) <= 2 * 700 + 2
    if inside.any():
        assert found.low.min() <= y[inside].min()
        assert found.high.max() >= y[inside].max()
        # At most what lies on the two sides of the window is added.
        assert np.count_nonzero(found.time < part[0]) <= 1
    peak = int(np.argmax(y))
    if inside[peak]:
        place = found.time[np.argmax(found.high)]
        assert place <= x[peak] <= place + 3 * (part[1] - part[0]) / 700


def test_the_newest_point_lies_on_top_and_points_outside_are_left_out() -> None:
    x, y = np.array([2.0, 2.0, -5.0, 99.0]), np.array([1.0, 1.0, 1.0, 1.0])
    picture = band_pixels(x, y, np.array([3, 2, 4, 4], dtype=np.uint8), (6, 4), 1)
    assert picture[1, 2] == 3
    assert np.count_nonzero(picture) == 1
    big = band_pixels(x[:1], y[:1], np.array([1], dtype=np.uint8), (6, 4), 3)
    assert np.argwhere(big).tolist() == [[line, column] for line in (0, 1, 2) for column in (1, 2, 3)]


def test_ages_are_spread_evenly_over_the_bands() -> None:
    assert age_bands(8, 4).tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert age_bands(1, 8).tolist() == [1]
    assert age_bands(0, 8).tolist() == []


def test_points_on_one_pixel_are_drawn_once() -> None:
    x, y = np.array([0.0, 0.2, 0.4, 1.0, 0.1]), np.zeros(5)
    assert distinct_pixels(x, y).tolist() == [0, 3, 4]
    assert distinct_pixels(x[:0], y[:0]).tolist() == []
