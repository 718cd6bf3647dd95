"""What the firmware makes the chip do, measured at the pins and on the line of the simulated Uno."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.integration.firmware.simulated_uno import SimulatedUno, started_firmware
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine, ResetCause

CLOCK = AvrMachine.CLOCK_HZ
RAM_END = 0x8FF  # data sheet figure 8-3


@pytest.fixture
def uno() -> SimulatedUno:
    """Return a started board."""
    return started_firmware()


def pulses(uno: SimulatedUno, pin: int) -> list[tuple[int, int]]:
    """The complete high pulses of a pin since the last call, as (cycle of the rise, length in cycles)."""
    found = []
    rise = None
    for cycle, edge_pin, level in uno.machine.take_edges():
        if edge_pin != pin:
            continue
        if level:
            rise = cycle
        elif rise is not None:
            found.append((rise, cycle - rise))
    return found


def test_boot_line_gives_the_reset_cause() -> None:
    uno = SimulatedUno("zeroclaw-arduino-uno.hex")
    for cause, name in [
        (ResetCause.POWER_ON, "power"),
        (ResetCause.EXTERNAL, "external"),
        (ResetCause.BROWN_OUT, "brownout"),
    ]:
        uno.reset(cause)
        (line,) = uno.exchange(b"", at_least=1)
        assert json.loads(line) == {
            "evt": "boot",
            "fw": "zeroclaw-arduino",
            "version": "1.1.0",
            "reset": name,
        }


def test_hung_program_is_restarted_by_the_hardware_watchdog(uno: SimulatedUno) -> None:
    uno.ask("gpio_write", pin=13, value=1)
    while not uno.machine.is_sleeping:
        uno.machine.step()
    uno.machine.sreg &= 0x7F  # no interrupt wakes the sleeping program any more
    assert uno.advance(1500) == []
    lines = uno.advance(1000)
    assert [json.loads(line)["reset"] for line in lines] == ["watchdog"]
    assert uno.machine.pin_modes()[13] == "input"


def test_board_reset_is_no_watchdog_fault(uno: SimulatedUno) -> None:
    reply, boot = uno.exchange(b'{"id":1,"cmd":"board_reset"}\n', at_least=2)
    assert json.loads(reply)["ok"] is True
    assert json.loads(boot)["reset"] == "command"


@pytest.mark.parametrize(
    ("pin", "hertz"), [(3, 490.2), (5, 976.6), (6, 976.6), (9, 490.2), (10, 490.2), (11, 490.2)]
)
def test_pwm_at_the_pin(uno: SimulatedUno, pin: int, hertz: float) -> None:
    uno.ask("pwm_write", pin=pin, duty=64)
    uno.machine.take_edges()
    uno.advance(50)
    measured = pulses(uno, pin)
    (first, _), (last, length) = measured[0], measured[-1]
    period = (last - first) / (len(measured) - 1)
    assert CLOCK / period == pytest.approx(hertz, rel=0.001)
    assert length / period == pytest.approx(64 / 255, abs=0.005)


@pytest.mark.parametrize("pin", [3, 5, 6, 9, 10, 11])
def test_pwm_ends_are_plain_levels(uno: SimulatedUno, pin: int) -> None:
    for duty, level in [(128, None), (0, 0), (255, 1)]:
        uno.ask("pwm_write", pin=pin, duty=duty)
        uno.advance(5)
        uno.machine.take_edges()
        uno.advance(20)
        edges = [edge for edge in uno.machine.take_edges() if edge[1] == pin]
        assert bool(edges) == (level is None)
        if level is not None:
            assert uno.machine.pin_levels()[pin] == level


@pytest.mark.parametrize("pin", [9, 10])
def test_servo_pulses(uno: SimulatedUno, pin: int) -> None:
    for arguments, microseconds in [({"angle": 0}, 544), ({"angle": 180}, 2400), ({"us": 1500}, 1500)]:
        uno.ask("servo_write", pin=pin, **arguments)
        uno.advance(40)
        uno.machine.take_edges()
        uno.advance(100)
        measured = pulses(uno, pin)
        assert len(measured) in (4, 5)
        assert all(length / (CLOCK / 1e6) == pytest.approx(microseconds, abs=0.6) for _, length in measured)
        assert measured[1][0] - measured[0][0] == CLOCK // 50


def test_servo_starts_without_a_wrong_pulse(uno: SimulatedUno) -> None:
    uno.machine.take_edges()
    uno.ask("servo_write", pin=9, us=2000)
    uno.advance(45)
    assert {length for _, length in pulses(uno, 9)} == {2000 * CLOCK // 1_000_000}


def test_pwm_after_servo_starts_at_once(uno: SimulatedUno) -> None:
    uno.ask("servo_write", pin=9, us=2000)
    uno.advance(33)
    uno.ask("pwm_write", pin=9, duty=128)
    uno.machine.take_edges()
    uno.advance(10)
    assert len(pulses(uno, 9)) in (4, 5, 6)


@pytest.mark.parametrize("hertz", [31, 440, 1000, 5000, 20000])
def test_tone_frequency_and_length(uno: SimulatedUno, hertz: int) -> None:
    uno.machine.take_edges()
    uno.ask("tone", pin=8, hz=hertz, ms=150)
    uno.advance(200)
    measured = pulses(uno, 8)
    assert len(measured) == pytest.approx(0.150 * hertz, abs=1.01)
    period = (measured[-1][0] - measured[0][0]) / (len(measured) - 1)
    assert CLOCK / period == pytest.approx(hertz, rel=0.01)
    assert uno.machine.pin_levels()[8] == 0


def test_clock_keeps_time(uno: SimulatedUno) -> None:
    start = uno.ask("state")["t"]
    begin = uno.machine.cycle_count
    uno.advance(60_000)
    seconds = (uno.machine.cycle_count - begin) / CLOCK
    assert (uno.ask("state")["t"] - start) / 1000 == pytest.approx(seconds, abs=0.06)


def test_reading_leaves_direction_and_pull_up(uno: SimulatedUno) -> None:
    uno.ask("pin_mode", pin=4, mode="input_pullup")
    uno.ask("gpio_write", pin=5, value=1)
    before = uno.registers_of_outputs()
    for pin in range(2, 20):
        uno.ask("gpio_read", pin=pin)
    for channel in range(6):
        uno.ask("adc_read", channel=channel)
    assert uno.registers_of_outputs() == before


def test_write_makes_no_pulse_of_the_other_level(uno: SimulatedUno) -> None:
    uno.machine.drive_pin(7, None)
    uno.ask("pin_mode", pin=7, mode="input_pullup")
    uno.machine.take_edges()
    uno.ask("gpio_write", pin=7, value=1)
    assert [edge for edge in uno.machine.take_edges() if edge[1] == 7] == []


def test_adc_over_its_range(uno: SimulatedUno) -> None:
    for channel in range(6):
        for volts in (0.0, 1.25, 2.5, 4.9):
            uno.machine.set_analog(channel, volts)
            assert uno.ask("adc_read", channel=channel) == pytest.approx(volts / 5 * 1024, abs=1)


def test_idle_board_sleeps(uno: SimulatedUno) -> None:
    awake = 0
    for _ in range(500):
        uno.machine.run(1603)  # no divisor of the clock tick, so that all its phases are seen
        awake += not uno.machine.is_sleeping
    assert awake < 25


def test_a_full_window_of_requests_is_answered_in_order(uno: SimulatedUno) -> None:
    window = json.loads(uno.ask("capabilities"))["window"]
    for turn in range(20):
        ids = range(turn * window, turn * window + window)
        requests = [
            f'{{"id":{n},"cmd":"gpio_write","args":{{"pin":13,"value":{n % 2}}}}}'.ljust(59) for n in ids
        ]
        data = ("\n".join(requests) + "\n").encode()
        assert len(data) == 60 * window
        replies = [json.loads(line) for line in uno.exchange(data, at_least=window)]
        assert replies == [{"id": n, "ok": True, "result": "done"} for n in ids]


def test_an_overrun_is_told_and_moves_no_other_pin(uno: SimulatedUno) -> None:
    pair = b'{"id":1,"cmd":"capabilities"}\n{"id":2,"cmd":"gpio_write","args":{"pin":12,"value":1}}\n'
    before = uno.machine.pin_modes()
    replies = [json.loads(line) for line in uno.exchange(pair * 30)]
    assert any(reply.get("code") == "line_damaged" for reply in replies)
    assert all(reply["ok"] or reply["code"] in ("line_damaged", "bad_json") for reply in replies)
    after = uno.machine.pin_modes()
    assert [pin for pin in range(20) if after[pin] != before[pin]] in ([], [12])
    uno.exchange(b"\n")  # the last line's ending may be among the lost bytes
    assert uno.ask("ping") == "pong"


def test_noise_on_the_line_is_survived(uno: SimulatedUno) -> None:
    uno.machine.set_line_baud(9600)  # framing errors and wrong bytes
    uno.exchange(b'{"id":1,"cmd":"gpio_write","args":{"pin":2,"value":1}}\n' * 3)
    uno.machine.set_line_baud(0)
    uno.exchange(b"\n")
    assert uno.machine.pin_modes()[2] == "input"
    assert uno.ask("ping") == "pong"


def test_telemetry_rate_at_full_line(uno: SimulatedUno) -> None:
    for channel in range(6):
        request = {"id": 1, "cmd": "subscribe", "args": {"signal": f"a{channel}", "period_ms": 5}}
        uno.exchange_for(json.dumps(request).encode() + b"\n", 40)
    lines = [line for _ in range(20) for line in uno.advance(50)]
    assert all(json.loads(line)["evt"] == "telemetry" for line in lines)
    assert len(lines) > 200
    shares = Counter(json.loads(line)["signal"] for line in lines)
    assert min(shares.values()) > 25  # 37 each when shared evenly; nobody starves
    pong = [line for line in uno.exchange_for(b'{"id":"now","cmd":"ping"}\n', 40) if b'"now"' in line]
    assert pong == [b'{"id":"now","ok":true,"result":"pong"}']


def test_memory_for_the_stack_is_left(uno: SimulatedUno) -> None:
    """Fill the free memory with a mark, do the deepest work, and look how much of the mark is left."""
    uno.ask("tone", pin=8, hz=20000)
    while not uno.machine.is_sleeping:
        uno.machine.step()
    top = uno.machine.stack_pointer - 32
    bottom = 0x100 + 0x440  # the end of the variables: avr-size tells data + bss
    uno.machine.write_data(bottom, b"\xa5" * (top - bottom))
    nested = b'{"id":1,"cmd":"ping","args":{"a":[[[[[[1]]]]]]}}\n'
    request = (
        b'{"id":1,"cmd":"subscribe","args":{"signal":"d2","period_ms":5}}\n{"id":1,"cmd":"capabilities"}\n'
    )
    uno.exchange_for(nested + request + nested + b'{"id":1,"cmd":"state"}\n', 300)
    bus = b'{"id":1,"cmd":"spi_transfer","args":{"cs":10,"data":[1]}}\n{"id":1,"cmd":"i2c_scan"}\n'
    uno.exchange_for(bus + b'{"id":1,"cmd":"uart_write","args":{"tx":4,"rx":7,"data":"55"}}\n', 300)
    left = uno.machine.read_data(bottom, top - bottom)
    untouched = len(left) - len(left.lstrip(b"\xa5"))
    assert untouched > 300


def test_demo_firmware_blinks_prints_and_stops() -> None:
    uno = SimulatedUno("zeroclaw-demo-uno.hex")
    uno.machine.set_analog(0, 2.5)
    uno.machine.set_analog(1, 0.715)  # TMP36 data sheet: 750 mV at 25 degrees, 10 mV a degree
    lines = uno.advance(3000)
    assert json.loads(lines[0])["fw"] == "zeroclaw-demo"
    temperature, light = lines[-1].split(b",")
    assert float(temperature.removeprefix(b"temp:")) == pytest.approx(21.5, abs=0.5)  # one step is 4.9 mV
    assert light == b"light:512"
    assert len(set(lines[2:])) == 1
    blinks = [edge for edge in uno.machine.take_edges() if edge[1] == 13]
    assert len(blinks) in (5, 6, 7)
    reply = next(line for line in uno.exchange_for(b'{"id":1,"cmd":"stop_all"}\n', 50) if b'"id"' in line)
    assert json.loads(reply)["result"] == {"stopped": 1}
    uno.machine.take_edges()
    uno.advance(2000)
    assert [edge for edge in uno.machine.take_edges() if edge[1] == 13] == []
    assert uno.machine.pin_levels()[13] == 0
