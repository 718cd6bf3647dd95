"""What the scenes of the pictures are made with: a window with one real page, and time to lay itself out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

from tests.gui.demo_bridge import DemoBridge, demo_pages
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec

Page = TypeVar("Page", bound=QWidget)


def _nothing() -> None:
    """Leave the window as it is."""


@dataclass(frozen=True)
class Staged:
    """A window for a picture; ``act`` is called once it has its size and is laid out."""

    window: MainWindow
    act: Callable[[], None] = _nothing


Scene = Callable[[], Staged]


def window_with(bridge: DemoBridge, key: str, page: QWidget) -> MainWindow:
    """Return a window that shows ``page`` in the place of the scripted page of that key."""
    specs = [
        PageSpec(spec.key, spec.title, spec.icon, lambda: page, at_bottom=spec.at_bottom)
        if spec.key == key
        else spec
        for spec in demo_pages(bridge)
    ]
    window = MainWindow(bridge, specs)  # type: ignore[arg-type]
    window.show_page(key)
    return window


def settle(milliseconds: int = 250) -> None:
    """Let the window lay itself out and paint."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
