"""Writing to the assistant: Enter, input methods, recall, stop, suggestions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.chat.demo_chat import SUGGESTIONS, ChatWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.gui.chat.page import ChatPage


def compose(page: ChatPage, preedit: str, commit: str = "") -> None:
    """Let an input method show an unfinished word, or finish it."""
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(page.composer.edit, event)


def test_enter_sends_the_words_and_empties_the_field(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    qtbot.keyClicks(page.composer.edit, "Blink the LED")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == [("send", "Blink the LED")]
    assert page.composer.edit.toPlainText() == ""


def test_enter_that_ends_a_chinese_word_does_not_send(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    compose(page, "rang LED shan")
    assert page.composer.edit.is_composing()
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == []
    page.composer.edit.clear()
    compose(page, "", "让LED闪烁3次")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == [("send", "让LED闪烁3次")]


def test_shift_enter_starts_a_new_line(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    qtbot.keyClicks(page.composer.edit, "one")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(page.composer.edit, "two")
    assert world.chat.calls == []
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == [("send", "one\ntwo")]


def test_blank_words_are_not_sent(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    qtbot.keyClicks(page.composer.edit, "   ")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == []
    assert not page.composer.send_button.isEnabled()


def test_up_key_recalls_what_was_sent(qtbot: QtBot, page: ChatPage) -> None:
    edit = page.composer.edit
    for text in ("first", "second"):
        edit.setPlainText(text)
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        page.composer.set_turn_state("idle")
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert edit.toPlainText() == "second"
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert edit.toPlainText() == "first"
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert edit.toPlainText() == "second"
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert edit.toPlainText() == ""


def test_up_key_leaves_a_begun_text_alone(qtbot: QtBot, page: ChatPage) -> None:
    edit = page.composer.edit
    edit.remember("sent before")
    edit.setPlainText("begun")
    qtbot.keyClick(edit, Qt.Key.Key_Up)
    assert edit.toPlainText() == "begun"


def test_the_field_grows_to_six_lines_and_then_scrolls(page: ChatPage) -> None:
    edit = page.composer.edit
    heights = []
    for count in (1, 2, 6, 7, 20):
        edit.setPlainText("\n".join(str(number) for number in range(count)))
        heights.append(edit.height())
    one, two, six, seven, many = heights
    assert one < two < six
    assert six == seven == many
    assert edit.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded


def test_pasted_markup_comes_as_plain_text(page: ChatPage) -> None:
    from PySide6.QtCore import QMimeData

    markup = QMimeData()
    markup.setHtml("<b>bold</b>")
    markup.setText("bold")
    page.composer.edit.insertFromMimeData(markup)
    assert page.composer.edit.toPlainText() == "bold"
    assert "font-weight" not in page.composer.edit.toHtml().split("<body")[1].split(">", 1)[1]


@pytest.mark.parametrize("way", ["button", "escape"])
def test_a_running_answer_can_be_stopped(qtbot: QtBot, page: ChatPage, world: ChatWorld, way: str) -> None:
    world.chat.turn_state_changed.emit("executing")
    page.focus_input()
    assert page.composer.stop_button.isVisible()
    assert not page.composer.send_button.isVisible()
    if way == "button":
        qtbot.mouseClick(page.composer.stop_button, Qt.MouseButton.LeftButton)
    else:
        qtbot.keyClick(page.composer.edit, Qt.Key.Key_Escape)
    assert world.chat.calls == [("stop_turn",)]


def test_escape_asks_for_nothing_while_nothing_runs(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    page.focus_input()
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Escape)
    assert world.chat.calls == []
    assert page.composer.stop_button.isHidden()


def test_words_written_during_an_answer_are_kept(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.turn_state_changed.emit("streaming")
    page.focus_input()
    qtbot.keyClicks(page.composer.edit, "next")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == []
    assert page.composer.edit.toPlainText() == "next"
    assert "kept" in page.composer.hint()
    world.chat.turn_state_changed.emit("idle")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert world.chat.calls == [("send", "next")]


def test_a_suggestion_is_sent_by_one_click(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    chips = page.empty.chips()
    assert [chip.text() for chip in chips] == SUGGESTIONS
    qtbot.mouseClick(chips[0], Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("send", SUGGESTIONS[0])]
    assert page.view.isVisible()
    assert page.focusWidget() is page.composer.edit


def test_the_empty_chat_and_the_field_speak_chinese(
    page: ChatPage, world: ChatWorld, chinese: TsTranslator
) -> None:
    world.chat.offered = ["让LED闪烁3次"]
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.sendPostedEvents()
    QApplication.processEvents()
    assert [chip.text() for chip in page.empty.chips()] == ["让LED闪烁3次"]
    assert page.composer.edit.placeholderText() == "说说要让开发板做什么"
    assert page.composer.send_button.text() == "发送"


def test_ctrl_l_target_gives_the_keyboard_to_the_field(page: ChatPage) -> None:
    page.setFocus()
    page.focus_input()
    assert page.focusWidget() is page.composer.edit


def test_words_sent_before_the_core_is_there_are_not_lost(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.is_ready = False
    page.focus_input()
    qtbot.keyClicks(page.composer.edit, "Read A0")
    qtbot.keyClick(page.composer.edit, Qt.Key.Key_Return)
    assert page.composer.edit.toPlainText() == "Read A0"
    assert "starting" in page.composer.hint()
    world.chat.is_ready = True
    world.core_ready.emit()
    assert world.chat.calls == [("send", "Read A0")]
    assert page.composer.edit.toPlainText() == ""
