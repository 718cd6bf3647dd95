"""HW-10: several simulated boards at once, of different kinds, each with parts and pins of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.runtime.reach import reach_board
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import kind_named, named_simulator
from zeroclaw_desktop.runtime.twin import simulate


@pytest.fixture
async def runtime(tmp_path: Path) -> AsyncIterator[Runtime]:
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.stop()


async def do(runtime: Runtime, board_id: str, action: str, **params: Any) -> ActionResult:
    payload = make_payload(action, params, source="manual", device_id=board_id)
    return await runtime.executor.submit(payload)


async def test_boards_of_several_kinds_live_side_by_side(runtime: Runtime) -> None:
    ids = [await runtime.simulators.add(kind) for kind in ("uno", "esp32", "pico", "esp32")]
    assert ids == ["sim-uno", "sim-esp32", "sim-raspberry-pi-pico", "sim-esp32-2"]
    boards = {board.board_id: board for board in runtime.roster.boards()}
    assert {board.state for board in boards.values()} == {"live"}
    assert [board.simplified for board in boards.values()] == [False, True, True, True]
    assert boards["sim-esp32"].name == "Simulated ESP32 DevKit"
    assert boards["sim-esp32-2"].name == "Simulated ESP32 DevKit 2"
    results = await asyncio.gather(
        *(do(runtime, board_id, "digital_write", pin=4, value=1) for board_id in ids[:3])
    )
    assert all(result.ok for result in results)
    for board_id in ids:
        level = (await runtime.simulators.process(board_id).query()).levels[4]
        assert level == (0 if board_id == "sim-esp32-2" else 1)


async def test_each_board_has_parts_of_its_own(runtime: Runtime) -> None:
    first, second = [await runtime.simulators.add("esp32") for _ in range(2)]
    one, other = runtime.simulators.process(first), runtime.simulators.process(second)
    await one.set_knob(3.3)
    await other.set_knob(0.0)
    await asyncio.gather(one.query(), other.query())  # the orders before have been obeyed then
    high, low = (
        await do(runtime, first, "analog_read", pin="A0"),
        await do(runtime, second, "analog_read", pin="A0"),
    )
    assert high.value["raw"] == 4095
    assert low.value["raw"] == 0


async def test_a_removed_board_leaves_the_others_and_its_id_is_free(runtime: Runtime) -> None:
    first, second = [await runtime.simulators.add("pico") for _ in range(2)]
    await runtime.simulators.stop(first)
    assert [board.board_id for board in runtime.roster.boards()] == [second]
    assert (await do(runtime, second, "led_set", state=1)).ok
    assert await runtime.simulators.add("pico") == first


async def test_a_board_is_reached_by_the_name_that_people_type(runtime: Runtime) -> None:
    assert await reach_board(runtime, "simulated:esp32-c3") == "sim-esp32-c3"
    assert await reach_board(runtime, "sim-raspberry-pi-pico-2") == "sim-raspberry-pi-pico-2"
    assert (await do(runtime, "sim-esp32-c3", "digital_write", pin=5, value=1)).ok


@pytest.mark.parametrize(
    ("name", "board_id", "kind"),
    [
        ("", "sim-uno", "arduino-uno"),
        ("simulated", "sim-uno", "arduino-uno"),
        ("simulated:uno", "sim-uno", "arduino-uno"),
        ("simulated:Pico", "sim-raspberry-pi-pico", "raspberry-pi-pico"),
        ("sim-pico-2", "sim-raspberry-pi-pico-2", "raspberry-pi-pico-2"),
        ("sim-uno-3", "sim-uno-3", "arduino-uno"),
        ("sim-esp32-2", "sim-esp32-2", "esp32"),
        ("simulated:f401re", "sim-nucleo-f401re", "nucleo-f401re"),
    ],
)
def test_names_of_simulated_boards(name: str, board_id: str, kind: str) -> None:
    found = named_simulator(name)
    assert found is not None
    assert (found[0], found[1].key) == (board_id, kind)


@pytest.mark.parametrize("name", ["/dev/ttyACM0", "COM3", "socket://10.0.0.1:99"])
def test_ports_are_no_simulated_boards(name: str) -> None:
    assert named_simulator(name) is None


@pytest.mark.parametrize("name", ["simulated:teapot", "sim-teapot", "sim-", "simulated:raspberry-pi"])
def test_a_kind_that_there_is_not_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(ZeroClawError) as caught:
        named_simulator(name)
    assert caught.value.code == "unknown_board"
    assert "esp32" in caught.value.hint


def test_a_kind_that_no_serial_line_reaches_cannot_be_simulated() -> None:
    with pytest.raises(ZeroClawError, match="arduino-uno-q"):
        kind_named("arduino-uno-q")


async def test_a_trial_runs_on_a_twin_of_the_same_kind(runtime: Runtime) -> None:
    """Pin 32 is one of an ESP32; an Uno, which takes the place of what cannot be simulated, has none."""
    payload = make_payload("digital_write", {"pin": 32, "value": 1}, source="manual", device_id="x")
    report = await simulate(runtime.children, [payload], {}, "esp32")
    assert report.ok
    assert [(trace.pin, trace.level) for trace in report.traces] == [(32, 1)]
    on_an_uno = await simulate(runtime.children, [payload], {}, "raspberry-pi")
    assert not on_an_uno.ok


async def test_signals_are_those_of_the_board(runtime: Runtime) -> None:
    """An ESP32 has the channels 0 and 3 to 7 of its first converter at pins, and no channel 1."""
    board_id = await runtime.simulators.add("esp32")
    assert runtime.analog_signals(board_id)[:2] == ["a0", "a3"]
    assert (await do(runtime, board_id, "plot_series", signals=["a0", "a3", "d25"], period=0.05)).ok
    refused = await do(runtime, board_id, "plot_series", signals=["a1", "d6"], period=0.05)
    assert [fault.code for fault in refused.faults] == [Code.ILLEGAL_PIN, Code.ILLEGAL_PIN]
