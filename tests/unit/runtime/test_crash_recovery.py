"""After a crash (EX-14): boards safe first, every unfinished task told once, nothing repeated by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest, Source
from zeroclaw_desktop.contracts.events import BoardsChanged, InterruptedTasksChanged, TaskInterrupted
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.recovery import Policy
from zeroclaw_desktop.execution.reporters import BusReporter
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.runtime.crash_recovery import CrashRecovery
from zeroclaw_desktop.store.thread import StoreThread


async def leave_unfinished(
    path: Path, action: str, board: str, params: Mapping[str, Any] | None = None, source: Source = "manual"
) -> str:
    """Write the row before of a task in a run that ends without its row after; returns the task id."""
    door = Door(board)
    store = StoreThread(path, [JOURNAL_SCHEMA])
    await store.start()
    journal = Journal(store, SystemClock())
    given = {"pin": 7, "value": 1} if params is None else params
    payload = make_payload(action, given, source=source, device_id=board)
    await journal.before(payload, door.executor.prepare(payload))
    await journal.close()
    await store.stop()
    return payload.task_id


async def begin(
    path: Path, door: Door, policies: Mapping[str, Policy] | None = None
) -> tuple[StoreThread, Journal, CrashRecovery, list[TaskInterrupted]]:
    """Start the recovery of the next run."""
    door.bus.bind_loop(asyncio.get_running_loop())
    told: list[TaskInterrupted] = []
    door.bus.subscribe(TaskInterrupted, told.append)
    store = StoreThread(path, [JOURNAL_SCHEMA])
    await store.start()
    journal = Journal(store, SystemClock())
    door.executor.journal = journal
    door.executor.reporters += [journal, BusReporter(door.bus)]
    recovery = CrashRecovery(door.bus, door.boards, door.executor, policies)
    await recovery.start(journal)
    return store, journal, recovery, told


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.01)


async def test_the_board_is_made_safe_and_the_task_is_told_and_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    task_id = await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    store, journal, recovery, told = await begin(path, door)
    await until(lambda: "stop_all" in door.boards.commands())
    async with asyncio.timeout(5):
        while await journal.unfinished():
            await asyncio.sleep(0.01)
    await until(lambda: bool(told))

    assert [event.task_id for event in told] == [task_id]
    assert told[0].action == "digital_write"
    assert dict(told[0].params) == {"pin": 7, "value": 1}
    assert "gpio_write" not in door.boards.commands()
    again = recovery.payload(task_id)
    assert again is not None
    assert again.task_id
    assert dict(again.params) == {"pin": 7, "value": 1}
    await recovery.stop()
    await store.stop()


async def test_a_board_that_is_not_there_keeps_its_task_open_until_it_is_safe(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    door.boards.states["uno"] = "connecting"
    store, journal, recovery, _told = await begin(path, door)
    assert len(await journal.unfinished()) == 1

    door.boards.states["uno"] = "live"
    door.bus.publish(BoardsChanged("uno"))
    async with asyncio.timeout(5):
        while await journal.unfinished():
            await asyncio.sleep(0.01)
    assert "stop_all" in door.boards.commands()
    await recovery.stop()
    await store.stop()


async def test_the_next_run_finds_nothing_any_more(tmp_path: Path) -> None:
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "sim-uno")
    for unfinished in (1, 0):
        door = Door()
        store, journal, recovery, told = await begin(path, door)
        async with asyncio.timeout(5):
            while len(told) < unfinished:
                await asyncio.sleep(0.01)
        assert len(told) == unfinished
        assert await journal.unfinished() == []
        await recovery.stop()
        await store.stop()


# -- what a person decides --------------------------------------------------------------------------------
async def test_an_offer_says_what_was_done_about_its_board(tmp_path: Path) -> None:
    """EX-14."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    door.boards.states["uno"] = "connecting"
    store, _journal, recovery, _told = await begin(path, door)
    (offer,) = recovery.offers()
    assert (offer.safety, offer.ready, offer.board_id) == ("waiting", False, "")

    door.boards.silent.add("stop_all")
    door.boards.states["uno"] = "live"
    door.bus.publish(BoardsChanged("uno"))
    await until(lambda: recovery.offers()[0].safety == "failed")
    assert recovery.offers()[0].fault is not None
    assert not recovery.offers()[0].ready

    door.boards.silent.clear()
    door.bus.publish(BoardsChanged("uno"))
    await until(lambda: recovery.offers()[0].safety == "safe")
    (offer,) = recovery.offers()
    assert (offer.fault, offer.ready, offer.board_id) == (None, True, "uno")
    await recovery.stop()
    await store.stop()


