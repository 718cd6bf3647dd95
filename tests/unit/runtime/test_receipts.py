"""The chain of receipts on a real file (SC-12): what is written, and that no change of it stays unnoticed."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from tests.helpers.execution import Door
from tests.helpers.memory_passwords import MemoryPasswords
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.receipt_check import ChainReport, check_receipts
from zeroclaw_desktop.execution.receipts import COLUMNS, ReceiptBook
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.paths import database_file
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.runtime.journal_keeper import JournalKeeper
from zeroclaw_desktop.vault.receipt_keys import KEY_NAME, ReceiptKeys
from zeroclaw_desktop.vault.system_keyring import missing

PINS = (13, 12, 11, 10)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder for the database."""
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path))
    return tmp_path


async def run(keyring: MemoryPasswords, *pins: int) -> list[int]:
    """One run of the program that writes to some pins; returns the numbers of their receipts."""
    door = Door()
    keeper = JournalKeeper(door.executor, SystemClock(), keyring)
    assert await keeper.open() is not None
    results = [await door.do("digital_write", {"pin": pin, "value": 1}) for pin in pins]
    numbers = [keeper.receipt_of(result.task_id) for result in results]
    await keeper.close()
    return numbers


async def verified(keyring: MemoryPasswords) -> ChainReport:
    """What ``audit verify`` would say."""
    keys = ReceiptKeys(keyring, database_file())
    key = anchor = None
    if keyring.fault is None:
        key, anchor = await keys.find(), await keys.anchor()
    connection = sqlite3.connect(database_file())
    try:
        return check_receipts(connection, key, (anchor.count, anchor.seal) if anchor else None)
    finally:
        connection.close()


def tamper(*statements: str) -> None:
    """Change the file behind the program's back."""
    connection = sqlite3.connect(database_file())
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def problem(report: ChainReport) -> tuple[int, str] | None:
    return (report.problem.number, report.problem.kind) if report.problem else None


async def test_each_call_has_a_signed_receipt_and_the_chain_holds_over_runs() -> None:
    keyring = MemoryPasswords()
    assert await run(keyring, 13, 12) == [1, 2]
    assert await run(keyring, 11) == [3]
    report = await verified(keyring)
    assert (report.count, report.signed, report.unsigned, problem(report)) == (3, 3, (), None)
    assert report.anchored == 3


async def test_the_key_is_in_the_keyring_and_in_no_file(home: Path) -> None:
    keyring = MemoryPasswords()
    await run(keyring, 13)
    key = keyring.kept[KEY_NAME]
    for file in home.rglob("*"):
        if file.is_file():
            assert key.encode() not in file.read_bytes()
            assert bytes.fromhex(key) not in file.read_bytes()


@pytest.mark.parametrize("column", [name for name in COLUMNS if name != "number"])
@pytest.mark.parametrize("value", ["'x'", "NULL", "x'00'", "-1"])
async def test_an_edit_of_any_column_is_found(column: str, value: str) -> None:
    keyring = MemoryPasswords()
    await run(keyring, *PINS)
    # Without the table's own constraints, which a forger need not keep.
    tamper(
        "CREATE TABLE copy AS SELECT * FROM receipts",
        "DROP TABLE receipts",
        "ALTER TABLE copy RENAME TO receipts",
        f"UPDATE receipts SET {column} = {value} WHERE number = 2",
    )
    report = await verified(keyring)
    assert report.problem is not None
    assert report.problem.number == 2


@pytest.mark.parametrize(
    ("statements", "first_bad"),
    [
        (("DELETE FROM receipts WHERE number = 2",), 2),
        (("DELETE FROM receipts WHERE number = 1",), 1),
        (("UPDATE receipts SET number = 9 WHERE number = 2",), 2),
        (
            (
                "DELETE FROM receipts WHERE number = 2",
                "UPDATE receipts SET number = number - 1 WHERE number > 2",
            ),
            2,
        ),
        (
            (
                "UPDATE receipts SET number = 99 WHERE number = 2",
                "UPDATE receipts SET number = 2 WHERE number = 3",
                "UPDATE receipts SET number = 3 WHERE number = 99",
            ),
            2,
        ),
        (
            (
                "INSERT INTO receipts SELECT 5, session, at, kind, subject, what, who, outcome, args_hash, "
                "result_hash, entry, key_id, previous, seal FROM receipts WHERE number = 4",
            ),
            5,
        ),
        (("UPDATE receipts SET key_id = '' WHERE number = 3",), 3),
        (("UPDATE receipts SET key_id = 'ffffffffffffffff' WHERE number = 3",), 3),
        (("DELETE FROM receipts WHERE number = 4",), 4),
        (("DELETE FROM receipts WHERE number > 2",), 3),
        (("DELETE FROM receipts",), 1),
        (("DELETE FROM receipt_head",), 4),
        (("UPDATE receipt_head SET count = 3",), 4),
        (("DELETE FROM receipts", "DELETE FROM receipt_head"), 1),
    ],
)
async def test_what_a_forger_may_do_is_found(statements: tuple[str, ...], first_bad: int) -> None:
    keyring = MemoryPasswords()
    await run(keyring, *PINS)
    tamper(*statements)
    report = await verified(keyring)
    assert report.problem is not None
    assert report.problem.number == first_bad


