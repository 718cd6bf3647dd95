"""UI-6: the analysis in the Plots page: opened by menu and keys, about what is visible."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.plot_world import BOARD, PlotWorld, fill_workbench
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.page_layout import apply_layout, layout_of
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.page_memory import PageMemory


class DictKeeper:
    """Keeps values in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.rows: dict[str, list[int]] = {}

    def text(self, key: str, default: str = "") -> str:
        return self.texts.get(key, default)

    def set_text(self, key: str, value: str) -> None:
        self.texts[key] = value

    def numbers(self, key: str) -> list[int]:
        return self.rows.get(key, [])

    def set_numbers(self, key: str, values: list[int]) -> None:
        self.rows[key] = values


@pytest.fixture
def world(dress: Theme) -> PlotWorld:
    """A simulated board and a minute of its signals."""
    made = PlotWorld(simulated_board())
    fill_workbench(made.plots)
    return made


@pytest.fixture
def page(world: PlotWorld, qtbot: QtBot) -> PlotsPage:
    """The page at 1224 x 714, as in a window of 1280 x 800."""
    made = PlotsPage(world)  # type: ignore[arg-type]

    def settle(page: PlotsPage) -> None:
        page.hide()
        qtbot.waitUntil(lambda: not page.plots_side.pane().busy())

    # Before it is closed: what is computed then would never be told.
    qtbot.addWidget(made, before_close_func=settle)
    made.resize(1224, 714)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_menu_opens_each_kind_and_closes_it_again(page: PlotsPage, qtbot: QtBot) -> None:
    entries = page.toolbar.analyse_menu.actions()
    assert [entry.text().split("\t")[0] for entry in entries] == ["Spectrum (FFT)", "Histogram", "X-Y"]
    assert not page.plots_side.pane().isVisible()
    for entry, kind in zip(entries, ("spectrum", "histogram", "xy"), strict=True):
        entry.trigger()
        assert page.plots_side.pane().isVisible()
        assert page.plots_side.pane().options.kind == kind
        qtbot.waitUntil(lambda: page.plots_side.pane().chart.content() is not None)
    entries[2].trigger()
    assert not page.plots_side.pane().isVisible()
    assert page.focusWidget() is page.canvas


def test_keys_open_and_close(page: PlotsPage) -> None:
    page.activateWindow()
    QTest.keySequence(page.canvas, QKeySequence("Ctrl+Shift+H"))
    assert page.plots_side.pane().isVisible()
    assert page.plots_side.pane().options.kind == "histogram"
    QTest.keySequence(page.plots_side.pane().chart, QKeySequence("Ctrl+Shift+X"))
    assert page.plots_side.pane().options.kind == "xy"
    QTest.keySequence(page.plots_side.pane().chart, QKeySequence("Ctrl+Shift+X"))
    assert not page.plots_side.pane().isVisible()


def test_space_pauses_with_the_keyboard_on_the_chart(page: PlotsPage, qtbot: QtBot) -> None:
    page.plots_side.open_pane("spectrum")
    qtbot.waitUntil(lambda: page.plots_side.pane().chart.isVisible())
    QTest.keyClick(page.plots_side.pane().chart, Qt.Key.Key_Space)
    assert not page.canvas.view.following


def test_its_close_button_gives_the_room_back(page: PlotsPage, qtbot: QtBot) -> None:
    page.plots_side.open_pane("spectrum")
    lower = page.canvas.height()
    QTest.mouseClick(page.plots_side.pane().controls.close_button, Qt.MouseButton.LeftButton)
    assert not page.plots_side.pane().isVisible()
    qtbot.waitUntil(lambda: page.canvas.height() > lower)


def test_it_is_about_what_is_visible(page: PlotsPage, world: PlotWorld, qtbot: QtBot) -> None:
    page.canvas.set_window(10.0)
    page.toggle_pause()
    page.plots_side.open_pane("histogram")

    def counted() -> int:
        content = page.plots_side.pane().chart.content()
        frame = page.plots_side.pane().chart.frame()
        return 0 if content is None or frame is None else int(content.table(frame).columns[2].sum())

    axis = page.canvas.axis()
    stored = world.plots.store.snapshot((BOARD, "a0"), axis.start, axis.end).value
    qtbot.waitUntil(lambda: counted() == len(stored))
    page.canvas.pan(-20.0)
    page.canvas.set_window(5.0)
    axis = page.canvas.axis()
    stored = world.plots.store.snapshot((BOARD, "a0"), axis.start, axis.end).value
    assert len(stored) == pytest.approx(100, abs=2)
    qtbot.waitUntil(lambda: counted() == len(stored))


