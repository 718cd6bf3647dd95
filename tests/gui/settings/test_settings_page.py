"""The Settings page: editors by kind, validation in place, reset, search, file problems, live switching."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.settings.demo_settings import SettingsWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.settings.editors import (
    FieldEditor,
    ListEditor,
    SegmentEditor,
    SwitchEditor,
    read_value,
)
from zeroclaw_desktop.gui.settings.page import SettingsPage
from zeroclaw_desktop.gui.theme import Theme


@pytest.fixture
def world(dress: Theme) -> SettingsWorld:
    """Settings in memory."""
    return SettingsWorld()


@pytest.fixture
def page(qtbot: QtBot, world: SettingsWorld) -> SettingsPage:
    """A visible page."""
    page = SettingsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    page.resize(1000, 900)
    with qtbot.waitExposed(page):
        page.show()
    return page


def field(page: SettingsPage, key: str) -> FieldEditor:
    """Return the text field of a setting."""
    editor = page.rows[key].editor
    assert isinstance(editor, FieldEditor)
    return editor


def type_value(qtbot: QtBot, page: SettingsPage, key: str, text: str) -> None:
    """Replace a field's text and press Enter."""
    editor = field(page, key).field
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def segment(page: SettingsPage, key: str, text: str) -> object:
    """Return the button of a choice."""
    editor = page.rows[key].editor
    assert isinstance(editor, SegmentEditor)
    return next(button for button in editor.control._buttons.values() if button.text() == text)


def test_each_kind_of_setting_has_its_editor(page: SettingsPage) -> None:
    kinds = {key: type(line.editor) for key, line in page.rows.items()}
    assert kinds == {
        "ui.theme": SegmentEditor,
        "ui.language": SegmentEditor,
        "serial.baud": ListEditor,
        "device.name": FieldEditor,
        "reports.address": FieldEditor,
        "execution.dry_run": SwitchEditor,
        "plots.window_seconds": FieldEditor,
    }


def test_a_choice_is_stored_at_once(qtbot: QtBot, page: SettingsPage, world: SettingsWorld) -> None:
    qtbot.mouseClick(segment(page, "ui.theme", "Dark"), Qt.MouseButton.LeftButton)
    assert world.settings.calls == [("ui.theme", "dark")]


def test_a_choice_of_many_keeps_the_type_of_its_value(page: SettingsPage, world: SettingsWorld) -> None:
    editor = page.rows["serial.baud"].editor
    assert isinstance(editor, ListEditor)
    editor.box.activated.emit(0)
    assert world.settings.calls == [("serial.baud", 9600)]


def test_a_switch_is_toggled_by_mouse_and_keyboard(
    qtbot: QtBot, page: SettingsPage, world: SettingsWorld
) -> None:
    editor = page.rows["execution.dry_run"].editor
    assert isinstance(editor, SwitchEditor)
    qtbot.mouseClick(editor.switch, Qt.MouseButton.LeftButton)
    qtbot.keyClick(editor.switch, Qt.Key.Key_Space)
    assert world.settings.calls == [("execution.dry_run", True), ("execution.dry_run", False)]


def test_a_number_is_stored_as_a_number(qtbot: QtBot, page: SettingsPage, world: SettingsWorld) -> None:
    type_value(qtbot, page, "plots.window_seconds", "0060")
    assert world.settings.calls[-1] == ("plots.window_seconds", 60)
    assert field(page, "plots.window_seconds").field.text() == "60"
    assert page.rows["plots.window_seconds"].error_text() == ""


@pytest.mark.parametrize(("typed", "said"), [("9999", "outside 5 to 600"), ("soon", "not a whole number")])
def test_a_wrong_value_is_explained_in_its_place_and_kept_for_mending(
    qtbot: QtBot, page: SettingsPage, world: SettingsWorld, typed: str, said: str
) -> None:
    type_value(qtbot, page, "plots.window_seconds", typed)
    line = page.rows["plots.window_seconds"]
    assert said in line.error_text()
    assert field(page, "plots.window_seconds").field.text() == typed
    assert field(page, "plots.window_seconds").field.property("invalid") is True
    assert world.settings.value("plots.window_seconds") == 30
    type_value(qtbot, page, "plots.window_seconds", "45")
    assert line.error_text() == ""
    assert world.settings.value("plots.window_seconds") == 45


def test_each_row_goes_back_to_its_default(qtbot: QtBot, page: SettingsPage, world: SettingsWorld) -> None:
    line = page.rows["plots.window_seconds"]
    assert line.reset_button.isHidden()
    type_value(qtbot, page, "plots.window_seconds", "45")
    assert line.reset_button.isVisible()
    assert "30 s" in line.reset_button.toolTip()
    qtbot.mouseClick(line.reset_button, Qt.MouseButton.LeftButton)
    assert world.settings.value("plots.window_seconds") == 30
    assert field(page, "plots.window_seconds").field.text() == "30"
    assert line.reset_button.isHidden()


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("window", ["plots.window_seconds"]),
        ("PLOTS.window", ["plots.window_seconds"]),
        ("safety", ["execution.dry_run"]),
        ("theme dark", ["ui.theme"]),
        ("nothing like this", []),
    ],
)
def test_search_looks_at_texts_keys_and_choices(
    qtbot: QtBot, page: SettingsPage, words: str, left: list[str]
) -> None:
    qtbot.keyClicks(page.search, words)
    assert [key for key, line in page.rows.items() if line.isVisible()] == left
    assert page.empty.isVisible() == (not left)


