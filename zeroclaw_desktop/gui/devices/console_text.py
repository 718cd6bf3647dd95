"""Colours in the text of a console: the escape sequences that boards print, as runs of text. No widgets.

Sequences are those of ECMA-48, 8.3.117 "SGR"; ESP-IDF, Zephyr and many sketches print them. Of the eight
colours each becomes a role of the theme, so that it can be read on light and dark.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ESCAPE = "\x1b"
_SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m|\x1b(?:\[[0-?]*[ -/]*[@-~]?)?")
_ROLES = (
    "text_muted", "danger_ink", "live_ink", "warn_ink", "simulated_ink", "simulated_ink", "accent_ink", "text"
)  # fmt: skip
"""Black, red, green, yellow, blue, magenta, cyan, white."""
_RESET, _BOLD, _NOT_BOLD, _NO_COLOUR = 0, 1, 22, 39


class Run(NamedTuple):
    """Text of one look.

    Attributes:
        role: colour of the theme; '' for the plain one.
    """

    text: str
    role: str
    bold: bool


def runs_of(line: str) -> list[Run]:
    """Cut a line at its sequences; those that mean nothing here are dropped."""
    runs: list[Run] = []
    role, bold, place = "", False, 0
    for match in _SEQUENCE.finditer(line):
        if match.start() > place:
            runs.append(Run(line[place : match.start()], role, bold))
        place = match.end()
        if match[1] is not None:
            role, bold = _after(match[1], role, bold)
    if place < len(line):
        runs.append(Run(line[place:], role, bold))
    return runs


def plain(line: str) -> str:
    """The line without its sequences."""
    return _SEQUENCE.sub("", line) if ESCAPE in line else line


def _after(codes: str, role: str, bold: bool) -> tuple[str, bool]:
    for code in (int(part[:4]) if part else _RESET for part in codes.split(";")):
        if code == _RESET:
            role, bold = "", False
        elif code in (_BOLD, _NOT_BOLD):
            bold = code == _BOLD
        elif code == _NO_COLOUR:
            role = ""
        elif 30 <= code <= 37:
            role = _ROLES[code - 30]
        elif 90 <= code <= 97:
            role = _ROLES[code - 90]
    return role, bold
