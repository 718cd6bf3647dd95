"""What the tests of the Chat page share: a world and a page in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.chat.demo_chat import ChatWorld, simulated_board
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.theme import Theme

PageMaker = Callable[..., ChatPage]


@pytest.fixture
def world(dress: Theme) -> ChatWorld:
    """A bridge with the simulated board."""
    return ChatWorld(simulated_board())


@pytest.fixture
def make_page(qtbot: QtBot, dress: Theme) -> PageMaker:
    """Makes visible pages that are closed when the test ends."""

    def make(world: ChatWorld, width: int = 1200, height: int = 720, guard_ms: int = 300) -> ChatPage:
        page = ChatPage(world, approval_guard_ms=guard_ms)  # type: ignore[arg-type]
        qtbot.addWidget(page)
        page.resize(width, height)
        with qtbot.waitExposed(page):
            page.show()
        page.activateWindow()
        qtbot.waitUntil(page.isActiveWindow)
        return page

    return make


@pytest.fixture
def page(make_page: PageMaker, world: ChatWorld) -> ChatPage:
    """A visible page with room for the bench."""
    return make_page(world)