def test_an_empty_search_result_leads_back(qtbot: QtBot, page: SettingsPage) -> None:
    page.search.setText("nothing like this")
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert all(line.isVisible() for line in page.rows.values())


def test_problems_of_the_file_are_shown_until_they_are_mended(
    page: SettingsPage, world: SettingsWorld
) -> None:
    problem = ErrorView(
        "plots.window_seconds must be a whole number.", next_step="See line 4.", code="config"
    )
    world.settings.file_problem.emit(problem)
    assert page.problem.isVisible()
    assert page.problem.accessibleName() == problem.title
    world.settings.file_problem.emit(None)
    assert not page.problem.isVisible()


def test_a_problem_from_before_the_first_visit_is_shown(qtbot: QtBot, world: SettingsWorld) -> None:
    world.settings.current_problem = ErrorView("ui.theem is no setting. Did you mean ui.theme?")
    page = SettingsPage(world)  # type: ignore[arg-type]
    qtbot.addWidget(page)
    assert not page.problem.isHidden()


def test_the_path_of_the_file_can_be_seen_and_copied(
    qtbot: QtBot, page: SettingsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    assert page.path.whole_text() == "/home/kim/.zeroclaw/config.toml"
    page.copy_button.click()
    assert QGuiApplication.clipboard().text() == "/home/kim/.zeroclaw/config.toml"
    page.open_button.click()
    assert opened == ["/home/kim/.zeroclaw"]


def test_a_change_from_elsewhere_is_shown(page: SettingsPage, world: SettingsWorld) -> None:
    world.settings.set_value("device.name", "Bench Uno")
    assert field(page, "device.name").field.text() == "Bench Uno"


def test_theme_and_language_switch_while_the_page_is_open(
    qtbot: QtBot, page: SettingsPage, world: SettingsWorld, dress: Theme, chinese: TsTranslator
) -> None:
    def follow(key: str, value: object) -> None:
        if key == "ui.theme":
            dress.set_mode(str(value))
        elif key == "ui.language" and value == "zh":
            QCoreApplication.installTranslator(chinese)

    world.settings.setting_changed.connect(follow)
    qtbot.mouseClick(segment(page, "ui.theme", "Dark"), Qt.MouseButton.LeftButton)
    assert dress.name == "dark"
    qtbot.mouseClick(segment(page, "ui.language", "中文"), Qt.MouseButton.LeftButton)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LanguageChange.value)
    QApplication.processEvents()
    assert page.search.placeholderText() == "搜索设置"
    assert page.rows["ui.theme"].setting.title == "主题"
    assert segment(page, "ui.theme", "深色") is not None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("12", "int", 12),
        (" 1 000 ", "int", 1000),
        ("1_000", "int", 1000),
        ("１２", "int", 12),
        ("1.5", "int", "1.5"),
        ("1.5", "float", 1.5),
        ("", "int", ""),
        (" Uno ", "text", " Uno "),
    ],
)
def test_typed_values_are_read(text: str, kind: str, value: object) -> None:
    assert read_value(text, kind) == value
    assert type(read_value(text, kind)) is type(value)


def test_an_address_is_kept_as_typed_until_it_is_answered(
    qtbot: QtBot, page: SettingsPage, world: SettingsWorld
) -> None:
    """SC-10: storing its password takes time; then the address shows without it."""
    key, typed = "reports.address", "mqtt://kim:geheim@lab"
    type_value(qtbot, page, key, typed)
    assert world.settings.calls == [(key, typed)]
    editor = field(page, key).field
    assert (editor.text(), editor.isReadOnly()) == (typed, True)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert world.settings.calls == [(key, typed)]
    world.settings.answer(key, "mqtt://kim:***@lab")
    assert (editor.text(), editor.isReadOnly()) == ("mqtt://kim:***@lab", False)
    assert page.rows[key].error_text() == ""


def test_a_password_that_is_not_taken_is_explained_and_can_be_mended(
    qtbot: QtBot, page: SettingsPage, world: SettingsWorld
) -> None:
    """SC-10: what was typed stays in the field, so that only the password need be taken out."""
    key, typed = "reports.address", "mqtt://kim:geheim@lab"
    type_value(qtbot, page, key, typed)
    world.settings.answer(key, "", ErrorView("There is no keyring.", "", "Set the variable."))
    editor = field(page, key).field
    assert (editor.text(), editor.isReadOnly()) == (typed, False)
    assert page.rows[key].error_text() == "There is no keyring. Set the variable."
    type_value(qtbot, page, key, "mqtt://kim@lab")
    world.settings.answer(key, "mqtt://kim@lab")
    assert (editor.text(), page.rows[key].error_text()) == ("mqtt://kim@lab", "")


def test_what_became_of_a_setting_is_told_at_its_row(page: SettingsPage, world: SettingsWorld) -> None:
    line = page.rows["reports.address"]
    assert not line.note.isVisible()
    world.settings.tell("reports.address", "The broker does not answer.", "warning")
    assert (line.note.isVisible(), line.note.text()) == (True, "The broker does not answer.")
    world.settings.tell("reports.address", "", "success")
    assert not line.note.isVisible()
