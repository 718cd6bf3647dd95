"""The Activity page on the real core and a journal of earlier runs (EX-14)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.live.conftest import Live
from tests.gui.live.earlier_runs import leave_tasks
from zeroclaw_desktop.bridge.app_bridge import AppBridge
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.gui.activity.page import ActivityPage
from zeroclaw_desktop.gui.theme import install_theme

OLD_TASKS = 1_250


class Desk:
    """A page on a bridge, both made before the core starts as in the app."""

    def __init__(self, qtbot: QtBot, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        self.live = Live(AppBridge(ConfigStore(folder / "config.toml"), start_logging(None)), loop)
        self.page = ActivityPage(self.live.bridge)
        qtbot.addWidget(self.page)
        self.page.resize(1_000, 640)
        self.page.show()

    def start(self) -> None:
        self.live.run(self.live.bridge.start())

    def stop(self) -> None:
        self.page.close()
        self.live.run(self.live.bridge.stop())
        stop_logging()

    def loaded(self) -> list[str]:
        model = self.page.past.model
        rows = (model.task(model.index(row)) for row in range(model.rowCount()))
        return [task.task_id for task in rows if task is not None]


@pytest.fixture
def desk(
    qtbot: QtBot,
    qt_loop: asyncio.AbstractEventLoop,
    qapp: QApplication,
    tmp_path: Path,
    own_state_folder: Path,
) -> Iterator[Desk]:
    """The next run after many tasks and a crash in the middle of two; the test starts its core itself.

    pytest-qt turns Qt's loop between the phases of a test, when asyncio's does not run.
    """
    leave_tasks(own_state_folder, OLD_TASKS, unfinished=2)
    install_theme(qapp, "light")
    desk = Desk(qtbot, qt_loop, tmp_path)
    yield desk
    desk.stop()


def test_the_past_of_all_runs_is_there_and_found_without_being_loaded(desk: Desk) -> None:
    desk.start()
    live, page = desk.live, desk.page
    live.until(lambda: len(desk.loaded()) >= 100, "the first page")
    loaded = desk.loaded()
    assert loaded[:3] == ["cut-1", "cut-0", f"old-{OLD_TASKS - 1}"]
    assert len(loaded) < OLD_TASKS
    page.past.search.setText("LED 17 times")
    live.until(lambda: desk.loaded() == ["old-17"], "the old task")
    page.past.view.setCurrentIndex(page.past.model.index(0))
    assert page.selected() == "old-17"
    live.until(lambda: len(page.details.time_line.steps()) == 2, "its steps")
    assert page.details.pins.texts()[0][:2] == ["13", "low → low"]
    page.past.search.clear()
    page.past.filter.set_current("failed")
    page.past.filter.chosen.emit("failed")
    live.until(lambda: len(desk.loaded()) == 13, "all failed ones")
    assert desk.loaded() == [f"old-{number}" for number in range(1_200, -1, -100)]


def test_new_tasks_come_on_top_of_the_old_ones(desk: Desk) -> None:
    desk.start()
    board = desk.live.start_board()
    desk.live.until(lambda: len(desk.loaded()) >= 100, "the first page")
    desk.live.bridge.devices.run_command(board, "led_set", {"state": 1})
    desk.live.until(lambda: not desk.loaded()[0].startswith(("cut-", "old-")), "the new task")
    assert desk.loaded()[1:4] == ["cut-1", "cut-0", f"old-{OLD_TASKS - 1}"]


def test_what_was_interrupted_before_anybody_listened_is_offered_and_done_again(desk: Desk) -> None:
    """EX-14: the recovery looks before the window listens; nothing that it found is missed."""
    desk.start()
    live, page = desk.live, desk.page
    live.until(page.interrupted.isVisible, "the offer")
    first, second = page.interrupted.rows.values()
    assert first.accessibleName().startswith("Blink the LED 2 times")
    assert first.badge.text() == "Board made safe"
    assert not first.again_button.isEnabled()  # no board is there
    assert first.safety.text() == "The board was made safe: its outputs are off."
    live.start_board()
    live.until(first.again_button.isEnabled, "a board to do it on")
    first.again_button.click()
    live.until(lambda: len(page.interrupted.rows) == 1, "the begin")
    done = page.selected()
    assert done not in ("cut-0", "cut-1")
    live.until(lambda: done in desk.loaded(), "the end")
    shown = page.details.task()
    assert shown is not None
    assert (shown.task_id, shown.state, dict(shown.params)) == (done, "completed", {"count": 2})
    second.dismiss_button.click()
    live.until(lambda: not page.interrupted.isVisible(), "the dismissal")
    page.select("cut-0")
    live.until(lambda: "done again" in page.details.note.text(), "the note")
