"""HW-12 on the page: cursors, figures, limits, trigger, locks, way back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui.plots.plot_world import BOARD, PlotWorld
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId

PageMaker = Callable[[PlotWorld], PlotsPage]
TEMPERATURE = SeriesId(BOARD, "temp")
KNOB = SeriesId(BOARD, "a0")


def drag(page: PlotsPage, start: QPoint, end: QPoint) -> None:
    """Press, move, release with the left button on the canvas."""
    QTest.mouseMove(page.canvas, start)
    QTest.mousePress(page.canvas, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(page.canvas, (start + end) / 2)
    QTest.mouseMove(page.canvas, end)
    QTest.mouseRelease(page.canvas, Qt.MouseButton.LeftButton, pos=end)


def place_of(page: PlotsPage, moment: float, series_id: SeriesId, value: float) -> QPoint:
    """Return the pixel of a moment and a value in the panel of a series."""
    frame = next(
        frame
        for frame in page.canvas.frames()
        if any(series.series_id == series_id for series in frame.panel.series)
    )
    return QPoint(round(page.canvas.axis().x(moment)), round(frame.y(value)))


def figure(page: PlotsPage, label: str, key: str) -> str:
    """Return a cell of the table of figures."""
    model = page.instruments.measure_panel.model
    return next(model.cell(row, key) for row in model.rows() if row.label == label)


# cursors and figures


def test_the_key_c_shows_cursors_with_their_figures(page: PlotsPage) -> None:
    QTest.keyClick(page.canvas, Qt.Key.Key_C)
    panel = page.instruments.measure_panel
    assert panel.isVisible()
    assert page.toolbar.cursors_button.isChecked()
    assert [row.label for row in panel.model.rows()] == ["a0", "a1", "temp", "light"]
    assert {"at_a", "at_b", "difference", "slope"} <= set(panel.model.keys())
    QTest.keyClick(page.canvas, Qt.Key.Key_C)
    assert not page.instruments.cursors.shown
    assert "at_a" not in set(panel.model.keys())


def test_a_cursor_is_moved_by_hand_and_reads_the_sample_there(page: PlotsPage, world: PlotWorld) -> None:
    world.plots.feed("ramp", np.arange(0, 60, 0.01), np.arange(0, 60, 0.01) * 3, "V")
    page.toggle_pause()
    page.instruments.show_cursors(True)
    axis = page.canvas.axis()
    middle = page.canvas.height() // 2
    first, second = page.instruments.cursors.times(axis)
    drag(page, QPoint(round(axis.x(first)), middle), QPoint(round(axis.x(40.0)), middle))
    drag(page, QPoint(round(axis.x(second)), middle), QPoint(round(axis.x(50.0)), middle))
    pixel = 3 * axis.pixel_s * 2
    assert float(figure(page, "ramp", "at_a")) == pytest.approx(120, abs=pixel)
    assert float(figure(page, "ramp", "difference")) == pytest.approx(30, abs=2 * pixel)
    assert float(figure(page, "ramp", "slope")) == pytest.approx(3, rel=0.01)
    assert page.canvas.axis().start == axis.start, "a cursor in the hand must not move the view"


def test_a_cursor_cannot_be_lost_outside_of_the_view(page: PlotsPage) -> None:
    page.toggle_pause()
    page.instruments.show_cursors(True)
    axis = page.canvas.axis()
    first, _ = page.instruments.cursors.times(axis)
    drag(page, QPoint(round(axis.x(first)), 100), QPoint(-50, 100))
    assert page.instruments.cursors.times(axis)[0] == pytest.approx(axis.start)


def test_figures_are_those_of_the_visible_stretch(page: PlotsPage, world: PlotWorld) -> None:
    QTest.keyClick(page.canvas, Qt.Key.Key_M)
    page.canvas.show_span(30.0, 40.0)
    page.instruments._ask_for_figures()
    wanted = world.plots.store.stats((BOARD, "a0"), 30.0, 40.0)
    assert figure(page, "a0", "mean") == f"{wanted.mean:.4f}"
    assert figure(page, "a0", "count") == "200"


def test_figures_are_copied_as_a_table(page: PlotsPage) -> None:
    page.instruments.show_figures(True)
    page.instruments.measure_panel.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("Series\tMin\tMax")
    assert [line.split("\t")[0] for line in lines[1:]] == ["a0 (V)", "a1 (V)", "temp (°C)", "light"]


def test_hidden_series_have_no_figures(page: PlotsPage) -> None:
    page.model.toggle(1)
    page.instruments.show_figures(True)
    assert [row.label for row in page.instruments.measure_panel.model.rows()] == ["a0", "temp", "light"]


# limits


def test_a_limit_is_set_in_the_sheet_and_kept(page: PlotsPage, world: PlotWorld, file: Path) -> None:
    page.instruments.open_limits(TEMPERATURE)
    sheet = page.instruments._limits_sheet
    assert sheet is not None
    sheet.limit.setText("30,5")
    sheet.hysteresis.setText("0.5")
    sheet.name_field.setText("too warm")
    sheet.check()
    QTest.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    view = world.plot_tools.thresholds()[0]
    assert (view.name, view.source_id, view.label, view.limit, view.hysteresis) == (
        "too warm",
        BOARD,
        "temp",
        30.5,
        0.5,
    )
    again = PlotWorld(views_file=file)
    assert [limit.name for limit in again.plot_tools.thresholds()] == ["too warm"]


def test_a_new_limit_begins_at_the_newest_value_of_its_signal(page: PlotsPage, world: PlotWorld) -> None:
    world.plots.feed("a0", [60.5], [3.217], "V")
    page.refresh_series()
    page.instruments.open_limits()
    sheet = page.instruments._limits_sheet
    assert sheet is not None
    assert (sheet.series_box.currentText(), sheet.limit.value()) == ("a0", 3.22)


@pytest.mark.parametrize(
    ("limit", "hysteresis", "name"), [("hot", "0", "n"), ("1", "-1", "n"), ("1", "x", "n"), ("1", "0", "  ")]
)
def test_a_limit_that_cannot_be_is_refused_in_place(
    page: PlotsPage, world: PlotWorld, limit: str, hysteresis: str, name: str
) -> None:
    page.instruments.open_limits(TEMPERATURE)
    sheet = page.instruments._limits_sheet
    assert sheet is not None
    for field, text in ((sheet.limit, limit), (sheet.hysteresis, hysteresis), (sheet.name_field, name)):
        field.setText(text)
    sheet.check()
    assert sheet.problem_text.isVisible()
    assert not sheet.save_button.isEnabled()
    sheet.save()
    assert world.plot_tools.thresholds() == []


def test_a_limit_is_moved_by_hand(page: PlotsPage, world: PlotWorld) -> None:
    world.plot_tools.add_threshold("warm", *TEMPERATURE, 28.0)
    page.toggle_pause()
    page.canvas.refresh()
    axis = page.canvas.axis()
    start = place_of(page, axis.start + 5, TEMPERATURE, 28.0)
    drag(page, start, start - QPoint(0, 20))
    moved = world.plot_tools.thresholds()[0].limit
    frame = next(f for f in page.canvas.frames() if f.panel.unit == "°C")
    assert moved == pytest.approx(frame.value(start.y() - 20), abs=frame.value(0) - frame.value(1.5))


def test_an_alarm_is_marked_in_the_list_and_ends(page: PlotsPage, world: PlotWorld) -> None:
    world.plot_tools.add_threshold("warm", *TEMPERATURE, 50.0)
    world.plots.feed("temp", [61.0], [51.0])
    world.runtime.plots.look_at_thresholds()
    row = page.model.row_of(TEMPERATURE)
    assert row is not None
    assert row.alarm
    world.plots.feed("temp", [62.0], [20.0])
    world.runtime.plots.look_at_thresholds()
    assert not row.alarm


# trigger


def test_a_trigger_holds_the_view_around_the_edge(page: PlotsPage, world: PlotWorld) -> None:
    page.canvas.set_window(2.0)
    page.instruments.show_trigger(True, KNOB)
    page.instruments.trigger_bar.move_level(4.0)
    times = np.arange(6000, 7000) / 100
    world.plots.time = 70.0
    world.plots.feed("a0", times, np.where((times >= 64) & (times < 65), 5.0, 0.0), "V")
    page.instruments.advance()
    axis = page.canvas.axis()
    assert (axis.start, axis.end) == pytest.approx((63.5, 65.5))
    page.instruments.trigger_bar.show_state()
    assert page.instruments.trigger_bar.state.text() == "Triggered"
    page.toggle_pause()
    assert not page.instruments.trigger.on
    assert not page.canvas.view.following


def test_the_strip_of_the_trigger_takes_what_is_typed(page: PlotsPage) -> None:
    QTest.keyClick(page.canvas, Qt.Key.Key_T)
    bar = page.instruments.trigger_bar
    assert bar.isVisible()
    bar.level.selectAll()
    QTest.keyClicks(bar.level, "1,25")
    assert page.instruments.trigger.choice.level == 1.25
    bar.level.selectAll()
    QTest.keyClicks(bar.level, "x")
    assert page.instruments.trigger.choice.level == 1.25, "a text that is no number changes nothing"
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert page.canvas.view.following


# locks, way back, exact ranges


def test_a_locked_time_axis_does_not_move(page: PlotsPage) -> None:
    page.toggle_pause()
    page.canvas.lock_time(True)
    before = page.canvas.view.span(0)
    page.canvas.zoom(0.5)
    page.canvas.pan(5)
    drag(page, QPoint(300, 200), QPoint(500, 200))
    assert page.canvas.view.span(0) == before
    page.canvas.lock_time(False)
    page.canvas.zoom(0.5)
    assert page.canvas.view.span(0) != before


def test_locked_value_axes_stay_whatever_comes(page: PlotsPage, world: PlotWorld) -> None:
    page.canvas.lock_values(True)
    before = [(frame.range.low, frame.range.high) for frame in page.canvas.frames()]
    world.plots.feed("a0", [60.5], [400.0])
    world.plots.time = 61.0
    page.canvas.follow()
    for frame in page.canvas.frames():
        page.canvas.zoom_values(frame, 0.5, frame.area.center().y())
    assert [(frame.range.low, frame.range.high) for frame in page.canvas.frames()] == before
    page.canvas.lock_values(False)
    assert page.canvas.frames()[0].range.high >= 400


def test_backspace_takes_a_zoom_back(page: PlotsPage) -> None:
    page.toggle_pause()
    before = page.canvas.view.span(0)
    page.canvas.zoom(0.25)
    QTest.keyClick(page.canvas, Qt.Key.Key_Backspace)
    assert page.canvas.view.span(0) == before


def test_a_value_axis_gets_exact_ends(page: PlotsPage) -> None:
    page.view_menu.open_range()
    sheet = page.view_menu._range_sheet
    assert sheet is not None
    sheet.low.setText("-1")
    sheet.high.setText("-1")
    sheet.check()
    assert not sheet.save_button.isEnabled()
    sheet.high.setText("9")
    sheet.check()
    QTest.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    shown = page.canvas.frames()[0].range
    assert (shown.low, shown.high, shown.automatic) == (-1, 9, False)


# what a board may send, and what a person may type


@pytest.mark.parametrize(
    ("first", "second"),
    [(1e308, -1e308), (1e-320, 0), (1e300, 1e300), (-1e-310, 1e-310), (1.7e308, 1.7e308), (1e-13, 2e-13)],
)
def test_the_largest_and_smallest_numbers_are_drawn(
    page: PlotsPage, world: PlotWorld, first: float, second: float
) -> None:
    odd = SeriesId(BOARD, "odd")
    world.plots.feed("odd", [58.0, 58.5, 59.0, 59.5], [first, second, first, second])
    page.refresh_series()
    page.instruments.show_cursors(True)
    page.instruments.show_trigger(True, odd)
    for factor in (0.01, 1e5, 1e-9, 1e9):
        for frame in page.canvas.frames():
            page.canvas.zoom_values(frame, factor, frame.area.center().y())
            page.canvas.pan_values(frame, 50)
        page.canvas.pan(-3)
        page.canvas.grab()
    page.canvas.follow()
    page.instruments.advance()
    assert all(frame.range.low < frame.range.high for frame in page.canvas.frames())
    assert inked(page), "nothing was drawn"


@pytest.mark.parametrize(("factor", "offset"), [(1e30, 0), (1e-30, 0), (-1e30, 1e30), (1.0, 1e30)])
def test_the_largest_and_smallest_scales_are_drawn(
    page: PlotsPage, world: PlotWorld, factor: float, offset: float
) -> None:
    world.plot_tools.add_threshold("far", *KNOB, 1e308)
    assert world.plot_views.set_looks({tuple(KNOB): SeriesLook(factor=factor, offset=offset)}) is None
    page.refresh_series()
    page.instruments.open_series(KNOB)
    page.instruments.open_limits(KNOB)
    page.canvas.follow()
    assert inked(page), "nothing was drawn"


def inked(page: PlotsPage) -> bool:
    """Return whether any pixel of the canvas has a strong colour."""
    picture = page.canvas.grab().toImage()
    return any(
        picture.pixelColor(x, y).saturation() > 100
        for x in range(60, picture.width(), 7)
        for y in range(0, picture.height(), 1)
    )
