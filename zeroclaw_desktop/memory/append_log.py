"""The log of what was taken but is not in the database yet: one line of JSON for each draft.

A line is written before the draft goes its way, and the file is emptied when everything in it is committed.
So a draft that was taken survives any end of the process; a loss of power may take the last moments, as it
may from the database. A file whose program is dead is taken over by the next one, which reads it again. A
draft that had reached the database by then is known by its key.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from zeroclaw_desktop.contracts.memory import MemoryDraft
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.store.sessions import is_alive

TOKEN_CHARACTERS = 32
_FIELDS = frozenset(MemoryDraft.__dataclass_fields__)
_log = logger("memory")


def draft_line(draft: MemoryDraft) -> bytes:
    """A draft as one line of JSON."""
    text = json.dumps(asdict(replace(draft, details=dict(draft.details))), ensure_ascii=False, default=str)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def draft_from(row: object) -> MemoryDraft:
    """A draft from what JSON gave; keys that a draft does not have are left out.

    Raises:
        ValueError: it is no draft; the message says why.
    """
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError("it has no text")
    known = {key: value for key, value in row.items() if key in _FIELDS}
    for name in ("category", "session", "source", "agent", "board", "sensitivity", "key"):
        if name in known and not isinstance(known[name], str):
            raise ValueError(f"{name} is no text")
    if known.get("sensitivity", "normal") not in ("normal", "private"):
        raise ValueError("sensitivity is neither normal nor private")
    if not isinstance(known.get("pinned", False), bool):
        raise ValueError("pinned is neither true nor false")
    if not isinstance(known.get("details", {}), dict):
        raise ValueError("details are no object")
    created, count = known.get("created"), known.get("count", 1)
    if created is not None and (isinstance(created, bool) or not isinstance(created, int | float)):
        raise ValueError("created is no time")
    if created is not None and not 0.0 <= created < 1e11:
        raise ValueError("created is no time")
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count < 1 << 40:
        raise ValueError("count is no number")
    return MemoryDraft(**known)


class AppendLog:
    """The file of one run of the program; loop's thread only.

    Args:
        database: beside which it stands.
        token: of the run.
    """

    def __init__(self, database: Path, token: str) -> None:
        self.path = database.with_name(f"{database.name}.memory-{token}.log")
        self.failures = 0
        self._file = -1

    def append(self, drafts: Sequence[MemoryDraft]) -> None:
        """Note drafts; a disk that refuses costs the safety, not the drafts, and is counted."""
        try:
            if self._file < 0:
                self._file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
            os.write(self._file, b"".join(draft_line(draft) for draft in drafts))
        except OSError as error:
            self.failures += 1
            if self.failures == 1:
                _log.warning("The log of the memory cannot be written: %s", error)

    def clear(self) -> None:
        """Everything in it is committed."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, 0)

    def close(self, *, remove: bool) -> None:
        """Close the file; remove it when everything in it is committed."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)


def take_over(database: Path, token: str) -> list[Path]:
    """Claim the files of dead runs by renaming them, so that two programs never read the same one."""
    claimed = []
    begin = f"{database.name}.memory-"
    for number, path in enumerate(sorted(database.parent.glob(f"{glob.escape(begin)}*.log"))):
        owner = path.name[len(begin) :][:TOKEN_CHARACTERS]
        if owner == token or is_alive(database, owner):
            continue
        target = path.with_name(f"{begin}{token}-{number}.log")
        with contextlib.suppress(OSError):  # another program was faster
            path.rename(target)
            claimed.append(target)
    return claimed


def read_log(path: Path) -> tuple[list[MemoryDraft], int]:
    """The drafts of a file, and how many lines were torn or no drafts."""
    drafts, bad = [], 0
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        _log.warning("A log of the memory cannot be read: %s", error)
        return [], 1
    for line in lines:
        if not line.strip():
            continue
        try:
            drafts.append(draft_from(json.loads(line)))
        except (ValueError, RecursionError):
            bad += 1
    return drafts, bad
