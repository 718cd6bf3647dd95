"""Shared snapshots of devices, the same in this process and in a Redis (EX-13)."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.integration.shared_state.conftest import Connect
from tests.unit.execution.reporters.reports import beginning, transition
from zeroclaw_desktop.execution.shared_state import SharedState
from zeroclaw_desktop.execution.shared_state.snapshot_reporter import SnapshotReporter


async def test_what_one_writes_another_reads(connect: Connect) -> None:
    """EX-13: snapshots are shared; each device has its own; they are listed by device."""
    writer, reader = connect(), connect()
    assert await reader.snapshot("uno-1") is None
    assert await writer.put_snapshot("uno-2", 1, {"servo": {"angle": 90, "name": "左臂"}})
    assert await writer.put_snapshot("uno-1", 7, {"led": True})
    one = await reader.snapshot("uno-1")
    assert one is not None
    assert (one.device_id, one.term, one.seq, one.states) == ("uno-1", 0, 7, {"led": True})
    assert one.written_at > 1_600_000_000
    listed = [(snapshot.device_id, snapshot.states) for snapshot in await reader.snapshots()]
    assert listed == [("uno-1", {"led": True}), ("uno-2", {"servo": {"angle": 90, "name": "左臂"}})]


async def test_an_older_report_never_overwrites_a_newer(state: SharedState) -> None:
    """EX-13: seq decides, not the time of arrival."""
    assert await state.put_snapshot("uno", 5, {"level": 5})
    assert not await state.put_snapshot("uno", 4, {"level": 4})
    assert not await state.put_snapshot("uno", 5, {"level": 50})
    snapshot = await state.snapshot("uno")
    assert snapshot is not None
    assert (snapshot.seq, snapshot.states) == (5, {"level": 5})
    assert await state.put_snapshot("uno", 10, {"level": 10})
    assert not await state.put_snapshot("uno", 9, {"level": 9})


async def test_the_same_report_twice_is_no_fault(state: SharedState) -> None:
    """EX-13: after a broken connection a writer may repeat itself."""
    assert await state.put_snapshot("uno", 5, {"b": 1, "a": [1, 2]})
    assert await state.put_snapshot("uno", 5, {"a": [1, 2], "b": 1})


async def test_a_program_that_starts_again_counts_from_one(state: SharedState) -> None:
    """EX-13: a new term is newer than every report of the former, however high its seq was."""
    first = await state.new_term("uno")
    assert await state.put_snapshot("uno", 500, {"level": 1}, term=first)
    second = await state.new_term("uno")
    assert second > first
    assert await state.put_snapshot("uno", 1, {"level": 0}, term=second)
    assert not await state.put_snapshot("uno", 501, {"level": 1}, term=first)
    snapshot = await state.snapshot("uno")
    assert snapshot is not None
    assert (snapshot.term, snapshot.seq) == (second, 1)
    assert await state.new_term("another") == 1


async def test_a_term_is_never_given_below_one_that_was_seen(state: SharedState) -> None:
    """EX-13: also when the count was lost and only a reporter remembers its term."""
    assert await state.put_snapshot("uno", 1, {}, term=40)
    assert await state.new_term("uno") == 41


async def test_a_snapshot_expires(state: SharedState) -> None:
    """EX-13: what nobody renews is forgotten; what is renewed stays."""
    assert await state.put_snapshot("gone", 1, {}, keep=0.1)
    assert await state.put_snapshot("here", 1, {}, keep=0.1)
    assert await state.put_snapshot("here", 2, {}, keep=30.0)
    await asyncio.sleep(0.2)
    assert [snapshot.device_id for snapshot in await state.snapshots()] == ["here"]
    assert await state.put_snapshot("gone", 1, {"again": True})


async def test_what_was_stored_stays_when_the_writer_goes_on(state: SharedState) -> None:
    """EX-12: a snapshot is what was told at its time."""
    states = {"pins": [1, 2]}
    await state.put_snapshot("uno", 1, states)
    states["pins"].append(3)
    snapshot = await state.snapshot("uno")
    assert snapshot is not None
    assert snapshot.states == {"pins": [1, 2]}


@pytest.mark.parametrize("bad", [{"t": float("nan")}, {"t": {1, 2}}, {"t": b"x"}])
async def test_what_is_not_json_is_refused(state: SharedState, bad: dict[str, object]) -> None:
    """EX-13: the same on both keepers, before anything is stored."""
    with pytest.raises(ValueError, match=r"JSON"):
        await state.put_snapshot("uno", 1, bad)
    assert await state.snapshot("uno") is None


@pytest.mark.parametrize("device", ["*", "a:b", "a b", "机器人", "{x}", "snapshot:y", "[a-z]\\"])
async def test_any_device_id_will_do(state: SharedState, device: str) -> None:
    """EX-13: ids are free text; none reaches another's state."""
    await state.put_snapshot(device, 1, {"mine": True})
    await state.put_snapshot("other", 1, {})
    assert sorted(snapshot.device_id for snapshot in await state.snapshots()) == sorted([device, "other"])


async def test_many_writers_end_with_the_highest(connect: Connect) -> None:
    """EX-13: reports that arrive in any order, from several clients at once, leave the newest."""
    chance = random.Random(7)
    clients = [connect() for _ in range(4)]
    numbers = list(range(1, 101))
    chance.shuffle(numbers)
    stored = await asyncio.gather(
        *(clients[seq % 4].put_snapshot("uno", seq, {"seq": seq}) for seq in numbers)
    )
    snapshot = await clients[0].snapshot("uno")
    assert snapshot is not None
    assert (snapshot.seq, snapshot.states) == (100, {"seq": 100})
    assert stored[numbers.index(100)] is True


async def test_the_reporter_shares_the_last_report_of_each_device(connect: Connect) -> None:
    """EX-12, EX-13: status shape, latest wins, dry runs and boardless actions change nothing."""
    state = connect()
    reporter = SnapshotReporter(state)
    reporter.start()
    for seq in range(1, 51):
        reporter.report(beginning())
        reporter.report(transition(seq, "a"))
        reporter.report(transition(seq, "b", hardware_states={"t": float("nan")}))
    reporter.report(transition(51, "a", dry_run=True))
    reporter.report(transition(1, ""))
    await reporter.stop()
    found = {snapshot.device_id: snapshot for snapshot in await connect().snapshots()}
    assert sorted(found) == ["a", "b"]
    assert found["a"].seq == found["a"].states["seq"] == 50
    assert found["a"].states["hardware_states"] == {"servo_1": {"angle": 90}}
    assert found["b"].states["hardware_states"] == {"t": None}


async def test_a_second_program_for_the_same_device_is_told(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-13: the one that began later is believed; the other says once that its states are not shared."""
    old, new = SnapshotReporter(connect()), SnapshotReporter(connect())
    for reporter, seq in ((old, 1), (new, 1), (old, 2), (old, 3)):
        reporter.start()
        reporter.report(transition(seq, "uno"))
        await reporter.stop()
    snapshot = await connect().snapshot("uno")
    assert snapshot is not None
    assert (snapshot.term, snapshot.seq) == (2, 1)
    assert sum("Another program" in record.getMessage() for record in caplog.records) == 1
