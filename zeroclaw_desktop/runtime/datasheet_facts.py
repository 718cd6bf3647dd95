"""Data sheets as plain rows: the files about a board, and the passages that fit a question."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.datasheets.library import DataSheetLibrary

MOST_FOUND = 8


@dataclass(frozen=True)
class SheetFacts:
    """One file.

    Attributes:
        board: key of the board that it is about; '' for all.
        names: how many names of pins it gives.
        fault: why it cannot be read; None when it can.
    """

    path: Path
    board: str
    passages: int = 0
    names: int = 0
    fault: ZeroClawError | None = None


@dataclass(frozen=True)
class PassageFacts:
    """One passage that fits a question.

    Attributes:
        heading: headings above it; '' when there are none.
        place: ``line 12`` or ``page 3``.
    """

    path: Path
    heading: str
    place: str
    text: str


def sheet_facts(library: DataSheetLibrary, board: str) -> list[SheetFacts]:
    """The files about a board or about all, as last read; those that cannot be read come first."""
    facts = [
        SheetFacts(path, library.board_of(path), fault=fault) for path, fault in library.unreadable.items()
    ]
    facts += [
        SheetFacts(sheet.path, sheet.board, len(sheet.passages), len(sheet.aliases))
        for sheet in library.sheets
    ]
    return [fact for fact in facts if fact.board in ("", board)]


async def search_facts(
    library: DataSheetLibrary, question: str, board: str = "", limit: int = MOST_FOUND
) -> list[PassageFacts]:
    """The passages that fit a question best; see DataSheetLibrary.search."""
    found = await library.search(question, board, limit)
    return [
        PassageFacts(entry.sheet.path, entry.passage.heading, entry.passage.place, entry.passage.text)
        for entry in found
    ]


async def search_rows(library: DataSheetLibrary, question: str, board: str) -> list[dict[str, Any]]:
    """The same as rows for a model."""
    return [
        {
            "document": passage.path.name,
            "section": passage.heading,
            "place": passage.place,
            "text": passage.text,
        }
        for passage in await search_facts(library, question, board, 3)
    ]
