"""UI-6: a plot is put into a dashboard and into the chat, and is there again after a restart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.gui.chat.demo_chat import ChatWorld
from tests.gui.dashboard.dashboard_world import DashboardWorld, fill
from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.plot_world import fill_workbench
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.chat.plot_entry import PlotMessage, PlotPins
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.panels import SeriesId
from zeroclaw_desktop.gui.plots.small_plot import SmallPlot
from zeroclaw_desktop.gui.theme import Theme

A0, TEMP = ("sim-uno", "a0"), ("sim-uno", "temp")


@pytest.fixture
def world(dress: Theme, tmp_path: Path) -> DashboardWorld:
    """A workbench with one dashboard."""
    world = DashboardWorld(tmp_path, simulated_board())
    fill(world)
    return world


@pytest.fixture
def plots(world: DashboardWorld, qtbot: QtBot) -> PlotsPage:
    """The Plots page of the same world."""
    page = PlotsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    page.resize(1200, 700)
    with qtbot.waitExposed(page):
        page.show()
    return page


def chat_of(world: DashboardWorld, qtbot: QtBot) -> ChatPage:
    """A chat with the pins of a world, as after a start."""
    talk = ChatWorld(simulated_board())
    pins = PlotPins(world.dashboards, lambda: SmallPlot(world.live))  # type: ignore[arg-type]
    page = ChatPage(talk, pins=pins)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    page.resize(900, 700)
    with qtbot.waitExposed(page):
        page.show()
    return page


def plot_in(page: ChatPage, qtbot: QtBot) -> PlotMessage:
    qtbot.waitUntil(lambda: isinstance(page.view.widget_of(0), PlotMessage))
    found = page.view.widget_of(0)
    assert isinstance(found, PlotMessage)
    return found


def entry(menu: QMenu, text: str) -> None:
    """Choose an entry."""
    found = [action for action in menu.actions() if text in action.text()]
    assert len(found) == 1, [action.text() for action in menu.actions()]
    found[0].trigger()


def test_a_panel_is_pinned_to_a_dashboard_with_its_window(
    world: DashboardWorld, plots: PlotsPage, qtbot: QtBot
) -> None:
    plots.canvas.set_window(60.0)
    frame = plots.canvas.frames()[0]
    plots.pin_menu.choose_at(plots.canvas.mapToGlobal(frame.area.center()))
    plots.pin_menu.fill()
    with qtbot.waitSignal(actions().page_requested) as asked:
        entry(plots.pin_menu, "Workbench")
    page, detail = asked.args
    told = world.dashboards.read_pin(detail)
    assert page == "dashboard"
    assert told is not None
    labels = [one.series_id.label for one in frame.panel.series]
    assert [ref["label"] for ref in told[0]["series"]] == labels  # type: ignore[attr-defined]
    assert (told[0]["window_s"], told[1]) == (60.0, "dashboard-1")


def test_beside_the_panels_all_that_is_plotted_is_meant(plots: PlotsPage) -> None:
    plots.pin_menu.choose_at(plots.canvas.mapToGlobal(QPoint(5, -50)))
    assert [label for _, label in plots.pin_menu.series()] == ["a0", "a1", "temp", "light"]
    plots.pin_menu.choose([SeriesId(*TEMP)])
    assert plots.pin_menu.series() == [TEMP]


def test_a_plot_is_put_into_the_chat_and_taken_out(
    world: DashboardWorld, plots: PlotsPage, qtbot: QtBot
) -> None:
    chat = chat_of(world, qtbot)
    plots.pin_menu.choose([SeriesId(*A0)])
    plots.pin_menu.fill()
    entry(plots.pin_menu, "chat")
    shown = plot_in(chat, qtbot)
    assert shown.title.whole_text() == "a0  ·  last 30 s"
    assert shown.state.isHidden()
    shown.close_button.click()
    assert world.dashboards.book().chat_plots == ()
    assert shown.state.text() == "The plot was taken out."


def test_after_a_restart_the_plot_is_there_and_says_since_when_nothing_came(
    world: DashboardWorld, tmp_path: Path, qtbot: QtBot
) -> None:
    world.dashboards.pin_to_chat([A0], 30.0)
    again = DashboardWorld(tmp_path, simulated_board())
    shown = plot_in(chat_of(again, qtbot), qtbot)
    assert shown.state.text() == "no data since the program started"
    fill_workbench(again.live)
    again.live.feed("a0", np.array([60.0]), np.array([1.0]), "V")
    shown.refresh()
    assert shown.state.isHidden()
    again.live.time = 75.0
    shown.refresh()
    assert shown.state.text().startswith("no data since ")