async def test_a_task_is_done_again_by_a_persons_wish_and_then_offered_no_more(tmp_path: Path) -> None:
    """EX-14: nothing moves before; the next start finds nothing."""
    path = tmp_path / "zeroclaw.db"
    task_id = await leave_unfinished(path, "digital_write", "sim-uno")
    door = Door("sim-uno")
    store, journal, recovery, _told = await begin(path, door)
    (offer,) = recovery.offers()
    assert "gpio_write" not in door.boards.commands()
    changes: list[object] = []
    door.bus.subscribe(InterruptedTasksChanged, changes.append)
    announced: list[str] = []
    result = await recovery.do_again(offer.plan.entry.number, announced.append)
    assert result is not None
    assert result.ok
    assert announced == [result.task_id]
    assert door.boards.level(7, "sim-uno") == 1
    assert recovery.offers() == []
    assert changes
    entry = await journal.task(task_id)
    assert entry is not None
    assert (entry.answer, entry.again_id) == ("again", result.task_id)
    assert await recovery.do_again(offer.plan.entry.number) is None
    await recovery.stop()
    await store.stop()
    store, _journal, recovery, _told = await begin(path, Door("sim-uno"))
    assert recovery.offers() == []
    await recovery.stop()
    await store.stop()


async def test_what_was_refused_is_still_offered(tmp_path: Path) -> None:
    """EX-14, EX-15, EX-16: a stop, a dry run or a no do nothing, so there is still something to decide."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "sim-uno", source="agent")
    door = Door("sim-uno")
    store, _journal, recovery, _told = await begin(path, door)
    number = recovery.offers()[0].plan.entry.number
    asked: list[ApprovalRequest] = []

    async def deny(request: ApprovalRequest) -> ApprovalOutcome:
        asked.append(request)
        return ApprovalOutcome.DENIED

    door.executor.approver = deny
    result = await recovery.do_again(number)
    assert result is not None
    assert result.faults[0].symbol == "APPROVAL_DENIED"
    assert [request.payload.action for request in asked] == ["digital_write"]
    assert recovery.offers()[0].ready

    async def allow(_request: ApprovalRequest) -> ApprovalOutcome:
        return ApprovalOutcome.ONCE

    door.executor.approver = allow
    door.executor.dry_run = True
    result = await recovery.do_again(number)
    assert result is not None
    assert result.dry_run
    assert door.boards.level(7, "sim-uno") == 0
    assert len(recovery.offers()) == 1

    door.executor.dry_run = False
    await door.stop.trigger("test")
    result = await recovery.do_again(number)
    assert result is not None
    assert result.faults[0].symbol == "EMERGENCY_STOPPED"
    assert len(recovery.offers()) == 1

    door.stop.release("test")
    result = await recovery.do_again(number)
    assert result is not None
    assert result.ok
    assert recovery.offers() == []
    await recovery.stop()
    await store.stop()


async def test_dismissed_is_for_ever_and_undecided_comes_back(tmp_path: Path) -> None:
    """EX-14."""
    path = tmp_path / "zeroclaw.db"
    kept = await leave_unfinished(path, "digital_write", "sim-uno")
    dropped = await leave_unfinished(path, "servo_move", "sim-uno", {"angle": 90})
    for _ in range(2):
        store, _journal, recovery, _told = await begin(path, Door("sim-uno"))
        numbers = {offer.plan.entry.task_id: offer.plan.entry.number for offer in recovery.offers()}
        assert kept in numbers
        if dropped in numbers:
            await recovery.dismiss([numbers[dropped]])
        assert [offer.plan.entry.task_id for offer in recovery.offers()] == [kept]
        await recovery.stop()
        await store.stop()


async def test_a_board_whose_task_was_dismissed_is_made_safe_all_the_same(tmp_path: Path) -> None:
    """EX-14: the safe state is owed to the board, not to the task."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    door.boards.states["uno"] = "connecting"
    store, _journal, recovery, _told = await begin(path, door)
    await recovery.dismiss([recovery.offers()[0].plan.entry.number])
    assert recovery.offers() == []
    door.boards.states["uno"] = "live"
    door.bus.publish(BoardsChanged("uno"))
    await until(lambda: "stop_all" in door.boards.commands())
    await recovery.stop()
    await store.stop()


