"""Simulate first (EX-15): a trial on a twin tells what would happen and leaves the real board alone."""

from __future__ import annotations

import pytest

from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.runtime.twin import MAX_PAYLOADS, simulate


def payload(action: str, **params: object) -> ActionPayload:
    return make_payload(action, params, source="agent")


async def test_a_trial_shows_the_trace_and_the_real_board_does_not_move(bench: Bench) -> None:
    await bench.do("digital_write", pin=7, value=1)
    pins = bench.runtime.roster.pin_states("sim-uno")
    await bench.process.query()  # what the board did before is reported by now
    edges = len(bench.process.edges)
    report = await simulate(
        bench.runtime.children,
        [payload("led_blink", count=2, interval=0.1), payload("digital_write", pin=7, value=0)],
        pins,
    )
    assert report.ok
    traces = {trace.pin: trace for trace in report.traces}
    assert [level for _, level in traces[13].levels] == [1, 0, 1, 0]
    times = [seconds for seconds, _ in traces[13].levels]
    assert times[1] - times[0] == pytest.approx(0.1, abs=0.05)
    assert (traces[7].level, [level for _, level in traces[7].levels]) == (0, [0])
    assert len(bench.process.edges) == edges
    assert await bench.level(7) == 1


async def test_a_trial_shows_no_pulses_that_went_on_by_themselves(bench: Bench) -> None:
    """EX-15: PWM and servo pins that the payloads do not touch are no part of what they would do."""
    await bench.do("pwm_write", pin=5, duty=0.4)
    await bench.do("servo_move", pin=9, angle=90)
    pins = bench.runtime.roster.pin_states("sim-uno")
    blink = await simulate(bench.runtime.children, [payload("led_blink", count=1, interval=0.1)], pins)
    assert blink.ok
    assert [trace.pin for trace in blink.traces] == [13]
    assert [level for _, level in blink.traces[0].levels] == [1, 0]
    assert blink.traces[0].levels[0][0] == 0.0
    dim = await simulate(bench.runtime.children, [payload("pwm_write", pin=5, duty=0.2)], pins)
    assert dim.ok
    (trace,) = dim.traces
    assert trace.pin == 5
    assert trace.duty == pytest.approx(0.2, abs=0.01)


async def test_a_trial_ends_at_the_first_fault_and_names_it(bench: Bench) -> None:
    report = await simulate(
        bench.runtime.children,
        [payload("servo_move", angle=500), payload("led_set", state=1)],
        {},
    )
    assert not report.ok
    assert [result.error_code for result in report.results] == [Code.OUT_OF_RANGE]
    assert report.traces == ()


async def test_a_trial_neither_flashes_nor_stops_nor_grows_without_bound(bench: Bench) -> None:
    report = await simulate(bench.runtime.children, [payload("flash_firmware")], {})
    assert not report.ok
    with pytest.raises(ZeroClawError, match=str(MAX_PAYLOADS)):
        await simulate(bench.runtime.children, [payload("led_set", state=1)] * (MAX_PAYLOADS + 1), {})