async def test_an_old_copy_of_the_file_is_found_by_the_keyring(home: Path) -> None:
    """Rows and their head fit, but the chain had come further."""
    keyring = MemoryPasswords()
    await run(keyring, 13, 12)
    old = database_file().read_bytes()
    await run(keyring, 11)
    database_file().write_bytes(old)
    for beside in ("-wal", "-shm"):
        Path(f"{database_file()}{beside}").unlink(missing_ok=True)
    assert problem(await verified(keyring)) == (3, "cut")


async def test_the_next_run_does_not_wash_the_evidence_away(home: Path) -> None:
    keyring = MemoryPasswords()
    await run(keyring, 13, 12, 11)
    tamper("DELETE FROM receipts", "DELETE FROM receipt_head")
    await run(keyring, 10)
    report = await verified(keyring)
    assert report.problem is not None
    assert report.anchored == 3


async def test_a_changed_entry_of_the_journal_is_found() -> None:
    keyring = MemoryPasswords()
    await run(keyring, *PINS)
    tamper(
        "UPDATE journal_after SET state = 'FAILED' WHERE id = (SELECT entry FROM receipts WHERE number = 3)"
    )
    assert problem(await verified(keyring)) == (3, "call_edited")


async def test_a_forgotten_entry_of_the_journal_is_no_fault() -> None:
    keyring = MemoryPasswords()
    await run(keyring, *PINS)
    tamper("DELETE FROM journal_after", "DELETE FROM journal_before")
    assert problem(await verified(keyring)) is None


async def test_without_a_keyring_receipts_are_hashed_and_say_so() -> None:
    keyring = MemoryPasswords(missing())
    await run(keyring, 13, 12)
    report = await verified(keyring)
    assert (report.count, report.signed, report.unsigned, problem(report)) == (2, 0, ((1, 2),), None)
    tamper("UPDATE receipts SET what = 'board_info' WHERE number = 2")
    assert problem(await verified(keyring)) == (2, "edited")


async def test_a_keyring_that_comes_later_signs_from_then_on() -> None:
    keyring = MemoryPasswords(missing())
    await run(keyring, 13)
    keyring.fault = None
    await run(keyring, 12)
    report = await verified(keyring)
    assert (report.signed, report.unsigned, problem(report)) == (1, ((1, 1),), None)


@pytest.mark.parametrize("kept", [None, "00" * 32, "no hexadecimal digits"])
async def test_a_key_that_is_gone_or_another_one_cannot_vouch(kept: str | None) -> None:
    keyring = MemoryPasswords()
    await run(keyring, 13, 12)
    if kept is None:
        del keyring.kept[KEY_NAME]
    else:
        keyring.kept[KEY_NAME] = kept
    assert problem(await verified(keyring)) == (1, "other_key")


async def test_unsigned_rows_in_place_of_signed_ones_of_the_same_run_are_found() -> None:
    """A forger without the key can still make hashes; the keyring had not seen the last receipts yet."""
    keyring = MemoryPasswords()
    await run(keyring, *PINS)
    connection = sqlite3.connect(database_file())
    connection.row_factory = sqlite3.Row
    last = connection.execute("SELECT * FROM receipts WHERE number = 4").fetchone()
    connection.execute("DELETE FROM receipts WHERE number = 4")
    told = ReceiptDraft(
        "call", last["subject"], "board_info", "agent", "COMPLETED", last["args_hash"], "", last["at"]
    )
    ReceiptBook().append(connection, last["session"], [told])
    connection.commit()
    connection.close()
    keyring.kept = {KEY_NAME: keyring.kept[KEY_NAME]}
    assert problem(await verified(keyring)) == (4, "downgraded")


async def test_answers_of_a_person_have_receipts_too() -> None:
    keyring = MemoryPasswords()
    door = Door()
    keeper = JournalKeeper(door.executor, SystemClock(), keyring)
    await keeper.open()
    desk = ApprovalDesk(door.bus, SystemClock(), door.boards.boards)
    desk.record = keeper.note_receipt

    async def ask(request: ApprovalRequest) -> ApprovalOutcome:
        asyncio.get_running_loop().call_soon(desk.answer, request.approval_id, ApprovalOutcome.ONCE)
        return await desk.ask(request)

    door.executor.approver = ask
    assert (await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")).ok
    await keeper.close()
    connection = sqlite3.connect(database_file())
    rows = connection.execute("SELECT kind, what, who, outcome FROM receipts ORDER BY number").fetchall()
    connection.close()
    assert rows == [
        ("approval", "digital_write", "window", "once"),
        ("call", "digital_write", "agent", "COMPLETED"),
    ]
    assert problem(await verified(keyring)) is None


async def test_a_refused_call_has_a_receipt() -> None:
    keyring = MemoryPasswords()
    door = Door()
    keeper = JournalKeeper(door.executor, SystemClock(), keyring)
    await keeper.open()
    assert not (await door.do("digital_write", {"pin": 99, "value": 1})).ok
    await keeper.close()
    report = await verified(keyring)
    assert (report.count, problem(report)) == (1, None)
