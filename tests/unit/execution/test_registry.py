"""EX-3: names are taken once, unknown ones come with near names, a command can be unloaded while it runs."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.execution.errors import CommandExistsError, CommandNotFoundError


def test_a_taken_name_is_refused() -> None:
    door = Door()
    with pytest.raises(CommandExistsError, match="led_set"):
        door.registry.register(door.registry.resolve("led_set"))


@pytest.mark.parametrize(("wrong", "near"), [("servo_mov", "servo_move"), ("led_blnk", "led_blink")])
def test_an_unknown_name_comes_with_near_ones(wrong: str, near: str) -> None:
    with pytest.raises(CommandNotFoundError, match=near) as caught:
        Door().registry.resolve(wrong)
    assert caught.value.details["near"][0] == near


async def test_a_running_command_finishes_after_it_was_unloaded() -> None:
    door = Door()
    work = asyncio.create_task(door.do("led_blink", {"count": 1, "interval": 0.05}))
    await asyncio.sleep(0.02)
    door.registry.unregister("led_blink")
    assert (await work).ok
    assert not (await door.do("led_blink", {"count": 1})).ok


def test_the_list_tells_what_an_audit_needs() -> None:
    commands = {command.name: command for command in Door().registry.list_commands()}
    for name in (
        "digital_read", "digital_write", "pin_mode", "analog_read", "pwm_write", "led_set", "led_blink",
        "led_breath", "servo_move", "board_info", "motor_emergency_stop",
    ):  # fmt: skip
        assert commands[name].description
        assert commands[name].owner
    assert commands["digital_write"].permission.label == "root"
    assert commands["servo_move"].permission.label == "skill"
