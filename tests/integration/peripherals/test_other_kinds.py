"""HW-5: the promises hold for serial boards and simulated ones as for those that are added by an address."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.network_board import NetworkBoard
from tests.integration.peripherals.bench import Bench
from tests.integration.peripherals.promises import brought, commands_come_and_go
from tests.unit.hardware.far_end import CAPABILITIES, QUICK_UNO
from zeroclaw_desktop.hardware.peripherals.contract import Peripheral
from zeroclaw_desktop.runtime.runtime import Runtime


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal plays the port")
async def test_a_serial_board_with_upstream_firmware(runtime: Runtime, tmp_path: Path) -> None:
    """Upstream firmware lists no commands; a host takes four for granted (SPEC.md, capabilities)."""
    from tests.unit.hardware.far_end import FarEnd, as_upstream_firmware

    end = FarEnd(tmp_path / "port", as_upstream_firmware)
    try:
        runtime.roster.add("uno", "Uno", QUICK_UNO, str(end.path))
        bench = Bench(runtime, "uno")
        await bench.connection.connect()
        await commands_come_and_go(
            bench, "digital_write", "led_set", "board_info", without=("pwm_write", "tone", "i2c_scan")
        )
    finally:
        await runtime.roster.remove("uno")
        end.unplug()


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal plays the port")
async def test_a_serial_board_that_lists_its_commands(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.unit.hardware.far_end import FarEnd

    monkeypatch.setitem(CAPABILITIES, "commands", ["ping", "state", "gpio_read", "tone", "stop_all"])
    end = FarEnd(tmp_path / "port")
    try:
        runtime.roster.add("uno", "Uno", QUICK_UNO, str(end.path))
        bench = Bench(runtime, "uno")
        await bench.connection.connect()
        await commands_come_and_go(
            bench, "digital_read", "tone", "board_safe", without=("digital_write", "led_set", "plot_series")
        )
    finally:
        await runtime.roster.remove("uno")
        end.unplug()


async def test_a_simulated_board(runtime: Runtime) -> None:
    assert brought(runtime.registry) == set()
    bench = Bench(runtime, await runtime.simulators.start())
    await commands_come_and_go(bench, "led_set", "servo_move", "uart_read", "motor_start")
    await runtime.simulators.stop(bench.board_id)
    assert brought(runtime.registry) == set()


async def test_every_kind_has_the_same_interface(runtime: Runtime) -> None:
    async with NetworkBoard() as board:
        url = board.url.replace("socket://", "tcp://")
        peripheral: Peripheral = runtime.roster.connection(await runtime.added.add(url, name="Roof"))
        assert (peripheral.name, peripheral.board_type) == ("Roof", "arduino-uno")
        health = await peripheral.health_check()
        assert (health.answers, bool(health.note)) == (False, True)
        await peripheral.connect()
        assert {"gpio_write", "stop_all"} <= peripheral.tools()
        health = await peripheral.health_check()
        assert health.answers
        assert health.milliseconds is not None
        await peripheral.disconnect()
        assert peripheral.tools() == frozenset()


async def test_commands_that_no_board_brings_stay(runtime: Runtime) -> None:
    """Listing boards, flashing one that does not answer and stopping everything need no connected board."""
    offered = {command.name for command in runtime.registry.list_commands()}
    assert {"device_list", "flash_firmware", "motor_emergency_stop"} <= offered


async def test_an_address_that_is_entered_again_has_the_kind_that_was_said_last(runtime: Runtime) -> None:
    first = await runtime.added.add("tcp://127.0.0.1:1", "arduino-uno", "Roof")
    second = await runtime.added.add("tcp://127.0.0.1:1", "esp32")
    (board,) = runtime.roster.boards()
    assert first == second == board.board_id
    assert (board.profile.key, board.name) == ("esp32", "Roof")


async def test_a_port_that_is_entered_is_one_board(runtime: Runtime) -> None:
    """A Pico with MicroPython has a card by its USB id; as a MicroPython board it has another, not two."""
    runtime.roster.add("pico", "Pico", QUICK_UNO, "/dev/ttyACM9")
    board_id = await runtime.added.add("micropython:/dev/ttyACM9")
    assert [board.board_id for board in runtime.roster.boards()] == [board_id]
