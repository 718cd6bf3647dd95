"""What the tests of the plots page share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import simulated_board
from tests.gui.plots.plot_world import PlotWorld, fill_workbench
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.theme import Theme

PageMaker = Callable[[PlotWorld], PlotsPage]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where looks, limits and layouts are kept."""
    return tmp_path / "plot-views.json"


@pytest.fixture
def world(dress: Theme, file: Path) -> Iterator[PlotWorld]:
    """A simulated board and a minute of its signals."""
    made = PlotWorld(simulated_board(), views_file=file)
    fill_workbench(made.plots)
    yield made
    made.plot_tools.close_replay()
    asyncio.run(made.runtime.plots.close())


@pytest.fixture
def make_page(qtbot: QtBot, dress: Theme) -> PageMaker:
    """Makes a page that is shown at 1000x600."""

    def make(world: PlotWorld) -> PlotsPage:
        page = PlotsPage(world)  # type: ignore[arg-type]
        qtbot.addWidget(page)
        page.resize(1000, 600)
        with qtbot.waitExposed(page):
            page.show()
        return page

    return make


@pytest.fixture
def page(world: PlotWorld, make_page: PageMaker) -> PlotsPage:
    """The page over ``world``."""
    return make_page(world)
