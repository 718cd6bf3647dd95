"""An answer is used only while what it was given to still holds (SC-11, EX-6)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest, Permission
from zeroclaw_desktop.contracts.boards import NamedPin, PinState
from zeroclaw_desktop.execution.asking import MOST_QUESTIONS
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse


class Person:
    """Answers each question after doing something to the boards."""

    def __init__(self, door: Door, *meanwhile: Callable[[], None]) -> None:
        self.asked: list[ApprovalRequest] = []
        self._meanwhile = list(meanwhile)
        self.outcome = ApprovalOutcome.ONCE
        door.executor.approver = self.answer

    async def answer(self, request: ApprovalRequest) -> ApprovalOutcome:
        self.asked.append(request)
        await asyncio.sleep(0)
        if self._meanwhile:
            self._meanwhile.pop(0)()
        return self.outcome


def pin_seven(door: Door, **state: Any) -> Callable[[], None]:
    def change() -> None:
        door.boards.pins["uno"] = {7: PinState(7, "output", **state)}

    return change


async def test_a_pin_that_changed_is_asked_about_again_and_nothing_was_done_before() -> None:
    door = Door()
    pin_seven(door, level=0)()
    person = Person(door, pin_seven(door, level=1))
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert result.ok
    assert [request.changes[0].before for request in person.asked] == [0, 1]
    assert [request.again for request in person.asked] == [False, True]
    assert door.boards.commands().count("gpio_write") == 1


async def test_names_of_pins_that_changed_ask_again() -> None:
    door = Door()

    def name() -> None:
        door.boards.named_pins = (NamedPin("heater", 8, "switch"),)

    person = Person(door, name)
    assert (await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")).ok
    assert len(person.asked) == 2


async def test_a_state_that_never_rests_is_refused() -> None:
    door = Door()
    person = Person(door, *[pin_seven(door, level=number % 2) for number in range(20)])
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert result.error_code == Code.APPROVAL_OUTDATED
    assert len(person.asked) == MOST_QUESTIONS
    assert "gpio_write" not in door.boards.commands()


async def test_a_board_that_went_away_meanwhile_is_not_written_to() -> None:
    door = Door()

    def unplug() -> None:
        door.boards.states["uno"] = "lost"

    Person(door, unplug)
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert result.error_code == Code.DEVICE_NOT_CONNECTED
    assert "gpio_write" not in door.boards.commands()


async def test_what_changes_while_the_action_waits_for_its_turn_asks_again() -> None:
    door = Door()
    free, held = asyncio.Event(), asyncio.Event()

    async def hold(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        held.set()
        await free.wait()
        return Outcome()

    door.registry.register(
        Command("hold", "holds pin 7", hold, resources=lambda _p, _b: [ResourceUse("gpio:7")])
    )
    pin_seven(door, level=0)()
    person = Person(door)
    holding = asyncio.create_task(door.do("hold"))
    await held.wait()
    writing = asyncio.create_task(door.do("digital_write", {"pin": 7, "value": 1}, source="agent"))
    while not any(not entry.running for entry in door.executor.queue_entries()):
        await asyncio.sleep(0)
    door.boards.pins["uno"] = {7: PinState(7, "servo", angle=90.0)}
    free.set()
    await holding
    assert (await writing).ok
    assert [request.again for request in person.asked] == [False, True]
    assert person.asked[-1].scope is not None
    assert person.asked[-1].scope.pins[0].mode == "servo"


@pytest.mark.parametrize(
    "outcome", [ApprovalOutcome.DENIED, ApprovalOutcome.TIMED_OUT, ApprovalOutcome.NOBODY]
)
async def test_no_yes_moves_nothing(outcome: ApprovalOutcome) -> None:
    door = Door()
    person = Person(door)
    person.outcome = outcome
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert not result.ok
    assert "gpio_write" not in door.boards.commands()


async def test_a_yes_after_the_emergency_stop_moves_nothing() -> None:
    door = Door()

    def stop() -> None:
        door.stop.last = replace(door.stop.last, latched=True)

    Person(door, stop)
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert result.error_code == Code.EMERGENCY_STOPPED
    assert "gpio_write" not in door.boards.commands()


async def test_how_it_was_allowed_is_a_step_of_the_action() -> None:
    door = Door()
    person = Person(door)
    person.outcome = ApprovalOutcome.RULE
    await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    notes = {row.state.value: row.note for row in door.reporter.transitions}
    assert notes["VALIDATED"] == "allowed: rule"


async def test_a_question_says_what_it_is_about() -> None:
    door = Door()
    person = Person(door)
    await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    asked = person.asked[0]
    assert (asked.permission, asked.ceiling, asked.rememberable) == (Permission.ROOT, Permission.SKILL, True)
    assert asked.scope is not None
    assert asked.scope.params == (("pin", "7"), ("value", "1"))
