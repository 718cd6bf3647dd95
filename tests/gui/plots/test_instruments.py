"""HW-12 on the page: cursors, figures, limits, trigger, locks, way back, looks of series, layouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.plot_world import BOARD, PlotWorld, fill_workbench
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.theme import Theme

PageMaker = Callable[[PlotWorld], PlotsPage]
TEMPERATURE = SeriesId(BOARD, "temp")
KNOB = SeriesId(BOARD, "a0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where looks, limits and layouts are kept."""
    return tmp_path / "plot-views.json"


@pytest.fixture
def world(dress: Theme, file: Path) -> PlotWorld:
    """A simulated board and a minute of its signals."""
    made = PlotWorld(simulated_board(), views_file=file)
    fill_workbench(made.plots)
    return made


@pytest.fixture
def make_page(qtbot: QtBot, dress: Theme) -> PageMaker:
    """Makes a page that is shown at 1000x700."""

    def make(world: PlotWorld) -> PlotsPage:
        page = PlotsPage(world)  # type: ignore[arg-type]
        qtbot.addWidget(page)
        page.resize(1000, 700)
        with qtbot.waitExposed(page):
            page.show()
        return page

    return make


@pytest.fixture
def page(world: PlotWorld, make_page: PageMaker) -> PlotsPage:
    """The page over ``world``."""
    return make_page(world)


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


# looks of series


def test_scale_unit_and_colour_are_chosen_in_the_sheet(page: PlotsPage, world: PlotWorld, file: Path) -> None:
    page.instruments.open_series(KNOB)
    sheet = page.instruments._series_sheet
    assert sheet is not None
    assert sheet.unit.placeholderText() == "V"
    sheet.unit.setText("°")
    sheet.factor.setText("72")
    sheet.offset.setText("-180")
    sheet.color.set_current(5)
    sheet.panel_box.setCurrentIndex(sheet.panel_box.findData("1"))
    sheet.check()
    QTest.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    look = SeriesLook(color=5, unit="°", factor=72, offset=-180, panel="1")
    assert world.plot_views.looks()[tuple(KNOB)] == look
    page.refresh_series()
    row = page.model.row_of(KNOB)
    assert row is not None
    assert (row.color_index, row.view.unit, row.panel) == (5, "°", "1")
    assert any(frame.panel.unit == "°" for frame in page.canvas.frames())
    again = PlotWorld(views_file=file)
    assert again.plot_views.looks()[tuple(KNOB)] == look


def test_the_sheet_shows_what_becomes_of_the_newest_value(page: PlotsPage, world: PlotWorld) -> None:
    world.plots.feed("a0", [60.5], [2.0], "V")
    page.refresh_series()
    page.instruments.open_series(KNOB)
    sheet = page.instruments._series_sheet
    assert sheet is not None
    sheet.factor.setText("10")
    sheet.unit.setText("mm")
    sheet.check()
    assert sheet.preview.text() == "2 V → 20 mm"
    sheet.factor.setText("0")
    sheet.check()
    assert not sheet.save_button.isEnabled()
    QTest.mouseClick(sheet.reset_button, Qt.MouseButton.LeftButton)
    assert (sheet.factor.value(), sheet.unit.text()) == (1.0, "")


@pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
def test_the_menu_of_a_series_opens_by_its_three_dots(page: PlotsPage) -> None:
    index = page.model.index(1)
    corner = page.list.visualRect(index).bottomRight() - QPoint(14, 8)
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=corner)
    menus = [menu for menu in page.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    assert "Colour, unit and scale…" in [entry.text() for entry in menus[0].actions()]
    menus[0].close()
    assert page.model.rows()[1].visible, "the dots must not hide the series"


def test_hidden_series_are_hidden_at_the_next_start(
    page: PlotsPage, file: Path, make_page: PageMaker
) -> None:
    page.model.toggle(3)
    page.instruments.keep_visibility()
    again = PlotWorld(simulated_board(), views_file=file)
    fill_workbench(again.plots)
    rows = make_page(again).model.rows()
    assert [row.visible for row in rows] == [True, True, True, False]


# layouts


def test_a_layout_brings_everything_back(page: PlotsPage, world: PlotWorld) -> None:
    page.canvas.set_window(5.0)
    page.set_mode("together")
    page.model.toggle(0)
    page.instruments.show_cursors(True)
    page.canvas.lock_time(True)
    page.view_menu.open_save()
    sheet = page.view_menu._layout_sheet
    assert sheet is not None
    sheet.name_field.setText("Greenhouse")
    sheet.check()
    QTest.mouseClick(sheet.save_button, Qt.MouseButton.LeftButton)
    page.canvas.lock_time(False)
    page.canvas.set_window(60.0)
    page.set_mode("stack")
    page.model.show_all()
    page.instruments.show_cursors(False)
    page.instruments.show_figures(False)
    page.show_layout("Greenhouse")
    assert page.canvas.view.window_s == 5.0
    assert page.mode() == "together"
    assert [row.visible for row in page.model.rows()] == [False, True, True, True]
    assert page.instruments.cursors.shown
    assert page.instruments.measure_panel.isVisible()
    assert page.canvas.time_locked


@pytest.mark.parametrize(
    "layout",
    [
        {},
        {"window_s": "x", "mode": 5, "series": 3, "instruments": []},
        {"series": [1, {}, {"source": BOARD, "label": "a0", "color": "red"}]},
        {"instruments": {"trigger": {"on": True, "series_id": ["a", "b"]}}},
    ],
)
def test_a_damaged_layout_changes_only_what_it_says(
    page: PlotsPage, world: PlotWorld, layout: dict[str, object]
) -> None:
    world.plot_views.save_layout("odd", layout)
    page.show_layout("odd")
    assert page.canvas.view.window_s == 30.0
    assert page.mode() == "overlay"
    assert all(row.visible for row in page.model.rows())


def test_a_layout_is_forgotten_by_the_menu(page: PlotsPage, world: PlotWorld) -> None:
    world.plot_views.save_layout("a & b", {})
    page.view_menu.fill()
    submenu = next(menu for menu in page.view_menu.findChildren(QMenu) if menu.title() == "Forget a layout")
    submenu.actions()[0].trigger()
    assert world.plot_views.layouts() == []


# language


def test_all_of_it_is_in_chinese(page: PlotsPage, chinese: TsTranslator) -> None:
    page.instruments.show_trigger(True)
    page.instruments.show_figures(True)
    page.instruments.open_limits(TEMPERATURE)
    page.instruments.open_series(KNOB)
    page.view_menu.open_range()
    page.view_menu.open_save()
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    it = page.instruments
    texts = [
        *it.measure_panel.model.heads.values(),
        it.measure_panel.stretch.text(),
        it.trigger_bar.kind_box.itemText(0),
        it.trigger_bar.state.text(),
        page.toolbar.view_button.text(),
    ]
    for sheet in (
        it._limits_sheet,
        it._series_sheet,
        page.view_menu._range_sheet,
        page.view_menu._layout_sheet,
    ):
        assert sheet is not None
        texts += [sheet.save_button.text(), sheet.cancel_button.text(), *sheet.field_names()]
    assert [text for text in texts if text.isascii() and text not in {"A", "B", "RMS"}] == []


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
