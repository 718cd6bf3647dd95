"""Where in a text something is wrong, and how that is said in both languages (error code 0x06).

The phrases are data in ``resources/errors/parsing.toml``.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.contracts.language import Language, Words
from zeroclaw_desktop.execution.error_table import Code, fault
from zeroclaw_desktop.foundation.assets import resource_path

LONGEST_QUOTE = 40
_NEXT_PIECE = re.compile(r"[A-Za-z0-9_.+-]+|\S")


class Place(NamedTuple):
    """A place in a text; both count from 1, columns in characters (code points)."""

    line: int
    column: int


@cache
def _phrases() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    with resource_path("errors/parsing.toml").open("rb") as file:
        return tomllib.load(file)


def expected(key: str, **values: Any) -> Words:
    """The phrase for what should stand at a place; ``values`` fill its braces."""
    row = _phrases()["expected"][key]
    return Words(row["en"].format(**values), row["zh"].format(**values))


def found(key: str, **values: Any) -> Words:
    """The phrase for what stands at a place; ``values`` fill its braces."""
    row = _phrases()["found"][key]
    return Words(row["en"].format(**values), row["zh"].format(**values))


def found_at(text: str, offset: int) -> Words:
    """Name what stands at an offset: a word, a sign, or the end of the text."""
    match = _NEXT_PIECE.search(text, offset)
    return found_text(match.group() if match else None)


def found_text(piece: str | None) -> Words:
    """Name a piece of the text, shortened and printable; None is the end of the text."""
    if not piece:
        return found("end")
    if len(piece) == 1 and not piece.isprintable():
        return found("control", text=f"{ord(piece):04X}")
    return found("text", text=printable(piece))


def printable(text: str, limit: int = LONGEST_QUOTE) -> str:
    """The text in at most ``limit`` characters that can be shown and written."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(letter if letter.isprintable() else "�" for letter in short)


def place_at(text: str, offset: int) -> Place:
    """Line and column of an offset."""
    start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - start + 1)


def unreadable(place: Place, wanted: Words, got: Words, param: str = "") -> ActionFault:
    """The fault of a text that cannot be read at a place."""
    return fault(
        Code.UNREADABLE_TEXT,
        f"Line {place.line}, column {place.column}: expected {wanted.en}, found {got.en}.",
        param,
        line=place.line,
        column=place.column,
        expected=wanted.en,
        expected_zh=wanted.zh,
        got=got.en,
        got_zh=got.zh,
    )


def placed(given: ActionFault, place: Place) -> ActionFault:
    """The same fault with its place in the message and in the details."""
    message = f"{given.message.removesuffix('.')} (line {place.line}, column {place.column})."
    details = {**given.details, "line": place.line, "column": place.column}
    return dataclasses.replace(given, message=message, details=details)


def place_text(given: ActionFault, lang: Language = "en") -> str:
    """Where a fault lies ('line 3, column 5'), for what shows faults; '' when it has no place."""
    if "line" not in given.details:
        return ""
    line, column = given.details["line"], given.details["column"]
    return f"line {line}, column {column}" if lang == "en" else f"第 {line} 行第 {column} 列"
