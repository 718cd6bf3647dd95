"""Statements that change the memory; all of them run on the store's thread, inside its transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.memory import MemoryEntry, Remembered
from zeroclaw_desktop.memory.rows import ENTRY_COLUMNS, Prepared, details_json, entry_from
from zeroclaw_desktop.memory.vector_matrix import Packed
from zeroclaw_desktop.store.thread import Connection

FORGOTTEN_KEPT = 20_000
"""Numbers of forgotten entries that are kept for indexes of other programs."""

_COLUMNS = (
    "key, revision, text, words, category, session, source, agent, board, created, used, pinned, "
    "sensitivity, count, details, digest, engine, vector, factor"
)
_INSERT = f"INSERT INTO memory_entries ({_COLUMNS}) VALUES ({', '.join('?' * 19)})"
_INDEX = "INSERT INTO memory_words (rowid, words) VALUES (?, ?)"
_UNINDEX = "INSERT INTO memory_words (memory_words, rowid, words) VALUES ('delete', ?, ?)"
_COUNT = (
    "INSERT INTO memory_terms VALUES (?, ?) "
    "ON CONFLICT (term) DO UPDATE SET entries = entries + excluded.entries"
)


@dataclass(frozen=True)
class Wish:
    """A prepared draft and the entry that says the same in other words.

    Attributes:
        like: number of that entry; None for none.
        like_wish: place of an earlier wish of the same batch that says the same; None for none.
    """

    prepared: Prepared
    like: int | None = None
    like_wish: int | None = None


def next_revision(connection: Connection, more: int = 0) -> int:
    """A revision that nothing has yet.

    Args:
        more: entries that come (1) or go (-1) with it.
    """
    connection.execute(
        "UPDATE memory_state SET revision = revision + 1, entries = entries + ? WHERE id = 1", (more,)
    )
    return int(connection.execute("SELECT revision FROM memory_state").fetchone()[0])


def write_all(connection: Connection, wishes: Sequence[Wish]) -> list[Remembered]:
    """Keep a batch, in order; what says the same as an entry that is there goes into that one."""
    done: list[Remembered] = []
    changes: Counter[str] = Counter()
    for wish in wishes:
        like = wish.like if wish.like_wish is None else done[wish.like_wish].number
        done.append(_write(connection, wish.prepared, like, changes))
    _count_terms(connection, changes)
    return done


def _write(connection: Connection, wanted: Prepared, like: int | None, changes: Counter[str]) -> Remembered:
    known = connection.execute("SELECT id FROM memory_entries WHERE key = ?", (wanted.key,)).fetchone()
    if known:
        return Remembered(known[0], merged=True)
    same = connection.execute(
        "SELECT id FROM memory_entries WHERE digest = ? LIMIT 1", (wanted.digest,)
    ).fetchone()
    number = same[0] if same else like
    old = _entry(connection, number) if number is not None else None
    if old is not None:
        _merge(connection, old, wanted, changes, anew=not same)
        return Remembered(old.number, merged=True)
    draft = wanted.draft
    data, factor = wanted.packed or (None, 0.0)
    number = connection.execute(
        _INSERT,
        (
            wanted.key, next_revision(connection, 1), draft.text, wanted.words, draft.category, draft.session,
            draft.source, draft.agent, draft.board, wanted.created, wanted.created, int(draft.pinned),
            draft.sensitivity, draft.count, details_json(draft.details), wanted.digest, wanted.engine, data,
            factor,
        ),
    ).lastrowid  # fmt: skip
    assert number is not None  # an INSERT has one
    connection.execute(_INDEX, (number, wanted.words))
    changes.update(set(wanted.words.split()))
    return Remembered(number)


def _merge(
    connection: Connection, old: MemoryEntry, wanted: Prepared, changes: Counter[str], *, anew: bool
) -> None:
    """The newest telling counts: its time, and its words when they are others."""
    draft = wanted.draft
    newest = wanted.created >= old.created
    if anew and newest:
        _replace_text(connection, old.number, wanted, changes)
    details = details_json(draft.details if newest and draft.details else old.details)
    connection.execute(
        "UPDATE memory_entries SET revision = ?, created = max(created, ?), used = max(used, ?), "
        "count = count + ?, pinned = max(pinned, ?), session = ?, details = ? WHERE id = ?",
        (
            next_revision(connection), wanted.created, wanted.created, draft.count, int(draft.pinned),
            draft.session if newest else old.session, details, old.number,
        ),
    )  # fmt: skip


def _replace_text(connection: Connection, number: int, wanted: Prepared, changes: Counter[str]) -> None:
    words = connection.execute("SELECT words FROM memory_entries WHERE id = ?", (number,)).fetchone()[0]
    connection.execute(_UNINDEX, (number, words))
    changes.subtract(set(words.split()))
    data, factor = wanted.packed or (None, 0.0)
    connection.execute(
        "UPDATE memory_entries SET text = ?, words = ?, digest = ?, engine = ?, vector = ?, factor = ? "
        "WHERE id = ?",
        (wanted.draft.text, wanted.words, wanted.digest, wanted.engine, data, factor, number),
    )
    connection.execute(_INDEX, (number, wanted.words))
    changes.update(set(wanted.words.split()))


def edit(connection: Connection, number: int, wanted: Prepared) -> bool:
    """Give an entry another text and category; False when there is no such entry."""
    if _entry(connection, number) is None:
        return False
    changes: Counter[str] = Counter()
    _replace_text(connection, number, wanted, changes)
    connection.execute(
        "UPDATE memory_entries SET revision = ?, category = ?, sensitivity = ? WHERE id = ?",
        (next_revision(connection), wanted.draft.category, wanted.draft.sensitivity, number),
    )
    _count_terms(connection, changes)
    return True


def pin(connection: Connection, number: int, *, pinned: bool) -> bool:
    """Pin or unpin an entry; False when there is no such entry."""
    changed = connection.execute(
        "UPDATE memory_entries SET revision = ?, pinned = ? WHERE id = ?",
        (next_revision(connection), int(pinned), number),
    )
    return changed.rowcount == 1


def forget(connection: Connection, numbers: Iterable[int]) -> int:
    """Remove entries; returns how many were there."""
    changes: Counter[str] = Counter()
    gone = 0
    for number in numbers:
        row = connection.execute("SELECT words FROM memory_entries WHERE id = ?", (number,)).fetchone()
        if row is None:
            continue
        connection.execute(_UNINDEX, (number, row[0]))
        changes.subtract(set(row[0].split()))
        connection.execute("DELETE FROM memory_entries WHERE id = ?", (number,))
        connection.execute(
            "INSERT OR REPLACE INTO memory_forgotten VALUES (?, ?)", (number, next_revision(connection, -1))
        )
        gone += 1
    _count_terms(connection, changes)
    return gone


def forget_all(connection: Connection, category: str) -> int:
    """Remove every entry of a category, or all for ''; returns how many there were."""
    where = "WHERE category = ?" if category else ""
    rows = connection.execute(f"SELECT id FROM memory_entries {where}", (category,) if category else ())
    return forget(connection, [row[0] for row in rows.fetchall()])


def note_used(connection: Connection, numbers: Iterable[int], now: float) -> None:
    """Note that entries were recalled; what finds them does not change, so their revision stays."""
    connection.executemany(
        "UPDATE memory_entries SET used = max(used, ?) WHERE id = ?", [(now, number) for number in numbers]
    )


def give_vectors(connection: Connection, vectors: Iterable[tuple[int, bytes, Packed]], engine: str) -> int:
    """Enter new vectors of entries whose text is still what was embedded; returns how many were entered.

    Args:
        vectors: number, digest of the text that was embedded, vector.
    """
    given = 0
    for number, digest, (data, factor) in vectors:
        given += connection.execute(
            "UPDATE memory_entries SET revision = ?, engine = ?, vector = ?, factor = ? "
            "WHERE id = ? AND digest = ?",
            (next_revision(connection), engine, data, factor, number, digest),
        ).rowcount
    return given


def tidy(connection: Connection) -> None:
    """Drop terms that no entry has, and the oldest numbers of forgotten entries."""
    connection.execute("DELETE FROM memory_terms WHERE entries <= 0")
    row = connection.execute(
        "SELECT revision FROM memory_forgotten ORDER BY revision DESC LIMIT 1 OFFSET ?", (FORGOTTEN_KEPT,)
    ).fetchone()
    if row is not None:
        connection.execute("DELETE FROM memory_forgotten WHERE revision <= ?", row)
        connection.execute("UPDATE memory_state SET forgotten_from = ?", row)


def _entry(connection: Connection, number: int) -> MemoryEntry | None:
    row = connection.execute(f"SELECT {ENTRY_COLUMNS} FROM memory_entries WHERE id = ?", (number,)).fetchone()
    return entry_from(row) if row else None


def _count_terms(connection: Connection, changes: Counter[str]) -> None:
    connection.executemany(_COUNT, [(term, count) for term, count in changes.items() if count])
