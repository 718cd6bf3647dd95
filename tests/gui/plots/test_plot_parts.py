"""HW-12: cursors, trigger, way back and panels of the plots, without a window."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zeroclaw_desktop.bridge.plot_tools_bridge import PlotToolsBridge
from zeroclaw_desktop.gui.plots.cursors import A, B, CursorPair
from zeroclaw_desktop.gui.plots.frame import TimeAxis
from zeroclaw_desktop.gui.plots.overlays import range_text
from zeroclaw_desktop.gui.plots.panels import OVERLAY, STACK, TOGETHER, PlotSeries, SeriesId, plan_panels
from zeroclaw_desktop.gui.plots.time_view import TimeView
from zeroclaw_desktop.gui.plots.trigger_control import (
    AUTO,
    FREE_RUN_S,
    NORMAL,
    SINGLE,
    TriggerChoice,
    TriggerControl,
)
from zeroclaw_desktop.gui.plots.value_range import ValueRange
from zeroclaw_desktop.gui.plots.view_history import TOGETHER_S, ViewHistory
from zeroclaw_desktop.gui.widgets.number_field import typed_number
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

SIGNAL = SeriesId("uno", "s")


def axis(start: float, end: float, *, live: bool) -> TimeAxis:
    return TimeAxis(start, end, live, 0, 100, 1.0)


# cursors


def test_cursors_begin_inside_of_what_is_visible() -> None:
    pair = CursorPair()
    pair.show_in(axis(10, 20, live=False))
    first, second = pair.times(axis(10, 20, live=False))
    assert 10 < first < second < 20


def test_cursors_stand_still_on_the_screen_while_the_plot_follows() -> None:
    pair = CursorPair()
    pair.show_in(axis(10, 20, live=True))
    before = [20 - moment for moment in pair.times(axis(10, 20, live=True))]
    after = [27 - moment for moment in pair.times(axis(17, 27, live=True))]
    assert after == pytest.approx(before)


def test_cursors_stand_still_in_time_once_the_plot_is_held() -> None:
    pair = CursorPair()
    pair.show_in(axis(10, 20, live=True))
    pair.put(A, 12.0)
    pair.put(B, 15.0)
    assert pair.times(axis(10, 20, live=False)) == (12.0, 15.0)
    assert pair.times(axis(0, 5, live=False)) == (12.0, 15.0)


# trigger


class Scope:
    """A trigger over a store whose clock is in the hand of the test."""

    def __init__(self, **choice: Any) -> None:
        self.time = 0.0
        self.window = 1.0
        self.store = TelemetryStore(clock=lambda: self.time)
        self.control = TriggerControl(self, PlotToolsBridge.trigger, lambda: self.window)
        self.control.set_choice(TriggerChoice(**{"series_id": SIGNAL, "level": 0.5, **choice}))

    def now(self) -> float:
        return self.store.now()

    def samples_since(self, source_id: str, label: str, index: int) -> Any:
        return self.store.since((source_id, label), index)

    def feed(self, *pulses: float, until: float) -> None:
        """Send 0 at 1,000 samples a second up to ``until``, 1 for 10 ms from each of ``pulses`` on."""
        times = np.arange(round(self.time * 1000), round(until * 1000)) / 1000
        values = np.zeros(len(times))
        for pulse in pulses:
            values[(times >= pulse) & (times < pulse + 0.01)] = 1
        self.store.append(*SIGNAL, times, values)
        self.time = until


def test_a_trigger_shows_the_window_around_it_once_it_is_whole() -> None:
    scope = Scope(before=0.25)
    scope.control.arm()
    scope.feed(2.0, until=2.2)
    assert scope.control.advance() is None
    scope.feed(until=2.8)
    assert scope.control.advance() == pytest.approx((1.75, 2.75))
    assert scope.control.fired_at == pytest.approx(2.0)


def test_what_was_before_it_was_armed_does_not_trigger() -> None:
    scope = Scope()
    scope.feed(1.0, until=3.0)
    scope.control.arm()
    scope.feed(until=5.0)
    assert scope.control.advance() is None


def test_normal_goes_on_with_the_next_and_never_runs_free() -> None:
    scope = Scope(mode=NORMAL)
    scope.control.arm()
    scope.feed(1.0, until=2.0)
    assert scope.control.advance() is not None
    scope.feed(until=10.0)
    assert scope.control.advance() is None
    assert not scope.control.wants_free_run()
    scope.feed(11.0, until=12.0)
    assert scope.control.advance() == pytest.approx((10.75, 11.75))


def test_auto_runs_free_when_nothing_triggers() -> None:
    scope = Scope(mode=AUTO)
    scope.control.arm()
    assert not scope.control.wants_free_run()
    scope.feed(until=FREE_RUN_S + 0.5)
    assert scope.control.advance() is None
    assert scope.control.wants_free_run()


def test_single_stops_after_one_until_it_is_armed_again() -> None:
    scope = Scope(mode=SINGLE)
    scope.control.arm()
    scope.feed(1.0, 3.0, until=4.0)
    assert scope.control.advance() == pytest.approx((0.75, 1.75))
    assert not scope.control.armed
    scope.feed(5.0, until=6.0)
    assert scope.control.advance() is None
    scope.control.arm()
    scope.feed(7.0, until=8.0)
    assert scope.control.advance() == pytest.approx((6.75, 7.75))


def test_another_window_length_is_taken_at_once() -> None:
    scope = Scope(before=0.5)
    scope.control.arm()
    scope.window = 0.2
    scope.feed(1.0, until=2.0)
    assert scope.control.advance() == pytest.approx((0.9, 1.1))


def test_a_trigger_survives_that_its_series_is_cleared() -> None:
    scope = Scope()
    scope.control.arm()
    scope.feed(until=1.0)
    scope.control.advance()
    scope.store.clear()
    assert scope.control.advance() is None
    scope.feed(1.5, until=3.0)
    scope.control.advance()
    assert scope.control.fired_at == pytest.approx(1.5)


def test_a_trigger_that_cannot_be_says_why() -> None:
    scope = Scope(hysteresis=-1.0)
    scope.control.arm()
    assert scope.control.fault is not None
    assert not scope.control.armed
    assert scope.control.advance() is None


def test_a_trigger_is_kept_as_plain_values() -> None:
    choice = TriggerChoice(SIGNAL, SINGLE, "falling", 1.5, 0.1, 0.5)
    assert TriggerChoice.of(choice.state()) == choice
    for wrong in (None, 5, {}, {"series_id": [1]}, {"mode": "x", "kind": 3, "level": "high"}):
        assert TriggerChoice.of(wrong) == TriggerChoice()


# way back


def test_the_way_back_joins_the_steps_of_one_gesture() -> None:
    now = [0.0]
    history = ViewHistory(lambda: now[0])
    view, ranges = TimeView(10.0), {("unit", "V"): ValueRange()}
    for seconds in (8.0, 6.0, 4.0):
        history.before_change("zoom", view, ranges)
        view.set_window(seconds)
        now[0] += TOGETHER_S / 3
    now[0] += TOGETHER_S
    history.before_change("zoom", view, ranges)
    ranges["unit", "V"].set_manual(2, 3)
    before = history.back(ranges)
    assert before is not None
    assert before.window_s == 4.0
    assert ranges["unit", "V"].automatic
    before = history.back(ranges)
    assert before is not None
    assert before.window_s == 10.0
    assert history.back(ranges) is None


def test_changes_of_two_kinds_are_never_one() -> None:
    history = ViewHistory(lambda: 0.0)
    view = TimeView(10.0)
    history.before_change("zoom", view, {})
    view.set_window(5.0)
    history.before_change("pan", view, {})
    windows = [found.window_s for found in (history.back({}), history.back({})) if found is not None]
    assert windows == [5.0, 10.0]


def test_the_way_back_restores_a_fixed_axis() -> None:
    history = ViewHistory(lambda: 0.0)
    ranges = {("unit", "V"): ValueRange()}
    ranges["unit", "V"].set_manual(-1, 7)
    history.before_change("zoom", TimeView(), ranges)
    ranges["unit", "V"].set_automatic()
    history.back(ranges)
    restored = ranges["unit", "V"]
    assert (restored.low, restored.high, restored.automatic) == (-1, 7, False)


# panels

SERIES = (
    PlotSeries(SeriesId("uno", "a"), "V", 0),
    PlotSeries(SeriesId("uno", "b"), "V", 1, panel="left"),
    PlotSeries(SeriesId("uno", "c"), "°C", 2, panel="left"),
    PlotSeries(SeriesId("uno", "d"), "°C", 3),
)


@pytest.mark.parametrize(
    ("mode", "panels"), [(OVERLAY, ["a", "bc", "d"]), (STACK, ["a", "bc", "d"]), (TOGETHER, ["ad", "bc"])]
)
def test_a_named_panel_is_shared_in_every_mode(mode: str, panels: list[str]) -> None:
    found = plan_panels(SERIES, mode)
    assert ["".join(one.series_id.label for one in panel.series) for panel in found] == panels


def test_a_panel_of_several_units_has_none() -> None:
    assert [panel.unit for panel in plan_panels(SERIES, OVERLAY)] == ["V", "", "°C"]
    assert plan_panels(SERIES[:1], TOGETHER)[0].unit == "V"


# readings


@pytest.mark.parametrize(
    ("low", "high", "text"), [(1.0, 1.0, "1"), (1.25, 2.5, "1.25 … 2.50"), (22.131, 22.1312, "22.13")]
)
def test_a_column_of_several_values_is_a_range_when_its_ends_differ(
    low: float, high: float, text: str
) -> None:
    assert range_text(low, high) == text


# numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("1,5", 1.5), (" -1e-3 ", -0.001), ("－２，５", -2.5), ("1。5", 1.5), ("+4", 4.0)],
)
def test_numbers_as_people_type_them(text: str, value: float) -> None:
    assert typed_number(text) == value


@pytest.mark.parametrize("text", ["", "a", "nan", "inf", "1e999", "1,000.5", "--1"])
def test_what_is_no_number(text: str) -> None:
    assert typed_number(text) is None
