"""HW-9 in the window: the sheet that makes firmware, on the real core with the simulated Uno."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.live.conftest import Live
from tests.integration.synthesis.sketch_bench import needs_compiler
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.firmware_maker.sheet import MakeSheet, Step
from zeroclaw_desktop.gui.theme import Theme

LED = 13


@pytest.fixture
def page(live: Live, qtbot: QtBot, dress: Theme) -> DevicesPage:
    """The Devices page with the simulated Uno."""
    live.bridge.core.config.set("flashing.save_first", False)
    live.start_board()
    page = DevicesPage(live.bridge.devices, live.bridge.maker)
    page.resize(1100, 700)
    qtbot.addWidget(page)
    page.show()
    return page


@pytest.fixture
def sheet(live: Live, page: DevicesPage) -> Iterator[MakeSheet]:
    """The sheet, open for the simulated Uno."""
    (card,) = page.cards.values()
    card.make_button.click()
    assert page.make_sheet is not None
    yield page.make_sheet
    live.bridge.maker.stop_listening()  # pytest-qt has closed the page already, without a word to the sheet


def planned(live: Live, sheet: MakeSheet, request: str) -> None:
    sheet.request_step.field.setText(request)
    sheet.request_step.plan_button.click()
    live.until(lambda: sheet.step() is Step.PLAN, "a plan")


@needs_compiler
def test_from_words_to_what_the_board_says(live: Live, sheet: MakeSheet) -> None:
    assert sheet.step() is Step.REQUEST
    assert len(sheet.request_step.choices) == 12
    planned(live, sheet, "blink the led ten times a second")
    assert sheet.plan_step.pin_lists["led"].currentText() == "13"
    sheet.next_button.click()
    assert "BLINKS_PER_SECOND = 10" in sheet.sketch_step.text()
    sheet.next_button.click()
    live.until(lambda: sheet._build is not None and sheet._build.state == "done", "a build", 30)
    assert sheet.sketch_step.flash_bar.isVisible()
    sheet.next_button.click()
    assert sheet.step() is Step.WRITE
    live.until(lambda: sheet.step() is Step.HEARD, "the new firmware", 30)
    assert "zeroclaw-blink" in sheet.heard_step.result.text()
    live.until(lambda: "led:1" in sheet.heard_step.log.toPlainText(), "telemetry")
    levels = {live.level(LED) for _ in range(30)}
    assert levels == {0, 1}


def test_a_request_that_means_nothing_is_answered_in_place(live: Live, sheet: MakeSheet) -> None:
    sheet.request_step.field.setText("make me a coffee")
    sheet.request_step.plan_button.click()
    assert sheet.step() is Step.REQUEST
    assert sheet.request_step.error_card.isVisible()


def test_pins_and_values_are_checked_as_they_are_chosen(live: Live, sheet: MakeSheet) -> None:
    planned(live, sheet, "blink the led on pin 1")
    assert not sheet.next_button.isEnabled()
    (finding,) = sheet.plan_step.findings.findings
    assert finding.severity == "error"
    pins = sheet.plan_step.pin_lists["led"]
    pins.setCurrentIndex(0)
    pins.activated.emit(0)
    live.until(lambda: sheet.next_button.isEnabled(), "a plan without faults")
    field = sheet.plan_step.value_fields["rate"]
    field.textEdited.emit("9999")
    live.until(lambda: not sheet.next_button.isEnabled(), "a refused value")


@needs_compiler
def test_the_edited_sketch_is_checked_and_its_faults_have_lines(
    live: Live, sheet: MakeSheet, qtbot: QtBot
) -> None:
    planned(live, sheet, "blink the led")
    sheet.next_button.click()
    original = sheet.sketch_step.text()
    sheet.sketch_step.editor.setPlainText(original.replace("LED_PIN = 13", "LED_PIN = 0"))
    live.until(lambda: not sheet.next_button.isEnabled(), "the check of the edited sketch")
    (finding,) = sheet.sketch_step.findings.findings
    assert finding.line > 0
    sheet.sketch_step.verdict.button.click()
    live.until(lambda: sheet.sketch_step.text() == original, "the template's text")
    sheet.sketch_step.editor.setPlainText(original.replace("return 1;", "return one;"))
    live.until(lambda: sheet._plan is not None and sheet._plan.edited, "the check of the edited sketch")
    sheet.next_button.click()
    live.until(lambda: sheet._build is not None and sheet._build.state == "failed", "a failed build", 30)
    line = original.split("return 1;")[0].count("\n") + 1
    assert [found.line for found in sheet.sketch_step.findings.findings] == [line]
    sheet.sketch_step.findings.line_chosen.emit(line)
    assert sheet.sketch_step.editor.textCursor().blockNumber() == line - 1


@needs_compiler
def test_a_sketch_of_ones_own(live: Live, sheet: MakeSheet, tmp_path: Path) -> None:
    """UI-10: an .ino file is compiled as it is, after the same check."""
    text = "void setup() { pinMode(9, OUTPUT); }\nvoid loop() { digitalWrite(9, HIGH); }\n"
    file = tmp_path / "我的 sketch.ino"
    file.write_text(text, encoding="utf-8")
    assert sheet._board is not None
    sheet.open_for(sheet._board, str(file))
    live.until(lambda: sheet.step() is Step.PLAN, "a plan")
    sheet.next_button.click()
    assert sheet.sketch_step.text() == text
    sheet.next_button.click()
    live.until(lambda: sheet._build is not None and sheet._build.state == "done", "a build", 30)
    sheet.open_for(sheet._board, str(tmp_path / "none.ino"))
    live.until(lambda: sheet.request_step.error_card.isVisible(), "the reason")


def test_back_cancel_and_escape(live: Live, sheet: MakeSheet, qtbot: QtBot) -> None:
    planned(live, sheet, "servo on pin 9")
    sheet.next_button.click()
    assert sheet.step() is Step.SKETCH
    sheet.back_button.click()
    assert sheet.step() is Step.PLAN
    sheet.back_button.click()
    assert sheet.step() is Step.REQUEST
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_texts_follow_the_language(live: Live, sheet: MakeSheet) -> None:
    from PySide6.QtWidgets import QApplication

    from zeroclaw_desktop.bridge.translation import WindowLanguage

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    language = WindowLanguage(application)
    try:
        live.bridge.core.config.set("ui.language", "zh")
        language.use("zh")
        planned(live, sheet, "读取4号引脚的DHT11")
        live.until(
            lambda: "传感器" in sheet.plan_step.value_fields["kind"].accessibleName(), "Chinese labels"
        )
        assert sheet.next_button.text() == "继续"
        assert "固件" in sheet.accessibleName()
    finally:
        live.bridge.core.config.set("ui.language", "en")
        language.use("en")


@pytest.mark.parametrize("dropped", ["Blinky", "Blinky/Blinky.ino"])
def test_a_sketch_that_is_dropped_becomes_firmware(
    live: Live, page: DevicesPage, sheet: MakeSheet, tmp_path: Path, dropped: str
) -> None:
    """UI-10: the folder of a sketch, or its file, anywhere on the window."""
    sheet.close_sheet()
    folder = tmp_path / "Blinky"
    folder.mkdir()
    (folder / "Blinky.ino").write_text("void setup() {}\nvoid loop() {}\n", encoding="utf-8")
    page.show_detail(f"drop:{tmp_path / dropped}")
    live.until(lambda: sheet.isVisible() and sheet.step() is Step.PLAN, "a plan for the sketch")
    assert not page.flash_sheet.isVisible()
