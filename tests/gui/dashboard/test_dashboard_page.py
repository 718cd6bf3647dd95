"""UI-6: the Dashboard page by mouse and keys: making, arranging, undoing, what tiles say of old values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.dashboard.dashboard_world import DashboardWorld, fill, order, series, workbench
from tests.gui.demo_bridge import simulated_board
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard, Place, Tile, read_book
from zeroclaw_desktop.bridge.tile_commands_bridge import RequestView
from zeroclaw_desktop.bridge.tile_fields import FIELDS
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.dashboard.act_tiles import ButtonTile, SliderTile, SwitchTile
from zeroclaw_desktop.gui.dashboard.editors import CommandEditor, NumberEditor
from zeroclaw_desktop.gui.dashboard.faces import LampState, NumberState, ScaleState
from zeroclaw_desktop.gui.dashboard.page import DashboardPage
from zeroclaw_desktop.gui.dashboard.show_tiles import GaugeTile, LedTile, NumberTile, PlotTile, TextTile
from zeroclaw_desktop.gui.dashboard.tile_frame import StrangeTile, UnfitTile
from zeroclaw_desktop.gui.plots.small_plot import SmallPlot
from zeroclaw_desktop.gui.theme import Theme

Open = Callable[[DashboardWorld], DashboardPage]


@pytest.fixture
def world(dress: Theme, tmp_path: Path) -> DashboardWorld:
    """A simulated board, no series, no dashboard."""
    return DashboardWorld(tmp_path, simulated_board())


@pytest.fixture
def open_page(qtbot: QtBot) -> Open:
    """Shows the page of a world."""

    def make(world: DashboardWorld) -> DashboardPage:
        page = DashboardPage(world, lambda: SmallPlot(world.live))  # type: ignore[arg-type]
        qtbot.addWidget(page)
        page.resize(1200, 700)
        with qtbot.waitExposed(page):
            page.show()
        return page

    return make


@pytest.fixture
def page(world: DashboardWorld, open_page: Open) -> DashboardPage:
    """The workbench with one tile of each kind."""
    fill(world)
    return open_page(world)


def place(page: DashboardPage, tile_id: str) -> Place:
    shown = page._dashboards.book().shown()
    assert shown is not None
    tile = shown.tile(tile_id)
    assert tile is not None
    return tile.place


def names(world: DashboardWorld) -> list[str]:
    return [one.name for one in world.dashboards.book().dashboards]


def drag(page: DashboardPage, tile_id: str, begin: QPoint, way: QPoint) -> None:
    """Drag with the mouse; the veil moves under the pointer, so points are global ones."""
    veil = page.grid.veils[tile_id]
    start = veil.mapToGlobal(begin)
    QTest.mousePress(veil, Qt.MouseButton.LeftButton, pos=begin)
    for part in (0.5, 1.0):
        QTest.mouseMove(veil, veil.mapFromGlobal(start + way * part))
    QTest.mouseRelease(veil, Qt.MouseButton.LeftButton, pos=veil.mapFromGlobal(start + way))


# -- dashboards ---------------------------------------------------------------------------------------


def test_dashboards_are_made_named_copied_deleted_and_written_at_once(
    world: DashboardWorld, open_page: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    page = open_page(world)
    page.add_dashboard()
    page.toolbar.name_field.setText("Greenhouse")
    qtbot.keyClick(page.toolbar.name_field, Qt.Key.Key_Return)
    assert names(world) == ["Greenhouse"]
    page.put_tile(page.add_tile("text", {"note": "x"}))
    page.duplicate()
    assert names(world) == ["Greenhouse", "Greenhouse 2"]
    page.rename("greenhouse")
    assert names(world) == ["Greenhouse", "greenhouse 2"], "a name that is taken gets a number"
    page.delete()
    assert names(world) == ["Greenhouse"]
    page.notice.button.click()
    assert len(names(world)) == 2
    kept = read_book((tmp_path / "dashboards.json").read_text(encoding="utf-8"))
    assert kept == world.dashboards.book()


def test_esc_gives_up_a_name(page: DashboardPage, world: DashboardWorld, qtbot: QtBot) -> None:
    page.toolbar.begin_naming()
    page.toolbar.name_field.setText("Other")
    qtbot.keyClick(page.toolbar.name_field, Qt.Key.Key_Escape)
    assert names(world) == ["Workbench"]
    assert page.toolbar.list.isVisible()


def test_one_is_shown_at_a_time(page: DashboardPage, world: DashboardWorld) -> None:
    page.add_dashboard()
    page.toolbar.end_naming()
    assert page.empty.isVisible()
    page.toolbar.chosen.emit("dashboard-1")
    assert len(page.grid.widgets) == len(workbench().tiles)
    assert page.history.stack.count() == 1, "to look at another one is no step"


def test_a_dashboard_goes_to_a_file_and_back(
    page: DashboardPage, world: DashboardWorld, tmp_path: Path
) -> None:
    page.export_to(str(tmp_path / "bench.json"))
    assert json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))["name"] == "Workbench"
    page.import_from(str(tmp_path / "bench.json"))
    assert names(world) == ["Workbench", "Workbench 2"]
    (tmp_path / "bad.json").write_text("?", encoding="utf-8")
    page.import_from(str(tmp_path / "bad.json"))
    assert page.error.isVisible()
    assert len(names(world)) == 2


def test_a_broken_file_is_told_on_the_page(dress: Theme, tmp_path: Path, open_page: Open) -> None:
    (tmp_path / "dashboards.json").write_text("{", encoding="utf-8")
    world = DashboardWorld(tmp_path, simulated_board())
    page = open_page(world)
    assert page.error.isVisible()
    page.put_tile(page.add_tile("text", {"note": "x"}))
    broken = [one for one in tmp_path.iterdir() if "broken" in one.name]
    assert [one.read_text(encoding="utf-8") for one in broken] == ["{"]


def test_a_tile_of_a_later_version_is_shown_and_kept(world: DashboardWorld, open_page: Open) -> None:
    strange = Tile("t", "hologram", Place(0, 0, 3, 2), "", {"depth": 3}, {"later": 1})
    world.dashboards.change(Book((Dashboard("a", "x", (strange,)),), "a"))
    page = open_page(world)
    assert isinstance(page.grid.widgets["t"], StrangeTile)
    page.set_editing(True)
    page.grid.veils["t"].nudged.emit("t", 1, 0, False)
    kept = world.dashboards.book().dashboards[0].tiles[0]
    assert kept == replace(strange, place=Place(1, 0, 3, 2))


# -- arranging ----------------------------------------------------------------------------------------


def test_in_use_nothing_can_be_moved_and_controls_work(page: DashboardPage, world: DashboardWorld) -> None:
    assert all(not veil.isVisible() for veil in page.grid.veils.values())
    button = page.grid.widgets["button"].findChild(QPushButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [tile_id for tile_id, _ in world.orders.sent] == ["button"]


def test_while_edited_a_click_sends_nothing(page: DashboardPage, world: DashboardWorld) -> None:
    page.set_editing(True)
    for veil in page.grid.veils.values():
        QTest.mouseClick(veil, Qt.MouseButton.LeftButton)
    assert world.orders.sent == []


def test_a_tile_is_dragged_to_a_cell_and_others_make_room(page: DashboardPage) -> None:
    page.set_editing(True)
    cells = page.grid.cells()
    across, down = round(cells.width + cells.gap), round(cells.height + cells.gap)
    drag(page, "gauge", QPoint(40, 40), QPoint(-6 * across + 9, 7))
    assert place(page, "gauge") == Place(0, 0, 3, 4)
    assert place(page, "plot").row == 4
    page.history.stack.undo()
    assert place(page, "gauge") == Place(6, 0, 3, 4)
    veil = page.grid.veils["gauge"]
    drag(page, "gauge", QPoint(veil.width() - 6, veil.height() - 6), QPoint(2 * across, down))
    assert place(page, "gauge") == Place(6, 0, 5, 5)


def test_arrows_move_shift_resizes_delete_removes_and_enter_opens(page: DashboardPage, qtbot: QtBot) -> None:
    page.set_editing(True)
    veil = page.grid.veils["text"]
    veil.setFocus()
    qtbot.keyClick(veil, Qt.Key.Key_Down)
    assert place(page, "text") == Place(9, 7, 3, 2)
    qtbot.keyClick(veil, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert place(page, "text") == Place(9, 7, 2, 2)
    qtbot.keyClick(veil, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert place(page, "text") == Place(9, 7, 2, 2), "smaller would cut its text"
    qtbot.keyClick(veil, Qt.Key.Key_Return)
    assert page.property_sheet.isVisible()
    page.property_sheet.close_sheet()
    qtbot.keyClick(veil, Qt.Key.Key_Delete)
    assert "text" not in page.grid.widgets
    qtbot.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "text" in page.grid.widgets
    qtbot.keyClick(page, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert "text" not in page.grid.widgets


def test_a_dashboard_that_is_higher_than_the_window_scrolls(page: DashboardPage) -> None:
    page.resize(1024, 420)
    assert page.area.verticalScrollBar().maximum() > 0
    assert page.area.horizontalScrollBar().maximum() == 0
    page.resize(600, 420)
    right = page.grid.width()
    assert all(widget.geometry().right() <= right for widget in page.grid.widgets.values())


DEEDS = st.lists(st.tuples(st.integers(0, 6), st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DEEDS)
def test_undoing_everything_gives_the_first_document_and_redoing_the_last(
    dress: Theme, tmp_path: Path, deeds: list[tuple[int, int, int]]
) -> None:
    world = DashboardWorld(tmp_path, simulated_board())
    world.dashboards.change(Book((workbench(),), "dashboard-1"))
    page = DashboardPage(world, lambda: SmallPlot(world.live))  # type: ignore[arg-type]
    page.set_editing(True)
    states = [world.dashboards.book().dashboards]
    for kind, across, down in deeds:
        shown = world.dashboards.book().shown()
        tiles = shown.tiles if shown is not None else ()
        tile_id = tiles[abs(across) % len(tiles)].tile_id if tiles else ""
        before = page.history.stack.count()
        if kind == 0:
            page.put_tile(page.add_tile("text", {"note": "n"}))
        elif kind in (1, 2) and tile_id:
            page.grid.veils[tile_id].nudged.emit(tile_id, across, down, kind == 2)
        elif kind == 3 and tile_id:
            page.remove_tile(tile_id)
        elif kind == 4:
            page.duplicate()
        elif kind == 5:
            page.delete()
        else:
            page.rename(f"name {across} {down}")
        if page.history.stack.count() > before:
            states.append(world.dashboards.book().dashboards)
    seen = [world.dashboards.book().dashboards]
    while page.history.stack.canUndo():
        page.history.stack.undo()
        seen.append(world.dashboards.book().dashboards)
    assert seen == states[::-1]
    while page.history.stack.canRedo():
        page.history.stack.redo()
    assert world.dashboards.book().dashboards == states[-1]
    page.deleteLater()


def test_undo_leaves_what_another_page_has_pinned(page: DashboardPage, world: DashboardWorld) -> None:
    page.remove_tile("text")
    world.dashboards.pin_to_chat([("sim-uno", "a0")], 30.0)
    page.history.stack.undo()
    assert len(world.dashboards.book().chat_plots) == 1
    assert "text" in page.grid.widgets


# -- adding -------------------------------------------------------------------------------------------


def test_a_tile_is_added_from_a_searched_series(
    page: DashboardPage, world: DashboardWorld, qtbot: QtBot
) -> None:
    page.toolbar.add_button.click()
    sheet = page.add_sheet
    qtbot.keyClicks(sheet.search, "temp series")
    assert sheet.list.count() == 1
    assert sheet.buttons["gauge"].isVisible()
    assert not sheet.buttons["switch"].isVisible()
    sheet.buttons["gauge"].click()
    properties = page.property_sheet
    assert properties.done_button.isEnabled()
    properties.editors["high"].set_value("hot")
    assert not properties.check()
    assert "number" in properties.rows["high"].problem.text()
    assert not properties.done_button.isEnabled()
    properties.editors["high"].set_value(40)
    assert properties.check()
    properties.done_button.click()
    shown = world.dashboards.book().shown()
    assert shown is not None
    added = shown.tiles[-1]
    assert (added.kind, added.settings["series"], added.settings["high"]) == ("gauge", series("temp"), 40)


def test_a_switch_is_made_of_a_command_with_on_and_off(page: DashboardPage, world: DashboardWorld) -> None:
    page.add_sheet.open_add()
    page.add_sheet.search.setText("led_set")
    page.add_sheet.buttons["switch"].click()
    page.property_sheet.accept()
    shown = world.dashboards.book().shown()
    assert shown is not None
    assert shown.tiles[-1].settings == {"on": order("led_set", state=1), "off": order("led_set", state=0)}


def test_a_missing_parameter_is_told_before_anything_is_sent(page: DashboardPage) -> None:
    page.add_sheet.open_add()
    page.add_sheet.search.setText("pwm_write")
    page.add_sheet.buttons["slider"].click()
    sheet = page.property_sheet
    assert not sheet.check()
    assert "pin" in sheet.rows["command"].problem.text()
    assert sheet.editors["parameter"].value() == "duty"
    command = sheet.editors["command"]
    assert isinstance(command, CommandEditor)
    pin = command.params["pin"]
    assert isinstance(pin, NumberEditor)
    pin.set_value(9)
    assert sheet.check()


def test_series_pinned_elsewhere_become_a_plot_tile(page: DashboardPage, world: DashboardWorld) -> None:
    detail = world.dashboards.pin_detail([("sim-uno", "a0"), ("sim-uno", "temp")], 30.0)
    page.show_detail(detail)
    shown = world.dashboards.book().shown()
    assert shown is not None
    added = shown.tiles[-1]
    assert added.settings == {"series": [series("a0"), series("temp")], "window_s": 30.0}
    assert isinstance(page.grid.widgets[added.tile_id], PlotTile)


def test_a_pin_makes_a_dashboard_where_there_is_none(world: DashboardWorld, open_page: Open) -> None:
    page = open_page(world)
    page.show_detail(world.dashboards.pin_detail([("sim-uno", "a0")], 10.0))
    assert names(world) == ["Dashboard"]
    assert len(page.grid.widgets) == 1


# -- what tiles say -----------------------------------------------------------------------------------


def test_a_silent_source_never_looks_fresh(page: DashboardPage, world: DashboardWorld) -> None:
    gauge, plot = page.grid.widgets["gauge"], page.grid.widgets["plot"]
    assert isinstance(gauge, GaugeTile)
    page.grid.refresh()
    state = gauge.face.state()
    assert isinstance(state, ScaleState)
    assert state.fresh
    assert not gauge.badge.isVisible()
    world.live.time = 72.0
    page.grid.refresh()
    state = gauge.face.state()
    assert isinstance(state, ScaleState)
    assert not state.fresh
    assert gauge.badge.text() == "no data for 12 s"
    assert plot.badge.text() == "no data for 12 s"


def test_a_series_that_never_came_is_told(page: DashboardPage) -> None:
    page.put_tile(Tile("new", "number", Place(0, 20, 3, 3), "", {"series": series("humidity")}))
    tile = page.grid.widgets["new"]
    assert isinstance(tile, NumberTile)
    tile.refresh()
    assert tile.badge.text() == "no data yet"
    state = tile.face.state()
    assert isinstance(state, NumberState)
    assert state.text == "–"


def test_a_gap_is_a_dash(page: DashboardPage, world: DashboardWorld) -> None:
    world.live.feed("temp", np.array([60.0]), np.array([np.nan]), "°C")
    tile = page.grid.widgets["number"]
    assert isinstance(tile, NumberTile)
    tile.show_tile(tile.tile)
    tile.refresh()
    state = tile.face.state()
    assert isinstance(state, NumberState)
    assert state.text == "–"


def test_a_zone_has_a_word_as_well_as_a_colour(page: DashboardPage, world: DashboardWorld) -> None:
    gauge = page.grid.widgets["gauge"]
    assert isinstance(gauge, GaugeTile)
    for value, word in ((2.0, ""), (3.9, "high"), (4.8, "too high"), (7.0, "too high")):
        world.live.feed("a0", np.array([world.live.time]), np.array([value]), "V")
        gauge.refresh()
        state = gauge.face.state()
        assert isinstance(state, ScaleState)
        assert state.zone_text == word
        assert word in gauge.face.accessibleName()


def test_a_value_beyond_a_scale_without_zones_is_told(page: DashboardPage, world: DashboardWorld) -> None:
    plain = {"series": series("a0"), "low": 0, "high": 1}
    page.put_tile(Tile("plain", "bar", Place(0, 20, 3, 2), "", plain))
    tile = page.grid.widgets["plain"]
    tile.refresh()
    state = tile.face.state()  # type: ignore[attr-defined]
    assert state.zone_text == "above the scale"


def test_a_lamp_follows_a_pin(page: DashboardPage, world: DashboardWorld) -> None:
    lamp = page.grid.widgets["led"]
    assert isinstance(lamp, LedTile)
    lamp.refresh()
    assert lamp.face.state() == LampState(False, "off", True)
    pin = replace(world.devices.pin_states["sim-uno"][13], level=1)
    world.devices.set_pin("sim-uno", pin)
    lamp.refresh()
    assert lamp.face.state() == LampState(True, "on", True)
    world.devices.add_board(simulated_board("lost"))
    lamp.refresh()
    assert lamp.face.state() == LampState(None, "–", False)
    assert lamp.badge.text() == "board away"


def test_the_last_line_of_a_board_is_shown(page: DashboardPage, world: DashboardWorld) -> None:
    page.put_tile(Tile("line", "text", Place(0, 20, 3, 2), "", {"board": "sim-uno"}))
    tile = page.grid.widgets["line"]
    assert isinstance(tile, TextTile)
    tile.refresh()
    assert tile.words.text() == "–"
    world.devices.console_received.emit("sim-uno", 'one\ntwo\n{"evt":"telemetry","signal":"a0"}\n')
    tile.refresh()
    assert tile.words.text() == "two"


def test_a_switch_waits_for_the_board(page: DashboardPage, world: DashboardWorld) -> None:
    switch = page.grid.widgets["switch"]
    assert isinstance(switch, SwitchTile)
    assert switch.on is False
    QTest.mouseClick(switch.switch, Qt.MouseButton.LeftButton)
    assert world.orders.sent[-1][1].params == {"state": 1}
    assert not switch.switch.isChecked()
    assert switch.badge.text() == "sent"
    world.orders.on = True
    world.orders.answer("switch", RequestView("done", world.orders.sent[-1][1]))
    assert switch.switch.isChecked()
    world.orders.on = None
    world.devices.pins_changed.emit("sim-uno")
    switch.refresh()
    assert switch.words.text() == "unknown"
    QTest.mouseClick(switch.switch, Qt.MouseButton.LeftButton)
    assert world.orders.sent[-1][1].params == {"state": 0}, "what is not known is switched off"


def test_a_refusal_is_told_with_its_reason(page: DashboardPage, world: DashboardWorld) -> None:
    slider = page.grid.widgets["slider"]
    assert isinstance(slider, SliderTile)
    slider.slider.setValue(500)
    slider.send()
    assert world.orders.sent[-1][1].params == {"pin": 9, "duty": 0.5}
    error = ErrorView("Pin 9 is in use.", "Nothing was changed.", "Wait for it.")
    world.orders.answer("slider", RequestView("refused", world.orders.sent[-1][1], error=error))
    assert slider.badge.text() == "refused"
    assert slider.note.text() == "Pin 9 is in use."
    assert slider.confirmed is None
    assert slider.slider.value() == 0, "the knob goes back to what is known"


def test_the_stop_greys_what_acts(page: DashboardPage, world: DashboardWorld) -> None:
    button, slider = page.grid.widgets["button"], page.grid.widgets["slider"]
    assert isinstance(button, ButtonTile)
    assert isinstance(slider, SliderTile)
    world.safety.stop_everything()
    assert not button.button.isEnabled()
    assert not slider.slider.isEnabled()
    button.press()
    assert world.orders.sent == []
    world.safety.release()
    assert button.button.isEnabled()


def test_a_board_that_returns_is_bound_again(page: DashboardPage, world: DashboardWorld) -> None:
    button = page.grid.widgets["button"]
    assert isinstance(button, ButtonTile)
    world.devices.stop_simulator("sim-uno")
    assert not button.button.isEnabled()
    assert button.badge.text() == "board away"
    world.devices.add_board(simulated_board())
    assert button.button.isEnabled()


# -- what it costs ------------------------------------------------------------------------------------


def test_what_does_not_change_is_not_painted(page: DashboardPage, qtbot: QtBot) -> None:
    gauge, lamp = page.grid.widgets["gauge"], page.grid.widgets["led"]
    assert isinstance(gauge, GaugeTile)
    assert isinstance(lamp, LedTile)
    page.grid.refresh()
    qtbot.wait(50)
    before = (gauge.face.paints, lamp.face.paints)
    for _ in range(20):
        page.grid.refresh()
        qtbot.wait(2)
    assert (gauge.face.paints, lamp.face.paints) == before


def test_a_hidden_page_rests(page: DashboardPage) -> None:
    assert page._timer.isActive()
    page.hide()
    assert not page._timer.isActive()


# -- frame and language -------------------------------------------------------------------------------


def test_the_page_asks_for_the_full_screen(page: DashboardPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(actions().full_screen_requested):
        page.toolbar.full_button.click()


def test_the_page_is_chinese_at_once(page: DashboardPage, chinese: TsTranslator) -> None:
    from PySide6.QtCore import QCoreApplication

    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    assert page.toolbar.add_button.text() == "添加磁贴"
    switch = page.grid.widgets["switch"]
    assert isinstance(switch, SwitchTile)
    assert switch.words.text() == "关"


@pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
def test_a_right_click_offers_what_can_be_done_with_a_tile(
    page: DashboardPage, world: DashboardWorld
) -> None:
    menu = page.open_tile_menu("plot", QPoint(10, 10))
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Properties…", "Pin to the chat", "Duplicate", "Remove"]
    menu.actions()[1].trigger()
    assert world.dashboards.book().chat_plots[0].series == (("sim-uno", "a0"), ("sim-uno", "a1"))
    menu.actions()[2].trigger()
    menu.close()
    shown = world.dashboards.book().shown()
    assert shown is not None
    first, last = shown.tile("plot"), shown.tiles[-1]
    assert first is not None
    assert (last.kind, last.settings, last.tile_id == "plot") == ("plot", first.settings, False)


def test_signals_that_do_not_come_are_asked_for_by_one_button(
    page: DashboardPage, world: DashboardWorld
) -> None:
    shown = world.dashboards.book().shown()
    world.live.time = 72.0
    page.silent.look(shown)
    assert page.silent.isHidden(), "one look proves nothing"
    for _ in range(2):
        page.silent.look(shown)
    assert page.silent.text() == "The board does not report: a0, a1"
    page.silent.button.click()
    assert page.silent.isHidden()
    _, sent = world.orders.sent[-1]
    assert (sent.command, sent.params["signals"]) == ("plot_series", ["a0", "a1"])
    error = ErrorView("There is no free subscription.")
    world.orders.answer("signals0", RequestView("refused", sent, error=error))
    assert page.error.isVisible()


def test_a_board_that_is_away_is_not_asked_for_signals(page: DashboardPage, world: DashboardWorld) -> None:
    world.live.time = 72.0
    world.devices.add_board(simulated_board("lost"))
    for _ in range(5):
        page.silent.look(world.dashboards.book().shown())
    assert page.silent.isHidden()


def test_a_tile_with_settings_that_cannot_be_shown_says_so_and_is_mended(
    page: DashboardPage, world: DashboardWorld
) -> None:
    bad = Tile("bad", "gauge", Place(0, 20, 3, 4), "", {"series": series("a0"), "low": "abc"})
    page.put_tile(bad)
    tile = page.grid.widgets["bad"]
    assert isinstance(tile, UnfitTile)
    assert "low" in tile.words.text()
    page.put_tile(replace(bad, settings={"series": series("a0"), "low": 0}))
    assert isinstance(page.grid.widgets["bad"], GaugeTile)
    page.grid.refresh()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
REFS = VALUES | st.sampled_from([series("a0"), series("never"), {"source": "sim-uno", "pin": 13}])
WHATEVER = REFS | st.lists(REFS, max_size=3) | st.just(order("led_set", state=1)) | st.just("duty")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(FIELDS)), st.data())
def test_no_settings_of_a_file_bring_the_page_down(
    page: DashboardPage, world: DashboardWorld, kind: str, data: st.DataObject
) -> None:
    chosen = {field.name: data.draw(WHATEVER, label=field.name) for field in FIELDS[kind]}
    tile = Tile(
        "fuzzed", kind, Place(0, 20, 4, 4), "", {key: one for key, one in chosen.items() if one is not None}
    )
    page.put_tile(tile)
    page.grid.refresh()
    page.silent.look(world.dashboards.book().shown())
    assert "fuzzed" in page.grid.widgets
    page.property_sheet.open_tile(tile, is_new=False)
    page.property_sheet.check()
    page.property_sheet.close_sheet()