def test_it_moves_along_with_the_present(page: PlotsPage, world: PlotWorld, qtbot: QtBot) -> None:
    page.canvas.set_window(5.0)
    page.plots_side.open_pane("histogram")
    qtbot.waitUntil(lambda: "Mean" in page.plots_side.pane().figures.text())
    world.plots.feed("a0", np.arange(60, 70, 0.05), np.full(200, 1.25), "V")
    world.plots.time = 70.0
    qtbot.waitUntil(lambda: "Mean\t1.25 V" in page.plots_side.pane().figures.text())


def test_a_hidden_series_cannot_be_analysed(page: PlotsPage, qtbot: QtBot) -> None:
    page.plots_side.open_pane("spectrum")
    page.model.toggle(0)
    qtbot.waitUntil(lambda: page.plots_side.pane().figures.text().startswith("a1"))
    menu = page.plots_side.pane().controls.series_button.series_menu
    assert [entry.text() for entry in menu.actions()] == ["a1", "temp", "light"]
    for number in (1, 2, 3):
        page.model.toggle(number)
    qtbot.waitUntil(lambda: page.plots_side.pane().message.text().startswith("No series is visible"))


def test_samples_that_are_cleared_meanwhile_do_no_harm(
    page: PlotsPage, world: PlotWorld, qtbot: QtBot
) -> None:
    page.plots_side.open_pane("spectrum")
    qtbot.waitUntil(lambda: page.plots_side.pane().chart.content() is not None)
    world.plots.store.clear()
    world.plots.feed("b", np.arange(60, 61, 0.01), np.zeros(100))
    world.plots.time = 61.0
    qtbot.waitUntil(lambda: page.plots_side.pane().figures.text().startswith("b\n"))


def test_below_in_a_small_window_and_beside_in_a_wide_one(page: PlotsPage) -> None:
    page.plots_side.open_pane("xy")
    assert page.plots_side.orientation() == Qt.Orientation.Vertical
    sizes = page.plots_side.sizes()
    assert sizes[0] == pytest.approx(sizes[1], rel=0.1)
    page.resize(1864, 994)
    assert page.plots_side.orientation() == Qt.Orientation.Horizontal
    assert page.canvas.width() > 400
    page.resize(1224, 714)
    assert page.plots_side.orientation() == Qt.Orientation.Vertical


def test_it_is_found_again_as_it_was_left(page: PlotsPage, world: PlotWorld, qtbot: QtBot) -> None:
    memory = PageMemory(DictKeeper(), "plots")
    page.plots_side.open_pane("xy")
    page.plots_side.pane().restore({**page.plots_side.pane().state(), "equal": True})
    page.remember(memory)
    other = PlotsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(other)
    other.restore(memory)
    assert other.plots_side.is_open()
    assert other.plots_side.pane().state() == page.plots_side.pane().state()
    page.plots_side.close_pane()
    page.remember(memory)
    last = PlotsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(last)
    last.restore(memory)
    assert not last.plots_side.is_open()


def test_a_layout_holds_the_analysis(page: PlotsPage) -> None:
    page.plots_side.open_pane("xy")
    page.plots_side.pane().restore({**page.plots_side.pane().state(), "lines": True})
    layout = json.loads(json.dumps(layout_of(page)))
    page.plots_side.close_pane()
    page.plots_side.pane().restore({})
    apply_layout(page, layout)
    assert page.plots_side.pane().isVisible()
    assert page.plots_side.pane().options.lines
    apply_layout(page, {"analysis": "nonsense"})
    assert not page.plots_side.pane().isVisible()


def test_a_damaged_memory_is_no_harm(page: PlotsPage) -> None:
    keeper = DictKeeper()
    keeper.texts["plots/analysis"] = "[not json"
    page.restore(PageMemory(keeper, "plots"))
    assert page.plots_side.pane().options.kind == "spectrum"


def test_what_became_of_a_file_is_told_on_the_page(page: PlotsPage, qtbot: QtBot, tmp_path: object) -> None:
    page.plots_side.open_pane("spectrum")
    qtbot.waitUntil(lambda: page.plots_side.pane().chart.content() is not None)
    page.plots_side.pane().export_png(f"{tmp_path}/spectrum.png")
    assert page.notice.text() == "Saved: spectrum.png"
    page.plots_side.pane().export_png(f"{tmp_path}/missing/spectrum.png")
    assert page.error.isVisible()
    page.plots_side.pane().copy_image()
    assert page.notice.text() == "The picture is on the clipboard."
