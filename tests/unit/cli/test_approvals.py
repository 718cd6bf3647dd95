"""``zeroclaw approvals`` and ``zeroclaw audit`` beside a running program (SC-11, SC-12)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator

import pytest

from tests.helpers.execution import Door
from tests.helpers.memory_passwords import MemoryPasswords
from tests.unit.cli.conftest import Zeroclaw
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.paths import database_file
from zeroclaw_desktop.runtime.approval_orders import ApprovalOrders
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.runtime.control_socket import ControlSocket
from zeroclaw_desktop.runtime.journal_keeper import JournalKeeper
from zeroclaw_desktop.vault.system_keyring import missing


class Program:
    """What answers on the control socket of a window."""

    def __init__(self, zeroclaw: Zeroclaw) -> None:
        self._zeroclaw = zeroclaw
        self.door = Door()
        self.desk = ApprovalDesk(self.door.bus, SystemClock(), self.door.boards.boards)
        self.door.executor.approver = self.desk.ask
        self.control = ControlSocket(self.door.stop, ApprovalOrders(self.desk))

    def ask(self, action: str = "digital_write", **params: object) -> asyncio.Task[ActionResult]:
        """Let the agent do what needs a person's word."""
        given = params or {"pin": 7, "value": 1}
        return asyncio.create_task(self.door.do(action, given, source="agent"))

    async def says(self, *words: str) -> tuple[int, dict[str, object]]:
        """Exit code and JSON of a command."""
        ended = await asyncio.to_thread(self._zeroclaw, *words, "--json")
        return ended.code, ended.row


@pytest.fixture
async def program(zeroclaw: Zeroclaw) -> AsyncIterator[Program]:
    started = Program(zeroclaw)
    await started.control.start()
    yield started
    await started.control.stop()


async def questions(program: Program) -> list[dict[str, object]]:
    """What waits, once something does."""
    while not program.desk.questions():
        await asyncio.sleep(0)
    code, row = await program.says("approvals", "list")
    assert code == 0
    rows = row["approvals"]
    assert isinstance(rows, list)
    return rows


async def test_a_question_is_listed_with_who_what_and_why_and_allowed_once(program: Program) -> None:
    acting = program.ask()
    (asked,) = await questions(program)
    told = ("action", "params", "source", "board", "needs", "ceiling", "risk", "changes", "scopes")
    assert [asked[name] for name in told] == [
        *("digital_write", "pin=7, value=1", "agent", "uno", "root", "skill", "medium"),
        [[7, None, 1, "output"]],
        ["once", "hour", "session"],
    ]
    assert "digital_write(pin=7, value=1) on Board uno (uno)" in str(asked["covers"])
    assert await program.says("approvals", "allow", str(asked["id"])) == (0, {"ok": True, "id": asked["id"]})
    assert (await acting).ok
    assert program.desk.rules() == []


async def test_an_answer_for_the_session_is_a_rule_that_can_be_revoked(program: Program) -> None:
    acting = program.ask()
    (asked,) = await questions(program)
    code, _ = await program.says("approvals", "allow", str(asked["id"]), "--scope", "session")
    assert code == 0
    assert (await acting).ok
    _, listed = await program.says("approvals", "rules")
    (rule,) = listed["rules"]  # type: ignore[misc]
    assert (rule["uses"], rule["made_by"], rule["seconds_left"]) == (1, "command line", None)
    assert (await program.says("approvals", "revoke", rule["id"]))[0] == 0
    assert program.desk.rules() == []
    assert (await program.says("approvals", "revoke", rule["id"]))[0] == 1


async def test_a_question_is_denied(program: Program) -> None:
    acting = program.ask()
    (asked,) = await questions(program)
    assert (await program.says("approvals", "deny", str(asked["id"])))[0] == 0
    assert (await acting).error_code == 0x18


async def test_high_risk_is_never_remembered(program: Program) -> None:
    acting = program.ask("flash_firmware", firmware="default")
    (asked,) = await questions(program)
    assert (asked["risk"], asked["scopes"], asked["covers"]) == ("high", ["once"], "")
    code, row = await program.says("approvals", "allow", str(asked["id"]), "--scope", "hour")
    assert (code, row["ok"]) == (1, False)
    assert program.door.flashed == []
    await program.says("approvals", "deny", str(asked["id"]))
    assert not (await acting).ok


async def test_an_id_that_nobody_asked_is_refused(program: Program) -> None:
    code, row = await program.says("approvals", "allow", "ask-none")
    assert (code, row["code"]) == (1, "approval_refused")


async def test_without_a_window_it_is_said(zeroclaw: Zeroclaw) -> None:
    ended = await asyncio.to_thread(zeroclaw, "approvals", "--json")
    assert (ended.code, ended.row["code"]) == (1, "no_window")


async def test_the_list_for_people_says_what_each_answer_covers(program: Program, zeroclaw: Zeroclaw) -> None:
    acting = program.ask()
    (asked,) = await questions(program)
    shown = await asyncio.to_thread(zeroclaw, "approvals", "list")
    assert "--scope once: this command, this time only" in shown.out
    assert "--scope hour, session: digital_write(pin=7, value=1) on Board uno" in shown.out
    await program.says("approvals", "deny", str(asked["id"]))
    await acting


async def test_receipts_are_listed_and_a_change_is_named(zeroclaw: Zeroclaw) -> None:
    door = Door()
    keeper = JournalKeeper(door.executor, SystemClock(), MemoryPasswords(missing()))
    await keeper.open()
    for pin in (13, 12, 11):
        await door.do("digital_write", {"pin": pin, "value": 1})
    during = await asyncio.to_thread(zeroclaw, "audit", "verify", "--json")
    await keeper.close()
    listed = await asyncio.to_thread(zeroclaw, "audit", "list", "--limit", "2", "--json")
    assert [row["number"] for row in listed.row["receipts"]] == [3, 2]
    assert (during.code, during.row["ok"], during.row["receipts"]) == (0, True, 3)
    assert during.row["unsigned"] == [[1, 3]]
    connection = sqlite3.connect(database_file())
    connection.execute("UPDATE receipts SET who = 'agent' WHERE number = 2")
    connection.commit()
    connection.close()
    after = await asyncio.to_thread(zeroclaw, "audit", "verify", "--json")
    assert (after.code, after.row["ok"], after.row["first_bad"], after.row["problem"]) == (
        1,
        False,
        2,
        "edited",
    )
    shown = await asyncio.to_thread(zeroclaw, "audit", "verify")
    assert "receipt 2: it is not as it was written" in shown.out


async def test_an_audit_before_anything_was_done_finds_nothing(zeroclaw: Zeroclaw) -> None:
    ended = await asyncio.to_thread(zeroclaw, "audit", "verify", "--json")
    assert (ended.code, ended.row["ok"], ended.row["receipts"]) == (0, True, 0)
    listed = await asyncio.to_thread(zeroclaw, "audit", "list")
    assert listed.out.strip() == "There is no receipt yet."
