"""Names of boards and pins (HW-2, HW-11, EX-6): checked while they are typed, kept, taken away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import BOARD, SIMULATOR, DemoBridge, real_board, simulated_board
from tests.gui.demo_devices import PINS
from tests.gui.test_devices_page import page_for
from zeroclaw_desktop.bridge.views import ErrorView, PinView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.pin_names_sheet import PinNamesSheet
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.pin_marks import pin_sentence

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bridge(dress: Theme) -> DemoBridge:
    return DemoBridge(real_board())


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    return page_for(qtbot, bridge)


@pytest.fixture
def sheet(page: DevicesPage) -> PinNamesSheet:
    page.cards[BOARD].menu.entries["pins"].trigger()
    return page.sheets.pin_names


def test_a_board_is_renamed_from_its_menu(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    page.cards[BOARD].menu.entries["rename"].trigger()
    sheet = page.sheets.rename
    assert sheet.field.text() == "Arduino Uno"
    sheet.field.setText("Greenhouse")
    assert sheet.problem.text() == "Another board has this name."
    assert not sheet.save_button.isEnabled()
    sheet.field.setText("Desk")
    assert not sheet.problem.isVisible()
    qtbot.keyClick(sheet.field, Qt.Key.Key_Return)
    assert bridge.devices.calls == [("rename", BOARD, "Desk")]
    assert not sheet.isVisible()


def test_a_name_that_cannot_be_kept_is_told_in_place(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    bridge.devices.names.fault = ErrorView("The file cannot be written: the disk is full.")
    page.cards[BOARD].menu.entries["rename"].trigger()
    page.sheets.rename.field.setText("Desk")
    qtbot.mouseClick(page.sheets.rename.save_button, LEFT)
    assert page.sheets.rename.isVisible()
    assert page.sheets.rename.error_card.isVisible()


def test_forgetting_asks_before(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    page.cards[BOARD].menu.entries["forget"].trigger()
    assert page.sheets.forget.cancel_button.hasFocus()
    qtbot.mouseClick(page.sheets.forget.cancel_button, LEFT)
    assert bridge.devices.calls == []
    page.cards[BOARD].menu.entries["forget"].trigger()
    qtbot.mouseClick(page.sheets.forget.forget_button, LEFT)
    assert bridge.devices.calls == [("forget", BOARD)]


def test_a_simulated_board_is_removed_and_not_forgotten(qtbot: QtBot, dress: Theme) -> None:
    card = page_for(qtbot, DemoBridge(simulated_board())).cards[SIMULATOR]
    assert not card.menu.entries["forget"].isVisible()
    assert card.menu.entries["pins"].isVisible()


def test_names_and_roles_are_kept(qtbot: QtBot, sheet: PinNamesSheet, bridge: DemoBridge) -> None:
    assert not sheet.save_button.isEnabled()
    row = sheet.rows()[18]
    row.field.setText("  fan ")
    row.role.setCurrentIndex(row.role.findData("switch"))
    assert sheet.save_button.isEnabled()
    qtbot.mouseClick(sheet.save_button, LEFT)
    assert bridge.devices.calls == [("name_pin", BOARD, 18, "fan", "switch")]
    assert not sheet.isVisible()


def test_what_is_wrong_is_said_in_its_row(sheet: PinNamesSheet) -> None:
    sheet.rows()[2].field.setText("reading lamp")
    sheet.rows()[18].role.setCurrentIndex(1)
    assert sheet.rows()[2].problem.text() == "Pin 12 has this name, too."
    assert sheet.rows()[18].problem.text() == "A role needs a name."
    assert not sheet.save_button.isEnabled()
    assert not sheet.rows()[13].problem.isVisible()


def test_a_name_moves_to_another_pin_in_one_go(
    qtbot: QtBot, sheet: PinNamesSheet, bridge: DemoBridge
) -> None:
    sheet.rows()[12].field.setText("")
    sheet.rows()[12].role.setCurrentIndex(0)
    sheet.rows()[18].field.setText("reading lamp")
    assert not sheet.rows()[18].problem.isVisible()
    qtbot.mouseClick(sheet.save_button, LEFT)
    assert bridge.devices.calls == [
        ("name_pin", BOARD, 12, "", ""),
        ("name_pin", BOARD, 18, "reading lamp", ""),
    ]


def test_a_board_with_many_pins_gets_all_rows(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    """The first ones at once, the others while the window lives on."""
    bridge.devices.names.pins = [replace(PINS[2], number=pin, printed=str(pin)) for pin in range(70)]
    page.cards[BOARD].menu.entries["pins"].trigger()
    sheet = page.sheets.pin_names
    qtbot.waitUntil(lambda: len(sheet.rows()) == 70)
    assert list(sheet.rows()) == list(range(70))
    assert sheet.rows()[69].field.accessibleName() == "Name of pin 69"


def test_names_of_data_sheets_stand_beside(sheet: PinNamesSheet) -> None:
    assert sheet.rows()[13].sheet.whole_text() == "signal lamp"
    assert sheet.rows()[18].field.accessibleName() == "Name of pin A4 (SDA)"


def test_a_pin_tells_its_names_and_what_to_be_careful_of() -> None:
    """HW-14: shown on hover."""
    pin = PinView(
        12, "12", "output", 1, names=("reading lamp",), note="must be low", used_by="usable for SPI"
    )
    assert pin_sentence(pin) == "Pin 12, reading lamp: output, high · usable for SPI · must be low"


def test_clicking_an_output_again_switches_it_over(page: DevicesPage, bridge: DemoBridge) -> None:
    """HW-14: the first click looks; what is an input is never made an output by a click."""
    picture, devices = page.cards[BOARD].picture, bridge.devices
    picture.pin_clicked.emit(13)
    assert devices.calls == []
    assert page.cards[BOARD].pin_strip.hint.isVisible()
    picture.pin_clicked.emit(13)
    devices.set_pin(BOARD, PinView(13, "13", "output", 1, role="led"))
    picture.pin_clicked.emit(13)
    writes = [call[3]["value"] for call in devices.calls]
    assert writes == [1, 0]
    picture.pin_clicked.emit(7)
    picture.pin_clicked.emit(7)
    assert len(devices.calls) == 2
    assert not page.cards[BOARD].pin_strip.hint.isVisible()


def test_a_board_that_is_off_is_not_switched(page: DevicesPage, bridge: DemoBridge) -> None:
    card = page.cards[BOARD]
    card.picture.pin_clicked.emit(13)
    bridge.devices.add_board(real_board("lost"))
    card.picture.pin_clicked.emit(13)
    assert bridge.devices.calls == []


def test_a_fault_that_no_card_stands_for_is_told_above_the_boards(qtbot: QtBot, dress: Theme) -> None:
    """A board that was forgotten has no card any more; a simulator that does not start has none yet."""
    bridge = DemoBridge()
    page = page_for(qtbot, bridge)
    fault = ErrorView("The simulator did not start.", action="start_simulator", code="simulator")
    bridge.devices.command_failed.emit("", fault)
    assert page.fault_card.isVisible()
    qtbot.mouseClick(page.fault_card.action_button, LEFT)
    assert not page.fault_card.isVisible()
    assert bridge.devices.calls == [("start_simulator",)]
