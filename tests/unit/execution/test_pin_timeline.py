"""EX-6: rates and rests count every change that an action makes on its way, at the moment of each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zeroclaw_desktop.contracts.actions import PinChange
from zeroclaw_desktop.contracts.boards import BoardInfo, PinPolicy
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.handlers.leds import LED_COMMANDS
from zeroclaw_desktop.execution.pin_governor import PinGovernor
from zeroclaw_desktop.execution.pin_timeline import Timeline, asked_rate, timeline_of, timing_faults
from zeroclaw_desktop.execution.registry import PassingState
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

UNO = board_catalog()["arduino-uno"]
ON, OFF = PinChange(7, 0, 1), PinChange(7, 1, 0)


def blink(count: int, interval: float) -> Timeline:
    return timeline_of([PassingState(ON, interval, count, interval, from_rest=True)], [OFF])


def rate(policy: PinPolicy, timeline: Timeline) -> list[tuple[int, str, str]]:
    profile = replace(UNO, policies={7: policy})
    return [(row.code, row.details["asked"], row.details["rate"]) for row in timing_faults(timeline, profile)]


def test_three_blinks_of_100_ms_are_six_changes() -> None:
    """On at 0, 0.2 and 0.4 s, off at 0.1, 0.3 and 0.5 s, and a pause after the last."""
    timeline = blink(3, 0.1)
    moments = [(change.at, change.is_active) for change in timeline.changes if not change.is_clearing]
    assert [at for at, _ in moments] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert [active for _, active in moments] == [True, False] * 3
    assert timeline.seconds == pytest.approx(0.6)


def test_an_action_of_one_step_changes_its_pins_once() -> None:
    timeline = timeline_of((), [ON, PinChange(8, 1, 0)])
    assert [(change.pin, change.at, change.is_active) for change in timeline.changes] == [
        (7, 0.0, True),
        (8, 0.0, False),
    ]


def test_the_last_state_on_the_way_ends_in_what_the_pin_is_left_at() -> None:
    """A motor that runs for 2 s: power on, power off, and its direction once."""
    speed, way = PinChange(5, 0, 0.5, "pwm"), PinChange(4, 0, 1)
    timeline = timeline_of([PassingState(speed, 2.0)], [way, speed, PinChange(5, 0.5, 0)])
    assert [(change.pin, change.at, change.is_active) for change in timeline.changes] == [
        (5, 0.0, True),
        (5, 2.0, False),
        (4, 0.0, True),
    ]


@pytest.mark.parametrize(
    ("moments", "allowed", "asked"),
    [
        ([0.0, 0.1, 0.2], 3, None),
        ([0.0, 0.1, 0.2, 0.3], 3, 10.0),
        ([0.0, 0.4, 0.8, 1.2], 3, None),
        ([0.0, 0.5, 1.0, 1.5], 2, None),  # exactly as often as allowed
        ([0.1 * index for index in range(50)], 10, None),  # 0.1 is no binary fraction
        ([0.0, 0.0, 0.0], 2, 2000.0),
        ([0.0, 1.0], 0.5, 1.0),  # one in any two seconds
        ([0.0, 2.0], 0.5, None),
        ([0.0, 0.1, 0.2, 1.2], 2.5, None),  # three in any 1.2 s
        ([0.0, 0.1, 0.2, 1.1], 2.5, pytest.approx(3 / 1.1)),
    ],
)
def test_the_rate_holds_in_every_stretch_of_time(
    moments: list[float], allowed: float, asked: float | None
) -> None:
    found = asked_rate(moments, allowed)
    assert found == (pytest.approx(asked) if isinstance(asked, float) else asked)


def test_a_blink_that_is_too_fast_is_told_the_limit_and_what_was_asked_for() -> None:
    assert rate(PinPolicy(changes_per_second=5), blink(3, 0.1)) == [(Code.RATE_LIMITED, "10", "5")]
    assert rate(PinPolicy(changes_per_second=5), blink(3, 0.2)) == []
    assert rate(PinPolicy(changes_per_second=6), blink(3, 0.1)) == []  # six changes in a second are allowed
    assert rate(PinPolicy(changes_per_second=6), blink(4, 0.1)) == [(Code.RATE_LIMITED, "10", "6")]


def test_a_pin_that_must_rest_is_not_blinked_faster() -> None:
    profile = replace(UNO, policies={7: PinPolicy(min_off_seconds=2.0)})
    assert [row.code for row in timing_faults(blink(2, 0.5), profile)] == [Code.POLICY_LIMIT]
    assert timing_faults(blink(1, 0.5), profile) == []
    assert timing_faults(blink(2, 2.0), profile) == []


def test_what_was_done_before_counts_with_what_is_planned() -> None:
    """Two changes just now and four of a blink are six within a second."""
    governor, profile = PinGovernor(), replace(UNO, policies={7: PinPolicy(changes_per_second=5)})
    governor.note("uno", profile, timeline_of((), [ON]).begun(9.8))
    governor.note("uno", profile, timeline_of((), [OFF]).begun(9.9))
    assert [row.code for row in governor.faults("uno", profile, blink(2, 0.2), 10.0)] == [Code.RATE_LIMITED]
    assert governor.faults("uno", profile, blink(2, 0.2), 10.4) == []


def test_a_blink_that_has_ended_counts_with_all_of_its_changes() -> None:
    """EX-6: of ten changes at 5 Hz the last five lie within the second before the end."""
    governor, profile = PinGovernor(), replace(UNO, policies={7: PinPolicy(changes_per_second=5)})
    governor.note("uno", profile, blink(5, 0.2).completed(10.0, 12.0))
    change = timeline_of((), [ON])
    assert governor.faults("uno", profile, change, 12.0) == []  # 0.2 s after the last change, as within it
    governor.note("uno", profile, change.begun(12.0))
    assert [row.code for row in governor.faults("uno", profile, change, 12.1)] == [Code.RATE_LIMITED]


def test_a_blink_that_was_broken_off_counts_as_far_as_it_came() -> None:
    timeline = blink(5, 0.2)
    done = [(row.at, row.is_active) for row in timeline.broken_off(10.0, 10.5) if not row.is_clearing]
    assert done == [
        (pytest.approx(10.0), True),
        (pytest.approx(10.2), False),
        (pytest.approx(10.4), True),
        (10.5, False),
    ]


def test_clearing_a_pin_that_is_off_is_no_change() -> None:
    governor, profile = PinGovernor(), replace(UNO, policies={7: PinPolicy(changes_per_second=2)})
    assert governor.faults("uno", profile, blink(1, 0.1), 0.0) == []
    governor.note("uno", profile, timeline_of((), [ON]).begun(0.0))
    assert governor.faults("uno", profile, blink(1, 0.1), 5.0) != []  # off, on, off


def test_an_active_pin_that_must_rest_is_not_blinked_at_once() -> None:
    """The blink would put it to rest and make it active again in the same moment."""
    governor, profile = PinGovernor(), replace(UNO, policies={7: PinPolicy(min_off_seconds=2.0)})
    governor.note("uno", profile, timeline_of((), [ON]).begun(0.0))
    assert [row.code for row in governor.faults("uno", profile, blink(1, 0.1), 5.0)] == [Code.TOO_SOON]


def test_a_pin_that_an_action_put_to_rest_is_not_overdue_while_it_runs() -> None:
    """The pieces of a blink are judged beforehand; what was on before it is over with its first step."""
    governor, profile = PinGovernor(), replace(UNO, policies={7: PinPolicy(max_on_seconds=10)})
    governor.note("uno", profile, timeline_of((), [ON]).begun(0.0))
    governor.begin("uno", profile, blink(20, 0.5), 8.0)
    assert governor.overdue(15.0) == []


def test_a_fade_takes_as_many_steps_as_its_pin_allows() -> None:
    """EX-6: led_breath chooses its steps itself, so it keeps to the rate instead of being refused."""
    breath = next(command for command in LED_COMMANDS if command.name == "led_breath")
    for allowed, changes in ((None, 76), (50.0, 76), (10.0, 31), (1.5, 5)):
        profile = replace(UNO, policies={9: PinPolicy(changes_per_second=allowed)})
        board = BoardInfo("uno", "Uno", profile, "loop://uno", "live")
        passing = breath.passing({"pin": 9, "duration": 3.0}, board)
        timeline = timeline_of(passing, [PinChange(9, None, 0)])
        assert len([row for row in timeline.changes if not row.is_clearing]) == changes
        assert timing_faults(timeline, profile) == []
