"""The door as a whole: EX-1, EX-4 to EX-9, EX-12, EX-15, EX-16 on boards in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers import loopback_board
from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import (
    ActionState,
    ApprovalOutcome,
    ApprovalRequest,
    Permission,
)
from zeroclaw_desktop.execution.error_table import Code, explain_error
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome, ResourceUse


async def test_an_action_goes_through_its_states_and_reports_what_the_board_says() -> None:
    door = Door()
    result = await door.do("digital_write", {"pin": 7, "value": 1})
    assert door.reporter.states() == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    assert result.ok
    assert door.boards.level(7) == 1
    assert result.hardware_states == {"pin_7": {"mode": "output", "level": 1}}


async def test_transition_times_never_go_back() -> None:
    door = Door()
    await door.do("led_set", {"state": 1})
    times = [transition.monotonic for transition in door.reporter.transitions]
    assert times == sorted(times)


async def test_the_sequence_number_counts_for_each_device() -> None:
    door = Door("a", "b")
    numbers = [(await door.do("led_set", {"state": 1}, device_id=board)).seq for board in "aabab"]
    assert numbers == [1, 2, 1, 3, 2]


async def test_invented_devices_are_not_remembered() -> None:
    """EX-13 numbers the reports of boards; a board that was there keeps its own when it is gone."""
    door = Door("a", "b")
    assert (await door.do("led_set", {"state": 1}, device_id="a")).seq == 1
    for number in range(50):
        refused = await door.do("led_set", {"state": 1}, device_id=f"invented-{number}")
        assert (refused.error_code, refused.seq) == (Code.UNKNOWN_DEVICE, 0)
        assert (await door.do("no_such_command", {}, device_id=f"invented-{number}")).seq == 0
    assert set(door.executor._sequence) == {"a"}
    del door.boards.states["a"]
    assert (await door.do("led_set", {"state": 1}, device_id="a")).seq == 2
    assert [(await door.do("device_list")).seq for _ in range(2)] == [1, 2]


@pytest.mark.parametrize(
    ("action", "params", "code"),
    [
        ("digital_write", {"pin": 0, "value": 1}, Code.ILLEGAL_PIN),
        ("digital_write", {"pin": 99, "value": 1}, Code.ILLEGAL_PIN),
        ("digital_write", {"pin": 7, "value": 2}, Code.NOT_A_CHOICE),
        ("digital_write", {"pin": 7}, Code.MISSING_PARAMETER),
        ("pwm_write", {"pin": 13, "duty": 0.5}, Code.ILLEGAL_PIN),
        ("pwm_write", {"pin": 9, "duty": 1.5}, Code.OUT_OF_RANGE),
        ("servo_move", {"angle": 200}, Code.OUT_OF_RANGE),
        ("servo_move", {"angle": 90, "pin": 4}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": "A7"}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": "7"}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": "A-7"}, Code.BAD_FORMAT),
        ("analog_read", {"pin": 7}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": "D7"}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": 0}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": 300}, Code.ILLEGAL_PIN),
        ("analog_read", {"pin": -1}, Code.WRONG_TYPE),
        ("analog_read", {"pin": True}, Code.WRONG_TYPE),
        ("sensor_read", {"sensor": "temperature", "driver": "tmp36", "pin": 7}, Code.ILLEGAL_PIN),
        ("led_breath", {"pin": 13}, Code.ILLEGAL_PIN),
        ("led_blink", {"count": 0}, Code.OUT_OF_RANGE),
        ("warp_drive", {}, Code.UNKNOWN_ACTION),
    ],
)
async def test_a_wrong_value_never_reaches_the_wire(action: str, params: dict[str, Any], code: Code) -> None:
    door = Door()
    result = await door.do(action, params)
    assert result.state is ActionState.FAILED
    assert result.error_code == code
    assert door.boards.sent == []
    assert door.reporter.states() == ["PENDING", "FAILED"]


async def test_without_a_board_nothing_runs() -> None:
    door = Door()
    door.boards.states["uno"] = "lost"
    assert (await door.do("led_set", {"state": 1})).error_code == Code.DEVICE_NOT_CONNECTED
    assert (await door.do("led_set", {"state": 1}, device_id="mega")).error_code == Code.UNKNOWN_DEVICE


@pytest.mark.parametrize("state", ["failed", "lost", "offline"])
async def test_a_board_that_does_not_answer_can_be_flashed(state: str) -> None:
    """HW-6: it may hold another firmware, or none."""
    door = Door()
    door.boards.states["uno"] = state
    assert (await door.do("flash_firmware", {"firmware": "default"})).ok
    assert door.flashed == [("uno", "default")]


async def test_a_board_that_is_being_flashed_is_not_flashed_again() -> None:
    door = Door()
    door.boards.states["uno"] = "flashing"
    assert (await door.do("flash_firmware")).error_code == Code.DEVICE_NOT_CONNECTED
    assert door.flashed == []


async def test_with_two_boards_one_must_be_named() -> None:
    door = Door("a", "b")
    result = await door.do("led_set", {"state": 1})
    assert result.error_code == Code.DEVICE_NOT_CHOSEN
    assert "a, b" in result.faults[0].message
    assert (await door.do("led_set", {"state": 1}, device_id="b")).ok
    assert (door.boards.level(13, "a"), door.boards.level(13, "b")) == (0, 1)


# -- permissions (EX-6) -----------------------------------------------------------------------------------
@pytest.mark.parametrize("source", ["agent", "schedule", "sop", "webhook", "channel"])
async def test_a_raw_pin_needs_a_person(source: str) -> None:
    door = Door()
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source=source)
    assert result.error_code == Code.PERMISSION_DENIED
    assert door.boards.sent == []


async def test_an_agent_may_use_a_role_at_skill() -> None:
    assert (await Door().do("led_set", {"state": 1}, source="agent")).ok


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (ApprovalOutcome.ONCE, Code.OK),
        (ApprovalOutcome.DENIED, Code.APPROVAL_DENIED),
        (ApprovalOutcome.TIMED_OUT, Code.APPROVAL_TIMED_OUT),
        (ApprovalOutcome.NOBODY, Code.PERMISSION_DENIED),
    ],
)
async def test_a_person_is_asked_with_the_pins_that_change(outcome: ApprovalOutcome, code: Code) -> None:
    door, asked = Door(), []

    async def person(request: ApprovalRequest) -> ApprovalOutcome:
        asked.append(request)
        return outcome

    door.executor.approver = person
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert result.error_code == code
    assert (asked[0].permission, asked[0].ceiling) == (Permission.ROOT, Permission.SKILL)
    assert [(change.pin, change.after) for change in asked[0].changes] == [(7, 1)]
    assert door.boards.level(7) == (1 if outcome is ApprovalOutcome.ONCE else 0)


async def test_an_answer_covers_one_payload_only() -> None:
    door, asked = Door(), []

    async def person(request: ApprovalRequest) -> ApprovalOutcome:
        asked.append(request.payload.task_id)
        return ApprovalOutcome.ONCE

    door.executor.approver = person
    for _ in range(2):
        await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert len(set(asked)) == 2


async def test_a_stop_while_a_question_is_open_wins_over_the_answer() -> None:
    door = Door()

    async def person(_request: ApprovalRequest) -> ApprovalOutcome:
        await door.stop.trigger("test")
        return ApprovalOutcome.ONCE

    door.executor.approver = person
    result = await door.do("digital_write", {"pin": 7, "value": 1}, source="agent")
    assert not result.ok
    assert door.boards.level(7) == 0


# -- dry run (EX-15) --------------------------------------------------------------------------------------
async def test_a_dry_run_does_everything_but_the_wire() -> None:
    door = Door()
    result = await door.do("digital_write", {"pin": 7, "value": 1}, dry_run=True)
    assert result.ok
    assert result.dry_run
    assert [(change.pin, change.after) for change in result.commanded] == [(7, 1)]
    assert door.boards.sent == []
    assert door.reporter.states() == ["PENDING", "VALIDATED", "COMPLETED"]


async def test_a_dry_run_still_refuses_what_is_wrong() -> None:
    result = await Door().do("servo_move", {"angle": 999}, dry_run=True)
    assert result.error_code == Code.OUT_OF_RANGE


async def test_the_switch_and_the_environment_make_everything_dry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROCLAW_DRY_RUN", "1")
    door = Door()
    assert (await door.do("led_set", {"state": 1})).dry_run
    assert door.boards.sent == []


# -- deadline, cancel (EX-8) ------------------------------------------------------------------------------
async def test_a_timeout_is_0x31_and_leaves_the_pin_low() -> None:
    door = Door()
    result = await door.do("led_blink", {"count": 100, "interval": 5.0}, timeout=0.05)
    assert result.error_code == Code.TIMEOUT
    assert result.state is ActionState.FAILED
    assert door.boards.level(13) == 0
    assert door.boards.commands()[-1] == "gpio_write"
    assert door.executor.queue_entries() == []


async def test_a_cancelled_action_leaves_the_pin_low_and_says_who() -> None:
    door = Door()
    work = asyncio.create_task(door.do("led_blink", {"count": 100, "interval": 5.0}))
    await asyncio.sleep(0.05)
    task_id = door.reporter.transitions[0].payload.task_id
    assert door.boards.level(13) == 1
    assert door.executor.cancel(task_id, "person")
    result = await work
    assert result.state is ActionState.CANCELLED
    assert "person" in result.faults[0].message
    assert door.boards.level(13) == 0


async def test_cancelling_the_caller_cancels_the_action() -> None:
    door = Door()
    work = asyncio.create_task(door.do("led_blink", {"count": 100, "interval": 5.0}))
    await asyncio.sleep(0.05)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert door.reporter.states()[-1] == "CANCELLED"
    assert door.boards.level(13) == 0


async def test_a_cancelled_waiter_never_runs() -> None:
    door = Door()
    first = asyncio.create_task(door.do("led_blink", {"count": 100, "interval": 5.0}))
    await asyncio.sleep(0.02)
    second = asyncio.create_task(door.do("led_set", {"state": 1}))
    await asyncio.sleep(0.02)
    second_id = door.reporter.transitions[-1].payload.task_id
    door.executor.cancel(second_id)
    assert (await second).state is ActionState.CANCELLED
    assert door.reporter.states(second_id) == ["PENDING", "VALIDATED", "CANCELLED"]
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


def _stubborn(release: asyncio.Event) -> Command:
    async def handler(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return Outcome()

    return Command(
        "stubborn",
        "Ignores being told to end",
        handler,
        resources=lambda _p, _b: (ResourceUse("gpio:9"),),
        end_grace=0.05,
    )


async def test_a_handler_that_ignores_the_end_is_reported_and_its_resources_are_locked() -> None:
    door, release = Door(), asyncio.Event()
    door.registry.register(_stubborn(release))
    result = await door.do("stubborn", timeout=0.05)
    assert result.error_code == Code.IGNORED_CANCEL
    refused = await door.do("pwm_write", {"pin": 9, "duty": 0.5})
    assert refused.error_code == Code.RESOURCE_QUARANTINED
    door.executor.release_quarantine("uno")
    assert (await door.do("pwm_write", {"pin": 9, "duty": 0.5})).ok
    release.set()
    await asyncio.sleep(0.01)


async def test_an_action_stopped_before_its_first_step_still_gives_a_report() -> None:
    door = Door()
    work = asyncio.create_task(door.do("led_set", {"state": 1}))
    await asyncio.sleep(0)
    assert door.executor.cancel_all("test") == 1
    result = await work
    assert result.state is ActionState.CANCELLED
    assert door.reporter.states() == ["PENDING", "CANCELLED"]
    assert door.boards.sent == []


async def test_a_link_is_dead_after_its_action() -> None:
    door, kept = Door(), []

    async def handler(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        kept.append(context.link)
        return Outcome()

    door.registry.register(Command("leaker", "Keeps its link", handler))
    assert (await door.do("leaker")).ok
    with pytest.raises(Exception, match="expired"):
        await kept[0].request("gpio_write", {"pin": 7, "value": 1})
    assert door.boards.level(7) == 0


async def test_a_handlers_own_fault_becomes_a_report() -> None:
    door = Door()

    async def handler(_context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
        raise ZeroDivisionError("inside")

    door.registry.register(Command("broken", "Fails", handler))
    result = await door.do("broken")
    assert result.error_code == Code.HANDLER_FAULT
    assert "inside" in result.faults[0].message


# -- bus faults (EX-10) -----------------------------------------------------------------------------------
async def test_an_idempotent_command_is_tried_again_after_a_bus_fault() -> None:
    door = Door()
    door.boards.silent.add("gpio_read")
    result = await door.do("digital_read", {"pin": 7}, retries=2)
    assert result.error_code == Code.NO_REPLY
    assert door.boards.commands() == ["gpio_read"] * 3


async def test_a_movement_is_never_repeated_blindly() -> None:
    door = Door()
    door.boards.silent.add("gpio_write")
    result = await door.do("led_blink", {"count": 2}, retries=5)
    assert result.error_code == Code.NO_REPLY
    # The first write of the blink, then the clean-up that leaves the pin low.
    assert [args["value"] for _, command, args in door.boards.sent if command == "gpio_write"] == [0, 0]


# -- emergency stop (EX-16) -------------------------------------------------------------------------------
async def test_the_stop_cancels_tells_the_boards_and_latches() -> None:
    door = Door("a", "b")
    work = asyncio.create_task(door.do("led_blink", {"count": 100, "interval": 5.0}, device_id="a"))
    await asyncio.sleep(0.05)
    report = await door.stop.trigger("test")
    result = await work
    assert result.state is ActionState.CANCELLED
    assert report.cancelled == 1
    assert [command for _, command, _ in door.boards.sent].count("stop_all") == 2
    assert door.boards.level(13, "a") == 0
    refused = await door.do("led_set", {"state": 1}, device_id="a")
    assert refused.error_code == Code.EMERGENCY_STOPPED
    door.stop.release("person")
    assert (await door.do("led_set", {"state": 1}, device_id="a")).ok


async def test_looking_is_allowed_while_stopped() -> None:
    door = Door()
    await door.stop.trigger("test")
    assert (await door.do("device_list")).ok


async def test_the_stop_command_stops_and_is_not_cancelled_by_itself() -> None:
    door = Door()
    result = await door.do("motor_emergency_stop")
    assert result.ok
    assert door.stop.latched


@pytest.mark.parametrize("source", ["agent", "schedule", "sop", "webhook", "channel"])
async def test_only_a_person_triggers_the_stop_command(source: str) -> None:
    door = Door()
    assert (await door.do("motor_emergency_stop", source=source)).error_code == Code.PERMISSION_DENIED
    assert not door.stop.latched


# -- what commands do -------------------------------------------------------------------------------------
async def test_a_blink_clears_what_was_left_and_ends_low() -> None:
    door = Door()
    await door.do("led_set", {"state": 1})
    door.boards.sent.clear()
    result = await door.do("led_blink", {"count": 2, "interval": 0.05})
    levels = [args["value"] for _, command, args in door.boards.sent if command == "gpio_write"]
    assert levels == [0, 1, 0, 1, 0]
    assert result.value == {"pin": 13, "count": 2}
    assert result.hardware_states["pin_13"]["level"] == 0


async def test_reading_does_not_change_a_pin() -> None:
    door = Door()
    await door.do("digital_write", {"pin": 7, "value": 1})
    result = await door.do("digital_read", {"pin": 7})
    assert result.value == {"pin": 7, "value": 1}
    assert door.boards.machines["uno"].snapshot().modes[7] == "output"


async def test_an_analog_value_comes_with_volts() -> None:
    door = Door()
    door.boards.machines["uno"].set_volts(0, 2.5)
    result = await door.do("analog_read", {"pin": "a0"})
    assert result.value["raw"] == 512
    assert result.value["volts"] == pytest.approx(2.5, abs=0.01)


@pytest.mark.parametrize("pin", [14, "A0", "a0", "D14"])
async def test_an_analog_pin_by_its_name_or_its_number(pin: int | str) -> None:
    """The Uno's A0 is pin 14."""
    door = Door()
    door.boards.machines["uno"].set_volts(0, 2.5)
    result = await door.do("analog_read", {"pin": pin})
    assert (result.value["pin"], result.value["raw"]) == ("A0", 512)


