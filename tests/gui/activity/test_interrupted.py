"""What a crash interrupted (EX-14): seen on every page, answered on the Activity page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.activity.activity_world import (
    DONE,
    ActivityWorld,
    interrupted,
    old_tasks,
    steps,
    task,
    three_interrupted,
)
from tests.gui.activity.conftest import page_of
from tests.gui.conftest import WindowMaker
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.activity.interrupted_card import MOST_ROWS
from zeroclaw_desktop.gui.activity.page import ActivityPage

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def crashed(world: ActivityWorld) -> ActivityWorld:
    """A bridge after a crash in the middle of three tasks."""
    world.recovery.offered = three_interrupted()
    return world


@pytest.fixture
def shown(crashed: ActivityWorld, make_window: WindowMaker) -> ActivityPage:
    """The page after that crash."""
    return page_of(make_window(crashed, "activity"))


def test_without_a_crash_nothing_is_said(page: ActivityPage) -> None:
    assert not page.interrupted.isVisible()


def test_each_task_says_what_it_was_and_what_was_done_about_it(shown: ActivityPage) -> None:
    assert shown.interrupted.title.text() == "The program ended in the middle of 3 tasks."
    safe, waiting, unknown = shown.interrupted.rows.values()
    assert safe.accessibleName().startswith("Blink the LED 50 times. It may have been done in part.")
    assert (safe.badge.text(), safe.badge.kind()) == ("Board made safe", "live")
    assert safe.again_button.isEnabled()
    assert (waiting.badge.text(), waiting.badge.kind()) == ("Waits for the board", "waits")
    assert waiting.safety.isVisible()
    assert not waiting.again_button.isEnabled()
    assert not unknown.badge.isVisible()
    assert not unknown.again_button.isVisible()
    assert unknown.dismiss_button.isEnabled()


def test_do_it_again_asks_for_that_task_and_shows_the_new_one(
    qtbot: QtBot, shown: ActivityPage, crashed: ActivityWorld
) -> None:
    qtbot.mouseClick(shown.interrupted.rows[1].again_button, LEFT)
    assert crashed.recovery.calls == [("do_again", 1)]
    crashed.recovery.begun.emit("task-new")
    crashed.recovery.offered = [replace(interrupted(1), busy=True), *crashed.recovery.offered[1:]]
    crashed.recovery.changed.emit()
    assert not shown.interrupted.rows[1].again_button.isEnabled()
    assert not shown.interrupted.rows[1].dismiss_button.isEnabled()
    crashed.activity.put(task("task-new"), *steps(*DONE))
    crashed.recovery.offered = crashed.recovery.offered[1:]
    crashed.recovery.changed.emit()
    crashed.activity.changed.emit()
    assert list(shown.interrupted.rows) == [2, 3]
    assert shown.selected() == "task-new"
    told = shown.details.task()
    assert told is not None
    assert told.state == "completed"


def test_one_is_dismissed_or_all_of_them(qtbot: QtBot, shown: ActivityPage, crashed: ActivityWorld) -> None:
    qtbot.mouseClick(shown.interrupted.rows[2].dismiss_button, LEFT)
    assert crashed.recovery.calls == [("dismiss", 2)]
    assert list(shown.interrupted.rows) == [1, 3]
    qtbot.mouseClick(shown.interrupted.dismiss_all_button, LEFT)
    assert crashed.recovery.calls[-1] == ("dismiss", 1, 3)
    assert not shown.interrupted.isVisible()


def test_a_single_task_needs_no_dismiss_all(crashed: ActivityWorld, make_window: WindowMaker) -> None:
    crashed.recovery.offered = crashed.recovery.offered[:1]
    page = page_of(make_window(crashed, "activity"))
    assert page.interrupted.title.text() == "The program ended in the middle of a task."
    assert not page.interrupted.dismiss_all_button.isVisible()


def test_the_keyboard_does_not_slip_to_the_next_answer(
    qtbot: QtBot, shown: ActivityPage, crashed: ActivityWorld
) -> None:
    """A key that is held must not answer for a task that nobody has read."""
    shown.interrupted.rows[1].dismiss_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(shown.interrupted.rows[1].dismiss_button, Qt.Key.Key_Space)
    buttons = [
        button for row in shown.interrupted.rows.values() for button in (row.again_button, row.dismiss_button)
    ]
    assert crashed.recovery.calls == [("dismiss", 1)]
    assert QApplication.focusWidget() not in buttons


def test_a_decision_that_could_not_be_kept_says_why(shown: ActivityPage, crashed: ActivityWorld) -> None:
    crashed.recovery.failed.emit(ErrorView(title="The disk is full.", next_step="Free some space."))
    assert shown.interrupted.error_card.isVisible()
    assert shown.interrupted.error_card.accessibleName() == "The disk is full."


def test_hundreds_make_few_rows_and_leave_room_for_the_page(
    crashed: ActivityWorld, make_window: WindowMaker
) -> None:
    crashed.recovery.offered = [interrupted(number) for number in range(1, 301)]
    page = page_of(make_window(crashed, "activity"))
    assert len(page.interrupted.rows) == MOST_ROWS
    assert page.interrupted.height() <= page.height() // 2
    assert page.past.view.isVisible()


def test_every_page_says_it_until_the_person_has_looked(
    qtbot: QtBot, crashed: ActivityWorld, make_window: WindowMaker
) -> None:
    """It does not block, and it is not said louder than needed once it was seen."""
    window = make_window(crashed, "devices")
    qtbot.waitUntil(window.interrupted_strip.isVisible)
    assert window.interrupted_strip.text() == "The program ended in the middle of 3 tasks."
    button = window.activity_bar.buttons["activity"]
    assert button.waiting() == 3
    assert button.accessibleName() == "Activity. Interrupted tasks: 3"
    assert window.status_line.interrupted.text() == "3 interrupted tasks"
    qtbot.mouseClick(window.interrupted_strip.show_button, LEFT)
    assert window.current_page() == "activity"
    assert not window.interrupted_strip.isVisible()
    window.show_page("devices")
    assert not window.interrupted_strip.isVisible()
    assert button.waiting() == 3
    qtbot.mouseClick(window.status_line.interrupted, LEFT)
    assert window.current_page() == "activity"
    crashed.recovery.dismiss([1, 2, 3])
    assert button.waiting() == 0
    assert not window.status_line.interrupted.isVisible()


def test_what_comes_later_is_said_as_well(
    qtbot: QtBot, world: ActivityWorld, make_window: WindowMaker
) -> None:
    """The core starts after the window; what it finds then must not be missed."""
    window = make_window(world, "devices")
    qtbot.waitUntil(lambda: not window.windowIcon().isNull())
    assert not window.interrupted_strip.isVisible()
    world.recovery.offered = three_interrupted()
    world.recovery.changed.emit()
    assert window.interrupted_strip.isVisible()


def test_an_interrupted_task_of_the_past_has_no_known_end(
    world: ActivityWorld, make_window: WindowMaker
) -> None:
    """EX-7: nobody knows when it ended, so the line does not say."""
    world.activity.old = old_tasks(10)
    page = page_of(make_window(world, "activity"))
    page.select("old-10", 10)
    line = page.details.time_line
    assert line.accessibleDescription() == ("Received 0 ms, Checked 0.6 ms, Started 420 ms, Interrupted ?")
    marks = line.marks()
    assert marks[3] - marks[2] == pytest.approx(marks[2] - marks[0], rel=0.01)
    assert "time not known" in line.tip_at(marks[3], on_bar=True)
    assert page.details.note.text() == "The program ended before this task did."
    assert page.details.badge.kind() == "interrupted"


def test_the_card_follows_the_language(shown: ActivityPage, chinese: TsTranslator) -> None:
    QCoreApplication.installTranslator(chinese)
    QApplication.processEvents()
    assert shown.interrupted.title.text() == "程序上次结束时，有 3 个任务没有做完。"
    assert shown.interrupted.rows[1].again_button.text() == "再做一次"
