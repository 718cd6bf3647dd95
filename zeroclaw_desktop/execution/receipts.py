"""The chain of receipts (SC-12): each row seals itself and the row before it.

A row's seal is HMAC-SHA-256 (RFC 2104) over its fields and the seal of the row before, with a key that is in
the system's keyring and in no file. Without a keyring it is the plain SHA-256 of the same, and the row says
so by an empty ``key_id``: an edit by accident is found, one on purpose need not be. A second table holds the
number and seal of the last row under a seal of its own, so that rows cannot be cut off unnoticed.

Numbers are given on the store's thread inside the transaction, so several programs may write to one chain.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.journal_rows import plain
from zeroclaw_desktop.store.migrations import Schema
from zeroclaw_desktop.store.thread import Connection

RECEIPT_SCHEMA = Schema(
    "receipts",
    (
        (
            """CREATE TABLE receipts (
                number INTEGER PRIMARY KEY, session INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
                subject TEXT NOT NULL, what TEXT NOT NULL, who TEXT NOT NULL, outcome TEXT NOT NULL,
                args_hash TEXT NOT NULL, result_hash TEXT NOT NULL, entry INTEGER NOT NULL,
                key_id TEXT NOT NULL, previous TEXT NOT NULL, seal TEXT NOT NULL)""",
            """CREATE TABLE receipt_head (
                id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL, last TEXT NOT NULL,
                key_id TEXT NOT NULL, seal TEXT NOT NULL)""",
        ),
    ),
)
COLUMNS = (
    *("number", "session", "at", "kind", "subject", "what", "who", "outcome"),
    *("args_hash", "result_hash", "entry", "key_id", "previous", "seal"),
)
SELECT_ROWS = f"SELECT {', '.join(COLUMNS)} FROM receipts"
SELECT_HEAD = "SELECT count, last, key_id, seal FROM receipt_head"
SELECT_SEAL = "SELECT seal FROM receipts WHERE number = ?"
BEGINNING = "0" * 64
"""Stands for the seal before the first row."""
NUMBERS_KEPT = 2_000
_LAST = "SELECT number, seal FROM receipts ORDER BY number DESC LIMIT 1"
_INSERT = f"INSERT INTO receipts VALUES ({', '.join('?' * len(COLUMNS))})"
_HEAD = "INSERT OR REPLACE INTO receipt_head VALUES (1, ?, ?, ?, ?)"
_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=repr)


def text_hash(text: str) -> str:
    """SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def args_hash(action: str, source: str, params: str) -> str:
    """What a call asked for.

    Args:
        params: as the journal has them.
    """
    return text_hash("\0".join((action, source, params)))


def result_hash(after: Sequence[Any]) -> str:
    """How a call ended: state, code, device, faults, value, changed pins and what was read back.

    Args:
        after: a row of ``journal_after`` in the order of the table.
    """
    return text_hash("\0".join([str(after[place]) for place in (1, 6, 7, 8, 9, 10, 11)]))


def key_id(key: bytes | None) -> str:
    """A name for a key that tells nothing of it; '' without one."""
    return hmac.digest(key, b"zeroclaw receipts: name of the key", "sha256").hex()[:16] if key else ""


def seal(fields: Sequence[Any], key: bytes | None) -> str:
    """The seal over some fields, 64 hexadecimal digits."""
    told = _ENCODER.encode(list(fields)).encode()
    return hmac.digest(key, told, "sha256").hex() if key else hashlib.sha256(told).hexdigest()


def head_seal(count: int, last: str, key: bytes | None) -> str:
    """The seal of the head; never that of a row."""
    return seal(["head", count, last], key)


class ReceiptBook:
    """Writes receipts; one for each program.

    Args:
        key: None until the keyring has given it, and where there is none.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key
        self._key_id = key_id(key)
        self._guard = threading.Lock()
        self._numbers: OrderedDict[str, int] = OrderedDict()

    @property
    def signed(self) -> bool:
        """Whether what is written now is signed."""
        return self._key is not None

    def use_key(self, key: bytes) -> None:
        """Sign from now on."""
        with self._guard:
            self._key, self._key_id = key, key_id(key)

    def number_of(self, subject: str) -> int:
        """The latest receipt of a task or question of this run; 0 when there is none, or it was long ago."""
        return self._numbers.get(subject, 0)

    def append(self, connection: Connection, session: int, drafts: Sequence[ReceiptDraft]) -> None:
        """Put receipts at the end of the chain; runs on the store's thread, inside a transaction."""
        if not drafts:
            return
        with self._guard:
            key, name = self._key, self._key_id
        number, last = connection.execute(_LAST).fetchone() or (0, BEGINNING)
        rows = []
        for draft in drafts:
            number += 1
            fields = (
                number, session, float(draft.at), draft.kind, plain(draft.subject), plain(draft.what),
                plain(draft.who), plain(draft.outcome), draft.args_hash, draft.result_hash, draft.entry,
                name, last,
            )  # fmt: skip
            last = seal(fields, key)
            rows.append((*fields, last))
            self._numbers[draft.subject] = number
        connection.executemany(_INSERT, rows)
        connection.execute(_HEAD, (number, last, name, head_seal(number, last, key)))
        while len(self._numbers) > NUMBERS_KEPT:
            self._numbers.popitem(last=False)
