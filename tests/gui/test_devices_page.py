"""The Devices page: cards, ports, parts, console, and the flash sheet's states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import (
    BOARD,
    BUSY_PORT,
    DENIED_PORT,
    KINDS,
    SHARED_PORT,
    SIMULATOR,
    DemoBridge,
    play_flash,
    real_board,
    simulated_board,
)
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView, FlashView, PinView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.console_view import MAXIMUM_LINE_LENGTH, MAXIMUM_LINES, ConsoleView
from zeroclaw_desktop.gui.devices.flash_sheet import Step
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


def page_for(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    page = DevicesPage(bridge.devices)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    page.resize(1200, 760)
    with qtbot.waitExposed(page):
        page.show()
    return page


@pytest.fixture
def simulator(dress: Theme) -> DemoBridge:
    return DemoBridge(simulated_board())


def test_empty_page_starts_the_simulator(qtbot: QtBot, bridge: DemoBridge) -> None:
    page = page_for(qtbot, bridge)
    assert page.empty.isVisible()
    qtbot.mouseClick(page.empty.button, LEFT)
    assert bridge.devices.calls == [("start_simulator",)]
    assert list(page.cards) == [SIMULATOR]
    assert not page.empty.isVisible()


def test_card_follows_its_board(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    card = page.cards[SIMULATOR]
    assert (card.state_badge.text(), card.state_badge.kind()) == ("Live", "live")
    assert card.simulated_badge.isVisible()
    assert ("Firmware", "zeroclaw-arduino 1.0.0") in card.details.rows()
    simulator.devices.add_board(simulated_board("offline"))
    assert page.cards[SIMULATOR] is card
    assert card.connect_button.text() == "Connect"
    qtbot.mouseClick(card.connect_button, LEFT)
    assert simulator.devices.calls[-1] == ("connect_board", SIMULATOR)


def test_card_tells_what_to_know_of_the_kind_of_board(qtbot: QtBot, dress: Theme) -> None:
    bridge = DemoBridge(replace(real_board(), note="Pins bear 3.3 V."))
    card = page_for(qtbot, bridge).cards[BOARD]
    assert (card.note.text(), card.note.isVisible()) == ("Pins bear 3.3 V.", True)
    bridge.devices.add_board(real_board())
    assert not card.note.isVisible()


def test_card_of_a_removed_board_goes(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    qtbot.mouseClick(page.cards[SIMULATOR].stop_simulator_button, LEFT)
    assert page.cards == {}
    assert page.empty.isVisible()


def test_error_stands_on_the_card_with_its_next_step(qtbot: QtBot, dress: Theme) -> None:
    error = ErrorView("The board is gone.", next_step="Check the cable.", action="reconnect")
    bridge = DemoBridge(real_board("lost", error))
    card = page_for(qtbot, bridge).cards[BOARD]
    assert card.error_card.isVisible()
    qtbot.mouseClick(card.error_card.action_button, LEFT)
    assert bridge.devices.calls == [("connect_board", BOARD)]


def test_two_boards_and_which_one_is_used(qtbot: QtBot, dress: Theme) -> None:
    bridge = DemoBridge(real_board(), simulated_board())
    page = page_for(qtbot, bridge)
    assert not page.cards[BOARD].current_button.isVisible()
    qtbot.mouseClick(page.cards[SIMULATOR].current_button, LEFT)
    assert bridge.devices.current_board_id() == SIMULATOR
    assert page.cards[BOARD].current_button.isVisible()


def test_ports_show_hint_and_connect(qtbot: QtBot, bridge: DemoBridge) -> None:
    page = page_for(qtbot, bridge)
    bridge.devices.loose_ports = [BUSY_PORT, DENIED_PORT]
    bridge.devices.ports_changed.emit()
    assert [row.port for row in page.ports.rows] == [BUSY_PORT, DENIED_PORT]
    page.ports.rows[0].menu.entries["arduino-uno"].trigger()
    assert bridge.devices.calls == [("connect_port", "/dev/ttyUSB0", "arduino-uno")]


def test_kinds_of_boards_are_grouped_by_family(qtbot: QtBot, bridge: DemoBridge) -> None:
    """Twenty kinds in one list could not be overlooked."""
    bridge.devices.loose_ports = [BUSY_PORT]
    page = page_for(qtbot, bridge)
    menu = page.ports.rows[0].menu
    assert menu.families() == ["Arduino", "Espressif", "Your own boards"]
    assert all(action.menu() is not None for action in menu.actions())
    assert list(menu.entries) == [kind.key for kind in KINDS]


def test_what_the_usb_id_may_stand_for_comes_first(qtbot: QtBot, bridge: DemoBridge) -> None:
    bridge.devices.loose_ports = [SHARED_PORT]
    menu = page_for(qtbot, bridge).ports.rows[0].menu
    texts = [action.text() for action in menu.actions()]
    assert texts == ["ESP32-C3-DevKitM-1", "ESP32-S3-DevKitC-1", "", "Another kind of board"]
    assert menu.families() == ["Arduino", "Your own boards"]
    menu.entries["esp32-s3"].trigger()
    menu.entries["teapot"].trigger()
    assert bridge.devices.calls == [
        ("connect_port", SHARED_PORT.path, "esp32-s3"),
        ("connect_port", SHARED_PORT.path, "teapot"),
    ]


def test_the_menu_of_kinds_follows_the_language(
    qtbot: QtBot, bridge: DemoBridge, chinese: TsTranslator
) -> None:
    bridge.devices.loose_ports = [SHARED_PORT]
    menu = page_for(qtbot, bridge).ports.rows[0].menu
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.sendEvent(menu, QEvent(QEvent.Type.LanguageChange))
    assert menu.actions()[-1].text() == "其他型号"
    assert menu.families() == ["Arduino", "自定义开发板"]
    QCoreApplication.removeTranslator(chinese)


@pytest.mark.parametrize(
    ("pin", "buttons"),
    [
        (PinView(7, "7", "output", 0), (True, True)),
        (PinView(7, "34", "input", 0, input_only=True), (False, True)),
        (PinView(7, "A7", "analog", volts=1.0), (False, True)),
        (PinView(7, "6", "reserved", note="the flash chip"), (False, False)),
        (PinView(7, "0", "serial", 1), (False, False)),
    ],
)
def test_only_what_a_pin_can_do_is_offered(
    qtbot: QtBot, simulator: DemoBridge, pin: PinView, buttons: tuple[bool, bool]
) -> None:
    card = page_for(qtbot, simulator).cards[SIMULATOR]
    simulator.devices.set_pin(SIMULATOR, pin)
    card.picture.pin_clicked.emit(7)
    strip = card.pin_strip
    assert (strip.high_button.isVisible(), strip.read_button.isVisible()) == buttons
    assert strip.low_button.isVisible() == strip.high_button.isVisible()
    assert (strip.note.text().lower(), strip.note.isVisible()) == (pin.note, bool(pin.note))


def test_pin_commands_go_through_the_bridge(qtbot: QtBot, simulator: DemoBridge) -> None:
    card = page_for(qtbot, simulator).cards[SIMULATOR]
    card.picture.pin_clicked.emit(13)
    qtbot.mouseClick(card.pin_strip.high_button, LEFT)
    card.picture.pin_clicked.emit(14)
    assert not card.pin_strip.high_button.isVisible()
    qtbot.mouseClick(card.pin_strip.read_button, LEFT)
    assert simulator.devices.calls == [
        ("run_command", SIMULATOR, "digital_write", {"pin": 13, "value": 1}),
        ("run_command", SIMULATOR, "analog_read", {"pin": "A0"}),
    ]
    simulator.devices.command_failed.emit(SIMULATOR, ErrorView("The stop is latched."))
    assert card.command_error.isVisible()


def test_a_fault_is_told_once_and_goes_when_the_board_is_back(qtbot: QtBot, bridge: DemoBridge) -> None:
    silent = ErrorView("The board does not answer.", next_step="Press reset.", code="no_handshake")
    bridge.devices.add_board(real_board("failed", silent))
    card = page_for(qtbot, bridge).cards[BOARD]
    bridge.devices.command_failed.emit(BOARD, silent)
    assert card.error_card.isVisible()
    assert not card.command_error.isVisible()
    bridge.devices.command_failed.emit(BOARD, ErrorView("Pin 3 is busy.", code="0x20"))
    assert card.command_error.isVisible()
    bridge.devices.add_board(real_board("live"))
    assert not card.error_card.isVisible()
    assert not card.command_error.isVisible()


def test_a_fault_of_the_board_takes_the_place_of_the_same_command_fault(
    qtbot: QtBot, bridge: DemoBridge
) -> None:
    gone = ErrorView("The port vanished.", code="port_gone")
    bridge.devices.add_board(real_board("live"))
    card = page_for(qtbot, bridge).cards[BOARD]
    bridge.devices.command_failed.emit(BOARD, gone)
    assert card.command_error.isVisible()
    bridge.devices.add_board(real_board("lost", gone))
    assert card.error_card.isVisible()
    assert not card.command_error.isVisible()


def test_pins_of_a_lost_board_cannot_be_chosen(qtbot: QtBot, simulator: DemoBridge) -> None:
    card = page_for(qtbot, simulator).cards[SIMULATOR]
    card.picture.pin_clicked.emit(13)
    simulator.devices.add_board(simulated_board("lost"))
    assert not card.pin_strip.high_button.isEnabled()
    chosen: list[int] = []
    card.picture.pin_clicked.connect(chosen.append)
    qtbot.mouseClick(card.picture, LEFT, pos=card.picture.pin_place(13).toPoint())
    assert chosen == []
    simulator.devices.add_board(simulated_board("live"))
    qtbot.mouseClick(card.picture, LEFT, pos=card.picture.pin_place(13).toPoint())
    assert chosen == [13]


def test_real_board_has_no_virtual_parts(qtbot: QtBot, dress: Theme) -> None:
    assert page_for(qtbot, DemoBridge(real_board())).cards[BOARD].parts is None


def test_counters_reach_the_details_without_showing_the_whole_card_anew(
    qtbot: QtBot, simulator: DemoBridge
) -> None:
    card = page_for(qtbot, simulator).cards[SIMULATOR]
    board = replace(card.board(), facts=(("Bytes received", "4711"),))
    simulator.devices.known[SIMULATOR] = board
    simulator.devices.facts_changed.emit()
    qtbot.waitUntil(lambda: ("Bytes received", "4711") in card.details.rows())
    assert card.board() == board


def test_console_is_bounded(qtbot: QtBot, dress: Theme) -> None:
    console = ConsoleView()
    qtbot.addWidget(console)
    console.show()
    console.add_text("\n".join(str(number) for number in range(MAXIMUM_LINES + 500)))
    console.add_text("x" * 1_000_000)
    qtbot.waitUntil(lambda: "…" in console.view.toPlainText() and console.view.settled())
    lines = console.view.toPlainText().splitlines()
    assert len(lines) <= MAXIMUM_LINES
    assert max(len(line) for line in lines) == MAXIMUM_LINE_LENGTH + 1


def test_console_sends_and_receives(qtbot: QtBot, simulator: DemoBridge) -> None:
    card = page_for(qtbot, simulator).cards[SIMULATOR]
    card.console_fold.click()
    simulator.devices.console_received.emit(SIMULATOR, "ready\na0:512")
    qtbot.waitUntil(lambda: card.console.view.toPlainText() == "ready\na0:512")
    card.console.entry.setText('{"id":1,"cmd":"ping"}')
    qtbot.keyClick(card.console.entry, Qt.Key.Key_Return)
    assert simulator.devices.calls == [("send_console", SIMULATOR, '{"id":1,"cmd":"ping"}')]
    assert card.console.entry.text() == ""


def test_flash_from_choice_to_greeting(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    sheet = page.flash_sheet
    qtbot.mouseClick(page.cards[SIMULATOR].flash_button, LEFT)
    assert sheet.step() is Step.CHOOSE
    chosen = sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.key == "zeroclaw-arduino"
    qtbot.mouseClick(sheet.next_button, LEFT)
    assert sheet.step() is Step.CHECK
    assert simulator.devices.calls == []
    qtbot.mouseClick(sheet.next_button, LEFT)
    assert sheet.step() is Step.WRITE
    assert simulator.devices.calls == [("start_flash", SIMULATOR, "zeroclaw-arduino")]
    with qtbot.waitSignal(sheet.firmware_written):
        timer = play_flash(simulator.devices, SIMULATOR, 1)
    assert not timer.isActive()
    assert sheet.step() is Step.DONE
    assert ("The board answered", "zeroclaw-arduino 1.0.0") in sheet._greeting.rows()
    assert "avrdude: verify" in sheet._log.toPlainText()
    qtbot.mouseClick(sheet.next_button, LEFT)
    assert not sheet.isVisible()


def test_percent_and_phase_are_shown(qtbot: QtBot, simulator: DemoBridge) -> None:
    sheet = _writing(qtbot, simulator)
    simulator.devices.set_flash(FlashView(SIMULATOR, "write", 55.0))
    assert sheet.progress.percent() == 55
    assert sheet.progress._phase.text() == "Writing"
    simulator.devices.set_flash(FlashView(SIMULATOR, "reset", None))
    assert sheet.progress.percent() == -1


def test_failure_keeps_the_choice_for_a_retry(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    sheet = page.flash_sheet
    page.open_flash(SIMULATOR)
    sheet._choices["blink"].chosen.emit("blink")
    sheet.next_button.click()
    sheet.next_button.click()
    error = ErrorView("The bootloader did not answer.", action="retry")
    simulator.devices.set_flash(FlashView(SIMULATOR, "failed", None, error=error, can_cancel=False))
    assert sheet.error_card.isVisible()
    assert sheet.next_button.text() == "Try again"
    sheet.next_button.click()
    starts = [call for call in simulator.devices.calls if call[0] == "start_flash"]
    assert starts == [("start_flash", SIMULATOR, "blink")] * 2
    assert not sheet.error_card.isVisible()


def test_cancel_is_told_in_place(qtbot: QtBot, simulator: DemoBridge) -> None:
    sheet = _writing(qtbot, simulator)
    qtbot.mouseClick(sheet.cancel_button, LEFT)
    assert simulator.devices.calls[-1] == ("cancel_flash", SIMULATOR)
    assert sheet.error_card.isVisible()
    assert sheet.step() is Step.WRITE


def test_closed_sheet_finds_the_running_job_again(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    page.open_flash(SIMULATOR)
    page.flash_sheet.next_button.click()
    page.flash_sheet.next_button.click()
    qtbot.keyClick(page.flash_sheet, Qt.Key.Key_Escape)
    assert not page.flash_sheet.isVisible()
    simulator.devices.set_flash(FlashView(SIMULATOR, "write", 30.0))
    card = page.cards[SIMULATOR]
    assert card.progress.isVisible()
    assert card.flash_button.text() == "Show progress"
    qtbot.mouseClick(card.flash_button, LEFT)
    assert page.flash_sheet.step() is Step.WRITE
    assert page.flash_sheet.progress.percent() == 30


def test_file_of_ones_own(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    sheet = page.flash_sheet
    page.open_flash(SIMULATOR)
    sheet.take_file("/tmp/notes.txt")
    assert sheet._file_error.isVisible()
    sheet.take_file("/home/me/robot.hex")
    assert not sheet._file_error.isVisible()
    chosen = sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.title == "robot.hex"


def test_a_file_that_takes_its_time_keeps_the_sheet_from_going_on(
    qtbot: QtBot, simulator: DemoBridge
) -> None:
    page, devices = page_for(qtbot, simulator), simulator.devices
    sheet, devices.checks_files = page.flash_sheet, False
    page.open_flash(SIMULATOR)
    sheet.take_file("/home/me/first.hex")
    assert not sheet.next_button.isEnabled()
    assert not sheet._checking.isVisible()
    qtbot.waitUntil(sheet._checking.isVisible)
    assert sheet._checking.text() == "The file is being checked."
    sheet.take_file("/home/me/second.hex")
    for path in ("/home/me/first.hex", "/home/me/second.hex"):  # what comes late of the first is not taken
        assert not sheet.next_button.isEnabled()
        devices.firmware_checked.emit(SIMULATOR, path, devices.checked_file(path))
    assert sheet.next_button.isEnabled()
    assert not sheet._checking.isVisible()
    chosen = sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.title == "second.hex"


def test_who_chooses_meanwhile_is_not_overruled_by_the_file(qtbot: QtBot, simulator: DemoBridge) -> None:
    page, devices = page_for(qtbot, simulator), simulator.devices
    sheet, devices.checks_files = page.flash_sheet, False
    page.open_flash(SIMULATOR)
    sheet.take_file("/home/me/robot.hex")
    sheet._choices["blink"].chosen.emit("blink")
    assert sheet.next_button.isEnabled()
    devices.firmware_checked.emit(SIMULATOR, "/home/me/robot.hex", devices.checked_file("/home/me/robot.hex"))
    chosen = sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.key == "blink"


def test_a_check_of_another_time_says_nothing(qtbot: QtBot, simulator: DemoBridge) -> None:
    """The sheet was closed and opened again meanwhile."""
    page, devices = page_for(qtbot, simulator), simulator.devices
    sheet, devices.checks_files = page.flash_sheet, False
    page.open_flash(SIMULATOR)
    sheet.take_file("/tmp/notes.txt")
    sheet.close_sheet()
    page.open_flash(SIMULATOR)
    assert sheet.next_button.isEnabled()
    devices.firmware_checked.emit(SIMULATOR, "/tmp/notes.txt", devices.checked_file("/tmp/notes.txt"))
    assert not sheet._file_error.isVisible()


def test_dropped_file_opens_the_sheet(qtbot: QtBot, simulator: DemoBridge, tmp_path: Path) -> None:
    page = page_for(qtbot, simulator)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "robot.hex"))])
    drop = QDropEvent(
        QPointF(QPoint(50, 50)),
        Qt.DropAction.CopyAction,
        data,
        LEFT,
        Qt.KeyboardModifier.NoModifier,
    )
    page.cards[SIMULATOR].dropEvent(drop)
    assert page.flash_sheet.isVisible()
    chosen = page.flash_sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.title == "robot.hex"


def test_file_dialog_does_not_block_the_window(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    page.open_flash(SIMULATOR)
    qtbot.mouseClick(page.flash_sheet.drop_area.browse_button, LEFT)
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.reject()
    qtbot.waitUntil(lambda: page.findChild(QFileDialog) is None)


def test_tab_key_stays_in_the_sheet(qtbot: QtBot, simulator: DemoBridge) -> None:
    page = page_for(qtbot, simulator)
    page.open_flash(SIMULATOR)
    for _ in range(12):
        focused = page.focusWidget()
        assert focused is page.flash_sheet or page.flash_sheet.isAncestorOf(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)


def test_page_changes_its_language(qtbot: QtBot, simulator: DemoBridge, chinese: TsTranslator) -> None:
    page = page_for(qtbot, simulator)
    QCoreApplication.installTranslator(chinese)
    QApplication.processEvents()
    card = page.cards[SIMULATOR]
    assert card.flash_button.text() == "烧录固件"
    assert card.state_badge.text() == "在线"
    assert page.flash_sheet.close_button.accessibleName() == "关闭"


def _writing(qtbot: QtBot, bridge: DemoBridge):  # type: ignore[no-untyped-def]
    page = page_for(qtbot, bridge)
    page.open_flash(SIMULATOR)
    page.flash_sheet.next_button.click()
    page.flash_sheet.next_button.click()
    return page.flash_sheet
