"""Scenes of the Logs page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

from collections.abc import Callable

from tests.gui.demo_bridge import simulated_board
from tests.gui.logs.log_world import LogWorld, records
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.gui.logs.log_filter import LogFilter
from zeroclaw_desktop.gui.logs.page import LogsPage

TRACE = (
    "Flash job failed\nTraceback (most recent call last):\n"
    '  File "flasher.py", line 88, in run\n    await tool.write(image)\n'
    "ToolFailedError: avrdude ended with 1"
)


def logs_empty(world: LogWorld) -> Callable[[LogsPage], None]:
    """Nothing yet."""
    return lambda page: None


def logs_filled(world: LogWorld) -> Callable[[LogsPage], None]:
    """Many records, following."""
    world.logs.kept = records(400)
    return lambda page: None


def logs_searched(world: LogWorld) -> Callable[[LogsPage], None]:
    """A search, scrolled up, with new records below."""
    world.logs.kept = records(800)

    def act(page: LogsPage) -> None:
        page.set_filter(LogFilter(text="uno"))
        page.view.verticalScrollBar().setValue(300)
        world.logs.write(*records(40, 801))

    return act


def logs_chosen(world: LogWorld) -> Callable[[LogsPage], None]:
    """A record of many lines, selected, and the pause."""
    world.logs.kept = [
        *records(40),
        LogRecordView(41, 1_767_360_009.0, "CRITICAL", "hardware.flashing", TRACE),
    ]

    def act(page: LogsPage) -> None:
        page.toggle_pause()
        world.logs.write(*records(14, 42))
        page.view.setCurrentIndex(page.model.index(40))

    return act


def logs_unmatched(world: LogWorld) -> Callable[[LogsPage], None]:
    """Filters that hide everything."""
    world.logs.kept = records(40)
    return lambda page: page.set_filter(LogFilter("ERROR", text="mqtt"))


def _stage(scene: Callable[[LogWorld], Callable[[LogsPage], None]]) -> Staged:
    world = LogWorld(simulated_board())
    act = scene(world)
    page = LogsPage(world)  # type: ignore[arg-type]
    return Staged(window_with(world, "logs", page), lambda: act(page))


SCENES: dict[str, Scene] = {
    scene.__name__: lambda scene=scene: _stage(scene)  # type: ignore[misc]
    for scene in (logs_empty, logs_filled, logs_searched, logs_chosen, logs_unmatched)
}
