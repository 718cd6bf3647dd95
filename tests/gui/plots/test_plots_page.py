"""The Plots page over a real telemetry store: pause, follow, zoom, list, export, empty state."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import SIMULATOR, simulated_board
from tests.gui.plots.conftest import PageMaker
from tests.gui.plots.plot_world import BOARD, PlotWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.theme import Theme


def inked_hues(page: PlotsPage, area: QRect) -> list[int]:
    """Return the hue of the strongest pixel of each column of ``area`` that has a coloured one."""
    picture = page.canvas.grab().toImage()
    hues = []
    for x in range(area.left() + 1, area.right()):
        column = [picture.pixelColor(x, y) for y in range(area.top() + 24, area.bottom())]
        strongest = max(column, key=saturation)
        if saturation(strongest) > 60:
            hues.append(strongest.hue())
    return hues


def saturation(color: QColor) -> int:
    """Return how far a colour is from grey."""
    return max(color.getRgb()[:3]) - min(color.getRgb()[:3])


def span(page: PlotsPage) -> tuple[float, float]:
    return page.canvas.axis().start, page.canvas.axis().end


def test_an_empty_page_offers_the_signals_of_the_board(make_page: PageMaker, dress: Theme) -> None:
    world = PlotWorld(simulated_board())
    page = make_page(world)
    assert page.empty.isVisible()
    QTest.mouseClick(page.empty.state.button, Qt.MouseButton.LeftButton)
    assert world.plots.calls == [("start_demo_signals",)]
    assert not page.empty.state.button.isEnabled()
    world.plots.feed("a0", [0.0], [1.0], "V")
    assert page.canvas.isVisible()
    assert page.focusWidget() is page.canvas


def test_a_refused_start_is_told_in_place_and_can_be_tried_again(make_page: PageMaker) -> None:
    world = PlotWorld(simulated_board())
    page = make_page(world)
    page.empty.begin()
    world.devices.command_failed.emit(SIMULATOR, ErrorView("The stop is latched.", next_step="Release it."))
    assert page.empty.error.isVisible()
    assert page.empty.error.accessibleName() == "The stop is latched."
    assert page.empty.state.button.isEnabled()


def test_a_failure_of_somebody_elses_command_is_not_shown_here(make_page: PageMaker) -> None:
    world = PlotWorld(simulated_board())
    page = make_page(world)
    world.devices.command_failed.emit(SIMULATOR, ErrorView("Pin 3 is busy."))
    assert not page.empty.error.isVisible()


def test_the_page_pulls_only_while_it_is_visible(page: PlotsPage, world: PlotWorld, qtbot: QtBot) -> None:
    world.plots.time = 61.0
    qtbot.waitUntil(lambda: span(page)[1] > 60.9)
    page.hide()
    before = span(page)
    world.plots.time = 90.0
    QTest.qWait(80)
    assert span(page) == before
    page.show()
    qtbot.waitUntil(lambda: span(page)[1] > 89.0)


def test_curves_are_painted_in_the_colours_of_their_series(page: PlotsPage, dress: Theme) -> None:
    page.set_mode("stack")
    page.canvas.set_window(2.5)  # no marker's stem stands in it
    for number in (0, 2, 3):
        hues = inked_hues(page, page.canvas.frames()[number].area)
        assert len(hues) > 100
        assert abs(float(np.median(hues)) - dress.series_color(number).hue()) <= 12


def test_a_gap_is_not_bridged(make_page: PageMaker, dress: Theme) -> None:
    world = PlotWorld()
    times = np.arange(0, 30, 0.1)
    world.plots.feed("x", times, np.where((times > 10) & (times < 20), np.nan, 1.0))
    world.plots.time = 30.0
    page = make_page(world)
    page.canvas.set_window(30.0)
    axis, area = page.canvas.axis(), page.canvas.frames()[0].area

    def columns_between(first: float, last: float) -> int:
        left, right = round(axis.x(first)), round(axis.x(last))
        return len(inked_hues(page, QRect(left, area.top(), right - left, area.height())))

    assert columns_between(2, 9.5) > 100
    assert columns_between(10.5, 19.5) == 0


@pytest.mark.parametrize("rate", [0.5, 20, 35, 100, 2_000])
def test_a_steady_curve_has_no_holes_at_any_rate(make_page: PageMaker, dress: Theme, rate: float) -> None:
    world = PlotWorld()
    times = np.arange(0, 40, 1 / rate)
    world.plots.feed("x", times, 1 + 0.2 * np.sin(times / 6))
    world.plots.time = 40.0
    page = make_page(world)
    page.canvas.set_window(30.0)
    area = page.canvas.frames()[0].area
    inner = area.adjusted(10, 0, -10 - round(area.width() / 30 / rate), 0)
    assert len(inked_hues(page, inner)) == inner.width() - 2


def test_pause_keeps_the_view_and_counts_what_comes(page: PlotsPage, world: PlotWorld, qtbot: QtBot) -> None:
    QTest.keyClick(page.canvas, Qt.Key.Key_Space)
    held = span(page)
    world.plots.time = 75.0
    world.plots.feed("a0", np.arange(60, 75, 0.05), np.zeros(300), "V")
    qtbot.waitUntil(lambda: "300" in page.toolbar.missed.whole_text())
    assert span(page) == held
    assert page.toolbar.state.text() == "Paused"


def test_resume_shows_everything_without_a_gap(page: PlotsPage, world: PlotWorld) -> None:
    page.toggle_pause()
    before = len(world.plots.store.snapshot((BOARD, "a0")).time)
    world.plots.time = 75.0
    times = np.arange(60, 75, 0.05)
    world.plots.feed("a0", times, np.sin(times), "V")
    page.toggle_pause()
    assert span(page)[1] == pytest.approx(75.0, abs=0.1)
    shown = page.canvas.frames()[0].columns[0]
    assert np.diff(shown.time).max() < 0.06
    assert len(world.plots.store.snapshot((BOARD, "a0")).time) == before + len(times)


def test_keys_zoom_pan_and_follow(page: PlotsPage) -> None:
    QTest.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert page.canvas.view.window_s == pytest.approx(15.0)
    assert page.canvas.view.following
    QTest.keyClick(page.canvas, Qt.Key.Key_Minus)
    QTest.keyClick(page.canvas, Qt.Key.Key_Left)
    assert not page.canvas.view.following
    QTest.keyClick(page.canvas, Qt.Key.Key_F)
    assert page.canvas.view.following


def test_dragging_moves_the_view_and_leaves_the_present(page: PlotsPage) -> None:
    canvas = page.canvas
    before = span(page)
    middle = QPoint(canvas.width() // 2, canvas.height() // 2)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    QTest.mouseMove(canvas, middle + QPoint(60, 0))
    QTest.mouseMove(canvas, middle + QPoint(120, 0))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert not canvas.view.following
    seconds = 120 / canvas.axis().width * 30
    assert span(page)[0] == pytest.approx(before[0] - seconds, abs=0.5)
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert canvas.view.following


def test_a_box_zooms_to_its_times_and_values(page: PlotsPage) -> None:
    canvas = page.canvas
    area = canvas.frames()[0].area
    axis = canvas.axis()
    first, last = area.topLeft() + QPoint(100, 20), area.topLeft() + QPoint(300, 60)
    wanted = axis.moment(first.x()), axis.moment(last.x())
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, shift, first)
    QTest.mouseMove(canvas, first + QPoint(50, 10))
    QTest.mouseMove(canvas, last)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, shift, last)
    assert span(page) == pytest.approx(wanted, abs=0.2)
    assert not canvas.frames()[0].range.automatic
    canvas.follow()
    assert canvas.frames()[0].range.automatic


def wheel(page: PlotsPage, at: QPointF, notches: int, modifiers: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        at,
        page.canvas.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QCoreApplication.sendEvent(page.canvas, event)


def test_the_wheel_zooms_around_the_pointer(page: PlotsPage) -> None:
    page.toggle_pause()
    at = QPointF(page.canvas.frames()[0].area.center())
    before = page.canvas.axis().moment(at.x())
    wheel(page, at, 2, Qt.KeyboardModifier.NoModifier)
    assert page.canvas.view.window_s == pytest.approx(30 * 0.64)
    assert page.canvas.axis().moment(at.x()) == pytest.approx(before, abs=0.02)


def test_the_wheel_with_control_zooms_values_only(page: PlotsPage) -> None:
    frame = page.canvas.frames()[0]
    height = frame.range.high - frame.range.low
    wheel(page, QPointF(frame.area.center()), 1, Qt.KeyboardModifier.ControlModifier)
    assert page.canvas.view.window_s == 30.0
    assert frame.range.high - frame.range.low == pytest.approx(0.8 * height)


def test_the_crosshair_reads_the_store(page: PlotsPage, world: PlotWorld) -> None:
    frame = page.canvas.frames()[0]
    at = frame.area.center()
    QTest.mouseMove(page.canvas, at)
    moment = page.canvas.pointer_moment()
    assert moment is not None
    stored = world.plots.store.snapshot((BOARD, "a0"))
    wanted = stored.value[np.argmin(np.abs(stored.time - moment))]
    assert page.canvas.readings()[SeriesId(BOARD, "a0")] == (wanted, wanted)
    assert page.model.rows()[0].pointed == (wanted, wanted)
    assert page.moment.text().startswith("at −")


def test_a_click_in_the_list_hides_a_series_and_a_double_click_shows_it_alone(page: PlotsPage) -> None:
    def click(row: int, *, double: bool = False) -> None:
        at = page.list.visualRect(page.model.index(row)).center()
        none = Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, none, at)
        if double:
            QTest.mouseDClick(page.list.viewport(), Qt.MouseButton.LeftButton, none, at)

    click(3)
    assert [row.visible for row in page.model.rows()] == [True, True, True, False]
    assert [frame.panel.unit for frame in page.canvas.frames()] == ["V", "°C"]
    click(1, double=True)
    assert [row.visible for row in page.model.rows()] == [False, True, False, False]


def test_a_hidden_series_stays_hidden_and_keeps_its_colour_when_others_come(
    page: PlotsPage, world: PlotWorld
) -> None:
    page.model.toggle(1)
    world.plots.feed("humidity", [59.0], [40.0], "%")
    rows = {row.view.label: row for row in page.model.rows()}
    assert not rows["a1"].visible
    assert [rows[label].color_index for label in ("a0", "a1", "temp", "light", "humidity")] == [0, 1, 2, 3, 4]


def test_enter_toggles_in_the_list_and_space_still_pauses(page: PlotsPage) -> None:
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(0))
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert not page.model.rows()[0].visible
    QTest.keyClick(page.list, Qt.Key.Key_Space)
    assert not page.canvas.view.following


def test_forty_series_can_be_stacked_and_scrolled(make_page: PageMaker) -> None:
    world = PlotWorld()
    for number in range(40):
        world.plots.feed(f"s{number}", np.arange(0, 10, 0.1), np.full(100, float(number)))
    world.plots.time = 10.0
    page = make_page(world)
    page.set_mode("stack")
    assert len(page.canvas.frames()) == 40
    assert page.scroll_bar.isVisible()
    page.scroll_bar.setValue(page.scroll_bar.maximum())
    last = page.canvas.frames()[-1]
    assert last.columns
    assert page.canvas.rect().contains(last.area)
    assert not page.canvas.frames()[0].columns


def test_markers_are_pulled_for_the_visible_stretch(page: PlotsPage, world: PlotWorld) -> None:
    page.canvas.set_window(10.0)
    assert [marker.text for marker in page.canvas._markers] == ["Stop everything"]


def test_clear_forgets_the_samples_and_teaches_again(page: PlotsPage, world: PlotWorld) -> None:
    page.toggle_pause()
    QTest.mouseClick(page.toolbar.clear_button, Qt.MouseButton.LeftButton)
    assert world.plots.series() == []
    assert page.empty.isVisible()
    assert page.canvas.view.following


def test_series_that_vanish_under_the_plot_do_no_harm(page: PlotsPage, world: PlotWorld) -> None:
    world.plots.store.clear()
    page.canvas.redraw()
    assert page.canvas.frames()[0].columns[0].time.size == 0


def test_csv_of_the_visible_stretch_holds_just_that(
    page: PlotsPage, world: PlotWorld, tmp_path: Path
) -> None:
    page.canvas.set_window(10.0)
    target = tmp_path / "view.csv"
    page.exports.export_csv(str(target), visible_only=True)
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    start, end = span(page)
    inside = world.plots.store.snapshot((BOARD, "a0"), start, end).time
    assert len(rows) - 1 >= len(inside)
    assert len(rows) - 1 <= 3 * len(inside)
    assert page.notice.isVisible()
    assert "view.csv" in page.notice.text()


def test_a_failed_export_is_told_in_place(page: PlotsPage, tmp_path: Path) -> None:
    page.exports.export_csv(str(tmp_path / "missing" / "x.csv"))
    assert page.error.isVisible()
    page.exports.export_png(str(tmp_path / "missing" / "x.png"))
    assert page.error.accessibleName() == "The picture could not be written."


def test_the_picture_has_twice_the_resolution_and_goes_to_the_clipboard(
    page: PlotsPage, tmp_path: Path
) -> None:
    page.exports.export_png(str(tmp_path / "plot.png"))
    picture = QImage(str(tmp_path / "plot.png"))
    assert picture.width() == 2 * page.canvas.width()
    page.exports.copy_image()
    assert QGuiApplication.clipboard().image().width() == 2 * page.canvas.width()


def test_control_e_asks_for_a_file_without_blocking(page: PlotsPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.activateWindow()
    QTest.keySequence(page, QKeySequence("Ctrl+E"))
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    assert not dialog.isModal()
    dialog.fileSelected.emit(str(tmp_path / "all.csv"))
    assert (tmp_path / "all.csv").exists()
    dialog.reject()
    qtbot.waitUntil(lambda: page.findChild(QFileDialog) is None)


@pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
def test_a_right_click_opens_the_menu(page: PlotsPage, qtbot: QtBot) -> None:
    QTest.mouseClick(page.canvas, Qt.MouseButton.RightButton, pos=page.canvas.rect().center())
    menu: QMenu = page.toolbar.export_menu
    qtbot.waitUntil(menu.isVisible)
    assert sum(not action.isSeparator() for action in menu.actions()) == 9
    menu.close()


def test_an_own_window_length_is_named(page: PlotsPage) -> None:
    page.canvas.zoom(0.25)
    assert page.toolbar.window_box.currentIndex() == -1
    assert page.toolbar.window_box.placeholderText() == "7.5 s"
    page.canvas.set_window(60.0)
    assert page.toolbar.window_box.currentText() == "1 min"


def test_the_theme_changes_the_plot_at_once(page: PlotsPage, dress: Theme) -> None:
    light = page.canvas.grab().toImage().pixelColor(2, 2)
    dress.set_mode("dark")
    dark = page.canvas.grab().toImage().pixelColor(2, 2)
    assert dark == dress.color("window") != light
    dress.set_mode("light")


def test_the_language_changes_without_restart(page: PlotsPage, chinese: TsTranslator) -> None:
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    assert page.toolbar.pause_button.text() == "暂停"
    assert page.canvas.accessibleName() == "曲线图"


def test_the_list_speaks_to_screen_readers(page: PlotsPage) -> None:
    text = page.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("a0 ")
    assert text.endswith(" V")
    assert page.toolbar.clear_button.accessibleName() == "Clear all curves"
