"""Answers for longer on the approval card (SC-11): offered only where allowed, saying what they cover."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.gui.chat.conftest import PageMaker
from tests.gui.chat.demo_chat import ChatWorld, approval, blink_call, rememberable_approval
from zeroclaw_desktop.bridge.views import ApprovalRuleView
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.gui.actions import RULES_DETAIL, actions
from zeroclaw_desktop.gui.chat.approval_card import ApprovalCard
from zeroclaw_desktop.gui.chat.page import ChatPage


def shown(card: ApprovalCard) -> str:
    """All texts of the card that can be read."""
    return "\n".join(label.text() for label in card.findChildren(QLabel) if label.isVisible())


def ask(page: ChatPage, world: ChatWorld, language: Language = "en", **changes: object) -> ApprovalCard:
    world.chat.approval_requested.emit(rememberable_approval(language, **changes))
    QApplication.processEvents()
    return page.approvals["a1"]


@pytest.mark.parametrize(("button", "decision"), [("hour_button", "hour"), ("session_button", "session")])
def test_an_answer_for_longer_reaches_the_bridge(
    qtbot: QtBot, make_page: PageMaker, world: ChatWorld, button: str, decision: str
) -> None:
    card = ask(make_page(world, guard_ms=0), world)
    qtbot.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("answer_approval", "a1", decision)]


@pytest.mark.parametrize("button", ["hour_button", "session_button"])
def test_they_are_guarded_against_a_click_that_was_on_its_way(
    qtbot: QtBot, page: ChatPage, world: ChatWorld, button: str
) -> None:
    card = ask(page, world)
    qtbot.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    assert world.chat.calls == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            (
                "digital_write(pin=7, value=1) on Arduino Uno (uno) when the assistant asks, "
                "while pin 7 is low or as this leaves it",
                "Medium risk",
                "emergency stop",
            ),
        ),
        (
            "zh",
            (
                "助手在开发板 Arduino Uno（uno）上执行 digital_write(pin=7，value=1)，"
                "条件：引脚 7 为低电平或本命令留下的状态",
                "中等风险",
                "急停",
            ),
        ),
    ],
)
def test_the_card_says_exactly_what_they_cover(
    page: ChatPage, world: ChatWorld, language: Language, words: tuple[str, ...]
) -> None:
    text = shown(ask(page, world, language))
    for wanted in words:
        assert wanted in text


def test_what_may_not_be_remembered_offers_only_once(page: ChatPage, world: ChatWorld) -> None:
    card = ask(page, world, scope_remembered="", remembered_ends="This answer is never remembered.")
    assert not card.hour_button.isVisible()
    assert not card.session_button.isVisible()
    assert "This answer is never remembered." in shown(card)
    assert card.buttons() == [card.deny_button, card.allow_button]


def test_a_question_that_is_asked_again_says_why(page: ChatPage, world: ChatWorld) -> None:
    assert "has changed" in shown(ask(page, world, again="Asked again: the board has changed."))


def test_the_card_takes_no_keyboard(page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    ask(page, world)
    assert QApplication.focusWidget() is page.composer.edit


def test_remembered_answers_are_reached_from_the_card(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    card = ask(page, world)
    assert not card.rules_button.isVisible()
    world.approvals.known = [ApprovalRuleView("rule-1", "something", "for an hour", 1, "window")]
    world.approvals.changed.emit()
    assert card.rules_button.isVisible()
    with qtbot.waitSignal(actions().page_requested) as asked:
        qtbot.mouseClick(card.rules_button, Qt.MouseButton.LeftButton)
    assert asked.args == ["activity", RULES_DETAIL]


def test_the_tool_card_shows_its_receipt(page: ChatPage, world: ChatWorld) -> None:
    world.chat.say("Blink")
    world.chat.tool_call_changed.emit(blink_call("completed", receipt=41, duration_ms=3.0))
    QApplication.processEvents()
    texts = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert "Receipt 41" in texts


def test_a_question_of_another_kind_is_as_before(page: ChatPage, world: ChatWorld) -> None:
    world.chat.approval_requested.emit(approval())
    card = page.approvals["a1"]
    assert card.buttons() == [card.deny_button, card.allow_button]
