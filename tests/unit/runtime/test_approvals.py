"""Questions to a person (EX-6): for that payload only, and no answer means no."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest, Permission, PinChange
from zeroclaw_desktop.contracts.events import ApprovalClosed, ApprovalOpened
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.runtime.approvals import ApprovalDesk


def request(approval_id: str = "a1", timeout: float = 20.0) -> ApprovalRequest:
    payload = make_payload("digital_write", {"pin": 7, "value": 1}, source="agent")
    return ApprovalRequest(
        approval_id, payload, Permission.ROOT, Permission.SKILL, (PinChange(7, 0, 1),), timeout
    )


class Desk:
    def __init__(self) -> None:
        self.bus = EventBus()
        self.opened: list[ApprovalRequest] = []
        self.closed: list[ApprovalClosed] = []
        self.bus.subscribe(ApprovalOpened, lambda event: self.opened.append(event.request))
        self.bus.subscribe(ApprovalClosed, self.closed.append)
        self.desk = ApprovalDesk(self.bus)


@pytest.mark.parametrize("outcome", [ApprovalOutcome.ONCE, ApprovalOutcome.DENIED])
async def test_the_persons_answer_counts_once(outcome: ApprovalOutcome) -> None:
    desk = Desk()
    asking = asyncio.create_task(desk.desk.ask(request()))
    await asyncio.sleep(0)
    assert [row.approval_id for row in desk.opened] == ["a1"]
    assert desk.desk.answer("a1", outcome) is True
    assert desk.desk.answer("a1", ApprovalOutcome.ONCE) is False
    assert await asking is outcome
    assert desk.closed == [ApprovalClosed("a1", outcome)]
    assert desk.desk.answer("a1", ApprovalOutcome.ONCE) is False


async def test_no_answer_in_time() -> None:
    desk = Desk()
    assert await desk.desk.ask(request(timeout=0.01)) is ApprovalOutcome.TIMED_OUT
    assert desk.closed == [ApprovalClosed("a1", ApprovalOutcome.TIMED_OUT)]


async def test_a_cancelled_action_closes_its_question_as_not_allowed() -> None:
    desk = Desk()
    asking = asyncio.create_task(desk.desk.ask(request()))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert desk.closed == [ApprovalClosed("a1", ApprovalOutcome.DENIED)]
    assert desk.desk.answer("a1", ApprovalOutcome.ONCE) is False


async def test_several_questions_do_not_mix() -> None:
    desk = Desk()
    asking = [asyncio.create_task(desk.desk.ask(request(name))) for name in ("a", "b")]
    await asyncio.sleep(0)
    desk.desk.answer("b", ApprovalOutcome.ONCE)
    desk.desk.answer("a", ApprovalOutcome.DENIED)
    assert await asyncio.gather(*asking) == [ApprovalOutcome.DENIED, ApprovalOutcome.ONCE]
    assert desk.desk.answer("nobody-asked", ApprovalOutcome.ONCE) is False


async def test_through_the_door_an_allowed_write_moves_the_pin_and_the_next_asks_again() -> None:
    door, desk = Door(), Desk()
    door.executor.approver = desk.desk.ask
    for round_number, outcome in enumerate((ApprovalOutcome.ONCE, ApprovalOutcome.DENIED), 1):
        acting = asyncio.create_task(
            door.do("digital_write", {"pin": 7, "value": 2 - round_number}, source="agent")
        )
        while len(desk.opened) < round_number:
            await asyncio.sleep(0)
        asked = desk.opened[-1]
        assert (asked.permission, asked.ceiling) == (Permission.ROOT, Permission.SKILL)
        assert [change.pin for change in asked.changes] == [7]
        desk.desk.answer(asked.approval_id, outcome)
        result = await acting
        assert result.ok is (outcome is ApprovalOutcome.ONCE)
    assert result.error_code == 0x18
    assert door.boards.level(7) == 1