async def test_a_pin_without_an_analog_input_is_told_those_that_have_one() -> None:
    """EX-10: 0x12 with the names."""
    result = await Door().do("analog_read", {"pin": 7})
    assert result.faults[0].message.startswith("Pin 7 cannot be used for this: it has no analog input")
    assert result.faults[0].details["allowed"] == "A0, A1, A2, A3, A4, A5"
    told = explain_error(Code.ILLEGAL_PIN, "zh", result.faults[0].details)
    assert told == "引脚 7 不能这样使用：它没有模拟输入。"


async def test_an_analog_pin_that_is_called_by_its_number_is_asked_for_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """HW-3: ``adc_read`` takes a channel or a pin; boards such as the ESP32 print numbers only."""
    pins = tuple(replace(pin, name=str(pin.number)) for pin in loopback_board.UNO.pins)
    monkeypatch.setattr(loopback_board, "UNO", replace(loopback_board.UNO, pins=pins))
    door = Door()
    door.boards.machines["uno"].set_volts(2, 5.0)
    result = await door.do("analog_read", {"pin": 16})
    assert (result.value["pin"], result.value["raw"]) == ("16", 1023)


async def test_a_duty_is_read_back_as_the_board_has_it() -> None:
    result = await Door().do("pwm_write", {"pin": 9, "duty": 0.5})
    assert result.hardware_states["pin_9"]["mode"] == "pwm"
    assert result.hardware_states["pin_9"]["duty"] == pytest.approx(0.5, abs=1 / 255)


