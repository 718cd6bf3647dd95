"""EX-6, EX-8, EX-9: policy, rates, budget and leases as the executor applies them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers import loopback_board
from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.boards import PinPolicy
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome
from zeroclaw_desktop.foundation.clock import ManualClock
from zeroclaw_desktop.runtime.pin_guard import PinGuard


def door_with(monkeypatch: pytest.MonkeyPatch, clock: ManualClock | None = None, **pins: PinPolicy) -> Door:
    """A door whose Uno has these limits: ``p7=PinPolicy(...)``."""
    policies = {int(key[1:]): policy for key, policy in pins.items()}
    monkeypatch.setattr(loopback_board, "UNO", replace(loopback_board.UNO, policies=policies))
    return Door(clock=clock)


async def test_a_limit_holds_for_every_source_even_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    door = door_with(monkeypatch, p9=PinPolicy(max_duty=0.5))
    for source in ("manual", "agent"):
        result = await door.do("pwm_write", {"pin": 9, "duty": 0.9}, source=source)
        assert result.error_code == Code.POLICY_LIMIT
    assert door.boards.sent == []
    assert (await door.do("pwm_write", {"pin": 9, "duty": 0.5})).ok


async def test_two_sides_of_a_bridge_are_never_on_together(monkeypatch: pytest.MonkeyPatch) -> None:
    door = door_with(monkeypatch, p5=PinPolicy(exclusive="bridge"), p6=PinPolicy(exclusive="bridge"))
    assert (await door.do("digital_write", {"pin": 5, "value": 1})).ok
    assert (await door.do("digital_write", {"pin": 6, "value": 1})).error_code == Code.EXCLUSIVE_PIN
    assert (await door.do("digital_write", {"pin": 5, "value": 0})).ok
    assert (await door.do("digital_write", {"pin": 6, "value": 1})).ok


async def test_too_many_changes_are_refused_and_the_next_second_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = ManualClock()
    door = door_with(monkeypatch, clock, p7=PinPolicy(changes_per_second=2))
    codes = [(await door.do("digital_write", {"pin": 7, "value": n % 2})).error_code for n in range(3)]
    assert codes == [0, 0, Code.RATE_LIMITED]
    await clock.advance(1.1)
    assert (await door.do("digital_write", {"pin": 7, "value": 1})).ok


async def test_a_blink_faster_than_its_pin_may_change_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-6: refused before the first step, with the limit and what was asked for."""
    door = door_with(monkeypatch, p7=PinPolicy(changes_per_second=5))
    result = await door.do("led_blink", {"pin": 7, "count": 3, "interval": 0.1})
    assert [row.code for row in result.faults] == [Code.RATE_LIMITED]
    assert "10 times a second" in result.faults[0].message
    assert "allowed are 5" in result.faults[0].message
    assert door.boards.sent == []


async def test_the_changes_of_a_blink_count_for_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """EX-6: three blinks are six changes, not two; a seventh within the second is too many."""
    clock = ManualClock()
    door = door_with(monkeypatch, clock, p7=PinPolicy(changes_per_second=6))
    blink = asyncio.ensure_future(door.do("led_blink", {"pin": 7, "count": 3, "interval": 0.1}))
    while not blink.done():
        await asyncio.sleep(0)
        await clock.advance(0.1)
    assert blink.result().ok
    assert (await door.do("digital_write", {"pin": 7, "value": 1})).error_code == Code.RATE_LIMITED
    await clock.advance(1.0)
    assert (await door.do("digital_write", {"pin": 7, "value": 1})).ok


async def test_making_safe_is_never_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    door = door_with(
        monkeypatch, ManualClock(), p7=PinPolicy(changes_per_second=1, modes=frozenset({"output"}))
    )
    await door.do("digital_write", {"pin": 7, "value": 1})
    assert (await door.do("output_release", {"pin": 7}, source="agent")).ok
    assert door.boards.level(7) == 0


@pytest.mark.parametrize(
    ("action", "params", "policy"),
    [
        ("led_blink", {"pin": 9}, PinPolicy(max_duty=0.5)),
        ("led_breath", {"pin": 9}, PinPolicy(max_duty=0.5)),
        ("led_breath", {"pin": 9}, PinPolicy(modes=frozenset({"output"}))),
        ("led_blink", {"pin": 9, "interval": 2.5}, PinPolicy(max_on_seconds=2)),
        ("tone", {"pin": 9, "frequency": 440, "duration": 3}, PinPolicy(max_on_seconds=2)),
    ],
)
async def test_a_state_on_the_way_obeys_the_limits_too(
    monkeypatch: pytest.MonkeyPatch, action: str, params: dict[str, Any], policy: PinPolicy
) -> None:
    """EX-6: that a pin is off in the end does not make the way there harmless."""
    door = door_with(monkeypatch, p9=policy)
    result = await door.do(action, params)
    assert [row.code for row in result.faults] == [Code.POLICY_LIMIT]
    assert door.boards.sent == []


