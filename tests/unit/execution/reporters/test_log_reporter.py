"""The log as a reporter (EX-12): quiet when all is well, complete when it is not."""

from __future__ import annotations

import logging

import pytest

from tests.unit.execution.reporters.reports import beginning, transition
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionFault, ActionState, ActionTransition
from zeroclaw_desktop.execution.reporters import BusReporter, LogReporter


def test_normal_runs_are_told_at_info(caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: normal runs at INFO, one record for each transition."""
    caplog.set_level(logging.DEBUG, "zeroclaw.execution")
    LogReporter().report(beginning())
    LogReporter().report(transition())
    assert [record.levelname for record in caplog.records] == ["INFO", "INFO"]


def test_a_fault_adds_one_error_with_parameters_and_snapshot(caplog: pytest.LogCaptureFixture) -> None:
    """EX-12: a non-zero code adds one ERROR with parameter and hardware snapshots."""
    caplog.set_level(logging.DEBUG, "zeroclaw.execution")
    fault = ActionFault(0x41, "NO_REPLY", "the board did not answer")
    LogReporter().report(transition(state=ActionState.FAILED, faults=(fault,)))
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == 1
    for part in ("0x41", "the board did not answer", "'angle': 90", "servo_1"):
        assert part in errors[0]


def test_the_bus_gets_each_transition() -> None:
    """EX-12, EX-7: the window hears of every transition."""
    bus, heard = EventBus(), []
    bus.subscribe(ActionTransition, heard.append)
    BusReporter(bus).report(beginning())
    BusReporter(bus).report(transition())
    assert [event.state for event in heard] == [ActionState.RUNNING, ActionState.COMPLETED]
