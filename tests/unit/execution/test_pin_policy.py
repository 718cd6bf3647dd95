"""EX-6: limits of the board file: duty, angle, modes, exclusive pins, rates, rests, longest activity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zeroclaw_desktop.contracts.actions import PinChange
from zeroclaw_desktop.contracts.boards import PinPolicy, PinState
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.pin_governor import PinGovernor
from zeroclaw_desktop.execution.pin_policy import policy_faults
from zeroclaw_desktop.execution.pin_timeline import timeline_of
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, read_board
from zeroclaw_desktop.hardware.errors import BoardDataError

UNO = board_catalog()["arduino-uno"]


def board(**policies: PinPolicy):  # type: ignore[no-untyped-def]
    return replace(UNO, policies={int(key.removeprefix("pin")): value for key, value in policies.items()})


def codes(change: PinChange, policy: PinPolicy, pins: dict[int, PinState] | None = None) -> list[int]:
    profile = replace(UNO, policies={change.pin: policy})
    return [fault.code for fault in policy_faults([change], profile, pins or {})]


@pytest.mark.parametrize(
    ("change", "policy", "allowed"),
    [
        (PinChange(9, 0, 0.5, "pwm"), PinPolicy(max_duty=0.5), True),
        (PinChange(9, 0, 0.51, "pwm"), PinPolicy(max_duty=0.5), False),
        (PinChange(9, 0, 1), PinPolicy(max_duty=0.5), False),
        (PinChange(9, 0, 0), PinPolicy(max_duty=0.5), True),
        (PinChange(9, 0, 1), PinPolicy(), True),
        (PinChange(9, None, 90.0, "servo"), PinPolicy(min_angle=10, max_angle=170), True),
        (PinChange(9, None, 5.0, "servo"), PinPolicy(min_angle=10), False),
        (PinChange(9, None, 175.0, "servo"), PinPolicy(max_angle=170), False),
        (PinChange(7, 0, 0, "input"), PinPolicy(modes=frozenset({"output"})), False),
        (PinChange(7, 0, 1), PinPolicy(modes=frozenset({"input"})), False),
        (PinChange(7, 0, 1), PinPolicy(modes=frozenset({"output"})), True),
    ],
)
def test_a_change_is_within_the_limits_of_its_pin(
    change: PinChange, policy: PinPolicy, allowed: bool
) -> None:
    assert codes(change, policy) == ([] if allowed else [Code.POLICY_LIMIT])


def test_every_reason_is_told_in_chinese_as_well() -> None:
    """EX-10."""
    cases = [
        (PinChange(9, 0, 1.0, "pwm"), PinPolicy(max_duty=0.5)),
        (PinChange(9, 0, 1), PinPolicy(max_duty=0.5)),
        (PinChange(9, None, 5.0, "servo"), PinPolicy(min_angle=10)),
        (PinChange(9, 0, 0, "input"), PinPolicy(modes=frozenset({"output"}))),
    ]
    for change, policy in cases:
        for fault in policy_faults([change], replace(UNO, policies={9: policy}), {}):
            assert fault.details["reason"] in fault.message
            assert any("\u4e00" <= letter <= "\u9fff" for letter in fault.details["reason_zh"])


@pytest.mark.parametrize(
    ("other", "allowed"),
    [
        (PinState(6, "output", 1), False),
        (PinState(6, "output", 0), True),
        (PinState(6, "pwm", 0, 0.1), False),
        (PinState(6, "pwm", 0, 0.0), True),
        (PinState(6, "input", 1), True),
        (PinState(6, "servo", 0, angle=0.0), False),
    ],
)
def test_one_pin_of_a_group_at_most_is_active(other: PinState, allowed: bool) -> None:
    profile = board(pin5=PinPolicy(exclusive="H-bridge"), pin6=PinPolicy(exclusive="H-bridge"))
    found = policy_faults([PinChange(5, 0, 1)], profile, {6: other})
    assert [fault.code for fault in found] == ([] if allowed else [Code.EXCLUSIVE_PIN])
    assert policy_faults([PinChange(5, 1, 0)], profile, {6: other}) == []


ON = timeline_of((), [PinChange(7, 0, 1)])
OFF = timeline_of((), [PinChange(7, 1, 0)])


def test_changes_are_limited_in_a_sliding_second() -> None:
    governor, profile, change = PinGovernor(), board(pin7=PinPolicy(changes_per_second=3)), ON
    for when in (0.0, 0.1, 0.2):
        assert governor.faults("uno", profile, change, when) == []
        governor.note("uno", profile, change.begun(when))
    assert [fault.code for fault in governor.faults("uno", profile, change, 0.9)] == [Code.RATE_LIMITED]
    assert governor.faults("uno", profile, change, 1.05) == []
    assert governor.faults("other", profile, change, 0.9) == []


def test_a_pin_rests_before_it_becomes_active_again() -> None:
    governor, profile = PinGovernor(), board(pin7=PinPolicy(min_off_seconds=5))
    assert governor.faults("uno", profile, ON, 0.0) == []
    governor.note("uno", profile, ON.begun(0.0))
    governor.note("uno", profile, OFF.begun(10.0))
    assert [fault.code for fault in governor.faults("uno", profile, ON, 12.0)] == [Code.TOO_SOON]
    assert governor.faults("uno", profile, OFF, 12.0) == []
    assert governor.faults("uno", profile, ON, 15.0) == []


def test_a_stop_begins_a_rest() -> None:
    governor, profile = PinGovernor(), board(pin7=PinPolicy(min_off_seconds=5))
    governor.note("uno", profile, ON.begun(0.0))
    governor.note_safe("uno", 1.0)
    assert governor.faults("uno", profile, ON, 3.0)[0].code == Code.TOO_SOON


def test_a_pin_that_is_active_too_long_is_overdue_from_its_first_activity() -> None:
    governor, profile = PinGovernor(), board(pin7=PinPolicy(max_on_seconds=10))
    governor.note("uno", profile, ON.begun(0.0))
    governor.note("uno", profile, ON.begun(8.0))
    assert governor.next_due() == 10.0
    assert governor.overdue(9.9) == []
    assert [(row.device_id, row.pin) for row in governor.overdue(10.0)] == [("uno", 7)]
    governor.note("uno", profile, OFF.begun(10.1))
    assert governor.next_due() is None
    assert governor.overdue(99.0) == []


def uno_text(policy: str) -> str:
    from zeroclaw_desktop.foundation.assets import resource_path

    text = resource_path("boards/arduino-uno.toml").read_text(encoding="utf-8")
    before, _, after = text.partition("[policy]\nchanges_per_second = 50\n")
    return before + policy + after


def test_the_file_gives_limits_to_all_pins_and_to_single_ones() -> None:
    profile = read_board(
        uno_text(
            '[policy]\nchanges_per_second = 20\n[policy.pins.9]\nmax_duty = 0.8\nexclusive = "bridge"\n'
        ),
        "test.toml",
    )
    assert profile.policy(7).changes_per_second == 20
    assert profile.policy(9) == PinPolicy(max_duty=0.8, changes_per_second=20, exclusive="bridge")


@pytest.mark.parametrize(
    ("policy", "path"),
    [
        ("[policy]\nmax_duty = 2\n", "policy.max_duty"),
        ("[policy]\nmax_dutty = 0.5\n", "policy.max_dutty"),
        ("[policy.pins.99]\nmax_duty = 0.5\n", "policy.pins.99"),
        ('[policy.pins.9]\nmodes = ["fly"]\n', "policy.pins.9.modes"),
        ("[policy.pins.9]\nmin_angle = 100\nmax_angle = 50\n", "policy.pins.9"),
        ("[policy]\npins = 3\n", "policy.pins"),
        ("[policy]\nmax_on_seconds = true\n", "policy.max_on_seconds"),
    ],
)
def test_a_wrong_limit_is_named_and_the_board_is_not_used(policy: str, path: str) -> None:
    with pytest.raises(BoardDataError, match=path.replace(".", r"\.")):
        read_board(uno_text(policy), "test.toml")
