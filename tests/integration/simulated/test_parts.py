"""HW-10: virtual parts at the pins of the real firmware, and of a model of another board."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID

ADC_STEP_VOLTS = 5 / 1024


async def put_on_pins(bench: Bench) -> None:
    """Bring the parts to the pins; the answer to the query comes after the orders before it."""
    await bench.process.put_on_pins()
    await bench.process.query()


async def add(bench: Bench, kind: str, **wires: int) -> str:
    """Put a part on the bench and wire it; returns its id."""
    live = bench.process.bench
    assert live.add(kind) is None
    part_id = live.bench.parts[-1].part_id
    for terminal, pin in wires.items():
        assert live.wire(part_id, terminal, pin) is None
    await put_on_pins(bench)
    return part_id


async def shown(bench: Bench, part_id: str, quantity: str) -> float:
    """What a part shows now."""
    await bench.process.query()
    return bench.process.readings()[part_id].values.get(quantity, 0.0)


async def test_the_firmware_reads_a_button_that_is_wired_anywhere(bench: Bench) -> None:
    part = await add(bench, "button", contact=7)
    await bench.do("pin_mode", pin=7, mode="input_pullup")
    for closed, level in ((False, 1), (True, 0), (False, 1)):
        bench.process.bench.close(part, closed)
        await put_on_pins(bench)
        result = await bench.do("digital_read", pin=7)
        assert result.value["value"] == level


async def test_a_button_to_the_supply_reads_the_other_way_round(bench: Bench) -> None:
    part = await add(bench, "button", contact=7)
    assert bench.process.bench.set_setting(part, "resistor", "pull_down") is None
    await put_on_pins(bench)
    assert (await bench.do("digital_read", pin=7)).value["value"] == 0
    bench.process.bench.close(part, True)
    await put_on_pins(bench)
    assert (await bench.do("digital_read", pin=7)).value["value"] == 1


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
async def test_the_firmware_measures_a_knob(bench: Bench, share: float) -> None:
    part = await add(bench, "potentiometer", slider=17)
    bench.process.bench.turn(part, share)
    await put_on_pins(bench)
    result = await bench.do("analog_read", pin="A3")
    assert result.value["volts"] == pytest.approx(share * 5, abs=2 * ADC_STEP_VOLTS)


async def test_the_assistants_thermometer_is_where_it_is_wired(bench: Bench) -> None:
    """sensor_read takes the pin of the virtual TMP36, and asks when there is none."""
    live = bench.process.bench
    assert live.wire("tmp36-1", "output", 18) is None
    live.turn("tmp36-1", 60.0)
    await put_on_pins(bench)
    result = await bench.do("sensor_read", sensor="temperature")
    assert result.value["value"] == pytest.approx(60.0, abs=0.6)
    assert set(result.hardware_states) == {"A4"}
    live.remove("tmp36-1")
    await put_on_pins(bench)
    assert not (await bench.do("sensor_read", sensor="temperature")).ok


@pytest.mark.parametrize("angle", [0, 45, 90, 180])
async def test_a_servo_stands_at_the_angle_that_was_commanded(bench: Bench, angle: int) -> None:
    """The angle is measured from the pulses on the pin, not taken from the command."""
    part = await add(bench, "servo", signal=9)
    await bench.do("servo_move", pin=9, angle=float(angle))
    await bench.until(lambda: 9 in bench.process.snapshot.waves, "servo pulses")
    assert await shown(bench, part, "degrees") == pytest.approx(angle, abs=1.0)


async def test_a_buzzer_sounds_at_the_frequency_of_the_tone(bench: Bench) -> None:
    part = await add(bench, "buzzer", signal=8)
    session = bench.connection.session
    assert session is not None
    await session.request("tone", {"pin": 8, "hz": 440})
    await bench.until(lambda: 8 in bench.process.snapshot.waves, "the tone")
    assert await shown(bench, part, "hertz") == pytest.approx(440.0, rel=0.01)
    await session.request("no_tone", {"pin": 8})
    await bench.until(lambda: 8 not in bench.process.snapshot.waves, "silence")
    assert await shown(bench, part, "hertz") == 0.0


@pytest.mark.parametrize("duty", [0.25, 0.8])
async def test_an_led_is_dimmed_by_pwm_and_off_after_the_stop(bench: Bench, duty: float) -> None:
    part = await add(bench, "led", anode=6)
    await bench.do("pwm_write", pin=6, duty=duty)
    assert await shown(bench, part, "brightness") == pytest.approx(duty, abs=0.01)
    await bench.runtime.stop_everything.trigger("test")
    assert await shown(bench, part, "brightness") == 0.0


async def test_a_motor_turns_both_ways_and_stands_when_its_shaft_is_blocked(bench: Bench) -> None:
    """Motor A of the board file: speed on 3, direction on 12."""
    part = await add(bench, "motor", speed=3, direction=12)
    session = bench.connection.session
    assert session is not None
    await session.request("motor_start", {"pin": 3, "duty": 102, "dir_pin": 12, "direction": 1})
    assert await shown(bench, part, "rpm") == pytest.approx(-100.0, abs=2.0)
    bench.process.bench.close(part, True)
    assert await shown(bench, part, "rpm") == 0.0
    assert await shown(bench, part, "milliamps") == pytest.approx(600.0, abs=12.0)


# -- across restarts --------------------------------------------------------------------------------------
async def run_once(folder: Path) -> Runtime:
    runtime = Runtime(ConfigStore(folder / "config.toml"), with_person=True, watch_ports=False)
    await runtime.start()
    return runtime


async def test_boards_and_wires_are_there_again_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROCLAW_HOME", str(tmp_path))
    first = await run_once(tmp_path)
    try:
        await first.simulators.start()
        other = await first.simulators.add("esp32")
        live = first.simulators.bench(UNO_ID)
        assert live is not None
        live.add("servo")
        live.wire("servo-1", "signal", 10)
        live.turn("potentiometer-1", 0.75)
    finally:
        await first.stop()
    second = await run_once(tmp_path)
    try:
        await second.simulators.start_kept()
        assert [board.board_id for board in second.roster.boards()] == [UNO_ID, other]
        again = second.simulators.bench(UNO_ID)
        assert again is not None
        servo = again.bench.part("servo-1")
        assert servo is not None
        assert servo.wires == {"signal": 10}
        assert second.simulators.process(UNO_ID).bench.volts_at(14) == pytest.approx(3.75)
    finally:
        await second.stop()
