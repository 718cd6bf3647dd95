"""The tables of the memory and how entries become rows.

Full-text search is FTS5 over the column ``words``, which holds the terms that ``words.terms`` makes, so
the plain ``ascii`` tokenizer is right for it: it takes everything outside ASCII for letters. In how many
entries a term stands is kept beside it, so that a question knows its common terms without reading them.

Every change of an entry gives it the next revision, and forgotten ones leave their number with theirs:
whoever keeps an index in memory asks for what is newer than what it has, whichever program wrote it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryEntry
from zeroclaw_desktop.memory.vector_matrix import Packed
from zeroclaw_desktop.memory.words import fold
from zeroclaw_desktop.store.migrations import Schema

MEMORY_SCHEMA = Schema(
    "memory",
    (
        (
            "CREATE TABLE memory_state (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, "
            "entries INTEGER NOT NULL, forgotten_from INTEGER NOT NULL)",
            "INSERT INTO memory_state VALUES (1, 0, 0, 0)",
            "CREATE TABLE memory_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, "
            "revision INTEGER NOT NULL, text TEXT NOT NULL, words TEXT NOT NULL, category TEXT NOT NULL, "
            "session TEXT NOT NULL, source TEXT NOT NULL, agent TEXT NOT NULL, board TEXT NOT NULL, "
            "created REAL NOT NULL, used REAL NOT NULL, pinned INTEGER NOT NULL, sensitivity TEXT NOT NULL, "
            "count INTEGER NOT NULL, details TEXT NOT NULL, digest BLOB NOT NULL, engine TEXT NOT NULL, "
            "vector BLOB, factor REAL NOT NULL)",
            "CREATE UNIQUE INDEX memory_by_revision ON memory_entries (revision)",
            "CREATE INDEX memory_by_category ON memory_entries (category, pinned, created)",
            "CREATE INDEX memory_by_digest ON memory_entries (digest)",
            "CREATE INDEX memory_by_engine ON memory_entries (engine)",
            "CREATE TABLE memory_forgotten (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL)",
            "CREATE INDEX memory_forgotten_by_revision ON memory_forgotten (revision)",
            "CREATE TABLE memory_terms (term TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE VIRTUAL TABLE memory_words USING fts5 (words, content = 'memory_entries', "
            "content_rowid = 'id', tokenize = 'ascii')",
        ),
    ),
)

ENTRY_COLUMNS = (
    "id, key, text, category, session, source, agent, board, created, used, pinned, sensitivity, count, "
    "details"
)
MOST_DETAILS = 16_000


@dataclass(frozen=True)
class Prepared:
    """A cleaned draft with everything that is computed from its text.

    Attributes:
        words: the terms for FTS5, with spaces between.
        digest: the same for entries that say the same in the same words of the same thing.
        engine: name of the engine that made the vector; '' when there is none.
    """

    draft: MemoryDraft
    key: str
    created: float
    words: str
    digest: bytes
    engine: str = ""
    packed: Packed | None = None


def digest_of(draft: MemoryDraft) -> bytes:
    """What two drafts share that are one entry: the folded text, and what it is about and for."""
    parts = (fold(draft.text), draft.category, draft.agent, draft.board, draft.sensitivity)
    return hashlib.blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def details_json(details: Mapping[str, Any]) -> str:
    """Details as JSON; numbers that it does not have become their text, too large ones are left out."""
    text = json.dumps(_plain(dict(details)), ensure_ascii=False, default=str)
    return text if len(text) <= MOST_DETAILS else "{}"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def entry_from(row: tuple[Any, ...]) -> MemoryEntry:
    """An entry from ENTRY_COLUMNS."""
    details = json.loads(row[13])
    return MemoryEntry(
        number=row[0],
        key=row[1],
        text=row[2],
        category=row[3],
        session=row[4],
        source=row[5],
        agent=row[6],
        board=row[7],
        created=row[8],
        used=row[9],
        pinned=bool(row[10]),
        sensitivity="private" if row[11] == "private" else "normal",
        count=row[12],
        details=details if isinstance(details, dict) else {},
    )
