"""Names of pins from ``## Pin Aliases`` sections, in the forms that upstream's files have.

``reading lamp: 12``, ``reading lamp = pin 12``, ``- fan: A0`` and rows of tables ``| reading lamp | 12 |``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SECTION = re.compile(r"#{1,6}\s*(?:pin aliases|pin alias|pins|引脚别名|引脚名称)\s*#*", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+\S")
_PIN = r"(?:pin|gpio|引脚)?\s*`?(?P<pin>[A-Za-z]{0,4}\d{1,3})`?"
_PAIR = re.compile(rf"[-*+]?\s*`?(?P<name>[^|:=：]+?)`?\s*[:=：]\s*{_PIN}\s*(?:[(（#].*)?", re.IGNORECASE)
_ROW = re.compile(rf"\|\s*`?(?P<name>[^|]+?)`?\s*\|\s*{_PIN}\s*\|.*", re.IGNORECASE)
MOST_NAME = 60


def pin_aliases(text: str) -> dict[str, str]:
    """What the file calls the pin of each name (``12``, ``A0``, ``PA5``); the first one counts."""
    found: dict[str, str] = {}
    for line in _section_lines(text):
        match = _ROW.fullmatch(line) or _PAIR.fullmatch(line)
        if match is None:
            continue
        name = " ".join(match.group("name").split()).strip("*_ ")
        if name and len(name) <= MOST_NAME:
            found.setdefault(name, match.group("pin").upper())
    return found


def _section_lines(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        stripped = line.strip()
        if _SECTION.fullmatch(stripped):
            inside = True
        elif _HEADING.match(stripped):
            inside = False
        elif inside and stripped:
            yield stripped
