"""Remembered answers on the Activity page (SC-11): listed with what they allow, and ended there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.activity.activity_world import ActivityWorld
from zeroclaw_desktop.bridge.views import ApprovalRuleView
from zeroclaw_desktop.gui.actions import RULES_DETAIL
from zeroclaw_desktop.gui.activity.page import ActivityPage

RULES = [
    ApprovalRuleView("rule-1", "digital_write(pin=7, value=1) on Uno", "for 59 more min", 2, "window"),
    ApprovalRuleView("rule-2", "servo_move(angle from 0° to 90°) on Uno", "until closed", 1, "command line"),
]


def test_the_card_is_there_while_there_are_any(page: ActivityPage, world: ActivityWorld) -> None:
    assert not page.rules.isVisible()
    world.approvals.known = list(RULES)
    world.approvals.changed.emit()
    QApplication.processEvents()
    assert page.rules.isVisible()
    first, second = page.rules.rows.values()
    assert first.covers.text() == RULES[0].covers
    assert first.facts.text() == "for 59 more min  ·  used 2 times  ·  given in the window"
    assert "given on the command line" in second.facts.text()
    world.approvals.known = []
    world.approvals.changed.emit()
    assert not page.rules.isVisible()


def test_an_answer_is_revoked(qtbot: QtBot, page: ActivityPage, world: ActivityWorld) -> None:
    world.approvals.known = list(RULES)
    world.approvals.changed.emit()
    QApplication.processEvents()
    qtbot.mouseClick(page.rules.rows["rule-2"].revoke_button, Qt.MouseButton.LeftButton)
    assert world.approvals.calls == ["rule-2"]
    assert list(page.rules.rows) == ["rule-1"]


def test_the_card_of_the_chat_leads_here(page: ActivityPage, world: ActivityWorld) -> None:
    world.approvals.known = list(RULES)
    world.approvals.changed.emit()
    QApplication.processEvents()
    page.show_detail(RULES_DETAIL)
    assert page.rules.rows["rule-1"].revoke_button.hasFocus()
