"""A pin that the person has named can be used through its role's commands; a raw one asks (EX-6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import Permission
from zeroclaw_desktop.contracts.boards import NamedPin
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.pin_roles import ROLES

PIN = 9
SWITCH_ON: dict[str, Any] = {"pin": PIN, "value": 1}
USES: dict[str, dict[str, Any]] = {
    "digital_write": SWITCH_ON,
    "led_set": {"pin": PIN, "state": 1},
    "led_blink": {"pin": PIN, "count": 1, "interval": 0.05},
    "led_breath": {"pin": PIN, "duration": 1.0},
    "pwm_write": {"pin": PIN, "duty": 0.5},
    "tone": {"pin": PIN, "frequency": 440, "duration": 0.1},
}
ALLOWED = {
    "": set[str](),
    "led": {"digital_write", "led_set", "led_blink", "led_breath", "pwm_write"},
    "switch": {"digital_write", "led_set"},
    "dimmer": {"digital_write", "led_set", "pwm_write"},
    "buzzer": {"tone"},
}
"""What each role is for: a relay is neither blinked nor dimmed, nothing but a buzzer gets a tone."""


def named(role: str, pin: int = PIN) -> Door:
    door = Door()
    door.boards.named_pins = (NamedPin("thing", pin, role),)
    return door


def test_every_role_is_in_the_table() -> None:
    assert set(ALLOWED) == {"", *ROLES}


@pytest.mark.parametrize("role", ALLOWED)
@pytest.mark.parametrize("action", USES)
async def test_a_model_may_use_a_named_pin_by_its_role_only(role: str, action: str) -> None:
    result = await named(role).do(action, USES[action], source="agent")
    if action in ALLOWED[role]:
        assert result.ok, result.faults
    else:
        assert result.error_code == Code.PERMISSION_DENIED


@pytest.mark.parametrize("action", USES)
async def test_a_name_for_another_pin_allows_nothing(action: str) -> None:
    result = await named("led", pin=10).do(action, USES[action], source="agent")
    assert result.error_code == Code.PERMISSION_DENIED


@pytest.mark.parametrize("action", USES)
async def test_the_person_needs_no_names(action: str) -> None:
    assert (await Door().do(action, USES[action])).ok


async def test_the_leds_own_pin_is_an_led_without_a_name() -> None:
    assert (await Door().do("led_blink", {"count": 1, "interval": 0.05}, source="agent")).ok
    assert (await Door().do("digital_write", {"pin": 13, "value": 1}, source="schedule")).ok


async def test_a_name_widens_no_limit_of_the_pin() -> None:
    result = await named("led", pin=0).do("led_set", {"pin": 0, "state": 1}, source="agent")
    assert result.error_code == Code.ILLEGAL_PIN


async def test_ceilings_are_as_configured() -> None:
    door = Door()
    door.executor.ceilings["schedule"] = Permission.ROOT
    door.executor.ceilings["agent"] = Permission.OBSERVER
    assert (await door.do("digital_write", SWITCH_ON, source="schedule")).ok
    refused = await door.do("led_set", {"state": 1}, source="agent")
    assert refused.error_code == Code.PERMISSION_DENIED
    assert refused.faults[0].details["ceiling"] == "observer"
