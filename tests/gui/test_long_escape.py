"""EX-16: Esc held for 0.8 s stops everything; a short Esc does what it did and no more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.conftest import WindowMaker
from tests.gui.demo_bridge import DemoBridge, simulated_board
from zeroclaw_desktop.gui.main_window import MainWindow
from zeroclaw_desktop.gui.main_window.long_escape import GRACE_MS, HOLD_MS

STOPPED = [("stop_everything", "key")]


@pytest.fixture
def bridge_with_board(dress: object) -> DemoBridge:
    """A scripted bridge with a board."""
    return DemoBridge(simulated_board())


@pytest.fixture
def window(bridge_with_board: DemoBridge, make_window: WindowMaker) -> MainWindow:
    """The window on the Devices page."""
    return make_window(bridge_with_board, "devices")


def native(window: MainWindow) -> QWindow:
    handle = window.windowHandle()
    assert handle is not None
    return handle


def send(window: MainWindow, kind: QEvent.Type, *, repeat: bool = False) -> None:
    """Deliver Esc to the native window, as the system does."""
    key = QKeyEvent(kind, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "", repeat)
    QCoreApplication.sendEvent(native(window), key)


def test_holding_escape_stops_once(qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge) -> None:
    seen: list[float] = []
    window.long_escape.progressed.connect(seen.append)
    send(window, QEvent.Type.KeyPress)
    qtbot.waitUntil(lambda: bridge_with_board.safety.calls == STOPPED, timeout=HOLD_MS * 5)
    assert window.stop_strip.isVisible()
    # The key is still down and repeats: that is no second wish.
    for _ in range(5):
        send(window, QEvent.Type.KeyPress, repeat=True)
    assert not window.long_escape.counts()
    send(window, QEvent.Type.KeyRelease)
    assert bridge_with_board.safety.calls == STOPPED
    assert all(0.0 <= share <= 1.0 for share in seen)
    assert seen == [*sorted(seen[:-1]), 0.0]


def test_the_stop_button_fills_and_empties(qtbot: QtBot, window: MainWindow) -> None:
    button = window.header.stop_button
    before = button.grab().toImage()
    button.set_held(0.4)
    during = button.grab().toImage()
    left, right = 0.1, 0.98
    middle = before.height() // 2
    assert during.pixel(round(before.width() * left), 4) != before.pixel(round(before.width() * left), 4)
    assert during.pixel(round(before.width() * right), middle) == before.pixel(
        round(before.width() * right), middle
    )
    send(window, QEvent.Type.KeyPress)
    qtbot.waitUntil(lambda: 0.0 < button.held() < 0.4, timeout=2_000)
    send(window, QEvent.Type.KeyRelease)
    qtbot.waitUntil(lambda: button.held() == 0.0, timeout=2_000)
    assert button.grab().toImage() == before


def test_a_short_escape_closes_the_sheet_and_stops_nothing(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    window.show_shortcuts()
    sheet = window.focusWidget()
    assert sheet is not None
    QTest.keyPress(native(window), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not sheet.isVisible(), timeout=2_000)
    assert window.long_escape.counts()
    QTest.keyRelease(native(window), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.long_escape.counts(), timeout=2_000)
    qtbot.wait(HOLD_MS + 200)
    assert bridge_with_board.safety.calls == []


def test_it_works_while_a_field_has_the_keyboard(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    window.show_page("activity")
    page = window.page("activity")
    assert page is not None
    field = QLineEdit(page)
    field.show()
    field.setFocus()
    QTest.keyPress(native(window), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: bridge_with_board.safety.calls == STOPPED, timeout=HOLD_MS * 5)
    QTest.keyRelease(native(window), Qt.Key.Key_Escape)


def test_another_window_ends_the_count(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    send(window, QEvent.Type.KeyPress)
    assert window.long_escape.counts()
    QCoreApplication.sendEvent(native(window), QFocusEvent(QEvent.Type.FocusOut))
    assert not window.long_escape.counts()
    qtbot.wait(HOLD_MS + 200)
    assert bridge_with_board.safety.calls == []


def test_a_key_that_went_down_in_a_dialog_counts_by_its_repeats(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    send(window, QEvent.Type.KeyPress, repeat=True)
    qtbot.waitUntil(lambda: bridge_with_board.safety.calls == STOPPED, timeout=HOLD_MS * 5)
    send(window, QEvent.Type.KeyRelease)


def test_repeats_that_look_like_real_keys_are_one_press(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    """As Xvfb sends them: every 40 ms a release and at once a press, neither marked as a repeat."""
    send(window, QEvent.Type.KeyPress)

    def repeat() -> None:
        send(window, QEvent.Type.KeyRelease)
        send(window, QEvent.Type.KeyPress)

    timer = QTimer()
    timer.timeout.connect(repeat)
    timer.start(40)
    qtbot.waitUntil(lambda: bridge_with_board.safety.calls == STOPPED, timeout=HOLD_MS * 5)
    qtbot.wait(HOLD_MS + 200)
    timer.stop()
    assert bridge_with_board.safety.calls == STOPPED
    send(window, QEvent.Type.KeyRelease)


def test_let_go_just_before_the_end_stops_nothing(
    qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge
) -> None:
    send(window, QEvent.Type.KeyPress)
    qtbot.waitUntil(lambda: window.header.stop_button.held() > 0.7, timeout=HOLD_MS * 5)
    send(window, QEvent.Type.KeyRelease)
    qtbot.wait(HOLD_MS)
    assert bridge_with_board.safety.calls == []
    assert not window.long_escape.counts()


def test_it_may_be_held_again(qtbot: QtBot, window: MainWindow, bridge_with_board: DemoBridge) -> None:
    for times in (1, 2):
        send(window, QEvent.Type.KeyPress)
        qtbot.waitUntil(
            lambda times=times: bridge_with_board.safety.calls == STOPPED * times,  # type: ignore[misc]
            timeout=HOLD_MS * 5,
        )
        send(window, QEvent.Type.KeyRelease)
        qtbot.wait(GRACE_MS * 4)


def test_other_keys_and_combinations_do_not_count(window: MainWindow) -> None:
    for key, modifier in (
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.AltModifier),
    ):
        QCoreApplication.sendEvent(native(window), QKeyEvent(QEvent.Type.KeyPress, key, modifier))
        assert not window.long_escape.counts()
