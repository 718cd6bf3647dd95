"""EX-9 and output leases: run time by task session, outputs by the task that left them active."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.contracts.actions import PinChange
from zeroclaw_desktop.execution.budget import RunBudget
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.leases import OutputLeases, session_of


def test_a_task_belongs_to_the_session_before_its_first_dot() -> None:
    assert session_of("turn-1.call2") == session_of("turn-1.call9.x") == "turn-1"
    assert session_of("task-7") == "task-7"


def test_a_session_that_used_its_time_is_refused_and_others_are_not() -> None:
    budget = RunBudget(10.0)
    budget.charge("a", 6.0)
    budget.check("a")
    budget.charge("a", 4.0)
    with pytest.raises(FaultError) as caught:
        budget.check("a")
    assert caught.value.faults[0].code == Code.BUDGET_EXHAUSTED
    budget.check("b")
    assert [(state.session, state.used) for state in budget.states()] == [("a", 10.0)]


def test_old_sessions_are_forgotten_and_the_latest_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroclaw_desktop.execution.budget.SESSIONS_KEPT", 3)
    budget = RunBudget(10.0)
    for session in "abcd":
        budget.charge(session, 1.0)
    assert [state.session for state in budget.states()] == ["b", "c", "d"]


def test_an_active_output_is_held_until_it_is_switched_off() -> None:
    leases = OutputLeases()
    leases.note("uno", [PinChange(7, 0, 1)], "turn-1.c1", "agent", 1.0)
    leases.note("uno", [PinChange(9, None, 90.0, "servo")], "turn-1.c2", "agent", 2.0)
    leases.note("uno", [PinChange(6, 0, 0.5, "pwm")], "task-x", "manual", 3.0)
    assert [lease.pin for lease in leases.of_session("turn-1")] == [7, 9]
    holder = leases.holder("uno", 6)
    assert holder is not None
    assert holder.source == "manual"
    leases.note("uno", [PinChange(7, 1, 0)], "task-y", "manual", 4.0)
    assert leases.holder("uno", 7) is None
    assert [lease.pin for lease in leases.all()] == [9, 6]


def test_another_task_takes_an_output_over() -> None:
    leases = OutputLeases()
    leases.note("uno", [PinChange(7, 0, 1)], "a", "agent", 1.0)
    leases.note("uno", [PinChange(7, 1, 1)], "b", "manual", 2.0)
    assert leases.of_session("a") == []
    assert [lease.pin for lease in leases.of_session("b")] == [7]


def test_a_stop_frees_all_outputs_of_its_board_only() -> None:
    leases = OutputLeases()
    leases.note("uno", [PinChange(7, 0, 1)], "a", "agent", 1.0)
    leases.note("mega", [PinChange(7, 0, 1)], "a", "agent", 1.0)
    leases.note_safe("uno")
    assert [lease.device_id for lease in leases.all()] == ["mega"]


def test_an_input_is_never_held() -> None:
    leases = OutputLeases()
    leases.note("uno", [PinChange(7, 1, 1, "input_pullup")], "a", "agent", 1.0)
    assert leases.all() == []
