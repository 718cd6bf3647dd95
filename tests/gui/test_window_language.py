"""UI-2: Qt's own words follow the language of the window, and go with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from zeroclaw_desktop.bridge.translation import WindowLanguage


@pytest.fixture
def language(qapp: QApplication) -> Iterator[WindowLanguage]:
    """The switch, back to English afterwards."""
    language = WindowLanguage(qapp)
    yield language
    language.use("en")


def buttons(qtbot: QtBot) -> list[str]:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    return sorted(button.text().replace("&", "") for button in box.buttons())


def test_buttons_of_dialogs_are_chinese(qtbot: QtBot, language: WindowLanguage) -> None:
    shipped = QTranslator()
    assert shipped.load("qtbase_zh_CN", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    english = buttons(qtbot)
    language.use("zh")
    assert buttons(qtbot) == sorted(["保存", "取消"])
    language.use("en")
    assert buttons(qtbot) == english


def test_our_words_win(language: WindowLanguage) -> None:
    language.use("zh")
    assert QCoreApplication.translate("Pages", "Activity") == "活动"
