"""``zeroclaw audit``: the chain of receipts, listed and checked, while the program runs too (SC-12)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.output import DONE, FAILED, print_json, print_line

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.receipt_check import ChainReport
    from zeroclaw_desktop.store.thread import Connection
    from zeroclaw_desktop.vault.receipt_keys import ReceiptKeys

USUAL_LIMIT = 20


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``audit`` family to the parser."""
    audit = subparsers.add_parser("audit", help="the receipts of all calls and answers")
    verbs = audit.add_subparsers(dest="verb", required=True)
    verify = verbs.add_parser(
        "verify",
        parents=[common],
        help="find any edit, gap, reordering or missing end; exit code 1 when there is",
    )
    verify.add_argument(
        "--accept",
        action="store_true",
        help="let the keyring vouch for the chain as it is, after the database was begun anew",
    )
    verify.set_defaults(run=verify_chain)
    listing = verbs.add_parser("list", parents=[common], help="list receipts, newest first")
    listing.add_argument(
        "--limit", type=int, default=USUAL_LIMIT, metavar="N", help="at most N (default: 20)"
    )
    listing.set_defaults(run=list_receipts)


@contextlib.contextmanager
def _receipts() -> Iterator[Connection | None]:
    """The database for looking only, as of one moment; None when nothing was ever done."""
    from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
    from zeroclaw_desktop.execution.receipts import RECEIPT_SCHEMA
    from zeroclaw_desktop.foundation.paths import database_file
    from zeroclaw_desktop.store.errors import StoreOpenError
    from zeroclaw_desktop.store.opening import reading_store

    with contextlib.ExitStack() as stack:
        try:
            connection = stack.enter_context(
                reading_store(database_file(create=False), [JOURNAL_SCHEMA, RECEIPT_SCHEMA])
            )
        except StoreOpenError as error:
            if error.details.get("reason") != "missing":
                raise
            yield None
            return
        connection.execute("BEGIN")
        yield connection


def _keys() -> ReceiptKeys:
    from zeroclaw_desktop.foundation.paths import database_file
    from zeroclaw_desktop.vault.receipt_keys import ReceiptKeys
    from zeroclaw_desktop.vault.system_keyring import SystemKeyring

    return ReceiptKeys(SystemKeyring(), database_file(create=False))


def verify_chain(options: argparse.Namespace) -> int:
    """Look through the chain; names the first receipt that is not as it was written."""
    return asyncio.run(_verify(options))


async def _verify(options: argparse.Namespace) -> int:
    from zeroclaw_desktop.execution.receipt_check import check_chain, check_receipts
    from zeroclaw_desktop.vault.errors import VaultError
    from zeroclaw_desktop.vault.receipt_keys import ReceiptAnchor

    keys, keyring_fault = _keys(), ""
    key = anchor = None
    try:
        # Before the rows: what comes meanwhile makes the chain longer, never shorter.
        key, anchor = await keys.find(), await keys.anchor()
    except VaultError as error:
        keyring_fault = error.message
    known = (anchor.count, anchor.seal) if anchor is not None else None
    with _receipts() as connection:
        if connection is None:
            report = check_chain((), None, key, known)
        else:
            report = check_receipts(connection, key, known)
    accepted = options.accept and not keyring_fault
    if accepted:
        await keys.keep_anchor(ReceiptAnchor(report.count, report.last))
    row = _report_row(report, keyring_fault) | {"accepted": accepted}
    if options.json:
        print_json(row)
    else:
        _print_report(report, row)
    return DONE if report.ok else FAILED


def _report_row(report: ChainReport, keyring_fault: str) -> dict[str, Any]:
    from zeroclaw_desktop.execution.receipt_check import PROBLEMS

    problem = report.problem
    return {
        "ok": report.ok,
        "receipts": report.count,
        "signed": report.signed,
        "unsigned": [list(piece) for piece in report.unsigned],
        "anchored": report.anchored,
        "problem": problem.kind if problem is not None else "",
        "first_bad": problem.number if problem is not None else None,
        "meaning": PROBLEMS[problem.kind] if problem is not None else "",
        "keyring": keyring_fault,
    }


def _print_report(report: ChainReport, row: dict[str, Any]) -> None:
    if report.problem is not None:
        print_line(f"NOT as it was written: receipt {row['first_bad']}: {row['meaning']}.")
        if report.problem.number > 1:
            print_line(f"The {report.problem.number - 1} before it are sound.")
    else:
        print_line(
            f"All {report.count} receipts are as they were written; {report.signed} of them are signed."
        )
    for first, last in report.unsigned:
        pieces = f"receipt {first}" if first == last else f"receipts {first} to {last}"
        print_line(f"Not signed: {pieces}. A change by accident would show, a forgery need not.")
    if row["keyring"]:
        print_line(f"The keyring could not be asked: {row['keyring']}")
    elif report.anchored is None and report.count:
        print_line("The keyring knows nothing of this chain, so a missing end need not show.")
    elif report.anchored is not None:
        print_line(f"The keyring vouches for the first {report.anchored}.")
    if row["accepted"]:
        print_line("Accepted: the keyring vouches for the chain as it is now.")


def list_receipts(options: argparse.Namespace) -> int:
    """Print the newest receipts."""
    from zeroclaw_desktop.execution.receipts import COLUMNS, SELECT_ROWS

    rows: list[dict[str, Any]] = []
    with _receipts() as connection:
        if connection is not None:
            found = connection.execute(
                f"{SELECT_ROWS} ORDER BY number DESC LIMIT ?", (max(0, options.limit),)
            )
            rows = [dict(zip(COLUMNS, row, strict=True)) for row in found]
    if options.json:
        print_json({"receipts": rows})
        return DONE
    for row in rows:
        print_line(_receipt_line(row))
    if not rows:
        print_line("There is no receipt yet.")
    return DONE


def _receipt_line(row: dict[str, Any]) -> str:
    from datetime import datetime

    at = datetime.fromtimestamp(row["at"]).isoformat(" ", "seconds")
    mark = "signed" if row["key_id"] else "hashed"
    facts = f"{row['kind']:<8} {row['what']:<18} {row['outcome']:<14} {row['who']:<12} {row['subject']}"
    return f"{row['number']:>6}  {at}  {facts}  {mark} {str(row['seal'])[:12]}"
