"""A cancel that comes together with what was waited for must win, else a stopped command goes on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.hostile.conftest import Desk
from tests.unit.hardware.far_end import Answer, FarEnd, Request, as_our_firmware
from tests.unit.sandbox.test_process import gone
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionPayload, ApprovalOutcome, ApprovalRequest, Permission
from zeroclaw_desktop.contracts.events import ApprovalOpened
from zeroclaw_desktop.hardware.protocol import Reply
from zeroclaw_desktop.runtime.approvals import ApprovalDesk
from zeroclaw_desktop.sandbox.process import ChildProcesses

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals and sh; run it on POSIX")
MakeFarEnd = Callable[..., FarEnd]


async def test_a_request_that_is_cancelled_as_its_reply_arrives_is_cancelled(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    board = desk.board(far_end())
    await board.connect()
    assert board.session is not None
    request = asyncio.create_task(board.session.request("gpio_write", {"pin": 13, "value": 1}))
    await asyncio.sleep(0)
    while not board.session._pending:
        await asyncio.sleep(0)
    (pending,) = board.session._pending.values()
    pending.reply.set_result(Reply("1", True, "done", "", ""))
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request


async def test_a_blink_that_is_stopped_at_any_moment_ends_and_locks_nothing(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    stop_now: list[Callable[[], object]] = []

    def behave(request: Request) -> Answer:
        if request["cmd"] == "gpio_write" and stop_now:
            asyncio.get_running_loop().call_soon(stop_now.pop())
        return as_our_firmware(request)

    await desk.board(far_end(behave)).connect()
    for delay in range(12):
        work = asyncio.create_task(desk.do("led_blink", count=50, interval=0.05))
        await asyncio.sleep(0.01 + delay * 0.003)
        stop_now.append(lambda: desk.runtime.executor.cancel_all("person"))
        result = await asyncio.wait_for(work, 5)
        assert result.faults[0].symbol == "CANCELLED"
    assert (await desk.do("led_set", state=1)).ok


async def test_a_question_whose_asker_is_cancelled_as_it_is_answered_is_not_a_yes() -> None:
    bus = EventBus()
    approvals = ApprovalDesk(bus)
    opened: list[str] = []
    bus.subscribe(ApprovalOpened, lambda event: opened.append(event.request.approval_id))
    payload = ActionPayload("digital_write", {}, "agent", "t")
    asking = asyncio.create_task(
        approvals.ask(ApprovalRequest("a", payload, Permission.ROOT, Permission.SKILL, (), 60.0, "uno"))
    )
    while not opened:
        await asyncio.sleep(0)
    approvals.answer("a", ApprovalOutcome.ONCE)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_a_cancel_while_the_child_starts_leaves_nobody_behind(tmp_path: Path) -> None:
    """The child runs, and has children, before asyncio has said so."""
    for attempt in range(2):
        note = tmp_path / f"child{attempt}"
        script = f"trap '' TERM; sleep 300 & echo $! > '{note}'; wait"
        work = asyncio.create_task(ChildProcesses().run(["sh", "-c", script], timeout=60))
        while not note.exists() or not note.read_text().endswith("\n"):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.wait([work], timeout=15)
        assert work.cancelled()
        assert await gone(int(note.read_text()))


async def test_a_child_that_floods_still_reaches_its_time_out() -> None:
    ended = await asyncio.wait_for(ChildProcesses().run(["yes"], timeout=0.5), 15)
    assert ended.timed_out
