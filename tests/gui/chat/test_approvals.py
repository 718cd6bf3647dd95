"""Approvals: what is asked, who answers, what cannot answer by accident."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.chat.conftest import PageMaker
from tests.gui.chat.demo_chat import ChatWorld, approval
from zeroclaw_desktop.gui.chat.approval_card import ApprovalCard
from zeroclaw_desktop.gui.chat.entries import NoteEntry
from zeroclaw_desktop.gui.chat.page import ChatPage

GUARD_MS = 300


def ask(page: ChatPage, world: ChatWorld, **changes: object) -> ApprovalCard:
    view = approval(**changes)
    world.chat.approval_requested.emit(view)
    card = page.approvals[view.approval_id]
    QApplication.processEvents()
    assert card.isVisible()
    return card


@pytest.mark.parametrize(("button", "decision"), [("allow_button", "once"), ("deny_button", "deny")])
def test_an_answer_by_mouse_reaches_the_bridge_once(
    qtbot: QtBot, page: ChatPage, world: ChatWorld, button: str, decision: str
) -> None:
    card = ask(page, world)
    qtbot.wait(GUARD_MS + 30)
    qtbot.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("answer_approval", "a1", decision)]


def test_a_click_that_was_on_its_way_does_not_answer(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    card = ask(page, world)
    qtbot.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == []
    assert page.approvals == {"a1": card}


def test_a_press_that_began_during_the_guard_does_not_answer_when_released_later(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    card = ask(page, world)
    qtbot.mousePress(card.allow_button, Qt.MouseButton.LeftButton)
    qtbot.wait(GUARD_MS + 30)
    qtbot.mouseRelease(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == []


def test_the_card_leaves_the_keyboard_where_it_is(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    ask(page, world)
    qtbot.wait(GUARD_MS + 30)
    assert page.isActiveWindow()
    assert QApplication.focusWidget() is page.composer.edit
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Space)
    assert world.chat.calls == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_it_can_be_answered_by_keyboard(qtbot: QtBot, page: ChatPage, world: ChatWorld, key: Qt.Key) -> None:
    page.focus_input()
    card = ask(page, world)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    assert page.isActiveWindow()
    QTest.keyClick(page, Qt.Key.Key_A, modifiers)
    assert page.focusWidget() is card.deny_button
    QTest.keyClick(card.deny_button, Qt.Key.Key_Tab)
    assert page.focusWidget() is card.allow_button
    QTest.keyClick(card.allow_button, key)
    assert world.chat.calls == []
    qtbot.wait(GUARD_MS + 30)
    QTest.keyClick(card.allow_button, key)
    assert world.chat.calls == [("answer_approval", "a1", "once")]


def test_the_click_that_brings_the_window_to_the_front_does_not_answer(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    card = ask(page, world)
    qtbot.wait(GUARD_MS + 30)
    QApplication.sendEvent(page, QEvent(QEvent.Type.WindowActivate))
    qtbot.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == []
    qtbot.wait(GUARD_MS + 30)
    qtbot.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("answer_approval", "a1", "once")]


def test_the_card_says_what_moves_why_and_how_far_the_permission_goes(
    page: ChatPage, world: ChatWorld
) -> None:
    card = ask(page, world)
    texts = [label.text() for label in card.findChildren(type(card._sentence))]
    for wanted in (approval().sentence, approval().reason, approval().scope_once):
        assert wanted in texts
    assert card.pin_changes.changes() == ((7, "low", "high"),)
    assert page.bench.picture._highlighted == {7}


def test_a_closed_question_goes_and_leaves_its_outcome(page: ChatPage, world: ChatWorld) -> None:
    card = ask(page, world)
    card.deny_button.setFocus()
    world.chat.approval_closed.emit("a1", "denied")
    assert page.approvals == {}
    entry = page.transcript.entries[-1]
    assert isinstance(entry, NoteEntry)
    assert entry.text == "Set pin 7 high on Simulated Arduino Uno: denied"
    assert page.bench.picture._highlighted == set()


def test_the_same_question_is_shown_once_and_two_stand_together(page: ChatPage, world: ChatWorld) -> None:
    ask(page, world)
    ask(page, world)
    ask(page, world, approval_id="a2", sentence="Set pin 8 high")
    assert list(page.approvals) == ["a1", "a2"]


def test_without_time_left_nothing_can_be_answered(
    qtbot: QtBot, make_page: PageMaker, world: ChatWorld
) -> None:
    page = make_page(world, guard_ms=0)
    card = ask(page, world, expires_in_s=1.0)
    qtbot.waitUntil(lambda: card.seconds_left() == 0, timeout=3000)
    qtbot.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == []


def test_the_time_goes_on_while_the_question_is_out_of_sight(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.approval_requested.emit(approval(expires_in_s=1.0))
    card = page.approvals["a1"]
    page.hide()
    QTest.qWait(1100)
    page.show()
    assert card.seconds_left() == 0
    assert not card.allow_button.isEnabled()


def test_the_question_names_the_board(page: ChatPage, world: ChatWorld) -> None:
    world.chat.approval_requested.emit(approval(board="Uno on the desk"))
    assert "Uno on the desk" in page.approvals["a1"]._lead.whole_text()


def test_a_question_keeps_its_height_in_a_low_window(
    qtbot: QtBot, make_page: PageMaker, world: ChatWorld
) -> None:
    page = make_page(world, 968, 470)
    world.chat.approval_requested.emit(approval(reason="A long reason why it asks. " * 12))
    card = page.approvals["a1"]
    layout = card.layout()
    assert layout is not None
    qtbot.waitUntil(lambda: 0 < card.geometry().bottom() < page.composer.geometry().top())
    assert card.height() >= layout.totalHeightForWidth(card.width())
    lowest = page.composer.mapTo(page, page.composer.rect().bottomLeft()).y()
    assert lowest < page.height()
