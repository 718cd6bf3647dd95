"""The bounded queue of reports (EX-12): bounded, and the latest state of a device survives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.execution.reporters.reports import transition
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.execution.reporters.newest_queue import NewestQueue


def report(device_id: str, seq: int) -> ActionResult:
    result = transition(seq, device_id).result
    assert result is not None
    return result


def drained(queue: NewestQueue) -> list[tuple[str, int]]:
    found = []
    while (result := queue.take()) is not None:
        found.append((result.device_id, result.seq))
    return found


def test_order_is_kept_below_the_limit() -> None:
    """EX-12, EX-13: reports leave in the order in which they came."""
    queue = NewestQueue(10)
    for seq in range(5):
        queue.put(report("a", seq))
    assert drained(queue) == [("a", seq) for seq in range(5)]
    assert queue.dropped == 0


def test_a_busy_device_does_not_push_out_the_last_state_of_a_quiet_one() -> None:
    """EX-12: latest state matters: the quiet board's only report stays although it is the oldest."""
    queue = NewestQueue(3)
    queue.put(report("quiet", 1))
    for seq in range(100):
        queue.put(report("busy", seq))
    assert drained(queue) == [("quiet", 1), ("busy", 98), ("busy", 99)]
    assert queue.dropped == 98


def test_more_devices_than_room_drops_the_oldest() -> None:
    """EX-12: the bound holds even when every report is the last of its device."""
    queue = NewestQueue(2)
    for device in "abc":
        queue.put(report(device, 1))
    assert drained(queue) == [("b", 1), ("c", 1)]


def test_a_report_put_back_goes_first_or_gives_way() -> None:
    """EX-12: what could not be delivered keeps its place while there is room."""
    queue = NewestQueue(2)
    queue.put(report("a", 2))
    queue.put_back(report("a", 1))
    queue.put_back(report("a", 0))
    assert drained(queue) == [("a", 1), ("a", 2)]
    assert queue.dropped == 1


@given(st.lists(st.sampled_from("abcd"), max_size=60), st.integers(4, 10))
def test_the_last_report_of_each_device_survives(devices: list[str], limit: int) -> None:
    """EX-12: with room for one report of each device, none loses its latest, and nothing changes order."""
    queue = NewestQueue(limit)
    for seq, device in enumerate(devices):
        queue.put(report(device, seq))
    assert len(queue) <= limit
    left = drained(queue)
    last = {device: seq for seq, device in enumerate(devices)}
    assert {device: seq for device, seq in left} == last
    assert [seq for _, seq in left] == sorted(seq for _, seq in left)
    assert len(left) + queue.dropped == len(devices)
