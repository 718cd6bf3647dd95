"""Finds out whether the chain of receipts was changed (SC-12): edits, gaps, reordering, a cut-off end.

Pure over rows, so that a table of attacks can be its test. Nothing is believed of a row: a column may
have any type after somebody has been at the file.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.execution.receipts import (
    BEGINNING,
    COLUMNS,
    SELECT_HEAD,
    SELECT_ROWS,
    args_hash,
    head_seal,
    key_id,
    result_hash,
    seal,
)
from zeroclaw_desktop.store.thread import Connection

PROBLEMS: Mapping[str, str] = {
    "gap": "receipts are missing here",
    "edited": "it is not as it was written",
    "order": "it does not follow the one before it",
    "other_key": "it was signed with a key that the keyring does not have",
    "downgraded": "it is not signed, but an earlier one of the same run is",
    "head_missing": "the count of the receipts was removed",
    "head_edited": "the count of the receipts is not as it was written",
    "cut": "the receipts from here on were cut off",
    "rewritten": "it is not the one that the keyring knows",
    "call_edited": "the journal's entry of this call was changed",
}
"""Kind of a problem and what it says of the receipt that is named with it."""


@dataclass(frozen=True)
class ChainProblem:
    """The first thing that is wrong.

    Attributes:
        number: of the receipt.
        kind: key of PROBLEMS.
    """

    number: int
    kind: str


@dataclass(frozen=True)
class ChainReport:
    """What a look through the chain has found.

    Attributes:
        count: receipts that there are.
        signed: how many of them carry a signature that was checked.
        unsigned: first and last number of the pieces that are hashed only.
        problem: None when nothing is wrong.
        anchored: how many receipts the keyring vouches for; None when it knows nothing of this chain.
        last: seal of the last receipt.
    """

    count: int
    signed: int
    unsigned: tuple[tuple[int, int], ...]
    problem: ChainProblem | None
    anchored: int | None = None
    last: str = BEGINNING

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; what is not signed is no fault, but could not be told from a forgery."""
        return self.problem is None


def check_chain(
    rows: Iterable[Sequence[Any]],
    head: Sequence[Any] | None,
    key: bytes | None,
    anchor: tuple[int, str] | None = None,
) -> ChainReport:
    """Look through all receipts.

    Args:
        rows: in the order of their numbers, columns as in COLUMNS.
        head: count, last seal, key id and seal of the head; None when there is none.
        key: from the keyring; None when it has none.
        anchor: count and seal that the keyring knows.
    """
    names = {"": None, key_id(key): key}
    count, signed, last = 0, 0, BEGINNING
    unsigned: list[tuple[int, int]] = []
    signing_sessions: set[Any] = set()
    problem: ChainProblem | None = None
    for row in rows:
        count += 1
        facts = dict(zip(COLUMNS, row, strict=True))
        if problem is None:
            problem = _row_problem(count, row, facts, last, names, signing_sessions)
        if anchor is not None and count == anchor[0] and problem is None and facts["seal"] != anchor[1]:
            problem = ChainProblem(count, "rewritten")
        last = str(facts["seal"])
        if facts["key_id"] == "":
            _extend(unsigned, count)
        elif problem is None:
            signed += 1
            signing_sessions.add(facts["session"])
    if problem is None:
        problem = _end_problem(count, last, head, names, anchor)
    return ChainReport(count, signed, tuple(unsigned), problem, anchor[0] if anchor else None, last)


def _row_problem(
    expected: int,
    row: Sequence[Any],
    facts: Mapping[str, Any],
    last: str,
    names: Mapping[str, bytes | None],
    signing_sessions: set[Any],
) -> ChainProblem | None:
    if facts["number"] != expected:
        return ChainProblem(expected, "gap")
    name = facts["key_id"]
    if not isinstance(name, str) or name not in names:
        return ChainProblem(expected, "other_key")
    if not _same(facts["seal"], seal(row[:-1], names[name])):
        return ChainProblem(expected, "edited")
    if not _same(facts["previous"], last):
        return ChainProblem(expected, "order")
    if name == "" and facts["session"] in signing_sessions:
        return ChainProblem(expected, "downgraded")
    return None


def _end_problem(
    count: int,
    last: str,
    head: Sequence[Any] | None,
    names: Mapping[str, bytes | None],
    anchor: tuple[int, str] | None,
) -> ChainProblem | None:
    if anchor is not None and anchor[0] > count:
        return ChainProblem(count + 1, "cut")
    if head is None:
        return ChainProblem(count, "head_missing") if count else None
    told, told_last, name, sealed = head
    if name not in names or not _same(sealed, head_seal(told, told_last, names[name])):
        return ChainProblem(count, "head_edited")
    if told != count or told_last != last:
        return ChainProblem(count + 1, "cut")
    return None


def _same(found: Any, wanted: str) -> bool:
    return isinstance(found, str) and found.isascii() and hmac.compare_digest(found, wanted)


def _extend(pieces: list[tuple[int, int]], number: int) -> None:
    if pieces and pieces[-1][1] == number - 1:
        pieces[-1] = (pieces[-1][0], number)
    else:
        pieces.append((number, number))


def check_receipts(
    connection: Connection, key: bytes | None, anchor: tuple[int, str] | None = None
) -> ChainReport:
    """Look through the receipts of a database, and whether the journal's calls are still as they say."""
    head = connection.execute(SELECT_HEAD).fetchone()
    rows = connection.execute(f"{SELECT_ROWS} ORDER BY number")
    report = check_chain(rows, head, key, anchor)
    if report.problem is not None:
        return report
    number = _edited_call(connection)
    if number is None:
        return report
    problem = ChainProblem(number, "call_edited")
    return ChainReport(report.count, report.signed, report.unsigned, problem, report.anchored, report.last)


def _edited_call(connection: Connection) -> int | None:
    """The first receipt whose call is told otherwise by the journal; old entries may be forgotten."""
    found = connection.execute(
        "SELECT r.number, r.args_hash, r.result_hash, b.action, b.source, b.params, a.* FROM receipts r "
        "JOIN journal_before b ON b.id = r.entry JOIN journal_after a ON a.id = r.entry "
        "WHERE r.kind = 'call' ORDER BY r.number"
    )
    for number, args, result, action, source, params, *after in found:
        if args != args_hash(str(action), str(source), str(params)) or result != result_hash(after):
            return int(number)
    return None
