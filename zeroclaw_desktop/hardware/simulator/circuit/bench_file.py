"""Keeps the simulated boards and their benches in a file of the home folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.simulator.circuit.bench import MOST_PARTS, Bench, Part
from zeroclaw_desktop.hardware.simulator.circuit.part_kinds import part_kinds

VERSION = 1
MOST_BOARDS = 64
_log = logger("simulator")


@dataclass(frozen=True)
class KeptBoard:
    """One simulated board.

    Attributes:
        kind: key of the board file.
        bench: None when nothing was changed on it.
        shown: whether it is among the boards; one that was removed gets its bench back when it comes again.
    """

    board_id: str
    kind: str
    bench: Bench | None = None
    shown: bool = True


class BenchFile:
    """The list of simulated boards.

    Args:
        path: the file; None keeps the list in memory only.
        writes: whether the file is written as well; a command only reads it.
    """

    def __init__(self, path: Path | None, *, writes: bool = True) -> None:
        self._path = path
        self._writes = writes
        self._boards: dict[str, KeptBoard] = {}
        self._read = False

    def boards(self) -> list[KeptBoard]:
        """All boards, in the order in which they were added."""
        return list(self._load().values())

    def find(self, board_id: str) -> KeptBoard | None:
        """What is kept of a board."""
        return self._load().get(board_id)

    def keep(self, board: KeptBoard) -> None:
        """Write a board down; what could not be written is told in the log and lost at the end."""
        boards = self._load()
        if boards.get(board.board_id) != board:
            boards[board.board_id] = board
            while len(boards) > MOST_BOARDS:
                del boards[next(iter(boards))]
            self._write()

    def _load(self) -> dict[str, KeptBoard]:
        if not self._read:
            self._read = True
            self._boards = {} if self._path is None else _boards_in(self._path)
        return self._boards

    def _write(self) -> None:
        if self._path is None or not self._writes:
            return
        rows = [_row(board) for board in self._boards.values()]
        text = json.dumps({"version": VERSION, "boards": rows}, indent=1, ensure_ascii=False)
        try:
            write_atomically(self._path, text + "\n")
        except ZeroClawError as error:
            _log.error("The bench of the simulated boards is not kept: %s", error.message)


def _row(board: KeptBoard) -> dict[str, Any]:
    row: dict[str, Any] = {"id": board.board_id, "kind": board.kind, "shown": board.shown}
    if board.bench is not None:
        row["parts"] = [
            {
                "id": part.part_id,
                "kind": part.kind,
                "settings": dict(part.settings),
                "wires": dict(part.wires),
                "value": part.value,
            }
            for part in board.bench.parts
        ]
    return row


def _boards_in(path: Path) -> dict[str, KeptBoard]:
    """Read the file; what is not of its form is left out and told in the log."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.error("%s cannot be read, so the simulated boards begin anew: %s", path.name, error)
        return {}
    rows = content.get("boards") if isinstance(content, dict) else None
    boards = [_board(row) for row in rows[:MOST_BOARDS]] if isinstance(rows, list) else []
    return {board.board_id: board for board in boards if board is not None}


def _board(row: Any) -> KeptBoard | None:
    if not isinstance(row, dict):
        return None
    board_id, kind = row.get("id"), row.get("kind")
    if not (isinstance(board_id, str) and board_id and isinstance(kind, str) and kind):
        return None
    parts, shown = row.get("parts"), row.get("shown") is not False
    if not isinstance(parts, list):
        return KeptBoard(board_id, kind, None, shown)
    read = {part.part_id: part for row in parts[:MOST_PARTS] if (part := _part(row)) is not None}
    return KeptBoard(board_id, kind, Bench(tuple(read.values())), shown)


def _part(row: Any) -> Part | None:
    kind = part_kinds().get(str(row.get("kind"))) if isinstance(row, dict) else None
    if kind is None:
        return None
    number = str(row.get("id", "")).removeprefix(f"{kind.key}-")
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    value = row.get("value")
    limits = kind.value
    turned = limits.start if limits is not None else 0.0
    if limits is not None and isinstance(value, (int, float)) and not isinstance(value, bool):
        turned = max(limits.low, min(limits.high, float(value)))
    return Part(
        f"{kind.key}-{int(number)}",
        kind.key,
        _texts(row.get("settings")),
        _wires(row.get("wires"), kind.key),
        turned,
    )


def _texts(table: Any) -> dict[str, str]:
    rows = table.items() if isinstance(table, dict) else ()
    return {key: value for key, value in rows if isinstance(value, str)}


def _wires(table: Any, kind: str) -> dict[str, int]:
    known = {terminal.key for terminal in part_kinds()[kind].terminals}
    rows = table.items() if isinstance(table, dict) else ()
    return {key: pin for key, pin in rows if key in known and type(pin) is int and 0 <= pin < 1_000}
