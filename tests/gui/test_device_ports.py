"""Ports without a known board (HW-2): asked, chosen, opened; nothing is done before it was shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import BOARD, BUSY_PORT, DENIED_PORT, SHARED_PORT, DemoBridge, real_board
from tests.gui.demo_devices import DENIED, HELD, RULE, TAKEN
from tests.gui.test_devices_page import page_for
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.name_views import AwayBoardView
from zeroclaw_desktop.bridge.port_views import AccessView, AskView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
CHIP = AskView(
    BUSY_PORT.path,
    False,
    "Its boot loader names the chip ATmega328P.",
    (("arduino-uno", "Arduino Uno"), ("arduino-nano", "Arduino Nano")),
)


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    bridge.devices.loose_ports = [BUSY_PORT, DENIED_PORT]
    return page_for(qtbot, bridge)


def test_a_port_is_asked_on_the_persons_wish_only(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    row = page.ports.rows[0]
    assert bridge.devices.calls == []
    assert "restarts the board" in row.ask_button.toolTip()
    qtbot.mouseClick(row.ask_button, LEFT)
    assert bridge.devices.calls == [("ask", BUSY_PORT.path)]
    assert row.answer.text() == "Asking the firmware…"
    assert (row.ask_button.text(), row.ask_button.hasFocus()) == ("Asking…", True)
    assert not row.connect_button.isEnabled()


def test_a_chip_narrows_the_choice_and_the_person_chooses(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    bridge.devices.access.answer(CHIP)
    row = page.ports.rows[0]
    assert list(row.offers) == ["arduino-uno", "arduino-nano"]
    assert row.ask_button.text() == "Ask again"
    assert bridge.devices.calls == []
    qtbot.mouseClick(row.offers["arduino-nano"], LEFT)
    assert bridge.devices.calls == [("connect_port", BUSY_PORT.path, "arduino-nano")]


def test_many_kinds_stand_in_the_menu_first(page: DevicesPage, bridge: DemoBridge) -> None:
    kinds = tuple((key, key) for key in ("arduino-uno", "arduino-nano", "esp32-c3", "esp32-s3"))
    bridge.devices.access.answer(AskView(BUSY_PORT.path, False, "Any of these.", kinds))
    row = page.ports.rows[0]
    assert row.offers == {}
    assert len([action for action in row.menu.actions() if action.text() and action.menu() is None]) == 4


def test_a_certain_answer_needs_no_choice(page: DevicesPage, bridge: DemoBridge) -> None:
    sure = AskView(BUSY_PORT.path, False, "It is an Uno.", (("arduino-uno", "Arduino Uno"),), certain=True)
    bridge.devices.access.answer(sure)
    assert page.ports.rows[0].offers == {}


def test_a_question_that_failed_says_why_and_can_be_asked_again(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    error = ErrorView("The port is in use by screen (4711).", action="retry", code="port_busy")
    bridge.devices.access.answer(AskView(BUSY_PORT.path, error=error))
    row = page.ports.rows[0]
    assert row.error_card.isVisible()
    qtbot.mouseClick(row.error_card.action_button, LEFT)
    assert bridge.devices.calls == [("ask", BUSY_PORT.path)]
    assert not row.error_card.isVisible()


def test_obstacles_stand_on_the_row_and_go_with_their_cause(page: DevicesPage, bridge: DemoBridge) -> None:
    access = bridge.devices.access
    access.problems = {HELD.place: HELD, DENIED.place: DENIED}
    access.changed.emit()
    held, denied = page.ports.rows
    assert held.problem.text() == HELD.sentence
    assert not held.problem.button.isVisible()
    assert denied.problem.button.text() == DENIED.mend
    access.problems = {}
    access.changed.emit()
    assert not held.problem.isVisible()
    assert not denied.problem.isVisible()


def test_a_port_that_is_plugged_in_is_marked_for_a_while(page: DevicesPage, bridge: DemoBridge) -> None:
    """Which of several boards it is, is found out by plugging it in."""
    assert not any(row.new_badge.isVisible() for row in page.ports.rows)
    bridge.devices.loose_ports = [BUSY_PORT, DENIED_PORT, SHARED_PORT]
    bridge.devices.ports_changed.emit()
    assert [row.new_badge.isHidden() for row in page.ports.rows] == [True, True, False]
    page.ports._calm.timeout.emit()
    assert all(row.new_badge.isHidden() for row in page.ports.rows)


def test_the_keyboard_stays_on_a_port_while_others_come_and_go(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    button = page.ports.rows[1].ask_button
    button.setFocus()
    bridge.devices.loose_ports = [DENIED_PORT, SHARED_PORT]
    bridge.devices.ports_changed.emit()
    assert page.ports.rows[0].ask_button is button
    assert button.hasFocus()
    assert [row.port for row in page.ports.rows] == [DENIED_PORT, SHARED_PORT]


def test_what_holds_for_every_port_is_told_once(page: DevicesPage, bridge: DemoBridge) -> None:
    access = bridge.devices.access
    paths = (BUSY_PORT.path, DENIED_PORT.path)
    access.problems = {
        path: AccessView(path, "modem_manager", "ModemManager runs here.", serious=False) for path in paths
    }
    access.changed.emit()
    assert [row.problem.isVisible() for row in page.ports.rows] == [True, False]


def test_a_mend_is_shown_before_it_is_done(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    access = bridge.devices.access
    access.problems = {DENIED.place: DENIED}
    access.changed.emit()
    qtbot.mouseClick(page.ports.rows[1].problem.button, LEFT)
    sheet = page.sheets.mend
    assert sheet.isVisible()
    assert (sheet.content.toPlainText(), sheet.commands.toPlainText()) == (RULE.content, RULE.commands)
    assert bridge.devices.calls == []
    qtbot.mouseClick(sheet.copy_button, LEFT)
    assert QApplication.clipboard().text() == RULE.commands
    qtbot.mouseClick(sheet.do_button, LEFT)
    assert bridge.devices.calls == [("do_mend", DENIED.place)]
    assert not sheet.do_button.isEnabled()
    access.end_mend()
    assert sheet.result.isVisible()
    qtbot.mouseClick(sheet.do_button, LEFT)
    assert not sheet.isVisible()
    assert bridge.devices.calls == [("do_mend", DENIED.place)]


def test_a_refused_mend_says_so_and_can_be_tried_again(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    access = bridge.devices.access
    access.problems = {DENIED.place: DENIED}
    page.sheets.mend.open_for(DENIED.place)
    sheet = page.sheets.mend
    qtbot.mouseClick(sheet.do_button, LEFT)
    access.end_mend(ErrorView("Nothing was changed: the system did not get the password."))
    assert sheet.error_card.isVisible()
    assert not sheet.result.isVisible()
    qtbot.mouseClick(sheet.do_button, LEFT)
    assert bridge.devices.calls == [("do_mend", DENIED.place)] * 2
    assert not sheet.error_card.isVisible()


def test_a_board_without_a_port_is_told_although_there_is_nothing_else(
    qtbot: QtBot, bridge: DemoBridge
) -> None:
    page = page_for(qtbot, bridge)
    assert page.empty.isVisible()
    bridge.devices.access.without_port = [TAKEN]
    bridge.devices.access.changed.emit()
    assert not page.empty.isVisible()
    (row,) = page.ports.portless
    assert row.notice.text() == TAKEN.sentence
    qtbot.mouseClick(row.notice.button, LEFT)
    assert page.sheets.mend.isVisible()


def test_a_card_whose_port_is_closed_leads_to_the_mend(qtbot: QtBot, dress: Theme) -> None:
    error = ErrorView("You may not open the port.", action="allow_access", code="port_permission")
    bridge = DemoBridge(real_board("failed", error))
    bridge.devices.access.problems = {"/dev/ttyACM0": DENIED}
    page = page_for(qtbot, bridge)
    qtbot.mouseClick(page.cards[BOARD].error_card.action_button, LEFT)
    assert page.sheets.mend.isVisible()


def test_where_no_change_of_the_system_helps_it_is_said(qtbot: QtBot, dress: Theme) -> None:
    error = ErrorView("You may not open the port.", action="allow_access", code="port_permission")
    bridge = DemoBridge(real_board("failed", error))
    bridge.devices.access.problems = {"/dev/ttyACM0": HELD}
    page = page_for(qtbot, bridge)
    qtbot.mouseClick(page.cards[BOARD].error_card.action_button, LEFT)
    sheet = page.sheets.mend
    assert sheet.isVisible()
    assert not sheet.commands.isVisible()
    assert sheet.do_button.text() == "Done"
    qtbot.mouseClick(sheet.do_button, LEFT)
    assert not sheet.isVisible()
    assert bridge.devices.calls == []


def test_ports_are_looked_at_only_while_the_page_is_shown(page: DevicesPage, bridge: DemoBridge) -> None:
    assert bridge.devices.access.shown
    page.hide()
    assert not bridge.devices.access.shown


def test_boards_that_are_away_are_forgotten_after_a_second_word(qtbot: QtBot, bridge: DemoBridge) -> None:
    bridge.devices.names.away_boards = [AwayBoardView("2341:0043:7533", "Greenhouse", "ESP32")]
    page = page_for(qtbot, bridge)
    (row,) = page.away.rows
    assert row.badge.text() == "Not plugged in"
    qtbot.mouseClick(row.forget_button, LEFT)
    qtbot.mouseClick(row.keep_button, LEFT)
    assert bridge.devices.calls == []
    qtbot.mouseClick(row.forget_button, LEFT)
    qtbot.mouseClick(row.forget_button, LEFT)
    assert bridge.devices.calls == [("forget_away", "2341:0043:7533")]
    assert page.away.rows == []
    assert not page.away.isVisible()


def test_the_page_follows_the_language(page: DevicesPage, chinese: TsTranslator, qtbot: QtBot) -> None:
    page.sheets.mend.open_for("")
    QApplication.installTranslator(chinese)
    qtbot.waitUntil(lambda: page.ports.rows[0].ask_button.text() == "查询型号")
    assert page.tools_button.text() == "烧录工具"
