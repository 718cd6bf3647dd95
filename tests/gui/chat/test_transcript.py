"""What the transcript shows: streaming, Markdown, code, untrusted content, tool cards, long histories."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor, QTextFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.chat.demo_chat import NO_BOARD, ChatWorld, blink_call
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.chat.code_block import CodeBlock
from zeroclaw_desktop.gui.chat.entries import AnswerEntry
from zeroclaw_desktop.gui.chat.messages import AnswerMessage, Failure, Note, UserMessage
from zeroclaw_desktop.gui.chat.page import ChatPage
from zeroclaw_desktop.gui.chat.text_block import TextBlock
from zeroclaw_desktop.gui.chat.tool_card import ToolCard


def last_widget(qtbot: QtBot, page: ChatPage) -> object:
    """Return the widget of the newest entry once it is there."""
    number = len(page.transcript.entries) - 1
    qtbot.waitUntil(lambda: page.view.widget_of(number) is not None)
    return page.view.widget_of(number)


def answer_widget(qtbot: QtBot, page: ChatPage) -> AnswerMessage:
    widget = last_widget(qtbot, page)
    assert isinstance(widget, AnswerMessage)
    return widget


def tool_widget(qtbot: QtBot, page: ChatPage) -> ToolCard:
    widget = last_widget(qtbot, page)
    assert isinstance(widget, ToolCard)
    return widget


def prose(widget: AnswerMessage) -> TextBlock:
    return widget.stream


def test_text_is_plain_while_it_streams_and_rendered_once_complete(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.answer_delta.emit("t1", "This is **impor")
    widget = answer_widget(qtbot, page)
    assert widget.shown_text() == "This is **impor"
    world.chat.answer_delta.emit("t1", "tant**.")
    qtbot.waitUntil(lambda: widget.shown_text() == "This is **important**.")
    assert not widget.is_rendered()
    world.chat.answer_finished.emit("t1", "done")
    assert widget.is_rendered()
    assert widget.shown_text() == "This is important."


def test_many_small_pieces_are_inserted_together(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.answer_delta.emit("t1", "a")
    widget = answer_widget(qtbot, page)
    changes: list[int] = []
    widget.stream.document().contentsChange.connect(lambda *_: changes.append(1))
    for _ in range(200):
        world.chat.answer_delta.emit("t1", "b")
        QApplication.processEvents()
    qtbot.waitUntil(lambda: widget.shown_text() == "a" + "b" * 200)
    assert len(changes) < 50


def test_a_tool_call_splits_the_answer(page: ChatPage, world: ChatWorld) -> None:
    world.chat.answer_delta.emit("t1", "I blink it.")
    world.chat.tool_call_changed.emit(blink_call("running"))
    world.chat.answer_delta.emit("t1", "\nDone.")
    world.chat.answer_finished.emit("t1", "done")
    kinds = [type(entry).__name__ for entry in page.transcript.entries]
    assert kinds == ["AnswerEntry", "ToolEntry", "AnswerEntry"]
    texts = [entry.text for entry in page.transcript.entries if isinstance(entry, AnswerEntry)]
    assert texts == ["I blink it.", "Done."]


def test_code_stands_in_a_block_that_can_be_copied(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    code = "void loop() {\n  digitalWrite(13, HIGH);\n}"
    world.chat.answer("t1", f"Try this:\n\n```cpp\n{code}\n```\nThat is all.")
    widget = answer_widget(qtbot, page)
    blocks = widget.findChildren(CodeBlock)
    assert [block.code.toPlainText() for block in blocks] == [code]
    qtbot.mouseClick(blocks[0].copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == code
    assert "```" not in widget.shown_text()


def test_a_whole_message_can_be_copied_as_it_was_written(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.answer("t1", "Pin **13** is high.")
    widget = answer_widget(qtbot, page)
    qtbot.mouseClick(widget.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Pin **13** is high."


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<b>not bold</b>",
        'before <img src="http://127.0.0.1:9/x.png"> after',
        '<a href="http://127.0.0.1:9/">here</a>',
    ],
)
def test_html_is_shown_as_text(qtbot: QtBot, page: ChatPage, world: ChatWorld, hostile: str) -> None:
    world.chat.answer("t1", hostile)
    shown = answer_widget(qtbot, page).shown_text()
    assert shown.replace("“", '"').replace("”", '"') == hostile


def test_a_picture_is_named_and_nothing_is_loaded(
    qtbot: QtBot, page: ChatPage, world: ChatWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    world.chat.answer("t1", "See ![wiring](http://127.0.0.1:9/w.png) and ![x](file:///etc/hostname)")
    widget = answer_widget(qtbot, page)
    document = prose(widget).document()
    block = document.begin()
    while block.isValid():
        assert all(not span.format.isImageFormat() for span in block.textFormats())
        block = block.next()
    assert "￼" not in widget.shown_text()
    assert "http://127.0.0.1:9/w.png" in widget.shown_text()
    assert prose(widget).loadResource(2, QUrl("file:///etc/hostname")) is None
    assert opened == []


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        ("https://example.org/a", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("zeroclaw://run", False),
    ],
)
def test_only_web_addresses_open_and_only_by_a_click(
    qtbot: QtBot, page: ChatPage, world: ChatWorld, monkeypatch: pytest.MonkeyPatch, address: str, opens: bool
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    world.chat.answer("t1", f"[link]({address})")
    block = prose(answer_widget(qtbot, page))
    assert opened == []
    block.anchorClicked.emit(QUrl(address))
    assert opened == ([address] if opens else [])


def test_markdown_tables_lists_and_headings_are_rendered(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.answer("t1", "# Pins\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |")
    document = prose(answer_widget(qtbot, page)).document()
    frames = document.rootFrame().childFrames()
    assert [frame.format().isTableFormat() for frame in frames] == [True]
    assert document.begin().blockFormat().headingLevel() == 1
    assert document.begin().next().textList() is not None
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    size = cursor.charFormat().property(QTextFormat.Property.FontPixelSize)
    assert size == 18


def test_the_persons_words_are_never_markup(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.say("让 **LED** <b>闪烁</b>")
    widget = last_widget(qtbot, page)
    assert isinstance(widget, UserMessage)
    assert widget.text.toPlainText() == "让 **LED** <b>闪烁</b>"


def test_a_stopped_answer_says_so_and_can_be_asked_again(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.say("Count")
    world.chat.answer("t1", "One, two", outcome="stopped")
    note = last_widget(qtbot, page)
    assert isinstance(note, Note)
    assert "stopped" in note.text()
    qtbot.mouseClick(note.retry_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("send", "Count")]


def test_text_that_comes_after_the_end_is_dropped(page: ChatPage, world: ChatWorld) -> None:
    world.chat.answer("t1", "One", outcome="stopped")
    before = len(page.transcript.entries)
    world.chat.answer_delta.emit("t1", " late")
    assert len(page.transcript.entries) == before


def test_a_tool_card_follows_its_call(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    words = []
    for state in ("pending", "waiting", "running", "completed"):
        world.chat.tool_call_changed.emit(blink_call(state))
        card = tool_widget(qtbot, page)
        words.append((card.badge.text(), card.badge.kind()))
    assert len(page.transcript.entries) == 1
    assert words == [("Queued", "off"), ("Waiting", "waits"), ("Running", "busy"), ("Done", "live")]


def test_a_finished_card_shows_result_duration_and_pins(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    view = blink_call("completed", result="Blinked 3 times.", duration_ms=3012.0, pins=((13, "low", "high"),))
    world.chat.tool_call_changed.emit(view)
    card = tool_widget(qtbot, page)
    assert card.result.toPlainText() == "Blinked 3 times."
    assert card.pin_changes.changes() == ((13, "low", "high"),)
    assert card.pin_changes.accessibleName() == "Pin 13: low to high"
    assert "Done" in card.accessibleName()


def test_a_failed_card_says_cause_omission_and_next_step(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.tool_call_changed.emit(blink_call("failed", error=NO_BOARD))
    card = tool_widget(qtbot, page)
    assert card.error_card.isVisible()
    assert card.error_card.accessibleName() == NO_BOARD.title
    qtbot.mouseClick(card.error_card.action_button, Qt.MouseButton.LeftButton)
    assert world.devices.calls == [("start_simulator",)]


def test_folding_the_details_moves_what_stands_below(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.tool_call_changed.emit(blink_call("completed"))
    card = tool_widget(qtbot, page)
    world.chat.answer("t1", "Done.")
    below = answer_widget(qtbot, page)
    qtbot.waitUntil(lambda: below.y() >= card.geometry().bottom())
    before = below.y()
    card.fold.click()
    qtbot.waitUntil(lambda: below.y() > before)
    assert below.y() >= card.geometry().bottom()


def test_the_list_follows_only_at_its_end(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    for number in range(60):
        world.chat.answer(f"t{number}", f"Answer {number}. " * 20)
    bar = page.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(bar.maximum() // 2)
    assert not page.view.follows()
    assert page.view.end_button.isVisible()
    qtbot.wait(50)
    seen = page.view.viewport().childAt(200, 5)
    place = seen.mapTo(page.view, seen.rect().topLeft()) if seen else None
    world.chat.answer("new", "More. " * 200)
    qtbot.wait(150)
    assert not page.view.follows()
    assert seen is not None
    assert seen.mapTo(page.view, seen.rect().topLeft()) == place
    qtbot.mouseClick(page.view.end_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    assert not page.view.end_button.isVisible()


def test_sending_goes_to_the_end(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    for number in range(40):
        world.chat.answer(f"t{number}", f"Answer {number}. " * 20)
    bar = page.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(0)
    page.composer.edit.setPlainText("Read A0")
    QTest.keyClick(page.composer.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def assert_no_holes(page: ChatPage) -> None:
    """Check that what is in sight is covered by entries, with no hole larger than the gap between two."""
    viewport = page.view.viewport()
    empty = [viewport.childAt(viewport.width() // 2, y) is None for y in range(20, viewport.height() - 20, 4)]
    holes = "".join("." if hole else "#" for hole in empty).split("#")
    assert max(len(hole) for hole in holes) <= 4


def test_two_thousand_messages_need_few_widgets(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    for number in range(1000):
        page.transcript.add_user(f"m{number}", f"Message {number}")
        page.transcript.add_text(f"t{number}", f"Answer **{number}** with `code` and some more words. " * 4)
        page.transcript.finish(f"t{number}", "done")
    page._refresh([len(page.transcript.entries) - 1])
    bar = page.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for place in range(bar.maximum(), bar.maximum() - 6000, -120):
        bar.setValue(place)
        QApplication.processEvents()
        assert_no_holes(page)
    assert page.view.live_widgets() < 80
    for place in (0, bar.maximum() // 3, bar.maximum() // 2, bar.maximum()):
        bar.setValue(place)
        assert_no_holes(page)


def test_an_answer_that_failed_says_why_once_and_can_be_tried_again(
    qtbot: QtBot, page: ChatPage, world: ChatWorld
) -> None:
    world.chat.send("Read A0")
    world.chat.answer_delta.emit("t1", "Reading")
    fault = ErrorView("The model did not answer.", next_step="Try again.", code="provider")
    world.chat.answer_failed.emit("t1", fault)
    world.chat.answer_failed.emit("t1", fault)
    world.chat.answer_finished.emit("t1", "failed")
    world.chat.turn_state_changed.emit("idle")
    widget = last_widget(qtbot, page)
    assert isinstance(widget, Failure)
    kinds = [type(entry).__name__ for entry in page.transcript.entries]
    assert kinds == ["UserEntry", "AnswerEntry", "FailureEntry"]
    assert widget.card.accessibleName() == "The model did not answer."
    qtbot.mouseClick(widget.card.action_button, Qt.MouseButton.LeftButton)
    assert world.chat.calls == [("send", "Read A0"), ("send", "Read A0")]


def test_a_dry_run_is_marked_on_its_card(qtbot: QtBot, page: ChatPage, world: ChatWorld) -> None:
    world.chat.tool_call_changed.emit(blink_call("completed"))
    card = tool_widget(qtbot, page)
    assert not card.dry_run_badge.isVisible()
    world.chat.tool_call_changed.emit(blink_call("completed", dry_run=True))
    assert card.dry_run_badge.isVisible()
    assert card.dry_run_badge.text() == "Dry run"
