"""HW-5: the sheet that adds a board by its address, and the card that removes one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import DemoBridge, real_board
from zeroclaw_desktop.bridge.added_boards_bridge import address_of
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.add_board_sheet import FIELDS, AddBoardSheet
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    page = DevicesPage(bridge.devices)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    page.resize(1200, 760)
    with qtbot.waitExposed(page):
        page.show()
    return page


def opened(qtbot: QtBot, page: DevicesPage, way: str) -> AddBoardSheet:
    """The sheet, reached as a person reaches it on a page without boards."""
    qtbot.mouseClick(page._empty_add, LEFT)
    assert page.add_sheet.isVisible()
    page.add_sheet.choose_way(way)
    return page.add_sheet


@pytest.mark.parametrize("way", sorted(FIELDS))
def test_each_way_asks_for_what_it_needs_and_nothing_else(qtbot: QtBot, page: DevicesPage, way: str) -> None:
    sheet = opened(qtbot, page, way)
    editors = {**sheet.fields, "serial": sheet.serial, "board": sheet.board, "tls": sheet.tls}
    assert {name for name, editor in editors.items() if editor.isVisible()} == set(FIELDS[way])
    assert all(editors[name].accessibleName() for name in FIELDS[way])


def test_a_board_behind_a_broker_is_added(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = opened(qtbot, page, "mqtt")
    assert sheet.fields["port"].text() == "1883"
    sheet.tls.click()
    assert sheet.fields["port"].text() == "8883"
    for name, text in (("host", "broker"), ("topic", "lab/bench"), ("user", "me"), ("password", "pw")):
        sheet.fields[name].setText(text)
    qtbot.mouseClick(sheet.add_button, LEFT)
    assert not sheet.add_button.isEnabled()
    call, way, fields, kind, name = bridge.devices.added.calls[-1]
    assert (call, way, kind, name) == ("add", "mqtt", "arduino-uno", "")
    assert address_of(way, fields) == "mqtts://me@broker:8883/lab/bench"
    assert fields["password"] == "pw"
    bridge.devices.added.added.emit("mqtt-broker")
    assert not sheet.isVisible()
    assert sheet.fields["password"].text() == ""


def test_what_is_refused_is_told_in_the_sheet(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = opened(qtbot, page, "tcp")
    qtbot.mouseClick(sheet.add_button, LEFT)
    bridge.devices.added.refused.emit(ErrorView("The port is missing.", next_step="Write it."))
    assert sheet.isVisible()
    assert sheet.error.isVisible()
    assert sheet.add_button.isEnabled()


def test_an_added_board_can_be_removed(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    board = replace(real_board("live"), board_id="tcp-roof", added=True, can_flash=False)
    bridge.devices.add_board(board)
    card = page.cards["tcp-roof"]
    assert card.stop_simulator_button.isVisible()
    qtbot.mouseClick(card.stop_simulator_button, LEFT)
    assert bridge.devices.added.calls == [("remove", "tcp-roof")]


@pytest.mark.parametrize(
    ("way", "fields", "address"),
    [
        ("tcp", {"host": " 10.0.0.2 ", "port": "9999"}, "tcp://10.0.0.2:9999"),
        ("tcp", {"host": "fe80::1", "port": "9999"}, "tcp://[fe80::1]:9999"),
        ("tcp", {"host": "board", "port": ""}, "tcp://board"),
        ("uno-q", {"host": "uno.local", "port": "9999"}, "unoq://uno.local:9999"),
        ("mqtt", {"host": "b", "port": "1883", "topic": "/a b/", "user": "m/e"}, "mqtt://m%2Fe@b:1883/a%20b"),
        ("micropython", {"path": "/dev/ttyACM0"}, "micropython:/dev/ttyACM0"),
        ("raspberry-pi", {"path": "/dev/gpiochip4"}, "gpio:/dev/gpiochip4"),
    ],
)
def test_fields_become_an_address(way: str, fields: dict[str, str], address: str) -> None:
    assert address_of(way, fields) == address


def test_the_words_follow_the_language(qtbot: QtBot, page: DevicesPage, dress: Theme) -> None:
    sheet = opened(qtbot, page, "tcp")
    assert sheet.way.currentText() == "Network (TCP)"
    assert sheet.add_button.text() == "Add and connect"
