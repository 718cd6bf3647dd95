"""Details, data sheets, tools, ways of writing, dropped files (HW-6, HW-7, HW-11, UI-4, UI-10)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.conftest import WindowMaker
from tests.gui.demo_bridge import BOARD, SIMULATOR, DemoBridge, real_board, simulated_board
from tests.gui.demo_devices import TOOLS
from tests.gui.test_devices_page import page_for
from zeroclaw_desktop.bridge.detail_views import FoundView, SheetView
from zeroclaw_desktop.bridge.tool_views import WayView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.datasheets_panel import DatasheetsPanel
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
USABLE = WayView("stm32-mass-storage", "Drive of the ST-LINK", True)
MISSING = WayView(
    "st-flash",
    "Debug probe",
    False,
    "'st-flash' is not installed.",
    "st-flash",
    "sudo apt install stlink-tools",
)


@pytest.fixture
def bridge(dress: Theme) -> DemoBridge:
    return DemoBridge(replace(real_board(), update="1.1.0"))


@pytest.fixture
def page(qtbot: QtBot, bridge: DemoBridge) -> DevicesPage:
    return page_for(qtbot, bridge)


def test_a_newer_firmware_is_one_click_away(qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
    card = page.cards[BOARD]
    assert card.update_notice.isVisible()
    assert "1.1.0" in card.update_notice.text()
    qtbot.mouseClick(card.update_notice.button, LEFT)
    assert page.flash_sheet.isVisible()
    bridge.devices.add_board(real_board())
    assert not card.update_notice.isVisible()


def test_an_update_is_for_what_is_on_the_board(page: DevicesPage, bridge: DemoBridge) -> None:
    """A board with the demo gets the newer demo, not another firmware that stands first in the list."""
    bridge.devices.add_board(replace(real_board(), firmware="blink 0.9", update="1.0.0"))
    page.open_flash(BOARD)
    chosen = page.flash_sheet.chosen_firmware()
    assert chosen is not None
    assert chosen.key == "blink"


def test_details_show_what_is_known_and_go_with_the_board(page: DevicesPage, bridge: DemoBridge) -> None:
    page.cards[BOARD].menu.entries["details"].trigger()
    sheet = page.sheets.details
    assert ("Serial number", "75833353035351B0") in sheet.identity.rows.rows()
    assert ("Last answer", "just now") in sheet.health.rows.rows()
    assert ("signal lamp", "13 (data sheet)") in sheet.names.rows.rows()
    assert not sheet.datasheets.isVisible()
    del bridge.devices.known[BOARD]
    sheet.refresh()
    assert not sheet.isVisible()


def test_details_lead_to_names_and_update(qtbot: QtBot, page: DevicesPage) -> None:
    page.cards[BOARD].menu.entries["details"].trigger()
    qtbot.mouseClick(page.sheets.details.pins_button, LEFT)
    assert page.sheets.pin_names.isVisible()
    page.sheets.pin_names.close_sheet()
    page.cards[BOARD].menu.entries["details"].trigger()
    qtbot.mouseClick(page.sheets.details.update_notice.button, LEFT)
    assert page.flash_sheet.isVisible()
    assert not page.sheets.details.isVisible()


class TestDatasheets:
    @pytest.fixture
    def panel(self, page: DevicesPage, bridge: DemoBridge) -> DatasheetsPanel:
        bridge.devices.datasheets.files = [
            SheetView("/d/old.pdf", "old.pdf", "", "The data sheet old.pdf cannot be read: it is damaged."),
            SheetView("/d/uno.md", "uno.md", "12 passages"),
        ]
        page.cards[BOARD].menu.entries["sheets"].trigger()
        return page.sheets.details.datasheets

    def test_documents_and_those_that_cannot_be_read_are_listed(self, panel: DatasheetsPanel) -> None:
        assert panel.isVisible()
        assert len(panel.documents) == 2
        assert panel.field.isVisible()

    def test_passages_are_found(self, qtbot: QtBot, panel: DatasheetsPanel, bridge: DemoBridge) -> None:
        bridge.devices.datasheets.passages = [FoundView("driver.pdf", "page 7", "2 A for each channel")]
        panel.field.setText("current")
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
        assert bridge.devices.calls == [("search", "arduino-uno", "current")]
        (card,) = panel.passages
        assert (card.document.whole_text(), card.excerpt.text()) == ("driver.pdf", "2 A for each channel")

    def test_nothing_found_is_said_and_a_late_answer_is_not_shown(
        self, panel: DatasheetsPanel, bridge: DemoBridge
    ) -> None:
        panel.field.setText("antenna")
        panel.search()
        assert panel.outcome.isVisible()
        late = [FoundView("driver.pdf", "page 7", "2 A")]
        bridge.devices.datasheets.found.emit("arduino-uno", "current", late)
        assert panel.passages == []

    def test_an_empty_folder_says_what_belongs_into_it(self, page: DevicesPage, bridge: DemoBridge) -> None:
        page.cards[BOARD].menu.entries["sheets"].trigger()
        panel = page.sheets.details.datasheets
        assert "arduino-uno" in panel._explanation.text()
        assert not panel.field.isVisible()


class TestTools:
    def test_found_and_missing_ones(self, qtbot: QtBot, page: DevicesPage, bridge: DemoBridge) -> None:
        qtbot.mouseClick(page.tools_button, LEFT)
        sheet = page.sheets.tools
        assert bridge.devices.calls == [("look_for_tools",)]
        assert sheet.state.text() == "Looking…"
        bridge.devices.tools.end_look(TOOLS)
        found, missing = sheet.rows
        assert (found.badge.text(), found.path.whole_text()) == ("Found", "/usr/bin/avrdude")
        assert missing.badge.text() == "Missing"
        qtbot.mouseClick(missing.install.copy_button, LEFT)
        assert QApplication.clipboard().text() == "sudo apt install stlink-tools"
        qtbot.mouseClick(sheet.refresh_button, LEFT)
        assert bridge.devices.calls == [("look_for_tools",)] * 2

    def test_they_are_reached_without_a_board(self, qtbot: QtBot, dress: Theme) -> None:
        page = page_for(qtbot, DemoBridge())
        qtbot.mouseClick(page.empty_tools_button, LEFT)
        assert page.sheets.tools.isVisible()


class TestWays:
    def test_one_way_is_no_choice(self, page: DevicesPage) -> None:
        page.open_flash(BOARD)
        page.flash_sheet.next_button.click()
        assert not page.flash_sheet.way.isVisible()

    def test_the_chosen_way_is_used(self, page: DevicesPage, bridge: DemoBridge) -> None:
        bridge.devices.tools.ways = [USABLE, replace(MISSING, usable=True, reason="")]
        page.open_flash(BOARD)
        sheet = page.flash_sheet
        sheet.next_button.click()
        assert sheet.way.choice.itemText(0) == "Automatic: Drive of the ST-LINK"
        sheet.way.choice.setCurrentIndex(2)
        sheet.next_button.click()
        assert bridge.devices.calls == [("start_flash", BOARD, "zeroclaw-arduino", "st-flash")]

    def test_a_missing_program_is_offered_with_its_command(
        self, page: DevicesPage, bridge: DemoBridge
    ) -> None:
        bridge.devices.tools.ways = [USABLE, MISSING]
        page.open_flash(BOARD)
        sheet = page.flash_sheet
        sheet.next_button.click()
        assert sheet.next_button.isEnabled()
        assert not sheet.way.choice.isVisible()
        sheet.way.fold.click()
        sheet.way.choice.setCurrentIndex(2)
        assert sheet.way.reason.text() == MISSING.reason
        assert [command.command() for command in sheet.way.commands] == [MISSING.install]
        assert not sheet.next_button.isEnabled()
        bridge.devices.tools.ways = [USABLE, replace(MISSING, usable=True, reason="")]
        sheet.way.look_button.click()
        assert sheet.next_button.isEnabled()
        assert sheet.way.chosen() == "st-flash"

    def test_where_no_way_works_every_command_is_told(self, page: DevicesPage, bridge: DemoBridge) -> None:
        bridge.devices.tools.ways = [MISSING]
        page.open_flash(BOARD)
        page.flash_sheet.next_button.click()
        assert page.flash_sheet.way.reason.isVisible()
        assert not page.flash_sheet.next_button.isEnabled()


def drag(path: Path | str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    return data


def drop_on(widget: object, data: QMimeData) -> bool:
    """Drag onto a widget and let go; whether it was accepted."""
    copy = Qt.DropAction.CopyAction
    enter = QDragEnterEvent(QPoint(50, 50), copy, data, LEFT, NONE)
    enter.ignore()
    QCoreApplication.sendEvent(widget, enter)  # type: ignore[call-overload]
    if not enter.isAccepted():
        return False
    drop = QDropEvent(QPointF(50, 50), copy, data, LEFT, NONE)
    QCoreApplication.sendEvent(widget, drop)  # type: ignore[call-overload]
    return drop.isAccepted()


class TestDrop:
    @pytest.mark.parametrize("name", ["robot.hex", "robot.ELF"])
    def test_a_file_on_any_page_of_the_window_opens_the_sheet(
        self, make_window: WindowMaker, bridge: DemoBridge, tmp_path: Path, name: str
    ) -> None:
        window = make_window(bridge, "logs")
        assert drop_on(window, drag(tmp_path / name))
        assert window.current_page() == "devices"
        page = window.page("devices")
        assert isinstance(page, DevicesPage)
        assert page.flash_sheet.isVisible()
        assert ("check_firmware_file", BOARD, str(tmp_path / name)) in bridge.devices.calls

    def test_what_is_no_firmware_is_left_to_others(
        self, make_window: WindowMaker, bridge: DemoBridge
    ) -> None:
        window = make_window(bridge, "logs")
        assert not drop_on(window, drag("/tmp/notes.txt"))
        assert window.current_page() == "logs"

    def test_several_boards_are_asked_for(self, qtbot: QtBot, bridge: DemoBridge) -> None:
        bridge.devices.add_board(simulated_board())
        page = page_for(qtbot, bridge)
        page.open_drop("/tmp/robot.hex")
        assert not page.flash_sheet.isVisible()
        assert list(page.sheets.drop.choices) == [BOARD, SIMULATOR]
        qtbot.mouseClick(page.sheets.drop.choices[SIMULATOR], LEFT)
        assert page.flash_sheet.isVisible()
        assert bridge.devices.calls == [("check_firmware_file", SIMULATOR, "/tmp/robot.hex")]

    def test_a_file_on_a_card_is_for_its_board(self, qtbot: QtBot, bridge: DemoBridge) -> None:
        bridge.devices.add_board(simulated_board())
        page = page_for(qtbot, bridge)
        assert drop_on(page.cards[SIMULATOR], drag("/tmp/robot.hex"))
        assert bridge.devices.calls == [("check_firmware_file", SIMULATOR, "/tmp/robot.hex")]

    @pytest.mark.parametrize(
        ("name", "words"),
        [("robot.uf2", ".hex"), ("robot.ino", "compiled"), ("robot", "compiled"), ("programs", ".hex")],
    )
    def test_what_no_board_takes_is_said_why(
        self, page: DevicesPage, tmp_path: Path, name: str, words: str
    ) -> None:
        for folder in ("robot", "programs"):
            (tmp_path / folder).mkdir()
        (tmp_path / "robot" / "robot.ino").touch()
        page.open_drop(str(tmp_path / name))
        assert words in page.sheets.drop.refusal.text()
        assert not page.flash_sheet.isVisible()

    def test_a_folder_of_programs_is_for_a_board_that_takes_python(
        self, page: DevicesPage, bridge: DemoBridge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bridge.devices, "firmware_endings", lambda _board: (".py", ".uf2"))
        page.open_drop(str(tmp_path))
        assert page.flash_sheet.isVisible()

    def test_without_a_board_it_is_said_what_to_do(self, qtbot: QtBot, dress: Theme) -> None:
        page = page_for(qtbot, DemoBridge())
        page.open_drop("/tmp/robot.hex")
        assert "simulator" in page.sheets.drop.refusal.text()
