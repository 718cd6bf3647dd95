"""Remembered answers (SC-11): made by a person only, counted, revocable, gone when their board changes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionResult, ApprovalOutcome
from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.contracts.events import ApprovalOpened, ApprovalRulesChanged, BoardsChanged
from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.runtime.approval_rules import HOUR_SECONDS
from zeroclaw_desktop.runtime.approvals import COMMAND_LINE, ApprovalDesk


@dataclass
class HandClock:
    """A clock that the test moves."""

    now: float = 1000.0

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> float:
        return 1_700_000_000.0 + self.now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


class Room:
    """A door whose questions go to a desk."""

    def __init__(self) -> None:
        self.door = Door()
        self.clock = HandClock()
        self.desk = ApprovalDesk(self.door.bus, self.clock, self.door.boards.boards)
        self.door.executor.approver = self.desk.ask
        self.receipts: list[ReceiptDraft] = []
        self.desk.record = self.receipts.append
        self.opened: list[str] = []
        self.changes = 0
        self.door.bus.subscribe(ApprovalOpened, lambda event: self.opened.append(event.request.approval_id))
        self.door.bus.subscribe(ApprovalRulesChanged, self._changed)

    def _changed(self, _event: ApprovalRulesChanged) -> None:
        self.changes += 1

    async def write(self, pin: int = 7, value: int = 1) -> ActionResult:
        return await self.door.do("digital_write", {"pin": pin, "value": value}, source="agent")

    async def asked(self, outcome: ApprovalOutcome, pin: int = 7, value: int = 1) -> ActionResult:
        """Let the agent write, and answer the question that this must lead to."""
        before = len(self.opened)
        acting = asyncio.create_task(self.write(pin, value))
        async with asyncio.timeout(2):
            while len(self.opened) == before:
                await asyncio.sleep(0)
        assert self.desk.answer(self.opened[-1], outcome)
        return await acting


async def test_an_answer_for_longer_allows_the_same_again_without_asking() -> None:
    room = Room()
    assert (await room.asked(ApprovalOutcome.SESSION)).ok
    assert (await room.write()).ok
    assert len(room.opened) == 1
    assert [(rule.uses, rule.made_by) for rule in room.desk.rules()] == [(2, "window")]
    assert [(row.kind, row.outcome) for row in room.receipts] == [
        ("rule", "made: session"),
        ("approval", "session"),
        ("rule", "used"),
    ]


async def test_another_pin_and_another_value_ask() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.SESSION)
    assert (await room.asked(ApprovalOutcome.DENIED, pin=8)).error_code == 0x18
    assert (await room.asked(ApprovalOutcome.DENIED, value=0)).error_code == 0x18
    assert len(room.desk.rules()) == 1


async def test_an_answer_for_once_leaves_nothing() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.ONCE)
    assert room.desk.rules() == []


async def test_an_hour_is_over_after_an_hour() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.HOUR)
    room.clock.now += HOUR_SECONDS - 1
    assert (await room.write()).ok
    room.clock.now += 1
    assert (await room.asked(ApprovalOutcome.DENIED)).error_code == 0x18
    assert room.desk.rules() == []


async def test_a_revoked_answer_asks_again() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.SESSION)
    rule = room.desk.rules()[0].rule_id
    assert room.desk.revoke(rule, COMMAND_LINE)
    assert not room.desk.revoke(rule)
    assert room.receipts[-1].outcome == "ended: revoked by command line"
    assert (await room.asked(ApprovalOutcome.DENIED)).error_code == 0x18


async def test_an_emergency_stop_ends_all_of_them() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.SESSION)
    await room.door.stop.trigger("button")
    assert room.desk.rules() == []
    room.door.stop.release("person")
    assert (await room.asked(ApprovalOutcome.DENIED)).error_code == 0x18


async def test_a_board_that_was_gone_for_a_moment_asks_again() -> None:
    """What was plugged in may be another wiring, although it is the same device."""
    room = Room()
    await room.asked(ApprovalOutcome.SESSION)
    for state in ("lost", "live"):
        room.door.boards.states["uno"] = state
        room.door.bus.publish(BoardsChanged("uno"))
    assert room.desk.rules() == []
    assert room.receipts[-1].outcome == "ended: the board changed"


async def test_a_name_that_changes_ends_it_even_before_anybody_says_so() -> None:
    room = Room()
    await room.asked(ApprovalOutcome.SESSION)
    room.door.boards.named_pins = (NamedPin("pump", 8, "switch"),)
    assert (await room.asked(ApprovalOutcome.DENIED)).error_code == 0x18


async def test_a_question_that_waits_is_answered_by_the_rule_that_covers_it() -> None:
    room = Room()
    acting = [asyncio.create_task(room.write()) for _ in range(2)]
    while len(room.opened) < 2:
        await asyncio.sleep(0)
    assert [row.request.approval_id for row in room.desk.questions()] == room.opened
    assert room.desk.answer(room.opened[0], ApprovalOutcome.SESSION)
    assert [result.ok for result in await asyncio.gather(*acting)] == [True, True]


@pytest.mark.parametrize("length", [ApprovalOutcome.HOUR, ApprovalOutcome.SESSION])
async def test_high_risk_takes_no_answer_for_longer(length: ApprovalOutcome) -> None:
    room = Room()
    acting = asyncio.create_task(room.door.do("flash_firmware", {"firmware": "default"}, source="agent"))
    while not room.opened:
        await asyncio.sleep(0)
    assert not room.desk.answer(room.opened[0], length)
    assert room.desk.rules() == []
    assert room.desk.answer(room.opened[0], ApprovalOutcome.DENIED)
    assert (await acting).error_code == 0x18
    assert room.door.flashed == []


async def test_what_changed_under_the_question_is_asked_again_in_spite_of_the_answer() -> None:
    """The rule is about what was shown; it must not answer for what came after."""
    room = Room()
    acting = asyncio.create_task(room.write())
    while not room.opened:
        await asyncio.sleep(0)
    room.door.boards.named_pins = (NamedPin("heater", 8, "switch"),)
    room.desk.answer(room.opened[0], ApprovalOutcome.SESSION)
    while len(room.opened) < 2:
        await asyncio.sleep(0)
    room.desk.answer(room.opened[1], ApprovalOutcome.DENIED)
    assert (await acting).error_code == 0x18
    assert "gpio_write" not in room.door.boards.commands()
