"""The folder of data sheets: which file is about which board, what is in them, and the search.

A file is about the board that its name or one of its folders names by key (``arduino-uno.md``,
``esp32/wifi.pdf``); one that names no board is about all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.datasheets.passages import Passage, passages_of_pages, passages_of_text
from zeroclaw_desktop.hardware.datasheets.pdf_pages import DataSheetError, read_pdf, unreadable_file
from zeroclaw_desktop.hardware.datasheets.pin_aliases import pin_aliases
from zeroclaw_desktop.hardware.datasheets.search import PassageIndex

SUFFIXES = (".md", ".txt", ".pdf")
MOST_FILES = 500
MOST_TEXT_BYTES = 5_000_000
BOARD_BONUS = 1.5
"""What is said of the asked board goes before what is said of all."""
_log = logger("serial")


@dataclass(frozen=True)
class DataSheet:
    """One file, read.

    Attributes:
        board: key of the board that it is about; '' for all.
        aliases: names of pins, and what the file calls the pins.
    """

    path: Path
    board: str
    passages: tuple[Passage, ...]
    aliases: Mapping[str, str]


@dataclass(frozen=True)
class Found:
    """A passage that answers a question, with its score; higher is better."""

    sheet: DataSheet
    passage: Passage
    score: float


class DataSheetLibrary:
    """Reads the folder when it is asked, and again only what has changed.

    Args:
        folder: may be missing; None for none.
        boards: keys of the boards that files can be about.
    """

    def __init__(self, folder: Path | None, boards: Collection[str], runner: ChildRunner) -> None:
        self.folder = folder
        self._boards = {board.lower(): board for board in boards}
        self._runner = runner
        self._read: dict[Path, tuple[tuple[int, int], DataSheet | None]] = {}
        self._faults: dict[Path, DataSheetError] = {}
        self._index: PassageIndex | None = None
        self._indexed: list[tuple[DataSheet, Passage]] = []
        self._one_at_a_time = asyncio.Lock()

    @property
    def sheets(self) -> list[DataSheet]:
        """The files as last read."""
        return [sheet for _, sheet in self._read.values() if sheet is not None]

    @property
    def unreadable(self) -> Mapping[Path, DataSheetError]:
        """The files that could not be read, and why."""
        return {path: self._faults[path] for path, (_, sheet) in self._read.items() if sheet is None}

    def board_of(self, path: Path) -> str:
        """Key of the board that a file of the folder is about; '' for all."""
        return self._board_of(path)

    async def refresh(self) -> None:
        """Read what is new or changed; a file that cannot be read is logged once and left out."""
        async with self._one_at_a_time:
            stamps = await asyncio.to_thread(self._stamps)
            changed = set(self._read) - set(stamps)
            for path in changed:
                del self._read[path]
            for path, stamp in stamps.items():
                known = self._read.get(path)
                if known is None or known[0] != stamp:
                    changed.add(path)
                    self._read[path] = (stamp, await self._sheet(path))
            if changed:
                self._index = None

    async def search(self, question: str, board: str = "", limit: int = 3) -> list[Found]:
        """The passages that fit a question best.

        Args:
            board: key; passages about other boards are left out, those about this one go first.
            limit: at most this many.
        """
        await self.refresh()
        if self._index is None:
            self._indexed = [(sheet, passage) for sheet in self.sheets for passage in sheet.passages]
            texts = [
                (f"{passage.heading} {sheet.path.stem}", passage.text) for sheet, passage in self._indexed
            ]
            self._index = await asyncio.to_thread(PassageIndex, texts)
        found = []
        for (sheet, passage), score in zip(self._indexed, self._index.scores(question), strict=True):
            if score > 0 and (not board or sheet.board in ("", board)):
                found.append(Found(sheet, passage, score * (BOARD_BONUS if board and sheet.board else 1.0)))
        return sorted(found, key=lambda entry: -entry.score)[:limit]

    def aliases(self, board: str) -> dict[str, str]:
        """Names of pins for a board, as last read; its own files win over those about all boards."""
        found: dict[str, str] = {}
        for sheet in sorted(self.sheets, key=lambda sheet: (not sheet.board, sheet.path)):
            if sheet.board in ("", board):
                for name, pin in sheet.aliases.items():
                    found.setdefault(name, pin)
        return found

    def _stamps(self) -> dict[Path, tuple[int, int]]:
        stamps: dict[Path, tuple[int, int]] = {}
        if self.folder is None:
            return stamps
        try:
            for path in sorted(self.folder.rglob("*")):
                if path.suffix.lower() in SUFFIXES and path.is_file() and len(stamps) < MOST_FILES:
                    status = path.stat()
                    stamps[path] = (status.st_mtime_ns, status.st_size)
        except OSError as error:
            _log.warning("The data sheets in %s could not all be looked at: %s", self.folder, error.strerror)
        return stamps

    async def _sheet(self, path: Path) -> DataSheet | None:
        try:
            if path.suffix.lower() == ".pdf":
                passages = passages_of_pages(await read_pdf(path, self._runner))
                return DataSheet(path, self._board_of(path), tuple(passages), {})
            text = await asyncio.to_thread(_read_text, path)
        except (DataSheetError, OSError) as error:
            fault = error if isinstance(error, DataSheetError) else unreadable_file(path, str(error.strerror))
            self._faults[path] = fault
            _log.warning("%s", fault.message)
            return None
        return DataSheet(path, self._board_of(path), tuple(passages_of_text(text)), pin_aliases(text))

    def _board_of(self, path: Path) -> str:
        folders = path.relative_to(self.folder).parts[:-1] if self.folder is not None else ()
        parts = [path.stem.lower(), *(part.lower() for part in folders)]
        return next((self._boards[part] for part in parts if part in self._boards), "")


def _read_text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MOST_TEXT_BYTES).decode("utf-8-sig", errors="replace")
