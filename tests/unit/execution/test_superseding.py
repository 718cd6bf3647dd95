"""Commands that stop an output end what was ordered for it before them (EX-8, EX-11, EX-16)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import (
    ActionResult,
    ActionState,
    ApprovalOutcome,
    ApprovalRequest,
    Permission,
)
from zeroclaw_desktop.execution.error_table import Code, explain_error
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse, Superseder

LONG_BLINK = {"count": 100, "interval": 5.0}


async def begun(
    door: Door, action: str, params: Mapping[str, Any], **more: Any
) -> asyncio.Task[ActionResult]:
    """Submit an action and let it come as far as it can by itself."""
    work = asyncio.create_task(door.do(action, params, **more))
    for _ in range(20):
        await asyncio.sleep(0)
    return work


def is_superseded(result: ActionResult, by: str) -> bool:
    return (
        result.state is ActionState.CANCELLED
        and result.error_code == Code.SUPERSEDED
        and result.faults[0].details["by"] == by
    )


async def test_releasing_an_output_ends_what_runs_and_what_waits_for_it() -> None:
    door = Door()
    running = await begun(door, "led_blink", {"pin": 7, **LONG_BLINK})
    waiting = await begun(door, "led_set", {"pin": 7, "state": 1})
    elsewhere = await begun(door, "led_blink", {"pin": 8, **LONG_BLINK})
    assert (await door.do("output_release", {"pin": 7})).ok
    assert is_superseded(await running, "output_release")
    assert is_superseded(await waiting, "output_release")
    assert door.boards.level(7) == 0
    assert not elsewhere.done()
    elsewhere.cancel()
    await asyncio.wait([elsewhere])


async def test_the_safe_state_of_a_board_ends_its_drivers_and_nobody_elses() -> None:
    door = Door("a", "b")
    here = [
        await begun(door, action, params, device_id="a")
        for action, params in (
            ("led_blink", LONG_BLINK),
            ("tone", {"pin": 8, "frequency": 440, "duration": 10.0}),
            ("led_set", {"state": 1}),
        )
    ]
    there = await begun(door, "led_blink", LONG_BLINK, device_id="b")
    assert (await door.do("board_safe", device_id="a")).ok
    for work in here:
        assert is_superseded(await work, "board_safe")
    assert not there.done()
    assert (door.boards.level(13, "a"), door.boards.level(8, "a")) == (0, 0)
    there.cancel()
    await asyncio.wait([there])


async def test_a_flash_is_not_torn_off_by_the_safe_state() -> None:
    """A half-written board is worse than one that is safe a little later; it drives nothing meanwhile."""
    door, written = Door(), asyncio.Event()

    async def handler(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await written.wait()
        return Outcome()

    door.registry.unregister("flash_firmware")
    door.registry.register(
        Command("flash_firmware", "Write", handler, resources=lambda _p, _b: (ResourceUse("serial"),))
    )
    flash = await begun(door, "flash_firmware", {})
    safe = await begun(door, "board_safe", {})
    written.set()
    assert (await flash).ok
    assert (await safe).ok


async def test_what_is_submitted_after_the_stop_runs_after_it() -> None:
    door = Door()
    blink = await begun(door, "led_blink", {"pin": 7, **LONG_BLINK})
    release = asyncio.create_task(door.do("output_release", {"pin": 7}))
    later = asyncio.create_task(door.do("led_set", {"pin": 7, "state": 1}))
    results = await asyncio.gather(blink, release, later)
    assert [result.state.value for result in results] == ["CANCELLED", "COMPLETED", "COMPLETED"]
    assert door.boards.level(7) == 1


async def test_the_value_off_is_a_step_of_a_sequence_and_takes_its_turn() -> None:
    """'Blink, then switch it off' blinks; only a command that means 'stop' supersedes."""
    door = Door()
    blink = asyncio.create_task(door.do("led_blink", {"count": 1, "interval": 0.05}))
    assert (await door.do("led_set", {"state": 0})).ok
    assert (await blink).ok


async def test_reading_a_pin_is_not_driving_it() -> None:
    door = Door()
    release = asyncio.Event()

    async def handler(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await release.wait()
        return Outcome()

    watch = Command("watch", "Looks", handler, resources=lambda _p, _b: (ResourceUse("gpio:7", "read"),))
    door.registry.register(watch)
    looking = await begun(door, "watch", {})
    stop = await begun(door, "output_release", {"pin": 7})
    release.set()
    assert (await looking).ok
    assert (await stop).ok


async def test_a_question_about_an_earlier_action_is_over() -> None:
    """A person who answers the card after the stop must not start what the stop was about."""
    door, asked = Door(), asyncio.Event()

    async def person(_request: ApprovalRequest) -> ApprovalOutcome:
        asked.set()
        await asyncio.sleep(60.0)
        return ApprovalOutcome.ONCE

    door.executor.approver = person
    waiting = await begun(door, "digital_write", {"pin": 7, "value": 1}, source="agent")
    await asked.wait()
    assert (await door.do("output_release", {"pin": 7})).ok
    assert is_superseded(await waiting, "output_release")
    assert door.boards.level(7) == 0


def stop_of_seven(permission: Permission) -> Command:
    async def handler(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        return Outcome()

    return Command(
        "stop_seven",
        "Stops pin 7",
        handler,
        permission=permission,
        supersedes=lambda _params, _board: ["gpio:7"],
    )


async def test_a_stop_that_was_not_allowed_ends_nothing() -> None:
    door = Door()
    door.registry.register(stop_of_seven(Permission.ROOT))
    blink = await begun(door, "led_blink", {"pin": 7, "count": 1, "interval": 0.05})
    assert (await door.do("stop_seven", source="agent")).error_code == Code.PERMISSION_DENIED
    assert (await blink).ok


async def test_a_dry_run_ends_nothing() -> None:
    """EX-15: everything but the wire, so what moves goes on moving."""
    door = Door()
    blink = await begun(door, "led_blink", {"pin": 7, "count": 1, "interval": 0.05})
    assert (await door.do("output_release", {"pin": 7}, dry_run=True)).ok
    assert (await blink).ok


async def test_a_clean_up_knows_which_command_it_makes_way_for() -> None:
    """EX-4 cancel: it can suit the stop (a ramp); for any other end there is nothing to suit."""
    door, known = Door(), []

    async def handler(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.sleep(60.0)
        return Outcome()

    async def clean_up(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        known.append(context.superseded_by)
        return Outcome()

    door.registry.register(
        Command("turn", "Turns", handler, resources=lambda _p, _b: (ResourceUse("gpio:7"),), cancel=clean_up)
    )
    turning = await begun(door, "turn", {})
    await door.do("output_release", {"pin": 7})
    assert is_superseded(await turning, "output_release")
    turning = await begun(door, "turn", {})
    door.executor.cancel_all("person")
    assert (await turning).error_code == Code.CANCELLED
    assert known == [Superseder("output_release", {"pin": 7}), None]


async def test_neither_a_lock_nor_a_full_queue_keeps_an_output_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-8: a handler that did not end locks its pin for driving, not for making it safe."""
    door, release = Door(), asyncio.Event()

    async def stuck(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 1})
        while not release.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await release.wait()
        return Outcome()

    door.registry.register(
        Command("stuck", "Hangs", stuck, resources=lambda _p, _b: (ResourceUse("gpio:7"),), end_grace=0.02)
    )
    assert (await door.do("stuck", timeout=0.02)).error_code == Code.IGNORED_CANCEL
    monkeypatch.setattr("zeroclaw_desktop.execution.resource_queue.MAX_WAITING", 0)
    assert (await door.do("led_set", {"pin": 7, "state": 1})).error_code == Code.RESOURCE_QUARANTINED
    assert (await door.do("led_set", {"pin": 8, "state": 1})).error_code == Code.QUEUE_FULL
    assert door.boards.level(7) == 1
    assert (await door.do("output_release", {"pin": 7})).ok
    assert door.boards.level(7) == 0
    release.set()
    await asyncio.sleep(0)


