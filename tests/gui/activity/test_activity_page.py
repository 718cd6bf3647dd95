"""The Activity page: lists, details, filter, selection, cancel, make safe, trial, budgets, empty state."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.activity.activity_world import DONE, ActivityWorld, steps, task, trial
from tests.gui.activity.conftest import listed, page_of
from tests.gui.conftest import WindowMaker
from tests.gui.demo_bridge import SIMULATOR, DemoBridge, real_board, simulated_board
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.activity_views import BudgetView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.activity.history_view import row_height
from zeroclaw_desktop.gui.activity.page import ActivityPage
from zeroclaw_desktop.gui.activity.present_list import MOST_ROWS
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.widgets.labels import ElidedText


def test_ended_and_running_tasks_stand_apart_latest_first(page: ActivityPage) -> None:
    assert list(page.running.rows) == ["task-5", "task-6"]
    assert listed(page) == ["task-4", "task-3", "task-2", "turn-1.call-1"]
    assert page.running.rows["task-5"].badge.kind() == "busy"
    assert page.running.rows["task-6"].badge.kind() == "waits"


def test_cancel_asks_the_bridge_for_that_task_only(
    qtbot: QtBot, page: ActivityPage, world: ActivityWorld
) -> None:
    qtbot.mouseClick(page.running.rows["task-6"].cancel_button, Qt.MouseButton.LeftButton)
    assert world.activity.calls == [("cancel", "task-6")]
    page.select("task-5")
    qtbot.mouseClick(page.details.cancel_button, Qt.MouseButton.LeftButton)
    assert world.activity.calls[-1] == ("cancel", "task-5")
    qtbot.keyClick(page.running.rows["task-6"], Qt.Key.Key_Delete)
    assert world.activity.calls[-1] == ("cancel", "task-6")


def test_the_keyboard_does_not_slip_to_the_next_cancel_button(
    qtbot: QtBot, page: ActivityPage, world: ActivityWorld
) -> None:
    page.running.rows["task-5"].cancel_button.setFocus(Qt.FocusReason.TabFocusReason)
    world.activity.put(task("task-5", "cancelled"), *steps(*DONE[:3], ("CANCELLED", 1_800.0)))
    world.activity.changed.emit()
    QApplication.processEvents()
    focused = QApplication.focusWidget()
    assert not isinstance(focused, QPushButton)


def test_a_task_that_waits_for_approval_says_so_and_leads_to_the_question(
    qtbot: QtBot, page: ActivityPage, world: ActivityWorld
) -> None:
    world.activity.put(task("turn-2.call-1", "pending", asking=True), *steps(("PENDING", 0.0)))
    world.activity.changed.emit()
    row = page.running.rows["turn-2.call-1"]
    assert (row.badge.text(), row.badge.kind()) == ("Waits for your approval", "waits")
    assert not row.cancel_button.isVisible()
    page.select("turn-2.call-1")
    assert page.details.badge.text() == "Waits for your approval"
    assert page.details.cancel_button.isVisible()
    with qtbot.waitSignal(actions().question_requested):
        qtbot.mouseClick(row.answer_button, Qt.MouseButton.LeftButton)
    window = page.window()
    assert isinstance(window, MainWindow)
    assert window.current_page() == "chat"
    window.show_page("activity")
    world.activity.put(task("turn-2.call-1", "running"), *steps(*DONE[:3]))
    world.activity.changed.emit()
    assert not row.answer_button.isVisible()
    assert row.badge.text() == "Running"


def test_parameters_are_told_with_their_units(page: ActivityPage) -> None:
    page.select("turn-1.call-1")
    assert page.details.parameters.rows() == [("count", "3"), ("interval", "0.3 s")]
    page.select("task-2")
    assert page.details.parameters.rows() == [("angle", "999°")]


def test_held_outputs_are_made_safe(qtbot: QtBot, page: ActivityPage, world: ActivityWorld) -> None:
    row = page.outputs.rows[(SIMULATOR, 5)]
    qtbot.mouseClick(row.safe_button, Qt.MouseButton.LeftButton)
    assert world.activity.calls == [("release_output", SIMULATOR, 5)]
    qtbot.mouseClick(row.show_button, Qt.MouseButton.LeftButton)
    assert page.selected() == "task-4"
    world.activity.held = []
    world.activity.changed.emit()
    assert page.outputs.rows == {}


def test_asked_and_read_back_are_both_shown_and_a_difference_is_said(page: ActivityPage) -> None:
    page.select("task-4")
    assert page.details.pins.texts() == [["5", "low → 40 %", "25 %"]]
    told = [label.text() for label in page.details.pins.findChildren(QWidget) if hasattr(label, "text")]
    assert "differs" in told
    page.select("turn-1.call-1")
    assert page.details.pins.texts() == [["13", "low → low", "low"]]


def test_the_steps_are_drawn_to_scale(page: ActivityPage) -> None:
    page.select("turn-1.call-1")
    marks = page.details.time_line.marks()
    whole = marks[3] - marks[0]
    assert (marks[2] - marks[0]) / whole == pytest.approx(420.0 / 1_812.0, abs=1e-6)
    assert (marks[1] - marks[0]) / whole == pytest.approx(0.6 / 1_812.0, abs=1e-6)
    assert page.details.time_line.accessibleDescription() == (
        "Received 0 ms, Checked 0.6 ms, Started 420 ms, Done 1.81 s"
    )
    assert "RUNNING" in page.details.time_line.tip_at(marks[2], on_bar=True)


def test_the_line_of_a_running_task_reaches_to_now(page: ActivityPage) -> None:
    page.select("task-5")
    line = page.details.time_line
    assert line.span_ms() == 3_200.0
    assert line.marks()[-1] < line.width() / 2


def test_a_fault_says_cause_and_next_step(page: ActivityPage) -> None:
    page.select("task-2")
    assert page.details.error_card.isVisible()
    assert page.details.error_card.accessibleName() == "'angle' is 999; it must be from 0 to 180 degrees."
    page.select("task-4")
    assert not page.details.error_card.isVisible()


def test_who_stopped_a_task_is_said(page: ActivityPage) -> None:
    page.select("task-3")
    assert page.details.note.text() == "Stopped by you. Its outputs were made safe."
    assert not page.details.error_card.isVisible()


def test_the_id_is_copied(qtbot: QtBot, page: ActivityPage) -> None:
    page.select("task-2")
    qtbot.mouseClick(page.details.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "task-2"


def test_filter_and_search(qtbot: QtBot, page: ActivityPage, world: ActivityWorld) -> None:
    buttons = page.past.filter.findChildren(QToolButton)
    qtbot.mouseClick(buttons[2], Qt.MouseButton.LeftButton)
    assert listed(page) == ["task-2"]
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    page.past.search.setText("PWM")
    qtbot.keyClick(page.past.search, Qt.Key.Key_Return)
    assert listed(page) == ["task-4"]
    page.past.search.setText("nothing of this")
    qtbot.waitUntil(lambda: listed(page) == [], timeout=2_000)
    assert page.past.no_match.text() == "No task matches."
    assert page.empty.isHidden()


def test_ctrl_f_goes_to_the_search(qtbot: QtBot, page: ActivityPage) -> None:
    page.focus_input()
    qtbot.keyClick(page.past.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.past.search.hasFocus()


def test_the_selection_survives_changes(qtbot: QtBot, page: ActivityPage, world: ActivityWorld) -> None:
    page.select("task-2")
    world.activity.put(task("task-7", title="Read pin 2"), *steps(*DONE))
    world.activity.put(task("task-5"), *steps(*DONE))
    world.activity.changed.emit()
    assert page.selected() == "task-2"
    current = page.past.model.task(page.past.view.currentIndex())
    assert current is not None
    assert current.task_id == "task-2"
    assert listed(page)[0] == "task-7"


def test_a_running_task_stays_selected_when_it_ends(page: ActivityPage, world: ActivityWorld) -> None:
    page.select("task-5")
    world.activity.put(task("task-5", title="Fade the LED for 20 s"), *steps(*DONE))
    world.activity.changed.emit()
    shown = page.details.task()
    assert shown is not None
    assert (shown.task_id, shown.state) == ("task-5", "completed")
    current = page.past.model.task(page.past.view.currentIndex())
    assert current is not None
    assert current.task_id == "task-5"


def test_arrows_choose_in_the_history(qtbot: QtBot, page: ActivityPage) -> None:
    page.select("task-4")
    page.focus_input()
    qtbot.keyClick(page.past.view, Qt.Key.Key_Down)
    assert page.selected() == "task-3"
    assert page.details.title.text() == "Blink the LED 40 times"


def test_a_change_keeps_what_is_being_read_in_place(page: ActivityPage, world: ActivityWorld) -> None:
    for number in range(200):
        world.activity.put(task(f"old-{number}"), *steps(*DONE))
    world.activity.changed.emit()
    QApplication.processEvents()
    bar = page.past.view.verticalScrollBar()
    bar.setValue(row_height() * 50 + 7)
    before = page.past.model.task(page.past.view.indexAt(QPoint(20, 1)))
    for number in range(5):
        world.activity.put(task(f"new-{number}"), *steps(*DONE))
    world.activity.changed.emit()
    assert page.past.model.task(page.past.view.indexAt(QPoint(20, 1))) == before
    bar.setValue(0)
    world.activity.put(task("newest"), *steps(*DONE))
    world.activity.changed.emit()
    assert bar.value() == 0


def test_the_trial_is_asked_for_once_and_its_levels_are_drawn(
    qtbot: QtBot, page: ActivityPage, world: ActivityWorld
) -> None:
    page.select("turn-1.call-1")
    panel = page.details.trial
    qtbot.mouseClick(panel.try_button, Qt.MouseButton.LeftButton)
    assert not panel.try_button.isEnabled()
    assert world.activity.calls == [("try_on_twin", "turn-1.call-1")]
    world.activity.trial_finished.emit(trial("turn-1.call-1"))
    assert panel.try_button.isEnabled()
    assert panel.badge.kind() == "simulated"
    assert "900 ms" in panel.figures.text()
    line = panel.strip.polyline(0)
    heights = [line.at(number).y() for number in range(line.count())]
    low, high = max(heights), min(heights)
    assert heights == [low, low, high, high, low, low, high, high, low, low]
    times = [line.at(number).x() for number in (1, 3, 5, 7)]
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert gaps == pytest.approx([gaps[0]] * 3)


def test_a_trial_of_another_task_does_not_change_what_is_shown(
    page: ActivityPage, world: ActivityWorld
) -> None:
    page.select("task-4")
    world.activity.trial_finished.emit(trial("task-2"))
    assert not page.details.trial.strip.isVisible()
    page.select("task-2")
    assert page.details.trial.strip.isVisible()


def test_resources_and_budgets_are_told_in_words(page: ActivityPage, world: ActivityWorld) -> None:
    assert page.overview.resources.rows()[0] == ("sim-uno/gpio:13", "Fade the LED for 20 s  ·  waiting: 1")
    meters = page.overview.meters
    assert [meter.badge.isVisibleTo(meter) for meter in meters] == [False, True, True]
    assert meters[2].badge.kind() == "failed"
    assert meters[0].bar.accessibleName() == "Blink the LED 3 times: 1.80 s of 30 min"
    world.activity.sessions = [BudgetView("turn-1", 2.0, 1_800.0)]
    world.activity.changed.emit()
    assert [meter.isVisibleTo(page.overview) for meter in meters] == [True, False, False]


def test_many_running_tasks_make_few_rows(page: ActivityPage, world: ActivityWorld) -> None:
    for number in range(500):
        world.activity.put(task(f"wait-{number}", "validated", waiting=True))
    world.activity.changed.emit()
    assert len(page.running.rows) == MOST_ROWS
    assert page._present.height() <= page.height() // 2


def test_the_upper_lists_get_the_height_that_they_need(
    qtbot: QtBot, page: ActivityPage, world: ActivityWorld
) -> None:
    page.window().resize(1280, 900)
    qtbot.wait(20)
    content = page._present.widget()
    assert content is not None
    assert page._present.height() >= content.sizeHint().height()
    assert page.outputs.rows[(SIMULATOR, 5)].isVisible()


def test_the_empty_page_blinks_the_simulated_board(qtbot: QtBot, make_window: WindowMaker) -> None:
    bridge = DemoBridge(real_board())
    page = page_of(make_window(bridge, "activity"))
    assert page.empty.isVisible()
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    commands = [call for call in bridge.devices.calls if call[0] in ("start_simulator", "run_command")]
    assert commands == [("start_simulator",), ("run_command", SIMULATOR, "led_blink", {"count": 3})]
    bridge.devices.add_board(simulated_board())
    assert bridge.devices.calls.count(("run_command", SIMULATOR, "led_blink", {"count": 3})) == 1


def test_a_page_that_nobody_sees_catches_up(make_window: WindowMaker, world: ActivityWorld) -> None:
    window = make_window(world, "activity")
    page = page_of(window)
    window.show_page("devices")
    world.activity.put(task("late"), *steps(*DONE))
    world.activity.changed.emit()
    assert "late" not in listed(page)
    window.show_page("activity")
    assert "late" in listed(page)


def test_another_page_can_ask_for_a_task(make_window: WindowMaker, world: ActivityWorld) -> None:
    window = make_window(world, "devices")
    actions().open_page("activity", "task-2")
    assert page_of(window).selected() == "task-2"


def test_the_page_follows_the_language(page: ActivityPage, chinese: TsTranslator) -> None:
    page.select("task-4")
    QCoreApplication.installTranslator(chinese)
    QApplication.processEvents()
    assert page.details.pins.texts() == [["5", "低 → 40 %", "25 %"]]
    assert page.running.rows["task-6"].cancel_button.text() == "取消"
    QCoreApplication.removeTranslator(chinese)
    QApplication.processEvents()
    assert page.running.rows["task-6"].cancel_button.text() == "Cancel"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("chosen", ["turn-1.call-1", "task-2", "task-3", "task-4", "task-5", "task-6"])
def test_no_button_or_badge_is_cut_off_at_the_smallest_size(
    qtbot: QtBot, page: ActivityPage, chinese: TsTranslator, chosen: str, language: str
) -> None:
    if language == "zh":
        QCoreApplication.installTranslator(chinese)
    page.select(chosen)
    qtbot.wait(20)
    cut = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.isVisible()
        and not isinstance(widget, ElidedText)
        and isinstance(widget, QPushButton | QToolButton)
        and widget.minimumSizeHint().width() > widget.width()
    ]
    assert cut == []
    right = page._right
    assert right.widget().width() <= right.viewport().width()
    # A scroll bar that appears takes its room with the next layout.
    qtbot.waitUntil(lambda: page._present.widget().width() <= page._present.viewport().width())


def test_every_control_has_a_name(page: ActivityPage) -> None:
    nameless = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and isinstance(widget, QPushButton | QToolButton)
        and not widget.text()
        and not widget.accessibleName()
    ]
    assert nameless == []
    assert page.past.view.accessibleName()
    assert page.past.search.accessibleName()
