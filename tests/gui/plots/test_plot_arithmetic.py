"""Time view, ticks, ranges, panels and curves: the arithmetic of the plots, without a window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.gui.plots.curves import Columns, Scale, segments
from zeroclaw_desktop.gui.plots.panels import PlotSeries, SeriesId, place_panels, plan_panels, total_height
from zeroclaw_desktop.gui.plots.ticks import (
    ago_text,
    clock_text,
    duration_text,
    multiples,
    needed_decimals,
    reading_text,
    round_step,
    tick_text,
    time_step,
)
from zeroclaw_desktop.gui.plots.time_view import LONGEST_WINDOW_S, SHORTEST_WINDOW_S, TimeView
from zeroclaw_desktop.gui.plots.value_range import ValueRange

# One pixel for a second and for a unit; the value 0 lies at pixel 100.
PLAIN = Scale(start=0.0, left=0.0, pixels_per_second=1.0, low=0.0, bottom=100.0, pixels_per_unit=1.0)


def sparse(time: list[float], value: list[float]) -> Columns:
    values = np.array(value, dtype=float)
    return Columns(np.array(time, dtype=float), values, values)


def test_a_following_view_ends_at_the_present() -> None:
    view = TimeView(10.0)
    assert view.span(100.0) == (90.0, 100.0)
    assert view.span(101.5) == (91.5, 101.5)


def test_a_held_view_stays_while_time_goes_on() -> None:
    view = TimeView(10.0)
    view.hold(100.0)
    assert view.span(180.0) == (90.0, 100.0)
    view.follow()
    assert view.span(180.0) == (170.0, 180.0)


def test_zooming_a_held_view_keeps_the_time_under_the_pointer() -> None:
    view = TimeView(10.0)
    view.hold(100.0)
    view.zoom(0.5, 92.5)
    start, end = view.span(500.0)
    assert end - start == pytest.approx(5.0)
    assert (92.5 - start) / (end - start) == pytest.approx(0.25)


def test_zooming_a_following_view_goes_on_following() -> None:
    view = TimeView(10.0)
    view.zoom(0.5, 92.0)
    assert view.following
    assert view.span(100.0) == (95.0, 100.0)


def test_panning_stops_following_and_never_leaves_the_present_behind() -> None:
    view = TimeView(10.0)
    view.pan(-30.0, 100.0)
    assert not view.following
    assert view.span(100.0) == (60.0, 70.0)
    view.pan(1e6, 100.0)
    assert view.span(100.0)[0] < 100.0


@given(st.lists(st.floats(0.01, 100), max_size=30))
def test_no_series_of_zooms_leaves_the_bounds(factors: list[float]) -> None:
    view = TimeView()
    for factor in factors:
        view.zoom(factor, 0.0)
    assert SHORTEST_WINDOW_S <= view.window_s <= LONGEST_WINDOW_S


@given(st.floats(1e-9, 1e9), st.integers(1, 20))
def test_round_steps_are_round_and_few_enough(span: float, most: int) -> None:
    step = round_step(span, most)
    assert span / step <= most * (1 + 1e-6)
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(mantissa - round_one) for round_one in (1, 2, 5)) < 1e-6


@pytest.mark.parametrize(
    ("span", "most", "step"), [(30, 6, 5), (60, 6, 10), (120, 8, 15), (600, 8, 120), (0.3, 6, 0.05)]
)
def test_times_are_cut_as_clocks_are(span: float, most: int, step: float) -> None:
    assert time_step(span, most) == pytest.approx(step)


def test_multiples_do_not_add_up_errors() -> None:
    assert multiples(0.0, 0.7, 0.1)[-1] == pytest.approx(0.7, abs=1e-15)
    assert multiples(-1.0, 1.0, 0.5) == [-1.0, -0.5, 0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(2.5, 0.5, "2.5"), (-3.0, 1.0, "−3"), (-1e-17, 0.5, "0.0"), (0.05, 0.05, "0.05"), (2e7, 1e6, "2e+07")],
)
def test_axis_values(value: float, step: float, text: str) -> None:
    assert tick_text(value, step) == text


@pytest.mark.parametrize(
    ("seconds", "step", "text"),
    [
        (-5, 5, "−5 s"),
        (-0.25, 0.05, "−0.25 s"),
        (-0.02, 0.01, "−20 ms"),
        (-120, 60, "−2 min"),
        (-90, 15, "−1:30"),
    ],
)
def test_times_before_now(seconds: float, step: float, text: str) -> None:
    assert ago_text(seconds, step) == text


def test_times_of_day_carry_into_the_next_second() -> None:
    assert clock_text(1000.9996, 0.001).endswith(":41.000")
    assert clock_text(1000.25, 0.01).endswith(":40.25")
    assert clock_text(1000.0, 5).endswith(":40")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.25, "250 ms"), (12.5, "12.5 s"), (90, "90 s"), (300, "5 min")]
)
def test_window_lengths(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"), [(512.0, "512"), (2.5, "2.5"), (3.14159265, "3.1416"), (None, "–"), (math.nan, "–")]
)
def test_readings(value: float | None, text: str) -> None:
    assert reading_text(value, needed_decimals(value) if value is not None else 0) == text


def test_a_range_holds_its_data_on_round_numbers() -> None:
    shown = ValueRange()
    assert shown.adapt(0.4, 4.7)
    assert shown.low <= 0.4
    assert shown.high >= 4.7
    assert shown.low == 0.0


def test_a_range_does_not_twitch_with_noise() -> None:
    shown = ValueRange()
    shown.adapt(1.0, 4.0)
    before = shown.low, shown.high
    for low, high in ((1.2, 3.9), (1.05, 3.6), (1.4, 3.99)):
        assert not shown.adapt(low, high)
    assert (shown.low, shown.high) == before
    assert shown.adapt(1.0, 9.0)


def test_a_range_of_one_value_is_not_empty() -> None:
    for value in (0.0, 5.0, -3.0, 1e-8, 1e12):
        shown = ValueRange()
        shown.adapt(value, value)
        assert shown.low <= value <= shown.high
        assert shown.high > shown.low


@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12))
def test_any_data_lies_inside_its_range(first: float, second: float) -> None:
    low, high = sorted((first, second))
    shown = ValueRange()
    shown.adapt(low, high)
    assert shown.low <= low
    assert high <= shown.high
    assert shown.low < shown.high


def test_a_manual_range_stays_until_it_is_automatic_again() -> None:
    shown = ValueRange()
    shown.set_manual(1.0, 2.0)
    assert not shown.adapt(-100.0, 100.0)
    assert (shown.low, shown.high) == (1.0, 2.0)
    shown.set_automatic()
    assert shown.adapt(-100.0, 100.0)


def test_nothing_visible_leaves_the_range() -> None:
    shown = ValueRange()
    shown.adapt(0.0, 10.0)
    assert not shown.adapt(math.nan, math.nan)


def series(label: str, unit: str) -> PlotSeries:
    return PlotSeries(SeriesId("board", label), unit, 0)


def test_panels_by_unit_and_by_series() -> None:
    all_series = [series("a0", "V"), series("t", "°C"), series("a1", "V")]
    by_unit = plan_panels(all_series, "overlay")
    assert [[one.series_id.label for one in panel.series] for panel in by_unit] == [["a0", "a1"], ["t"]]
    assert len(plan_panels(all_series, "stack")) == 3


def test_panels_share_the_room_and_scroll_when_it_is_too_small() -> None:
    strips = place_panels(3, 320, 50, 10)
    assert [strip.height for strip in strips] == [100, 100, 100]
    assert total_height(place_panels(40, 320, 50, 10)) == 40 * 50 + 39 * 10
    assert place_panels(0, 320, 50, 10) == []


def test_sparse_samples_are_connected() -> None:
    assert segments(sparse([0, 1, 2], [10, 20, 30]), PLAIN).tolist() == [[0, 90, 1, 80], [1, 80, 2, 70]]


def test_a_gap_breaks_the_curve_and_a_lone_sample_stays_visible() -> None:
    lines = segments(sparse([0, 1, 2, 3, 4], [10, math.nan, 30, math.nan, 50]), PLAIN)
    assert len(lines) == 3
    assert np.isfinite(lines).all()
    assert sorted(lines[:, 1].tolist()) == [50, 70, 90]


def test_a_silence_that_is_long_for_the_series_breaks_the_curve() -> None:
    quick = [0, 0.05, 0.1, 0.15, 10, 10.05]
    assert len(segments(sparse(quick, [1] * 6), PLAIN)) == 4
    slow = [0, 10, 20, 30]
    assert len(segments(sparse(slow, [1] * 4), PLAIN)) == 3


def test_dense_columns_touch_their_neighbours() -> None:
    columns = Columns(np.array([0.0, 1.0, 2.0]), np.array([0.0, 20.0, 5.0]), np.array([10.0, 30.0, 8.0]))
    lines = segments(columns, PLAIN)
    assert lines[:, 0].tolist() == [0.5, 1.5, 2.5]
    for (_, _, _, _), (_, upper, _, lower), before in zip(
        lines, lines[1:], [(90, 100), (70, 80)], strict=False
    ):
        assert upper <= before[1]
        assert lower >= before[0]


def test_extremes_of_rare_samples_take_in_where_the_curve_meets_the_edges() -> None:
    columns = sparse([0, 10], [0, 100])
    assert columns.extremes(4.0, 6.0) == pytest.approx((40.0, 60.0))


def test_reading_names_the_nearest_sample() -> None:
    columns = sparse([0, 1, 2], [10, 20, 30])
    assert columns.reading(1.4) == (1.0, 20.0, 20.0)
    assert columns.reading(99.0) == (2.0, 30.0, 30.0)
    assert sparse([], []).reading(1.0) is None