async def test_after_the_emergency_stop_nothing_that_waited_comes_back() -> None:
    """EX-16: it supersedes everything; a person's release does not bring the queue back to life."""
    door = Door()
    works = [
        await begun(door, "led_blink", {"pin": 7, **LONG_BLINK}),
        await begun(door, "led_set", {"pin": 7, "state": 1}),
        await begun(door, "servo_move", {"angle": 90, "pin": 9}),
    ]
    assert (await door.do("motor_emergency_stop")).ok
    door.stop.release("person")
    results = await asyncio.gather(*works)
    assert [result.state.value for result in results[:2]] == ["CANCELLED", "CANCELLED"]
    await asyncio.sleep(0.05)
    assert door.boards.level(7) == 0
    assert door.executor.queue_entries() == []


def test_every_command_that_only_makes_safe_supersedes_and_no_other_does() -> None:
    door = Door()
    board = door.boards.boards()[0]
    superseding = {
        command.name
        for command in door.registry.list_commands()
        if command.supersedes({"pin": 5, "pwm_pin": 5}, board)
    }
    safe = {command.name for command in door.registry.list_commands() if command.only_makes_safe}
    assert superseding == {"motor_stop", "output_release", "board_safe"}
    assert safe == superseding | {"motor_emergency_stop"}  # which ends everything, in its own way


def test_the_reason_is_told_in_both_languages() -> None:
    """EX-10."""
    for language in ("en", "zh"):
        assert "motor_stop" in explain_error(Code.SUPERSEDED, language, {"by": "motor_stop"})  # type: ignore[arg-type]
