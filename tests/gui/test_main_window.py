"""The frame: emergency stop, navigation, lazy pages, language, memory of place, reach by keyboard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.demo_bridge import SIMULATOR, DemoBridge, real_board, simulated_board
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import StatusView
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.main_window.window_memory import WindowMemory, clamped
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.labels import ElidedText

WindowMaker = Callable[..., MainWindow]


def test_f12_and_click_stop_once_each(qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker) -> None:
    window = make_window(bridge)
    qtbot.keyClick(window, Qt.Key.Key_F12)
    assert bridge.safety.calls == [("stop_everything", "key")]
    qtbot.mouseClick(window.header.stop_button, Qt.MouseButton.LeftButton)
    assert bridge.safety.calls == [("stop_everything", "key"), ("stop_everything", "button")]


def test_stop_acts_on_the_press(qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker) -> None:
    window = make_window(bridge)
    qtbot.mousePress(window.header.stop_button, Qt.MouseButton.LeftButton)
    assert len(bridge.safety.calls) == 1
    qtbot.mouseRelease(window.header.stop_button, Qt.MouseButton.LeftButton)
    assert len(bridge.safety.calls) == 1


def test_f12_works_in_a_sheet_and_in_a_menu(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge)
    window.show_shortcuts()
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, Qt.Key.Key_F12)
    assert len(bridge.safety.calls) == 1
    menu = QMenu(window)
    menu.addAction("entry")
    actions().guard(menu)
    press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F12, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(menu, press)
    assert len(bridge.safety.calls) == 2


def test_no_sheet_covers_the_stop_button(bridge: DemoBridge, make_window: WindowMaker) -> None:
    window = make_window(bridge)
    window.show_shortcuts()
    button = window.header.stop_button
    middle = button.mapTo(window, button.rect().center())
    assert window.childAt(middle) is button


def test_latched_stop_shows_what_was_done(qtbot: QtBot, dress: Theme, make_window: WindowMaker) -> None:
    bridge = DemoBridge(simulated_board(), real_board())
    window = make_window(bridge)
    assert not window.stop_strip.isVisible()
    window.stop_everything()
    assert window.stop_strip.isVisible()
    for board in bridge.devices.boards():
        assert f"{board.name}: all pins off (1.8 ms)" in window.stop_strip.details()
    qtbot.mouseClick(window.stop_strip.release_button, Qt.MouseButton.LeftButton)
    assert bridge.safety.calls[-1] == ("release",)
    assert not window.stop_strip.isVisible()


def test_pages_are_made_on_the_first_visit_only(qtbot: QtBot, bridge: DemoBridge, dress: Theme) -> None:
    made: list[str] = []

    def factory(key: str) -> Callable[[], QWidget]:
        def make() -> QWidget:
            made.append(key)
            return QWidget()

        return make

    keys = ("chat", "devices", "plots")
    pages = [PageSpec(key, key.title(), key, factory(key)) for key in keys]
    window = MainWindow(bridge, pages)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    assert made == []
    assert window.current_page() == "welcome"
    window.show_page("plots")
    window.show_page("chat")
    window.show_page("plots")
    assert made == ["plots", "chat"]
    window.show_page("nowhere")
    assert window.current_page() == "plots"


def test_navigation_by_key_button_status_and_request(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge)
    pages = ("chat", "devices", "plots", "dashboard", "activity", "logs", "settings")
    for number, key in enumerate(pages, start=1):
        qtbot.keyClick(window, str(number), Qt.KeyboardModifier.ControlModifier)
        assert window.current_page() == key
        assert window.activity_bar.buttons[key].isChecked()
    qtbot.keyClick(window, "l", Qt.KeyboardModifier.ControlModifier)
    assert window.current_page() == "chat"
    qtbot.keyClick(window, ",", Qt.KeyboardModifier.ControlModifier)
    assert window.current_page() == "settings"
    qtbot.mouseClick(window.activity_bar.buttons["logs"], Qt.MouseButton.LeftButton)
    assert window.current_page() == "logs"
    qtbot.mouseClick(window.status_line.board, Qt.MouseButton.LeftButton)
    assert window.current_page() == "devices"
    actions().open_page("plots")
    assert window.current_page() == "plots"


def test_escape_closes_the_sheet(qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker) -> None:
    window = make_window(bridge)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    sheet = window.focusWidget()
    assert sheet is not None
    assert sheet.isVisible()
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_welcome_starts_the_simulator_and_opens_devices(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge)
    page = window.page("welcome")
    assert page is not None
    qtbot.mouseClick(page.simulator.button, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    assert ("start_simulator",) in bridge.devices.calls
    assert window.current_page() == "devices"


def test_status_bar_follows_the_bridge(bridge: DemoBridge, make_window: WindowMaker) -> None:
    window = make_window(bridge)
    bridge.status_changed.emit(StatusView("Uno on COM7", "live", "Offline assistant", ""))
    assert window.status_line.board.text() == "Uno on COM7"
    assert not window.status_line.telemetry.isVisible()


def test_language_changes_live(bridge: DemoBridge, make_window: WindowMaker, chinese: TsTranslator) -> None:
    window = make_window(bridge, "devices")
    assert window.header.title.whole_text() == "Devices"
    QCoreApplication.installTranslator(chinese)
    QApplication.processEvents()
    assert window.header.title.whole_text() == "设备"
    assert window.header.stop_button.text().startswith("全部停止")
    assert window.activity_bar.buttons["chat"].toolTip().startswith("对话")
    QCoreApplication.removeTranslator(chinese)
    QApplication.processEvents()
    assert window.header.stop_button.text().startswith("Stop everything")


def test_place_and_page_are_remembered(bridge: DemoBridge, make_window: WindowMaker, tmp_path: Path) -> None:
    window = make_window(bridge, "logs", tmp_path)
    window.setGeometry(10, 20, 1100, 700)
    wanted = window.geometry()
    window.close()
    again = MainWindow(bridge, list(window._specs.values()), tmp_path)  # type: ignore[arg-type]
    try:
        assert again.current_page() == "logs"
        expected = clamped(wanted, [again.screen().availableGeometry()], QSize(1024, 640))
        assert again.geometry().topLeft() == expected.topLeft()
        assert again.height() == expected.height()
    finally:
        again.close()
        again.deleteLater()
        QApplication.processEvents()


def test_memory_of_another_version_is_ignored(qapp: QApplication, dress: Theme, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("version", "999")
    settings.setValue("frame/page", "logs")
    settings.sync()
    memory = WindowMemory(tmp_path)
    assert memory.is_first_start()


def test_damaged_numbers_are_ignored(qapp: QApplication, dress: Theme, tmp_path: Path) -> None:
    memory = WindowMemory(tmp_path)
    memory.set_text("frame/geometry", "10 twenty 30 40")
    assert memory.numbers("frame/geometry") == []
    memory.set_numbers("chat/splitter", [1, -2, 3])
    assert memory.numbers("chat/splitter") == [1, -2, 3]


@pytest.mark.parametrize(
    ("wanted", "result"),
    [
        (QRect(100, 50, 1280, 800), QRect(100, 50, 1280, 800)),
        (QRect(5000, 5000, 1280, 800), QRect(640, 280, 1280, 800)),
        (QRect(-300, -300, 1280, 800), QRect(0, 0, 1280, 800)),
        (QRect(0, 0, 4000, 3000), QRect(0, 0, 1920, 1080)),
        (QRect(0, 0, 300, 200), QRect(0, 0, 1024, 640)),
    ],
)
def test_window_is_kept_on_the_screen(wanted: QRect, result: QRect) -> None:
    assert clamped(wanted, [QRect(0, 0, 1920, 1080)], QSize(1024, 640)) == result


def test_window_stays_on_the_screen_it_was_on() -> None:
    screens = [QRect(0, 0, 1920, 1080), QRect(1920, 0, 2560, 1440)]
    assert clamped(QRect(2000, 100, 1280, 800), screens, QSize(1024, 640)) == QRect(2000, 100, 1280, 800)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("page", ["welcome", "devices", "activity"])
def test_nothing_is_cut_off_at_the_smallest_size(
    qtbot: QtBot,
    dress: Theme,
    make_window: WindowMaker,
    chinese: TsTranslator,
    language: str,
    page: str,
) -> None:
    if language == "zh":
        QCoreApplication.installTranslator(chinese)
    window = make_window(DemoBridge(simulated_board()), page)
    window.stop_everything()
    qtbot.wait(50)
    cut = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, QPushButton | QToolButton | QLabel):
            continue
        if isinstance(widget, ElidedText):
            if widget.text() != widget.whole_text():
                cut.append(widget.whole_text())
        elif isinstance(widget, QLabel) and widget.wordWrap():
            if widget.heightForWidth(widget.width()) > widget.height():
                cut.append(widget.text())
        elif widget.minimumSizeHint().width() > widget.width():
            cut.append(widget.text())
    assert cut == []


def test_every_icon_button_has_a_name(dress: Theme, make_window: WindowMaker) -> None:
    window = make_window(DemoBridge(simulated_board()), "devices")
    window.show_shortcuts()
    window.page("devices").open_flash(SIMULATOR)  # type: ignore[union-attr]
    nameless = [
        button
        for button in window.findChildren(QWidget)
        if isinstance(button, QPushButton | QToolButton)
        and not button.text()
        and not button.accessibleName()
        and button.isVisible()
    ]
    assert nameless == []


def test_frame_loads_nothing_heavy() -> None:
    code = (
        "import sys; import zeroclaw_desktop.gui.main_window; "
        "heavy = {'numpy', 'pyqtgraph', 'serial', 'qtawesome', 'PySide6.QtSvg', 'PySide6.QtTest'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_full_screen_leaves_title_and_stop(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge)
    actions().full_screen_requested.emit()
    qtbot.waitUntil(window.isFullScreen)
    assert window.header.stop_button.isVisible()
    assert not window.activity_bar.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert window.activity_bar.isVisible()
