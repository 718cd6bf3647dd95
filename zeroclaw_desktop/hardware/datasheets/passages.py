"""Cuts a text into passages that are short enough to be read and long enough to be understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PASSAGE_CHARACTERS = 1_800
"""About 450 tokens of English."""
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")


@dataclass(frozen=True)
class Passage:
    """A piece of a file.

    Attributes:
        heading: headings above it, joined by `` > ``; '' when there are none.
        place: ``line 12`` or ``page 3``.
    """

    text: str
    heading: str
    place: str


def passages_of_text(text: str) -> list[Passage]:
    """Passages of Markdown or plain text: cut at headings, then at empty lines, then where it must be."""
    found: list[Passage] = []
    headings: list[tuple[int, str]] = []
    piece: list[tuple[int, str]] = []

    def finish() -> None:
        path = " > ".join(title for _, title in headings)
        for number, body in _pieces(piece):
            found.append(Passage(body, path, f"line {number}"))
        piece.clear()

    in_fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")):
            in_fence = not in_fence
        match = None if in_fence else _HEADING.fullmatch(line)
        if match is None:
            piece.append((number, line))
            continue
        finish()
        level = len(match.group(1))
        headings[:] = [entry for entry in headings if entry[0] < level]
        headings.append((level, match.group(2)))
    finish()
    return found


def passages_of_pages(pages: Iterable[str]) -> list[Passage]:
    """Passages of a document with pages, such as a PDF."""
    return [
        Passage(body, "", f"page {number}")
        for number, page in enumerate(pages, 1)
        for _, body in _pieces(list(enumerate(page.splitlines(), 1)))
    ]


def _pieces(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """(first line, text) of at most PASSAGE_CHARACTERS each; prefers to end at an empty line."""
    start, size = 0, 0
    last_gap = 0
    for index, (_, line) in enumerate(lines):
        if not line.strip():
            last_gap = index
        size += len(line) + 1
        if size > PASSAGE_CHARACTERS and index > start:
            end = last_gap if last_gap > start else index
            yield from _piece(lines[start:end])
            start = end
            size = sum(len(text) + 1 for _, text in lines[start : index + 1])
    yield from _piece(lines[start:])


def _piece(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    text = "\n".join(line for _, line in lines).strip()
    if not text:
        return
    first = next(number for number, line in lines if line.strip())
    for start in range(0, len(text), PASSAGE_CHARACTERS):
        yield first, text[start : start + PASSAGE_CHARACTERS]
