"""The flash sheet for boards that can be read and put into their boot mode by hand (HW-6, AC25, AC35)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import BLINK, FIRMWARE, SIMULATOR, DemoBridge, simulated_board
from zeroclaw_desktop.bridge.views import ErrorView, FirmwareView, FlashView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.flash_sheet import FlashSheet, Step
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
POINT = FirmwareView("/home/me/b/1.bin", "What was on it", "Restore point", 4 << 20, restore_point=True)


@pytest.fixture
def bridge(dress: Theme) -> DemoBridge:
    made = DemoBridge(simulated_board())
    made.devices.can_save = True
    return made


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    made = DevicesPage(bridge.devices)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(1200, 760)
    with qtbot.waitExposed(made):
        made.show()
    return made


def at_check(page: DevicesPage) -> FlashSheet:
    page.open_flash(SIMULATOR)
    page.flash_sheet.next_button.click()
    assert page.flash_sheet.step() is Step.CHECK
    return page.flash_sheet


def fail(bridge: DemoBridge, action: str, code: str = "") -> None:
    error = ErrorView("It failed.", next_step="Do this.", action=action, code=code)
    bridge.devices.set_flash(FlashView(SIMULATOR, "failed", error=error, can_cancel=False))


def test_what_is_on_the_board_is_saved_unless_the_person_says_no(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    sheet = at_check(page)
    assert sheet.save_first.isVisible()
    assert sheet.save_first.switch.isChecked()
    sheet.next_button.click()
    assert bridge.devices.calls[-1] == ("start_flash", SIMULATOR, FIRMWARE.key, "save_first")
    fail(bridge, "retry")
    sheet.back_button.click()
    sheet.next_button.click()
    qtbot.mouseClick(sheet.save_first.switch, LEFT)
    sheet.next_button.click()
    assert bridge.devices.calls[-1] == ("start_flash", SIMULATOR, FIRMWARE.key)


def test_nothing_is_asked_where_there_is_nothing_to_save(page: DevicesPage, bridge: DemoBridge) -> None:
    bridge.devices.can_save = False
    assert not at_check(page).save_first.isVisible()


def test_saving_can_be_skipped_while_it_goes_on(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = at_check(page)
    sheet.next_button.click()
    assert not sheet.skip_button.isVisible()
    bridge.devices.set_flash(FlashView(SIMULATOR, "backup", 40.0))
    assert sheet.progress.percent() == 40
    qtbot.mouseClick(sheet.skip_button, LEFT)
    assert bridge.devices.calls[-1] == ("skip_saving", SIMULATOR)
    assert not sheet.skip_button.isEnabled()
    bridge.devices.set_flash(FlashView(SIMULATOR, "write", 1.0))
    assert not sheet.skip_button.isVisible()


def test_what_cannot_be_saved_can_be_flashed_all_the_same(page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = at_check(page)
    sheet.next_button.click()
    fail(bridge, "skip_saving")
    assert sheet.error_card.action_button.text() == "Flash without saving"
    sheet.error_card.action_button.click()
    assert bridge.devices.calls[-1] == ("start_flash", SIMULATOR, FIRMWARE.key)


def test_wrong_boot_mode_shows_what_to_press_and_goes_on_by_hand(
    qtbot: QtBot, page: DevicesPage, bridge: DemoBridge
) -> None:
    sheet = at_check(page)
    sheet.next_button.click()
    fail(bridge, "boot_mode", "wrong_boot_mode")
    assert sheet.boot_mode_help.isVisible()
    assert not sheet.next_button.isVisible()  # it would reset the board
    assert not sheet.error_card.action_button.isVisible()
    qtbot.keyClick(sheet, Qt.Key.Key_Return)
    assert bridge.devices.calls[-1] == ("start_flash", SIMULATOR, FIRMWARE.key, "save_first", "by_hand")
    assert not sheet.boot_mode_help.isVisible()
    bridge.devices.set_flash(FlashView(SIMULATOR, "handshake"))
    assert "Press EN" in sheet._message.text()


def test_another_failure_shows_no_boot_mode(page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = at_check(page)
    sheet.next_button.click()
    fail(bridge, "boot_mode", "no_serial_data")
    assert sheet.boot_mode_help.isVisible()
    assert sheet.next_button.isVisible()
    sheet.next_button.click()
    fail(bridge, "retry")
    assert not sheet.boot_mode_help.isVisible()
    assert sheet.error_card.isVisible()


def test_written_and_yet_not_well(page: DevicesPage, bridge: DemoBridge) -> None:
    sheet = at_check(page)
    sheet.next_button.click()
    trouble = ErrorView("The supply voltage breaks down.", next_step="Take another cable.")
    bridge.devices.set_flash(
        FlashView(SIMULATOR, "done", 100.0, error=trouble, can_cancel=False, restore_point="/b/1.bin")
    )
    assert sheet.step() is Step.DONE
    assert sheet._trouble.isVisible()
    assert "running" not in sheet._result.text()
    assert ("Saved before", "/b/1.bin") in sheet._greeting.rows()
    bridge.devices.set_flash(FlashView(SIMULATOR, "done", 100.0, firmware="x 1", can_cancel=False))
    assert not sheet._trouble.isVisible()


def test_a_restore_point_is_offered_but_never_chosen_by_itself(
    page: DevicesPage, bridge: DemoBridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = [POINT]
    monkeypatch.setattr(bridge.devices, "firmware_choices", lambda _board: choices)
    page.open_flash(SIMULATOR)
    sheet = page.flash_sheet
    assert sheet.chosen_firmware() is None
    assert not sheet.next_button.isEnabled()
    sheet._choices[POINT.key].chosen.emit(POINT.key)
    assert sheet.chosen_firmware() == POINT
    sheet.close_sheet()
    choices[:] = [BLINK, POINT]
    page.open_flash(SIMULATOR)
    assert [choice.firmware for choice in sheet._choices.values()] == [BLINK, POINT]


def test_the_files_that_the_board_takes_are_named(page: DevicesPage) -> None:
    page.open_flash(SIMULATOR)
    assert ".hex, .bin, .elf" in page.flash_sheet.drop_area._sentence.text()
