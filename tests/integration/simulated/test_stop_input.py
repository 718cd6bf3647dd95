"""EX-16: a wired input of a board stops everything; released by a person only."""

from __future__ import annotations

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.runtime.stop_input import StopInputSetting, read_stop_input


async def test_the_wired_button_stops_everything(bench: Bench) -> None:
    bench.runtime.config.set("execution.stop_input", "sim-uno/d2")
    await bench.until(lambda: bench.process.snapshot.modes[2] == "input_pullup", "the pull-up")
    await bench.do("led_set", state=1)
    await bench.process.press_button(True)
    await bench.until(lambda: bench.runtime.stop_everything.latched, "the stop", 3)
    assert bench.runtime.stop_everything.last.source == "stop input d2"
    await bench.until(lambda: bench.process.snapshot.levels[13] == 0, "the safe state", 3)
    await bench.process.press_button(False)
    assert (await bench.do("led_set", state=1)).error_code == Code.EMERGENCY_STOPPED
    bench.runtime.stop_everything.release("person")
    assert (await bench.do("led_set", state=1)).ok


async def test_a_button_that_is_held_when_the_board_comes_stops_at_once(bench: Bench) -> None:
    await bench.process.press_button(True)
    bench.runtime.config.set("execution.stop_input", "sim-uno/d2")
    await bench.until(lambda: bench.runtime.stop_everything.latched, "the stop", 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sim-uno/d4", StopInputSetting("sim-uno", 4, 0)),
        (" sim-uno/d4/nc ", StopInputSetting("sim-uno", 4, 1)),
        ("", None),
        ("sim-uno", None),
        ("sim-uno/4", None),
        ("/d4", None),
    ],
)
def test_the_setting_is_read(text: str, expected: StopInputSetting | None) -> None:
    assert read_stop_input(text) == expected