async def test_a_servo_is_read_back_as_an_angle() -> None:
    result = await Door().do("servo_move", {"angle": 90})
    assert result.hardware_states["pin_9"]["angle"] == pytest.approx(90.0, abs=0.2)


async def test_a_slow_servo_takes_steps() -> None:
    door = Door()
    await door.do("servo_move", {"angle": 0})
    door.boards.sent.clear()
    await door.do("servo_move", {"angle": 30, "speed": 0.5})
    angles = [args["angle"] for _, command, args in door.boards.sent if command == "servo_write"]
    assert angles == sorted(angles)
    assert angles[-1] == 30
    assert len(angles) > 3


async def test_two_actions_on_one_pin_run_one_after_the_other() -> None:
    door = Door()
    await asyncio.gather(
        door.do("led_blink", {"count": 1, "interval": 0.05}), door.do("led_set", {"state": 1})
    )
    assert door.boards.level(13) == 1
    running = [t.payload.action for t in door.reporter.transitions if t.state is ActionState.RUNNING]
    ended = [t.payload.action for t in door.reporter.transitions if t.state is ActionState.COMPLETED]
    assert running == ended == ["led_blink", "led_set"]


async def test_actions_on_different_pins_run_side_by_side() -> None:
    door = Door()
    await asyncio.gather(
        door.do("led_blink", {"count": 1, "interval": 0.05}), door.do("digital_write", {"pin": 7, "value": 1})
    )
    ended = [t.payload.action for t in door.reporter.transitions if t.state is ActionState.COMPLETED]
    assert ended == ["digital_write", "led_blink"]
