"""Chinese for the window: a QTranslator that reads Qt Linguist files (.ts) directly, no compiled copies.

``resources/i18n/<language>/*.ts`` are parsed when the language is first chosen. Qt's own words (buttons of
dialogs, menus of fields) come from the ``qtbase`` translation that PySide6 ships.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import ZeroClawError

_FOLDERS: dict[Language, str] = {"zh": "zh_CN"}


class TranslationFileError(ZeroClawError):
    """A translation file is damaged."""

    default_code = "translation"


def read_translations(path: Path) -> dict[tuple[str, str], str]:
    """Read one .ts file: (context, source) -> translation; unfinished entries are left out.

    Raises:
        TranslationFileError: it is not XML.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise TranslationFileError(f"The translation file {path.name} is damaged: {error}.") from error
    entries: dict[tuple[str, str], str] = {}
    for context in root.iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is not None and translation.get("type") != "unfinished":
                entries[(name, message.findtext("source", ""))] = translation.text or ""
    return entries


class TsTranslator(QTranslator):
    """Looks texts up in memory."""

    def __init__(self, entries: dict[tuple[str, str], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = entries

    def translate(
        self, context: str, source: str, _disambiguation: str | None = None, _count: int = -1
    ) -> str | None:
        """See QTranslator; None keeps the source text."""
        return self._entries.get((context, source)) or None

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        """See QTranslator."""
        return not self._entries


class WindowLanguage:
    """Switches the window's language without a restart."""

    def __init__(self, application: QApplication) -> None:
        self._application = application
        self._translators: list[QTranslator] = []
        self._language: Language = "en"

    def use(self, language: Language) -> None:
        """Show the window in a language; every widget gets a LanguageChange event."""
        if language == self._language:
            return
        self._language = language
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self._translators.clear()
        folder = _FOLDERS.get(language)
        if folder is None:
            return
        entries: dict[tuple[str, str], str] = {}
        for path in sorted(resource_path(f"i18n/{folder}").glob("*.ts")):
            entries |= read_translations(path)
        own_words = QTranslator(self._application)
        if own_words.load(f"qtbase_{folder}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            self._install(own_words)
        # Qt asks the one installed last first.
        self._install(TsTranslator(entries, self._application))

    def _install(self, translator: QTranslator) -> None:
        self._application.installTranslator(translator)
        self._translators.append(translator)
