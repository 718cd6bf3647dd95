"""Questions to the tables of the memory; all of them run on the store's thread and change nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.contracts.memory import EXECUTION, MemoryEntry
from zeroclaw_desktop.memory.rows import ENTRY_COLUMNS, entry_from
from zeroclaw_desktop.store.thread import Connection

PIECE = 500
"""Entries that an index is told of at once; few, so that neither the store nor the loop waits for it."""
MOST_POSTINGS = 500
"""Entries that a full-text question may rate; its rarest terms are asked for as far as this goes."""
MOST_TERMS = 32
_NEWS = (
    "SELECT id, revision, created, pinned, category, agent, board, sensitivity, engine, vector, factor "
    "FROM memory_entries WHERE revision > ? ORDER BY revision LIMIT ?"
)


@dataclass(frozen=True)
class News:
    """What changed since a revision.

    Attributes:
        rows: id, revision, created, pinned, category, agent, board, sensitivity, engine, vector, factor.
        forgotten: numbers that are gone.
        revision: up to here.
        more: whether there is more to ask for.
        lost: the index is too old to be told; it must begin anew.
    """

    rows: list[tuple[Any, ...]]
    forgotten: list[int]
    revision: int
    more: bool = False
    lost: bool = False


@dataclass(frozen=True)
class KeywordScores:
    """What full-text search found.

    Attributes:
        by_number: 0..1 for each entry found.
        asked: whether any term was rare enough to ask for, or is in no entry at all.
    """

    by_number: Mapping[int, float] = field(default_factory=dict)
    asked: bool = False


def news(connection: Connection, since: int) -> News:
    """What an index that knows everything up to a revision does not know yet."""
    revision, floor = connection.execute("SELECT revision, forgotten_from FROM memory_state").fetchone()
    if since == revision:
        return News([], [], revision)
    if 0 < since < floor or since > revision:
        return News([], [], 0, more=True, lost=True)
    rows = connection.execute(_NEWS, (since, PIECE)).fetchall()
    more = len(rows) == PIECE
    up_to = rows[-1][1] if more else revision
    forgotten = (
        connection.execute(
            "SELECT id FROM memory_forgotten WHERE revision > ? AND revision <= ?", (since, up_to)
        ).fetchall()
        if since
        else []
    )
    return News(rows, [row[0] for row in forgotten], up_to, more)


def keyword_scores(connection: Connection, terms: Sequence[str]) -> KeywordScores:
    """Rate entries by the question's terms with BM25, the most common terms left out.

    BM25 as FTS5 has it (https://www.sqlite.org/fts5.html#the_bm25_function), divided by what an entry of
    average length would get that has every term of the question once, and bounded to 1: so it does not
    depend on what else is remembered, as a division by the best one would.
    """
    wanted = list(terms)[:MOST_TERMS]
    total = connection.execute("SELECT entries FROM memory_state").fetchone()[0]
    if not wanted or not total:
        return KeywordScores()
    holes = ", ".join("?" * len(wanted))
    found = connection.execute(
        f"SELECT term, entries FROM memory_terms WHERE term IN ({holes}) AND entries > 0 "
        "ORDER BY entries, term",
        wanted,
    ).fetchall()
    if not found:
        return KeywordScores(asked=True)
    asked, postings = [], 0
    for term, entries in found:
        if postings + entries > MOST_POSTINGS:
            break
        asked.append(term)
        postings += entries
    if not asked:
        return KeywordScores()
    weights = [_rarity(total, entries) for _, entries in found]
    unknown = (len(wanted) - len(found)) * _rarity(total, 1)
    most = sum(weights) + unknown
    question = " OR ".join(f'"{term}"' for term in asked)
    rows = connection.execute(
        "SELECT rowid, bm25(memory_words) FROM memory_words WHERE memory_words MATCH ?", (question,)
    )
    return KeywordScores({number: min(1.0, -score / most) for number, score in rows}, asked=True)


def _rarity(total: int, entries: int) -> float:
    """The weight of a term as FTS5's BM25 has it: log((N - n + 0.5) / (n + 0.5)), at least 1e-6."""
    return max(1e-6, math.log((total - entries + 0.5) / (entries + 0.5)))


def entries(connection: Connection, numbers: Sequence[int]) -> dict[int, MemoryEntry]:
    """Entries by number; those that are gone are missing."""
    holes = ", ".join("?" * len(numbers))
    rows = connection.execute(
        f"SELECT {ENTRY_COLUMNS} FROM memory_entries WHERE id IN ({holes})", tuple(numbers)
    )
    return {row[0]: entry_from(row) for row in rows}


def newest(
    connection: Connection, category: str = "", most: int = 20, before: int | None = None
) -> list[MemoryEntry]:
    """The newest entries, pinned ones first.

    Args:
        category: only this one; '' for all.
        before: leave out this many of the first ones.
    """
    where = "WHERE category = ?" if category else ""
    rows = connection.execute(
        f"SELECT {ENTRY_COLUMNS} FROM memory_entries {where} ORDER BY pinned DESC, created DESC, id DESC "
        "LIMIT ? OFFSET ?",
        (*((category,) if category else ()), most, before or 0),
    )
    return [entry_from(row) for row in rows]


def after_number(connection: Connection, number: int, most: int, category: str = "") -> list[MemoryEntry]:
    """Entries with a greater number, in the order of numbers; for going through all of them in pieces."""
    where = "AND category = ?" if category else ""
    rows = connection.execute(
        f"SELECT {ENTRY_COLUMNS} FROM memory_entries WHERE id > ? {where} ORDER BY id LIMIT ?",
        (number, *((category,) if category else ()), most),
    )
    return [entry_from(row) for row in rows]


def last_failure(connection: Connection) -> MemoryEntry | None:
    """The newest execution that did not succeed."""
    row = connection.execute(
        f"SELECT {ENTRY_COLUMNS} FROM memory_entries WHERE category = ? "
        "AND json_extract(details, '$.exit_code') <> 0 ORDER BY created DESC, id DESC LIMIT 1",
        (EXECUTION,),
    ).fetchone()
    return entry_from(row) if row else None


def without_vector(connection: Connection, engine: str, most: int) -> list[tuple[int, bytes, str]]:
    """Entries that another engine embedded or none did: number, digest, text."""
    return connection.execute(
        "SELECT id, digest, text FROM memory_entries WHERE engine <> ? ORDER BY id DESC LIMIT ?",
        (engine, most),
    ).fetchall()


def without_vector_count(connection: Connection, engine: str) -> int:
    """How many entries wait for a vector of an engine."""
    row = connection.execute("SELECT count(*) FROM memory_entries WHERE engine <> ?", (engine,)).fetchone()
    return int(row[0])


def counts(connection: Connection) -> dict[str, int]:
    """Entries by category."""
    return dict(
        connection.execute(
            "SELECT category, count(*) FROM memory_entries GROUP BY category ORDER BY category"
        )
    )


def pinned_count(connection: Connection) -> int:
    """How many entries are pinned."""
    return int(connection.execute("SELECT count(*) FROM memory_entries WHERE pinned").fetchone()[0])


def too_many(connection: Connection, category: str, most: int, piece: int) -> list[int]:
    """Numbers of the entries beyond a bound that were told longest ago; pinned ones are not counted."""
    total = connection.execute(
        "SELECT count(*) FROM memory_entries WHERE category = ? AND pinned = 0", (category,)
    ).fetchone()[0]
    if total <= most:
        return []
    rows = connection.execute(
        "SELECT id FROM memory_entries WHERE category = ? AND pinned = 0 ORDER BY created, id LIMIT ?",
        (category, min(piece, total - most)),
    )
    return [row[0] for row in rows]


def too_old(connection: Connection, categories: Sequence[str], before: float, piece: int) -> list[int]:
    """Numbers of entries that were neither told nor recalled since a time; pinned ones stay."""
    holes = ", ".join("?" * len(categories))
    rows = connection.execute(
        f"SELECT id FROM memory_entries WHERE category IN ({holes}) AND pinned = 0 AND created < ? "
        "AND used < ? ORDER BY created LIMIT ?",
        (*categories, before, before, piece),
    )
    return [row[0] for row in rows]
