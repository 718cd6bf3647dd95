"""The past on the Activity page (EX-14): pages of the journal, filters, details, a disk that refuses."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.activity.activity_world import START, ActivityWorld, old_tasks, task
from tests.gui.activity.conftest import listed, page_of
from tests.gui.conftest import WindowMaker
from zeroclaw_desktop.bridge.activity_views import HistoryPage, TaskView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.activity.history_model import HistoryModel
from zeroclaw_desktop.gui.activity.history_view import row_height
from zeroclaw_desktop.gui.activity.page import ActivityPage
from zeroclaw_desktop.gui.activity.words import moment_text

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def old(dress: object) -> ActivityWorld:
    """Three hundred tasks of earlier runs."""
    world = ActivityWorld()
    world.activity.old = old_tasks(300)
    world.activity.page_size = 50
    return world


@pytest.fixture
def past(old: ActivityWorld, make_window: WindowMaker) -> ActivityPage:
    """The page with them."""
    return page_of(make_window(old, "activity"))


def numbered(*numbers: int) -> list[TaskView]:
    """Tasks of the journal, one each second."""
    return [task(f"t{number}", number=number, started=START + number) for number in numbers]


def numbers_of(model: HistoryModel) -> list[int]:
    rows = (model.task(model.index(row)) for row in range(model.rowCount()))
    return [found.number for found in rows if found is not None]


# -- the model --------------------------------------------------------------------------------------------
def test_news_go_to_their_place_in_time(dress: object) -> None:
    model = HistoryModel()
    model.begin(numbered(9, 7, 5))
    model.put(numbered(10, 8, 6), whole=False)
    assert numbers_of(model) == [10, 9, 8, 7, 6, 5]
    model.put(numbered(4), whole=False)
    assert numbers_of(model) == [10, 9, 8, 7, 6, 5]  # a page will bring it in its place
    model.put(numbered(4), whole=True)
    assert numbers_of(model) == [10, 9, 8, 7, 6, 5, 4]


def test_a_task_that_is_told_again_is_changed_and_not_doubled(dress: object, qtbot: QtBot) -> None:
    model = HistoryModel()
    model.begin(numbered(3, 2, 1))
    changed: list[int] = []
    model.dataChanged.connect(lambda first, _last: changed.append(first.row()))
    running = task("t2", "running", number=2, started=START + 2, elsewhere=True)
    model.put([running, *numbered(3)], whole=False)
    assert changed == [1]
    assert numbers_of(model) == [3, 2, 1]
    model.append(numbered(1, 0))
    assert numbers_of(model) == [3, 2, 1, 0]


def test_one_id_used_twice_makes_two_rows(dress: object) -> None:
    """EX-1: an id is unique among running tasks only."""
    model = HistoryModel()
    model.begin([task("test001", number=2, started=START + 2), task("test001", number=1, started=START + 1)])
    assert model.row_of("test001") == 0
    assert model.row_of("test001", 1) == 1
    assert model.row_of("test001", 7) is None


# -- the list ---------------------------------------------------------------------------------------------
def test_the_list_loads_more_while_it_is_scrolled(qtbot: QtBot, past: ActivityPage) -> None:
    loaded = len(listed(past))
    assert 50 <= loaded < 300
    bar = past.past.view.verticalScrollBar()

    def at_the_end() -> bool:
        bar.setValue(bar.maximum())
        return len(listed(past)) == 300

    qtbot.waitUntil(at_the_end)
    assert listed(past) == [f"old-{number}" for number in range(300, 0, -1)]


def test_what_is_read_stays_in_place_when_news_come(
    qtbot: QtBot, past: ActivityPage, old: ActivityWorld
) -> None:
    bar = past.past.view.verticalScrollBar()
    bar.setValue(row_height() * 20 + 5)
    top = past.past.view.indexAt(QPoint(20, 1))
    before = past.past.model.task(top)
    news = [task(f"new-{number}", number=1_000 + number, started=START + number) for number in range(3)]
    old.activity.history_came.emit(HistoryPage("news", tuple(news)))
    QApplication.processEvents()
    assert past.past.model.task(past.past.view.indexAt(QPoint(20, 1))) == before
    assert listed(past)[:3] == ["new-2", "new-1", "new-0"]


def test_filters_ask_the_whole_journal(qtbot: QtBot, past: ActivityPage) -> None:
    """What is not loaded is found as well."""
    assert "old-7" not in listed(past)
    past.past.search.setText("LED 7 times")
    qtbot.keyClick(past.past.search, Qt.Key.Key_Return)
    assert listed(past) == ["old-7"]
    past.past.search.clear()
    past.past.filter.set_current("interrupted")
    past.past.filter.chosen.emit("interrupted")
    assert set(listed(past)) <= {f"old-{number}" for number in range(10, 301, 10)}


def test_who_asked_board_and_time_narrow_the_list(qtbot: QtBot, past: ActivityPage) -> None:
    panel = past.past
    assert not panel.source.isVisible()
    qtbot.mouseClick(panel.filters_button, LEFT)
    assert [panel.board.itemText(at) for at in range(panel.board.count())] == [
        "Any board",
        "Simulated Arduino Uno",
        "Arduino Uno",
    ]
    for field, text, expected in (
        (panel.source, "Schedule", ("schedule", "", None)),
        (panel.board, "Arduino Uno", ("schedule", "uno-75833", None)),
        (panel.span, "Last hour", ("schedule", "uno-75833", 3_600)),
    ):
        field.setCurrentText(text)
        field.activated.emit(field.currentIndex())
        query = panel.query()
        ago = None if query.since is None else round(time.time() - query.since)
        assert (query.source, query.board_id, ago) == expected
    assert listed(past) == []
    assert panel.no_match.text() == "No task matches."
    qtbot.mouseClick(panel.filters_button, LEFT)
    assert not panel.is_filtered()
    assert len(listed(past)) >= 50


def test_the_chosen_filters_survive_the_language(qtbot: QtBot, past: ActivityPage) -> None:
    panel = past.past
    panel.filters_button.setChecked(True)
    panel.board.setCurrentText("Arduino Uno")
    panel._retranslate()
    assert panel.query().board_id == "uno-75833"


# -- details ----------------------------------------------------------------------------------------------
def test_details_of_an_old_task_come_with_their_steps(past: ActivityPage, old: ActivityWorld) -> None:
    past.select("old-299", 299)
    assert ("ask_task", "old-299", 299) in old.activity.calls
    assert [step.state for step in past.details.time_line.steps()] == [
        "PENDING",
        "VALIDATED",
        "RUNNING",
        "COMPLETED",
    ]
    assert past.details.pins.texts() == [["13", "low → low", "low"]]
    asked = old.activity.calls.count(("ask_task", "old-299", 299))
    old.activity.changed.emit()
    assert old.activity.calls.count(("ask_task", "old-299", 299)) == asked


def test_a_task_that_is_not_loaded_is_shown_when_another_page_asks(
    past: ActivityPage, old: ActivityWorld
) -> None:
    past.show_detail("old-3")
    shown = past.details.task()
    assert shown is not None
    assert (shown.task_id, shown.number) == ("old-3", 3)


def test_what_was_not_kept_in_full_cannot_be_tried(past: ActivityPage, old: ActivityWorld) -> None:
    past.select("old-299", 299)
    assert past.details.trial.isVisible()
    cut = task("old-299", number=299, started=START - 86_460.0, can_try=False)
    past.details.show_task(cut, ())
    past.details.show_trial(None, running=False)
    assert not past.details.trial.isVisible()


def test_what_another_program_runs_says_so_and_is_followed(past: ActivityPage, old: ActivityWorld) -> None:
    running = task("cli-1", "running", number=900, started=START, elsewhere=True, can_cancel=False)
    old.activity.history_came.emit(HistoryPage("news", (running,)))
    past.select("cli-1", 900)
    assert past.details.note.text() == "Another program runs it."
    assert not past.details.cancel_button.isVisible()
    asked = old.activity.calls.count(("ask_task", "cli-1", 900))
    old.activity.history_came.emit(HistoryPage("news", (task("cli-1", number=900, started=START),)))
    assert old.activity.calls.count(("ask_task", "cli-1", 900)) == asked + 1


def test_other_programs_are_looked_after_while_the_page_is_seen(
    qtbot: QtBot, past: ActivityPage, old: ActivityWorld
) -> None:
    qtbot.waitUntil(lambda: ("look_for_foreign_tasks",) in old.activity.calls, timeout=10_000)


# -- the rest ---------------------------------------------------------------------------------------------
def test_without_a_journal_the_page_says_what_it_shows(
    world: ActivityWorld, make_window: WindowMaker
) -> None:
    world.activity.fault = ErrorView(title="The database cannot be read.", next_step="Check the disk.")
    page = page_of(make_window(world, "activity"))
    assert page.past.notice.isVisible()
    assert page.past.notice.text() == (
        "Only this run of the program is shown. The database cannot be read. Check the disk."
    )
    assert listed(page) == ["task-4", "task-3", "task-2", "turn-1.call-1"]
    world.activity.fault = None
    world.activity.changed.emit()
    assert not page.past.notice.isVisible()


def test_days_before_today_are_told() -> None:
    now = time.time()
    assert len(moment_text(now)) == len("14:03:25")
    assert moment_text(START)[:4] == "2026"
    assert moment_text(now - 3 * 86_400) == time.strftime(
        "%Y-%m-%d %H:%M:%S", time.localtime(now - 3 * 86_400)
    )