@pytest.mark.parametrize("action", ["led_blink", "tone"])
async def test_a_bridge_is_not_shorted_on_the_way(monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    door = door_with(monkeypatch, p5=PinPolicy(exclusive="bridge"), p6=PinPolicy(exclusive="bridge"))
    assert (await door.do("digital_write", {"pin": 5, "value": 1})).ok
    params = {"pin": 6, "frequency": 440} if action == "tone" else {"pin": 6}
    assert (await door.do(action, params)).error_code == Code.EXCLUSIVE_PIN


async def test_a_pin_rests_after_a_blink(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    door = door_with(monkeypatch, clock, p7=PinPolicy(min_off_seconds=30))
    blink = asyncio.ensure_future(door.do("led_blink", {"pin": 7, "count": 1, "interval": 0.1}))
    while not blink.done():
        await asyncio.sleep(0)
        await clock.advance(0.1)
    assert blink.result().ok
    assert (await door.do("digital_write", {"pin": 7, "value": 1})).error_code == Code.TOO_SOON


async def test_a_board_without_an_led_asks_for_the_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback_board, "UNO", replace(loopback_board.UNO, led_pin=None))
    door = Door()
    result = await door.do("led_set", {"state": 1})
    assert [(row.code, row.param) for row in result.faults] == [(Code.MISSING_PARAMETER, "pin")]


async def test_the_guard_switches_off_what_is_on_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    door = door_with(monkeypatch, clock, p7=PinPolicy(max_on_seconds=10))
    await door.do("digital_write", {"pin": 7, "value": 1})
    guard = PinGuard(door.executor, clock)
    await clock.advance(9)
    await guard.look()
    assert door.boards.level(7) == 1
    await clock.advance(2)
    await guard.look()
    assert door.boards.level(7) == 0


async def test_a_session_that_used_its_time_is_refused_however_valid() -> None:
    clock = ManualClock()
    door = Door(clock=clock)
    door.executor.budget.limit = 1.0
    door.executor.budget.charge("turn-1", 1.0)
    from zeroclaw_desktop.execution.payloads import make_payload

    def payload(task_id: str):  # type: ignore[no-untyped-def]
        return make_payload("led_set", {"state": 1}, source="agent", task_id=task_id)

    assert (await door.executor.submit(payload("turn-1.c9"))).error_code == Code.BUDGET_EXHAUSTED
    assert (await door.executor.submit(payload("turn-2.c1"))).ok
    assert [state.session for state in door.executor.budget.states()] == ["turn-1", "turn-2"]


async def test_leases_tell_which_task_left_an_output_on() -> None:
    door = Door()
    result = await door.do("digital_write", {"pin": 7, "value": 1})
    lease = door.executor.leases.holder("uno", 7)
    assert lease is not None
    assert lease.task_id == result.task_id
    await door.stop.trigger("test")
    assert door.executor.leases.all() == []


async def test_a_blink_holds_nothing_when_it_has_ended() -> None:
    door = Door()
    await door.do("led_blink", {"count": 1, "interval": 0.05})
    assert door.executor.leases.all() == []


async def test_a_handler_that_fails_half_way_leaves_its_outputs_low() -> None:
    door = Door()

    async def handler(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 1})
        raise ZeroDivisionError("half-way")

    async def low(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 0})
        return Outcome()

    door.registry.register(Command("half", "Fails half-way", handler, cancel=low))
    assert (await door.do("half")).error_code == Code.HANDLER_FAULT
    assert door.boards.level(7) == 0
    assert door.executor.leases.all() == []


async def test_what_the_board_refused_is_not_cleaned_up() -> None:
    """A refusal changed nothing, so the pin keeps what another task gave it."""
    door = Door()
    await door.do("digital_write", {"pin": 7, "value": 1})

    async def handler(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 9})
        return Outcome()

    async def low(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 0})
        return Outcome()

    door.registry.register(Command("wrong", "Is refused", handler, cancel=low))
    assert (await door.do("wrong")).error_code == Code.DEVICE_REFUSED
    assert door.boards.level(7) == 1


@pytest.mark.parametrize("turns", range(8))
async def test_nothing_follows_the_stop_on_the_wire(turns: int) -> None:
    """EX-16: a handler that is woken at the moment of the stop takes no further step at a board."""
    clock = ManualClock()
    door = Door(clock=clock)
    blink = asyncio.ensure_future(door.do("led_blink", {"count": 50, "interval": 0.1}))
    while "gpio_write" not in door.boards.commands():
        await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    await door.stop.trigger("test")
    while not blink.done():
        await asyncio.sleep(0)
        await clock.advance(0.1)
    assert blink.result().state.value == "CANCELLED"
    assert door.boards.commands()[-1] == "stop_all"
    assert door.boards.level(13) == 0
