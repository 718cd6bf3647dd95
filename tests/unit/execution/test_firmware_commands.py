"""What holds for every command that firmware may lack: buses, motors, sensors (EX-6, EX-15, EX-18)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.helpers.firmware_bench import NEW, Bench
from zeroclaw_desktop.contracts.actions import ActionResult, Constraints, Permission
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.payloads import make_payload

LEVELS = {
    "i2c_scan": Permission.SKILL,
    "i2c_read": Permission.SKILL,
    "i2c_write": Permission.ROOT,
    "spi_transfer": Permission.ROOT,
    "uart_write": Permission.ROOT,
    "uart_read": Permission.OBSERVER,
    "motor_start": Permission.OPERATOR,
    "motor_stop": Permission.SKILL,
    "sensor_read": Permission.OBSERVER,
}


def test_every_command_has_its_level() -> None:
    """EX-6: raw bus writes need root, moving a motor operator, stopping it skill, reading at most skill."""
    assert {command.name: command.permission for command in NEW} == LEVELS


def test_no_limit_of_a_pin_stands_in_the_way_of_stopping_a_motor() -> None:
    """EX-6: rates and rests bound what moves, never what makes safe."""
    assert [command.name for command in NEW if command.only_makes_safe] == ["motor_stop"]


def test_an_agent_is_asked_about_what_lies_above_its_ceiling(bench: Bench) -> None:
    """EX-6: the agent's ceiling is skill."""
    cases: dict[str, dict[str, Any]] = {
        "i2c_write": {"addr": 0x50, "hex": "00"},
        "spi_transfer": {"cs": 10, "hex": "00"},
        "uart_write": {"tx": 8, "hex": "00"},
        "motor_start": {"motor": "A", "duty": 0.5},
    }
    for action, params in cases.items():
        assert bench.prepare(action, source="agent", **params).verdict == "ask"
    assert bench.prepare("motor_stop", source="agent", motor="A").verdict == "run"
    assert bench.prepare("i2c_read", source="agent", addr=0x48).verdict == "run"


@pytest.mark.parametrize(
    "command", [command for command in NEW if command.name != "sensor_read"], ids=lambda c: c.name
)
def test_old_firmware_is_told_from_its_list_of_commands(bench: Bench, command: Any) -> None:
    """A host uses a command only when it is listed (SPEC.md); the text says what to do."""
    bench.boards.capabilities = {"commands": ["ping", "gpio_write"]}
    params: dict[str, dict[str, Any]] = {
        "i2c_read": {"addr": 0x48},
        "i2c_write": {"addr": 0x48, "hex": "00"},
        "spi_transfer": {"cs": 10, "hex": "00"},
        "uart_write": {"tx": 8, "hex": "00"},
        "uart_read": {"rx": 7},
        "motor_start": {"motor": "A", "duty": 0.5},
        "motor_stop": {"motor": "A"},
    }
    with pytest.raises(FaultError) as caught:
        bench.prepare(command.name, **params.get(command.name, {}))
    assert [found.code for found in caught.value.faults] == [Code.DEVICE_REFUSED]
    assert "flash" in caught.value.faults[0].message


async def test_a_dry_run_sends_nothing(bench: Bench) -> None:
    """EX-15."""
    calls: list[Callable[[], Awaitable[ActionResult]]] = []
    for action, params in (
        ("motor_start", {"motor": "A", "duty": 0.5}),
        ("spi_transfer", {"cs": 10, "hex": "00"}),
        ("i2c_write", {"addr": 0x50, "hex": "00"}),
    ):
        payload = make_payload(action, params, source="manual", constraints=Constraints(dry_run=True))
        calls.append(lambda payload=payload: bench.executor.submit(payload))  # type: ignore[misc]
    for call in calls:
        result = await call()
        assert result.ok
        assert result.dry_run
    assert bench.boards.sent == []
