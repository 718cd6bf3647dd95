"""The plain Python board in the place of the simulated Uno: the whole main job, and it says what it is."""

from __future__ import annotations

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.contracts.boards import PinState
from zeroclaw_desktop.contracts.events import FlashProgressed
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.runtime.selftest import SilentObserver
from zeroclaw_desktop.runtime.simulators import UNO_ID

LED = 13
BUTTON = 2
KNOB = "a0"


def pin(bench: Bench, number: int) -> PinState:
    return bench.connection.pins[number]


async def test_the_board_says_that_it_is_simplified(simple: Bench) -> None:
    info = simple.connection.info
    assert (info.state, info.simulated, info.simplified) == ("live", True, True)
    assert info.firmware == "zeroclaw-simplified 1.1.0"
    assert simple.process.kind == "pure"


@pytest.mark.parametrize("text", ["blink the led 3 times", "让LED闪烁3次"])
async def test_a_sentence_blinks_the_led(simple: Bench, text: str) -> None:
    result = await simple.runtime.chat.send(text, SilentObserver())
    await simple.process.query()
    rises = simple.process.rising_edges(LED)
    falls = [edge.seconds for edge in simple.process.edges if edge.pin == LED and not edge.level]
    assert len(rises) == 3
    assert all(rise < fall for rise, fall in zip(rises, falls[-3:], strict=True))
    assert result.text
    assert await simple.level(LED) == 0


async def test_telemetry_follows_the_knob(simple: Bench) -> None:
    store = simple.runtime.store
    assert (await simple.do("plot_series", signals=[KNOB, "a1"], period=0.02)).ok
    await simple.process.set_knob(5.0)

    def last() -> float | None:
        known = [info.key for info in store.series(UNO_ID) if info.key.label == KNOB]
        newest = store.ring(known[0]).last() if known else None
        return newest[1] if newest is not None else None

    await simple.until(lambda: last() == 1023, "full scale on A0")
    await simple.process.set_knob(2.5)
    await simple.until(lambda: last() == 512, "half of it")
    counts = {info.key.label: info.count for info in store.series(UNO_ID)}
    await simple.until(
        lambda: all(info.count > counts[info.key.label] + 10 for info in store.series(UNO_ID)), "more samples"
    )


async def test_the_button_is_read(simple: Bench) -> None:
    assert (await simple.do("pin_mode", pin=BUTTON, mode="input_pullup")).ok
    assert (await simple.do("digital_read", pin=BUTTON)).value["value"] == 1
    await simple.process.press_button(True)
    await simple.process.query()  # answered after the press was carried out
    assert (await simple.do("digital_read", pin=BUTTON)).value["value"] == 0


async def test_the_stop_puts_everything_low_and_latches(simple: Bench) -> None:
    assert (await simple.do("led_set", state=1)).ok
    assert (await simple.do("pwm_write", pin=9, duty=0.5)).ok
    assert (await simple.process.query()).pwm[9] == (
        pytest.approx(490.2, abs=0.1),
        pytest.approx(0.5, abs=0.01),
    )
    work = simple.start("led_blink", count=50, interval=0.1)
    await simple.until(lambda: len(simple.process.rising_edges(LED)) >= 2, "the second blink")
    report = await simple.runtime.stop_everything.trigger("test")
    assert (await work).state is ActionState.CANCELLED
    assert report.outcomes[0].confirmed
    state = await simple.process.query()
    assert (state.levels[LED], state.levels[9], state.pwm) == (0, 0, {})
    assert (await simple.do("led_set", state=1)).error_code == Code.EMERGENCY_STOPPED
    simple.runtime.stop_everything.release("test")
    assert (await simple.do("led_set", state=1)).ok


async def test_flashing_is_refused_with_what_to_install(simple: Bench) -> None:
    events: list[FlashProgressed] = []
    simple.runtime.bus.subscribe(FlashProgressed, events.append)
    session = simple.connection.session
    result = await simple.do("flash_firmware", firmware="default")
    assert result.state is ActionState.FAILED
    assert events[-1].fault_code == "flash_unsupported"
    assert "no flash memory" in events[-1].fault_message
    assert "Install" in events[-1].fault_hint
    assert "wasmtime" in events[-1].fault_hint
    assert "no flash memory" in result.faults[0].message
    assert simple.connection.session is session  # nothing was touched
    assert (await simple.do("led_set", state=1)).ok


async def test_a_brown_out_and_an_unplugging_are_survived(simple: Bench) -> None:
    await simple.do("led_set", state=1)
    await simple.process.inject_fault("brown_out")
    await simple.until(lambda: pin(simple, LED).level == 0, "the pin to be read again")
    await simple.process.inject_fault("unplug")
    await simple.until_state("lost")
    await simple.process.inject_fault("replug")
    await simple.until_state("live")
    assert (await simple.do("led_set", state=1)).ok
    assert await simple.level(LED) == 1
