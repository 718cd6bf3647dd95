"""HW-12 on the page: unit, scale, colour and panel of series, layouts by name, Chinese."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.conftest import PageMaker
from tests.gui.plots.plot_world import BOARD, PlotWorld, fill_workbench
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.contracts.plots import SeriesLook
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId

TEMPERATURE = SeriesId(BOARD, "temp")
KNOB = SeriesId(BOARD, "a0")

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
