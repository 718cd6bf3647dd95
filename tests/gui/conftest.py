"""What tests of the window share: the theme, a scripted bridge, a window that is closed afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import DemoBridge, demo_pages
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.foundation.assets import asset_root
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.theme import Theme, install_theme

WindowMaker = Callable[..., MainWindow]


@pytest.fixture
def dress(qapp: QApplication) -> Theme:
    """The theme, light at the start of each test."""
    theme = install_theme(qapp, "light")
    theme.set_mode("light")
    return theme


@pytest.fixture
def bridge(dress: Theme) -> DemoBridge:
    """A scripted bridge without boards."""
    return DemoBridge()


@pytest.fixture
def make_window(qtbot: QtBot, dress: Theme) -> WindowMaker:
    """Makes windows of 1024x640 that are closed when the test ends."""

    def make(bridge: DemoBridge, page: str = "", folder: Path | None = None) -> MainWindow:
        window = MainWindow(bridge, demo_pages(bridge), folder)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        window.resize(1024, 640)
        if page:
            window.show_page(page)
        with qtbot.waitExposed(window):
            window.show()
        qtbot.waitUntil(lambda: window.page(window.current_page()) is not None)
        return window

    return make


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[TsTranslator]:
    """A translator with all Chinese texts; not installed yet, removed afterwards."""
    translator = TsTranslator(sorted((asset_root() / "resources" / "i18n").rglob("*.ts")))
    yield translator
    QCoreApplication.removeTranslator(translator)
