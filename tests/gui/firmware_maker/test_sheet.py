"""HW-9: what the sheet that makes firmware asks of the bridge, and what it shows; with a scripted bridge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, simulated_board
from tests.gui.firmware_maker.demo_maker import FAULT, HEARD, PLAN, SKETCH, DemoMaker
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.maker_bridge import WishDraft
from zeroclaw_desktop.bridge.views import ErrorView, FlashView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.firmware_maker.sheet import MakeSheet, Step


@pytest.fixture
def maker() -> DemoMaker:
    return DemoMaker()


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge, maker: DemoMaker) -> DevicesPage:
    bridge.devices.add_board(simulated_board())
    page = DevicesPage(bridge.devices, maker)  # type: ignore[arg-type]
    page.resize(1100, 700)
    qtbot.addWidget(page)
    page.show()
    return page


@pytest.fixture
def sheet(page: DevicesPage) -> MakeSheet:
    page.cards[SIMULATOR].make_button.click()
    assert page.make_sheet is not None
    return page.make_sheet


def last_draft(maker: DemoMaker) -> WishDraft:
    return next(call[1] for call in reversed(maker.calls) if call[0] == "plan")


def test_without_a_maker_nothing_is_offered(qtbot: QtBot, bridge: DemoBridge) -> None:
    bridge.devices.add_board(simulated_board())
    page = DevicesPage(bridge.devices)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    assert page.make_sheet is None
    assert page.cards[SIMULATOR].make_button.isHidden()


def test_enter_in_the_field_plans(sheet: MakeSheet, maker: DemoMaker, qtbot: QtBot) -> None:
    assert not sheet.request_step.plan_button.isEnabled()
    qtbot.keyClicks(sheet.request_step.field, "blink")
    qtbot.keyClick(sheet.request_step.field, Qt.Key.Key_Return)
    assert maker.calls[0] == ("understand", "blink")
    assert sheet.step() is Step.PLAN


def test_pins_values_and_language_of_the_person(sheet: MakeSheet, maker: DemoMaker, qtbot: QtBot) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    pins = sheet.plan_step.pin_lists["led"]
    assert [pins.itemText(at) for at in range(pins.count())] == ["9", "2", "4", "7"]
    pins.setCurrentIndex(2)
    pins.activated.emit(2)
    assert last_draft(maker).pins == {"led": "4"}
    rate = sheet.plan_step.value_fields["rate"]
    rate.selectAll()
    qtbot.keyClicks(rate, "5")
    qtbot.waitUntil(lambda: last_draft(maker).params == {"rate": "5"})
    sheet.plan_step.dialect_list.setCurrentIndex(1)
    sheet.plan_step.dialect_list.activated.emit(1)
    assert last_draft(maker).dialect == "micropython"


def test_what_is_typed_is_not_overwritten(sheet: MakeSheet, maker: DemoMaker, qtbot: QtBot) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    rate = sheet.plan_step.value_fields["rate"]
    rate.setFocus()
    rate.selectAll()
    qtbot.keyClicks(rate, "12")
    maker.plan_changed.emit(SIMULATOR, PLAN)
    assert rate.text() == "12"


def test_faults_keep_from_going_on(sheet: MakeSheet, maker: DemoMaker) -> None:
    maker.plan_view = replace(PLAN, findings=(FAULT,), ok=False)
    sheet.request_step.choices["blink"].chosen.emit("blink")
    assert not sheet.next_button.isEnabled()
    assert sheet.plan_step.findings.findings == (FAULT,)


def test_news_of_other_boards_are_not_ours(sheet: MakeSheet, maker: DemoMaker) -> None:
    maker.plan_changed.emit("another", PLAN)
    maker.draft_made.emit("another", WishDraft("blink"))
    assert sheet.step() is Step.REQUEST


def test_compile_write_and_hear(sheet: MakeSheet, maker: DemoMaker, bridge: DemoBridge) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    sheet.next_button.click()
    assert sheet.sketch_step.text() == SKETCH
    sheet.next_button.click()
    assert ("build", "") in maker.calls
    assert sheet.sketch_step.flash_bar.isVisible()
    sheet.next_button.click()
    assert sheet.step() is Step.WRITE
    assert any("generated" in call for call in bridge.devices.calls)
    bridge.devices.set_flash(FlashView(SIMULATOR, "write", 40.0))
    assert sheet.write_step.progress.percent() == 40
    bridge.devices.set_flash(FlashView(SIMULATOR, "done", 100.0, firmware="zeroclaw-blink 1.0"))
    assert sheet.step() is Step.HEARD
    assert maker.calls[-1] == ("listen", SIMULATOR)
    maker.heard.emit(SIMULATOR, HEARD)
    assert sheet.heard_step.log.toPlainText() == "led:0\nled:1"
    sheet.next_button.click()
    assert not sheet.isVisible()
    assert maker.calls[-1] == ("stop_listening",)


def test_a_failed_write_can_be_tried_again(sheet: MakeSheet, maker: DemoMaker, bridge: DemoBridge) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    for _ in range(3):
        sheet.next_button.click()
    error = ErrorView("The boot loader does not answer.", action="choose_firmware")
    bridge.devices.set_flash(FlashView(SIMULATOR, "failed", error=error, can_cancel=False))
    assert sheet.write_step.error_card.isVisible()
    assert sheet.back_button.isVisible()
    before = len(bridge.devices.calls)
    sheet.write_step.error_card.action_button.click()
    assert any("generated" in call for call in bridge.devices.calls[before:])


def test_an_edit_makes_the_build_old(sheet: MakeSheet, maker: DemoMaker, qtbot: QtBot) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    sheet.next_button.click()
    sheet.next_button.click()
    assert sheet.next_button.text() == "Write to the board"
    sheet.sketch_step.editor.setPlainText(SKETCH + "\n")
    qtbot.waitUntil(lambda: last_draft(maker).sketch == SKETCH + "\n")
    assert sheet.next_button.text() == "Check and compile"
    assert sheet.sketch_step.flash_bar.isHidden()


def test_an_edited_sketch_is_not_lost_to_another_pin(
    sheet: MakeSheet, maker: DemoMaker, qtbot: QtBot
) -> None:
    sheet.request_step.choices["blink"].chosen.emit("blink")
    sheet.next_button.click()
    own = SKETCH + "// mine\n"
    sheet.sketch_step.editor.setPlainText(own)
    qtbot.waitUntil(lambda: last_draft(maker).sketch == own)
    sheet.plan_step.pin_chosen.emit("led", "4")
    assert sheet.sketch_step.text() == SKETCH
    assert not sheet.sketch_step.replaced.isHidden()
    sheet.sketch_step.replaced.button.click()
    assert sheet.sketch_step.text() == own
    assert last_draft(maker).pins == {"led": "4"}
    assert sheet.sketch_step.replaced.isHidden()


def test_every_text_has_chinese_words(chinese: TsTranslator, sheet: MakeSheet) -> None:
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    shown = [sheet.cancel_button.text(), sheet.request_step.plan_button.text(), sheet.back_button.text()]
    assert all(any("\u4e00" <= letter <= "\u9fff" for letter in text) for text in shown)
