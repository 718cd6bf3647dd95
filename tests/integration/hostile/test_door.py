"""Bad use of the one door: the same id twice, cancel storms, stops at every moment, releases in between."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionState, Constraints, Permission
from zeroclaw_desktop.contracts.boards import StopOutcome
from zeroclaw_desktop.contracts.events import BoardsChanged, EmergencyStopChanged
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome


async def rounds(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_task_id_that_is_running_is_refused_so_that_the_stop_finds_every_action() -> None:
    door = Door()
    blink = make_payload(
        "led_blink", {"count": 100, "interval": 5.0}, source="manual", task_id="same", device_id="uno"
    )
    first = asyncio.create_task(door.executor.submit(blink))
    await rounds()
    second = await door.executor.submit(
        make_payload("led_set", {"state": 1, "pin": 7}, source="manual", task_id="same", device_id="uno")
    )
    assert second.state is ActionState.FAILED
    assert second.error_code == Code.MALFORMED_PAYLOAD
    assert "same" in second.faults[0].message
    assert door.boards.level(7) == 0
    report = await door.stop.trigger("test")
    assert report.cancelled == 1
    assert (await first).state is ActionState.CANCELLED
    assert door.boards.level(13) == 0


async def test_cancelling_again_and_again_does_not_cut_short_the_clean_up() -> None:
    door = Door()
    gate, cleaned = asyncio.Event(), []

    async def drive(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 1})
        await asyncio.sleep(3600)
        return Outcome()

    async def safe(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await gate.wait()
        await context.link.request("gpio_write", {"pin": 7, "value": 0})
        cleaned.append(True)
        return Outcome()

    door.registry.register(Command("drive", "d", drive, {}, Permission.SKILL, cancel=safe))
    work = asyncio.create_task(
        door.executor.submit(make_payload("drive", {}, source="manual", task_id="d", device_id="uno"))
    )
    await rounds()
    assert door.boards.level(7) == 1
    for _ in range(50):
        door.executor.cancel("d")
        await rounds(2)
    gate.set()
    result = await work
    assert result.state is ActionState.CANCELLED
    assert cleaned == [True]
    assert door.boards.level(7) == 0


async def test_a_caller_that_is_cancelled_after_a_cancel_still_leaves_safe_outputs() -> None:
    door = Door()
    work = asyncio.create_task(door.do("led_blink", {"count": 100, "interval": 5.0}))
    await rounds()
    assert door.boards.level(13) == 1
    door.executor.cancel_all("person")
    work.cancel()
    await asyncio.wait([work])
    await rounds()
    assert door.boards.level(13) == 0


async def test_a_command_that_got_no_answer_leaves_its_output_safe() -> None:
    door = Door()

    async def half_done(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 1})
        await context.link.request("adc_read", {"pin": 0})
        return Outcome()

    async def safe(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        await context.link.request("gpio_write", {"pin": 7, "value": 0})
        return Outcome()

    door.registry.register(Command("half", "h", half_done, {}, Permission.SKILL, cancel=safe))
    door.boards.silent.add("adc_read")
    result = await door.do("half")
    assert result.error_code == Code.NO_REPLY
    assert door.boards.level(7) == 0


async def test_thousands_of_payloads_at_once_end_with_the_stop_and_nothing_is_left_on() -> None:
    door = Door()
    pins = (2, 3, 4, 5, 6, 7, 8, 12)
    work = [
        asyncio.create_task(door.do("digital_write", {"pin": pins[number % len(pins)], "value": 1}))
        for number in range(3000)
    ]
    await rounds(200)
    await door.stop.trigger("test")
    results = await asyncio.gather(*work)
    assert {result.state for result in results} <= {ActionState.COMPLETED, ActionState.CANCELLED}
    assert [door.boards.level(pin) for pin in pins] == [0] * len(pins)
    assert door.executor.queue_entries() == []


async def test_no_retry_begins_after_the_stop() -> None:
    door = Door()
    door.boards.silent.add("gpio_write")
    work = asyncio.create_task(door.do("led_set", {"state": 1}, retries=10))
    await asyncio.sleep(0.05)
    await door.stop.trigger("test")
    assert (await work).state is ActionState.CANCELLED
    sent = len(door.boards.sent)
    await asyncio.sleep(0.3)
    assert len(door.boards.sent) == sent


async def test_a_stop_pressed_twice_tells_the_boards_twice_and_stays_latched() -> None:
    door = Door()
    await asyncio.gather(door.stop.trigger("one"), door.stop.trigger("two"))
    assert door.stop.latched
    assert door.boards.commands() == ["stop_all", "stop_all"]
    door.stop.release("person")
    assert (await door.do("led_set", {"state": 1})).ok


async def test_a_release_while_boards_still_answer_is_not_undone_by_their_answers() -> None:
    door = Door()
    heard: list[EmergencyStopChanged] = []
    door.bus.subscribe(EmergencyStopChanged, heard.append)
    gate = asyncio.Event()
    stop_all = door.boards.stop_all

    def slow(triggered_at: float) -> Any:
        answers = stop_all(triggered_at)

        async def late() -> Sequence[StopOutcome]:
            await gate.wait()
            return await answers

        return late()

    door.boards.stop_all = slow  # type: ignore[method-assign]
    pressed = asyncio.create_task(door.stop.trigger("button"))
    await rounds()
    assert door.stop.latched
    door.stop.release("person")
    gate.set()
    report = await pressed
    assert report.outcomes[0].confirmed
    assert not door.stop.latched
    assert not heard[-1].latched


async def test_a_board_that_comes_back_while_stopped_is_told_before_anything_else() -> None:
    door = Door("a", "b")
    door.boards.states["b"] = "lost"
    await door.stop.trigger("test")
    assert [board for board, command, _ in door.boards.sent] == ["a"]
    door.boards.states["b"] = "live"
    door.bus.publish(BoardsChanged("b"))
    await rounds()
    assert ("b", "stop_all", {}) in door.boards.sent
    assert door.stop.latched
    assert {outcome.board_id for outcome in door.stop.last.outcomes} == {"a", "b"}
    assert (await door.do("led_set", {"state": 1}, device_id="b")).error_code == Code.EMERGENCY_STOPPED


async def test_a_dry_run_sends_nothing_for_any_command_that_changes_something() -> None:
    door = Door()
    examples: dict[str, dict[str, Any]] = {
        "digital_write": {"pin": 7, "value": 1},
        "pin_mode": {"pin": 7, "mode": "output"},
        "pwm_write": {"pin": 9, "duty": 0.5},
        "led_set": {"state": 1},
        "led_blink": {},
        "led_breath": {"pin": 9},
        "servo_move": {"angle": 90, "pin": 9},
        "flash_firmware": {"firmware": "default"},
    }
    known = {command.name for command in door.registry.list_commands()}
    assert set(examples) <= known
    for action, params in examples.items():
        result = await door.do(action, params, dry_run=True)
        assert result.ok, (action, result.faults)
        assert result.dry_run
    assert door.boards.sent == []
    assert door.flashed == []


async def test_a_payload_for_another_board_never_reaches_this_one() -> None:
    door = Door("a", "b")
    for name in ("A", "a ", "a/b", "../a", "*", "a\x00"):
        result = await door.executor.submit(
            make_payload("led_set", {"state": 1}, source="manual", device_id=name, constraints=Constraints())
        )
        assert result.error_code == Code.UNKNOWN_DEVICE
    assert door.boards.sent == []
