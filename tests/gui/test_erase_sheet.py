"""Erasing a whole chip in the window: the board's name first, then how it goes (HW-6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, simulated_board
from zeroclaw_desktop.bridge.views import ErrorView, FlashView
from zeroclaw_desktop.gui.devices import DevicesPage
from zeroclaw_desktop.gui.devices.board_menu import ERASE
from zeroclaw_desktop.gui.devices.erase_sheet import EraseSheet
from zeroclaw_desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton
NAME = "Greenhouse"


@pytest.fixture
def simulator(dress: Theme) -> DemoBridge:
    return DemoBridge(simulated_board())


def page_of(qtbot: QtBot, simulator: DemoBridge, *, can_erase: bool) -> DevicesPage:
    devices = simulator.devices
    devices.known[SIMULATOR] = replace(devices.known[SIMULATOR], name=NAME, can_erase=can_erase)
    page = DevicesPage(devices)
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    page.refresh_boards()
    return page


@pytest.fixture
def page(qtbot: QtBot, simulator: DemoBridge) -> DevicesPage:
    return page_of(qtbot, simulator, can_erase=True)


@pytest.fixture
def sheet(page: DevicesPage) -> EraseSheet:
    page.cards[SIMULATOR].menu.entries[ERASE].trigger()
    return page.sheets.erase


def erased(simulator: DemoBridge) -> list[tuple[object, ...]]:
    return [call for call in simulator.devices.calls if call[0] == "start_erase"]


@pytest.mark.parametrize("can_erase", [True, False])
def test_only_boards_that_can_be_erased_offer_it(
    qtbot: QtBot, simulator: DemoBridge, can_erase: bool
) -> None:
    page = page_of(qtbot, simulator, can_erase=can_erase)
    assert page.cards[SIMULATOR].menu.entries[ERASE].isVisible() is can_erase


@pytest.mark.parametrize("typed", ["", "greenhouse", "Greenhous", "Another board"])
def test_nothing_happens_without_the_boards_name(
    qtbot: QtBot, sheet: EraseSheet, simulator: DemoBridge, typed: str
) -> None:
    sheet.field.setText(typed)
    assert not sheet.erase_button.isEnabled()
    qtbot.keyClick(sheet.field, Qt.Key.Key_Return)
    assert erased(simulator) == []


def test_enter_alone_never_erases(qtbot: QtBot, sheet: EraseSheet, simulator: DemoBridge) -> None:
    sheet.field.setText(NAME)
    assert sheet.erase_button.isEnabled()
    qtbot.keyClick(sheet.field, Qt.Key.Key_Return)
    assert erased(simulator) == []


@pytest.mark.parametrize("save", [True, False])
def test_with_its_name_it_is_erased_and_the_outcome_told(
    qtbot: QtBot, sheet: EraseSheet, simulator: DemoBridge, save: bool
) -> None:
    sheet.save_first.switch.setChecked(save)
    sheet.field.setText(NAME)
    qtbot.mouseClick(sheet.erase_button, LEFT)
    assert erased(simulator) == [("start_erase", SIMULATOR, save)]
    assert sheet.progress.isVisible()
    assert not sheet.erase_button.isEnabled()
    simulator.devices.set_flash(FlashView(SIMULATOR, "done", 100.0, restore_point="/kept/x.bin"))
    assert "/kept/x.bin" in sheet.outcome.text()
    assert not sheet.progress.isVisible()
    assert sheet.field.text() == "", "a second time needs the name again"


def test_a_failure_is_told_in_place(qtbot: QtBot, sheet: EraseSheet, simulator: DemoBridge) -> None:
    sheet.field.setText(NAME)
    qtbot.mouseClick(sheet.erase_button, LEFT)
    simulator.devices.set_flash(FlashView(SIMULATOR, "failed", error=ErrorView("No answer.")))
    assert sheet.error_card.isVisible()
    assert not sheet.outcome.isVisible()


def test_it_can_be_cancelled(qtbot: QtBot, sheet: EraseSheet, simulator: DemoBridge) -> None:
    sheet.field.setText(NAME)
    qtbot.mouseClick(sheet.erase_button, LEFT)
    qtbot.mouseClick(sheet.cancel_button, LEFT)
    assert ("cancel_flash", SIMULATOR) in simulator.devices.calls
    assert not sheet.progress.isVisible()
