"""The switchboard (EX-12): stacks and switches reporters, and keeps a bad one away from the executor."""

from __future__ import annotations

import logging

import pytest

from tests.helpers.execution import Door, RecordingReporter
from tests.unit.execution.reporters.reports import transition
from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.execution.reporters import ReporterSwitchboard
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.foundation.clock import ManualClock


class Failing:
    """Raises until it is repaired."""

    def __init__(self, error: Exception) -> None:
        self.error: Exception | None = error
        self.calls = 0

    def report(self, transition: ActionTransition) -> None:
        self.calls += 1
        if self.error is not None:
            raise self.error


class Running(RecordingReporter):
    """Notes when it is started and stopped."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__()
        self.life: list[str] = []
        self.fails = fails

    def start(self) -> None:
        self.life.append("start")
        if self.fails:
            raise OSError("no port")

    async def stop(self, timeout: float = 2.0) -> None:
        self.life.append("stop")


class Stopwatch:
    """Says what the test wants; every second reading ends a call."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def board(clock: ManualClock | None = None, stopwatch: Stopwatch | None = None) -> ReporterSwitchboard:
    return ReporterSwitchboard(
        clock or ManualClock(),
        stopwatch=stopwatch or Stopwatch(),
        new_backoff=lambda: Backoff(1.0, 60.0, chance=lambda: 0.5),
    )


def test_reporters_are_stacked_and_told_in_order() -> None:
    """EX-12: one interface, stackable."""
    switchboard, first, second = board(), RecordingReporter(), RecordingReporter()
    switchboard.add("first", first)
    switchboard.add("second", second)
    switchboard.report(transition(1))
    assert switchboard.names() == ["first", "second"]
    assert first.transitions == second.transitions == [transition(1)]


def test_a_taken_name_is_refused() -> None:
    """EX-12: two reporters of one name would hide each other."""
    switchboard = board()
    switchboard.add("log", RecordingReporter())
    with pytest.raises(ValueError, match="log"):
        switchboard.add("log", RecordingReporter())


async def test_reporters_are_switched_at_run_time() -> None:
    """EX-12: switchable at run time; started when plugged in, stopped when taken out."""
    switchboard, reporter = board(), Running()
    switchboard.add("mqtt", reporter)
    switchboard.report(transition(1))
    assert await switchboard.remove("mqtt")
    switchboard.report(transition(2))
    assert not await switchboard.remove("mqtt")
    assert reporter.life == ["start", "stop"]
    assert len(reporter.transitions) == 1


async def test_closing_stops_everything_last_in_first_out() -> None:
    """EX-12: nothing keeps running after the end."""
    switchboard, first, second = board(), Running(), Running()
    first.life = second.life = order = []
    switchboard.add("first", first)
    switchboard.add("second", second)
    await switchboard.close()
    assert order == ["start", "start", "stop", "stop"]
    assert switchboard.names() == []


@pytest.mark.parametrize("error", [OSError("gone"), ValueError("bad"), KeyError("x"), RuntimeError()])
def test_a_failing_reporter_does_not_stop_the_others(error: Exception) -> None:
    """EX-12: whatever a reporter raises, the others hear of the transition."""
    switchboard, healthy = board(), RecordingReporter()
    switchboard.add("bad", Failing(error))
    switchboard.add("good", healthy)
    switchboard.report(transition(1))
    assert len(healthy.transitions) == 1


async def test_a_failing_reporter_backs_off_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: tried again after 1, 2, 4 s; one ERROR in all; what it missed is counted; recovery is told."""
    clock = ManualClock()
    switchboard, bad = board(clock), Failing(OSError("gone"))
    switchboard.add("bad", bad)
    caplog.set_level(logging.INFO, "zeroclaw.execution")
    tried_at = []
    for _ in range(80):
        before = bad.calls
        switchboard.report(transition(1))
        if bad.calls > before:
            tried_at.append(clock.monotonic() - 1_000.0)
        await clock.advance(0.1)
    assert tried_at == pytest.approx([0.0, 1.0, 3.0, 7.0], abs=0.11)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    health = switchboard.health()[0]
    assert (health.resting, health.failures, health.missed, health.last_fault) == (True, 4, 76, "gone")
    bad.error = None
    await clock.advance(60.0)
    switchboard.report(transition(2))
    assert switchboard.health()[0].resting is False
    assert switchboard.health()[0].failures == 0
    assert "works again" in caplog.records[-1].message


def test_a_reporter_that_does_not_start_is_told_and_left_out() -> None:
    """EX-12: a port that cannot be opened is the reporter's fault, not the executor's."""
    switchboard = board()
    switchboard.add("serial", Running(fails=True))
    switchboard.report(transition(1))
    assert switchboard.health()[0].last_fault == "it did not start: no port"


def test_a_reporter_that_is_slow_once_in_a_while_stays() -> None:
    """EX-12: a pause of the machine is no reason to lose reports."""
    watch = Stopwatch()
    switchboard, calls = board(stopwatch=watch), []

    class Odd:
        def report(self, transition: ActionTransition) -> None:
            calls.append(transition)
            watch.now += 0.1 if len(calls) % 10 == 0 else 0.001

    switchboard.add("odd", Odd())
    for seq in range(100):
        switchboard.report(transition(seq))
    assert len(calls) == 100


def test_a_slow_reporter_is_left_out() -> None:
    """EX-12: 20 ms of the executor's time for each report are too much for long."""
    watch = Stopwatch()
    switchboard, calls = board(stopwatch=watch), []

    class Slow:
        def report(self, transition: ActionTransition) -> None:
            calls.append(transition)
            watch.now += 0.02

    switchboard.add("slow", Slow())
    for seq in range(100):
        switchboard.report(transition(seq))
    # 0.25 s allowed beyond 5 ms each: the 17th call goes over.
    assert len(calls) == 17
    assert "too slow" in switchboard.health()[0].last_fault


async def test_an_action_completes_whatever_a_reporter_does() -> None:
    """EX-12: the executor's result does not depend on who is told of it."""
    door = Door()
    switchboard = board()
    switchboard.add("bad", Failing(ZeroDivisionError()))
    switchboard.add("recorder", door.reporter)
    door.executor.reporters[:] = [switchboard]
    result = await door.do("digital_read", {"pin": 7})
    assert result.ok
    assert door.reporter.states() == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]


def test_reporters_may_be_plugged_in_by_a_reporter() -> None:
    """EX-12: the list may change while a transition is told."""
    switchboard, late = board(), RecordingReporter()

    class Opener:
        def report(self, transition: ActionTransition) -> None:
            if "late" not in switchboard.names():
                switchboard.add("late", late)

    switchboard.add("opener", Opener())
    switchboard.report(transition(1))
    switchboard.report(transition(2))
    assert len(late.transitions) == 1


def test_waits_grow_to_a_limit_and_are_spread() -> None:
    """EX-12: back-off doubles up to the limit, within a quarter of the plan; success begins again."""
    even = Backoff(0.5, 4.0, chance=lambda: 0.5)
    assert [even.failed() for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0]
    even.succeeded()
    assert even.failed() == 0.5
    assert Backoff(1.0, 9.0, chance=lambda: 0.0).failed() == 0.75
    assert Backoff(1.0, 9.0, chance=lambda: 1.0).failed() == 1.25
    patient = Backoff(1.0, 60.0)
    assert all(patient.failed() <= 75.0 for _ in range(2_000))
