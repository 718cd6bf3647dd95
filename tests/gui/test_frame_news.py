"""What the frame says about other pages: waiting questions, the dry run, the start; what pages remember."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QFont, QFontDatabase, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.chat.demo_chat import ChatWorld, approval
from tests.gui.demo_bridge import DemoBridge, demo_pages, simulated_board
from tests.gui.plots.plot_world import PlotWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.devices.page import DevicesPage
from zeroclaw_desktop.gui.main_window import MainWindow, PageSpec
from zeroclaw_desktop.gui.main_window.shortcuts_sheet import ShortcutsSheet
from zeroclaw_desktop.gui.main_window.window_memory import WindowMemory
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.theme import Theme
from zeroclaw_desktop.gui.widgets.fields import LogText, MonoField
from zeroclaw_desktop.gui.widgets.focus_ring import FocusRing
from zeroclaw_desktop.gui.widgets.labels import Text, breakable
from zeroclaw_desktop.gui.widgets.page_memory import PageMemory

WindowMaker = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def chat_window(qtbot: QtBot, dress: Theme) -> tuple[MainWindow, ChatWorld]:
    """A window with a real Chat page, showing Devices."""
    world = ChatWorld(simulated_board())
    pages = [PageSpec("chat", "Chat", "chat", lambda: ChatPage(world, approval_guard_ms=0))]  # type: ignore[arg-type]
    window = MainWindow(world, [*pages, *demo_pages(world)[1:]], None)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    window.resize(1024, 640)
    window.show_page("chat")
    window.show_page("devices")
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window, world


def test_a_question_that_waits_is_seen_on_every_page(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge, "devices")
    qtbot.waitUntil(lambda: not window.windowIcon().isNull())
    button = window.activity_bar.buttons["chat"]
    bridge.chat.approval_requested.emit(approval(approval_id="a1"))
    bridge.chat.approval_requested.emit(approval(approval_id="a2"))
    bridge.chat.approval_requested.emit(approval(approval_id="a2"))
    assert button.waiting() == 2
    assert button.accessibleName() == "Chat. Questions that wait for you: 2"
    assert window.status_line.question.text() == "2 questions wait for you"
    bridge.chat.approval_closed.emit("a1", "Allowed once")
    assert window.status_line.question.text() == "Waits for your answer"
    bridge.chat.approval_closed.emit("a2", "")
    assert button.waiting() == 0
    assert button.accessibleName() == "Chat"
    assert not window.status_line.question.isVisible()


def test_the_hint_leads_to_the_answer_that_changes_nothing(
    qtbot: QtBot, chat_window: tuple[MainWindow, ChatWorld]
) -> None:
    window, world = chat_window
    world.chat.approval_requested.emit(approval())
    qtbot.mouseClick(window.status_line.question, LEFT)
    assert window.current_page() == "chat"
    chat = window.page("chat")
    assert isinstance(chat, ChatPage)
    assert QApplication.focusWidget() is chat.approvals["a1"].deny_button
    assert world.chat.calls == []


def test_the_dry_run_is_said_and_can_be_ended_in_place(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker, chinese: TsTranslator
) -> None:
    window = make_window(bridge, "devices")
    qtbot.waitUntil(lambda: not window.windowIcon().isNull())
    assert not window.dry_run_strip.isVisible()
    bridge.settings.set_value("execution.dry_run", True)
    assert window.dry_run_strip.isVisible()
    assert window.header.stop_button.isVisible()
    QCoreApplication.installTranslator(chinese)
    qtbot.waitUntil(lambda: "试运行" in window.dry_run_strip.text())
    qtbot.mouseClick(window.dry_run_strip.off_button, LEFT)
    assert bridge.settings.value("execution.dry_run") is False
    assert not window.dry_run_strip.isVisible()


def test_the_dry_run_of_the_file_is_said_from_the_start(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    bridge.settings.set_value("execution.dry_run", True)
    window = make_window(bridge, "devices")
    qtbot.waitUntil(window.dry_run_strip.isVisible)


def test_a_simulator_that_is_wanted_before_the_core_is_there_starts_with_it(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge)
    welcome = window.page("welcome")
    assert welcome is not None
    welcome.simulator_chosen.emit()
    before = bridge.devices.calls.count(("start_simulator",))
    bridge.core_ready.emit()
    assert bridge.devices.calls.count(("start_simulator",)) == before + 1


def test_devices_and_chat_are_calm_until_the_core_is_there(
    qtbot: QtBot, bridge: DemoBridge, dress: Theme
) -> None:
    devices = DevicesPage(bridge.devices)  # type: ignore[arg-type]
    chat = ChatPage(ChatWorld())  # type: ignore[arg-type]
    for page in (devices, chat):
        qtbot.addWidget(page)
        page.resize(900, 600)
        page.set_starting(True)
        page.show()
    assert devices.starting.isVisible()
    assert not devices.starting.button.isVisible()
    assert not chat.empty.notice.isVisible()
    devices.set_starting(False)
    chat.set_starting(False)
    assert devices.empty.button.isVisible()
    assert chat.empty.notice.isVisible()


def test_a_released_stop_gives_the_keyboard_back_to_the_page(
    qtbot: QtBot, chat_window: tuple[MainWindow, ChatWorld]
) -> None:
    window, world = chat_window
    window.show_page("chat")
    window.stop_everything()
    window.stop_strip.release_button.setFocus()
    qtbot.keyClick(window.stop_strip.release_button, Qt.Key.Key_Space)
    chat = window.page("chat")
    assert isinstance(chat, ChatPage)
    assert world.safety.calls[-1] == ("release",)
    assert QApplication.focusWidget() is chat.composer.edit


def test_pages_remember_what_was_chosen(qtbot: QtBot, dress: Theme, tmp_path: Path) -> None:
    plots = PlotsPage(PlotWorld(simulated_board()))  # type: ignore[arg-type]
    chat = ChatPage(ChatWorld(simulated_board()))  # type: ignore[arg-type]
    memory = WindowMemory(tmp_path)
    for page, key in ((plots, "plots"), (chat, "chat")):
        qtbot.addWidget(page)
        page.restore(memory.of_page(key))
    plots.set_mode("stack")
    plots.toolbar.list_button.setChecked(False)
    chat.set_bench_wanted(False)
    plots.remember(memory.of_page("plots"))
    chat.remember(memory.of_page("chat"))
    memory.save()
    later = WindowMemory(tmp_path)
    plots_later = PlotsPage(PlotWorld(simulated_board()))  # type: ignore[arg-type]
    chat_later = ChatPage(ChatWorld(simulated_board()))  # type: ignore[arg-type]
    for page, key in ((plots_later, "plots"), (chat_later, "chat")):
        qtbot.addWidget(page)
        page.restore(later.of_page(key))
        page.resize(1280, 700)
        page.show()
    assert plots_later.mode() == "stack"
    assert plots_later.side.isHidden()
    assert not chat_later.bench.isVisible()
    assert chat_later.bench_button.isVisible()


def test_damaged_numbers_of_a_page_are_as_if_there_were_none(tmp_path: Path) -> None:
    memory = PageMemory(WindowMemory(None), "plots")
    memory.set_text("splitter", "12 wide")
    assert memory.numbers("splitter") == []
    assert memory.flag("list", True) is True


def test_the_plots_page_begins_with_the_window_of_the_settings(qtbot: QtBot, dress: Theme) -> None:
    world = PlotWorld(simulated_board())
    world.settings.set_value("plots.window_seconds", 120)
    page = PlotsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    assert page.canvas.view.window_s == 120.0
    world.settings.set_value("plots.window_seconds", 60)
    assert page.canvas.view.window_s == 60.0


def _real_keys(widget: QWidget) -> set[str]:
    return {shortcut.key().toString() for shortcut in widget.findChildren(QShortcut)}


def test_the_keyboard_sheet_lists_every_shortcut(
    qtbot: QtBot, chat_window: tuple[MainWindow, ChatWorld]
) -> None:
    window, _ = chat_window
    plots = PlotsPage(PlotWorld(simulated_board()))  # type: ignore[arg-type]
    qtbot.addWidget(plots)
    sheet = ShortcutsSheet(window.stack, 7)
    listed = {key for entry in sheet.listed_keys() for key in re.split(r", | … ", entry)}
    wanted = (_real_keys(window) | _real_keys(plots)) - {f"Ctrl+{number}" for number in range(2, 8)}
    assert wanted - listed == {"Ctrl+,"} - listed
    assert "Ctrl+," in sheet.listed_keys()
    assert {"Space", "F", "+", "-", "Ctrl+S", "Ctrl+F", "Shift+Enter"} <= listed


def test_changing_the_page_closes_the_keyboard_sheet(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge, "devices")
    window.show_shortcuts()
    sheet = window.findChild(ShortcutsSheet)
    assert sheet is not None
    assert sheet.isVisible()
    window.show_page("logs")
    assert not sheet.isVisible()


@pytest.mark.parametrize(("make", "role"), [(LogText, "mono_small"), (MonoField, "mono")])
def test_a_text_keeps_its_face_when_it_enters_a_styled_window(
    qtbot: QtBot, dress: Theme, make: Callable[[], QWidget], role: str
) -> None:
    late = make()
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    late.setParent(window)
    late.show()
    dress.set_mode("dark")
    QApplication.sendEvent(late, QEvent(QEvent.Type.StyleChange))
    assert late.font().families() == dress.font(role).families()
    assert late.font().pixelSize() == dress.font(role).pixelSize()
    if isinstance(late, QPlainTextEdit):
        assert late.document().defaultFont().pixelSize() == dress.font(role).pixelSize()


def test_values_are_shown_without_ligatures(dress: Theme) -> None:
    for role in ("mono", "mono_small"):
        face = dress.font(role)
        for feature in ("liga", "calt"):
            assert face.isFeatureSet(QFont.Tag(feature))
            assert face.featureValue(QFont.Tag(feature)) == 0


@pytest.mark.parametrize("family", ["Inter", "JetBrains Mono"])
def test_the_shipped_faces_are_there_on_every_machine(dress: Theme, family: str) -> None:
    assert family in QFontDatabase.families()
    folder = resource_path("fonts")
    files = list(folder.glob(f"{family.replace(' ', '')}-*.[ot]tf"))
    assert files
    assert all(file.stat().st_size < 500_000 for file in files)
    licence = (folder / f"{family.replace(' ', '')}-OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_long_words_of_a_sentence_may_break_but_stay_what_they_are(qtbot: QtBot, dress: Theme) -> None:
    path = "/dev/serial/by-id/usb-1a86_USB_Single_Serial_5573012345-if00-port0"
    assert breakable("A short sentence, as it is.") == "A short sentence, as it is."
    assert breakable(path).replace("\u200b", "") == path
    sentence = Text(f"The port {path} is busy.", wrap=True)
    exact = Text(path, "mono_small", wrap=True)
    for label in (sentence, exact):
        qtbot.addWidget(label)
    assert sentence.text() == f"The port {path} is busy."
    assert sentence.minimumSizeHint().width() <= 160
    assert exact.text() == path


def test_no_button_of_the_frame_is_pushed_out_by_long_texts(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge, "devices")
    bridge.settings.set_value("execution.dry_run", True)
    window.stop_everything()
    window.header.set_title("A title that is longer than any window is wide, " * 8)
    QApplication.processEvents()
    for button in window.findChildren(QPushButton):
        if button.isVisible():
            right = button.mapTo(window, button.rect().topRight()).x()
            assert right < window.width(), button.text()
            assert button.width() >= button.minimumSizeHint().width(), button.text()


def _stops(window: MainWindow, start: QWidget) -> list[QWidget]:
    """Return where the Tab key goes from a widget until it is back."""
    start.setFocus()
    stops: list[QWidget] = []
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in stops:
            return stops
        stops.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not come back within 60 steps: {stops}")


def test_tab_reaches_every_part_of_the_chat_and_comes_back(
    qtbot: QtBot, chat_window: tuple[MainWindow, ChatWorld]
) -> None:
    window, world = chat_window
    window.resize(1280, 800)
    window.show_page("chat")
    world.chat.say("hello")
    world.chat.approval_requested.emit(approval())
    chat = window.page("chat")
    assert isinstance(chat, ChatPage)
    card = chat.approvals["a1"]
    qtbot.waitUntil(lambda: card.isVisible() and chat.bench.isVisible())
    stops = _stops(window, chat.composer.edit)
    wanted = [
        window.activity_bar.buttons["chat"],
        window.header.stop_button,
        window.status_line.question,
        chat.view,
        chat.bench.hide_button,
        chat.bench.picture,
        card.deny_button,
        card.allow_button,
    ]
    assert [stop for stop in stops if stop in wanted] == wanted


def test_the_activity_bar_is_one_stop_and_arrows_go_on_from_there(
    qtbot: QtBot, bridge: DemoBridge, make_window: WindowMaker
) -> None:
    window = make_window(bridge, "devices")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    devices = window.activity_bar.buttons["devices"]
    stops = _stops(window, devices)
    assert [stop for stop in stops if stop in window.activity_bar.buttons.values()] == [devices]
    devices.setFocus()
    qtbot.keyClick(devices, Qt.Key.Key_Down)
    assert window.current_page() == "plots"


def test_a_large_part_shows_its_focus_only_for_the_keyboard(qtbot: QtBot, dress: Theme) -> None:
    part = QWidget()
    part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    ring = FocusRing(part)
    qtbot.addWidget(part)
    part.resize(200, 100)
    with qtbot.waitExposed(part):
        part.show()
    part.activateWindow()
    qtbot.waitUntil(part.isActiveWindow)
    part.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not ring.isVisible()
    part.clearFocus()
    part.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.isVisible()
    assert ring.geometry() == part.rect()
    part.resize(300, 150)
    qtbot.waitUntil(lambda: ring.geometry() == part.rect())
    part.clearFocus()
    assert not ring.isVisible()