async def test_a_board_that_a_command_line_called_by_its_port_is_found(tmp_path: Path) -> None:
    """EX-14: the window knows a board by its serial number, a command by the port it sat on."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "loop://uno-1")
    door = Door("uno-1")
    store, _journal, recovery, _told = await begin(path, door)
    await until(lambda: recovery.offers()[0].safety == "safe")
    (offer,) = recovery.offers()
    assert offer.board_id == "uno-1"
    result = await recovery.do_again(offer.plan.entry.number)
    assert result is not None
    assert (result.ok, result.device_id) == (True, "uno-1")
    await recovery.stop()
    await store.stop()


# -- by policy --------------------------------------------------------------------------------------------
async def test_what_only_looks_is_done_again_by_itself_once_its_board_is_there(tmp_path: Path) -> None:
    """EX-14: rerun if idempotent."""
    path = tmp_path / "zeroclaw.db"
    task_id = await leave_unfinished(path, "digital_read", "uno", {"pin": 7})
    door = Door("uno")
    door.boards.states["uno"] = "connecting"
    store, journal, recovery, _told = await begin(path, door)
    assert [offer.ready for offer in recovery.offers()] == [False]
    door.boards.states["uno"] = "live"
    door.bus.publish(BoardsChanged("uno"))
    await until(lambda: not recovery.offers())
    async with asyncio.timeout(5):
        while not (await journal.counts()).by_state.get("COMPLETED"):
            await asyncio.sleep(0.01)
    entry = await journal.task(task_id)
    assert entry is not None
    assert entry.answer == "again"
    await recovery.stop()
    await store.stop()


async def test_what_moves_is_never_done_again_by_itself_by_the_usual_policies(tmp_path: Path) -> None:
    """EX-14: not even an idempotent one."""
    path = tmp_path / "zeroclaw.db"
    commands: list[tuple[str, Mapping[str, Any]]] = [
        ("digital_write", {"pin": 7, "value": 1}),
        ("led_set", {"state": 1}),
        ("pwm_write", {"pin": 9, "duty": 0.5}),
        ("servo_move", {"angle": 90}),
        ("led_blink", {"count": 3}),
    ]
    for action, params in commands:
        await leave_unfinished(path, action, "uno", params)
    door = Door("uno")
    store, _journal, recovery, _told = await begin(path, door)
    await until(lambda: all(offer.safety == "safe" for offer in recovery.offers()))
    await asyncio.sleep(0.05)
    assert len(recovery.offers()) == len(commands)
    assert set(door.boards.commands()) <= {"stop_all", "state", "pins_read"}
    await recovery.stop()
    await store.stop()


async def test_a_movement_is_done_again_by_itself_only_where_its_policy_says_so_and_after_the_safe_state(
    tmp_path: Path,
) -> None:
    """EX-14: policy per command."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "uno")
    door = Door("uno")
    store, _journal, recovery, _told = await begin(path, door, {"digital_write": "rerun"})
    await until(lambda: not recovery.offers())
    await until(lambda: door.boards.level(7) == 1)
    sent = door.boards.commands()
    assert sent.index("stop_all") < sent.index("gpio_write")
    await recovery.stop()
    await store.stop()


async def test_the_policy_of_a_command_is_its_own(tmp_path: Path) -> None:
    """EX-14: a command may say that it is only asked about, although it only looks."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_read", "uno", {"pin": 7})
    door = Door("uno")
    command = door.registry.resolve("digital_read")
    door.registry.unregister("digital_read")
    door.registry.register(replace(command, after_crash="ask"))
    store, _journal, recovery, _told = await begin(path, door)
    await asyncio.sleep(0.05)
    assert [(offer.plan.policy, offer.ready) for offer in recovery.offers()] == [("ask", True)]
    assert door.boards.commands() == []
    await recovery.stop()
    await store.stop()


async def test_nobody_is_asked_for_what_is_done_again_by_itself(tmp_path: Path) -> None:
    """EX-6: what needs a person's word waits for the person."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "digital_write", "sim-uno", source="agent")
    door = Door("sim-uno")
    asked: list[ApprovalRequest] = []

    async def note(request: ApprovalRequest) -> ApprovalOutcome:
        asked.append(request)
        return ApprovalOutcome.ONCE

    door.executor.approver = note
    store, _journal, recovery, _told = await begin(path, door, {"digital_write": "rerun"})
    await asyncio.sleep(0.05)
    assert asked == []
    assert len(recovery.offers()) == 1
    await recovery.stop()
    await store.stop()


async def test_what_only_makes_safe_is_not_offered(tmp_path: Path) -> None:
    """EX-14: the board is made safe in any case."""
    path = tmp_path / "zeroclaw.db"
    await leave_unfinished(path, "output_release", "uno", {"pin": 7})
    door = Door("uno")
    store, journal, recovery, told = await begin(path, door)
    async with asyncio.timeout(5):
        while await journal.unfinished():
            await asyncio.sleep(0.01)
    assert recovery.offers() == []
    assert [event.policy for event in told] == ["none"]
    await recovery.stop()
    await store.stop()
