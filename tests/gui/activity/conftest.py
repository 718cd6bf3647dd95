"""The Activity page in a window, with tasks of every kind."""

from __future__ import annotations

import pytest

from tests.gui.activity.activity_world import ActivityWorld
from tests.gui.conftest import WindowMaker
from zeroclaw_desktop.gui.activity.page import ActivityPage
from zeroclaw_desktop.gui.main_window import MainWindow


def page_of(window: MainWindow) -> ActivityPage:
    """The page of a window that has been opened there."""
    page = window.page("activity")
    assert isinstance(page, ActivityPage)
    return page


def listed(page: ActivityPage) -> list[str]:
    """Ids of the past tasks that are loaded, as they stand."""
    model = page.past.model
    rows = (model.task(model.index(row)) for row in range(model.rowCount()))
    return [found.task_id for found in rows if found is not None]


@pytest.fixture
def world(dress: object) -> ActivityWorld:
    """A bridge with tasks of every kind."""
    world = ActivityWorld()
    world.fill()
    return world


@pytest.fixture
def page(world: ActivityWorld, make_window: WindowMaker) -> ActivityPage:
    """The page in a window, with the world's tasks."""
    return page_of(make_window(world, "activity"))
