"""A translator that reads the project's .ts files, so that tests and screenshots can show Chinese."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QTranslator


class TsTranslator(QTranslator):
    """Answers from one or more .ts files.

    Args:
        files: paths of .ts files.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        super().__init__()
        self.texts: dict[tuple[str, str], str] = {}
        for file in files:
            for context in ElementTree.parse(file).getroot().iter("context"):
                name = context.findtext("name", "")
                for message in context.iter("message"):
                    found = message.findtext("translation", "")
                    if found:
                        self.texts[name, message.findtext("source", "")] = found

    def isEmpty(self) -> bool:
        return not self.texts

    def translate(self, context: str, source: str, disambiguation: str = "", number: int = -1) -> str | None:  # type: ignore[override]
        return self.texts.get((context, source))
