"""Buses and motors of the firmware, at the pins of the simulated Uno: held lines, timing, noise, ramps."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tests.integration.firmware.simulated_uno import CYCLES_PER_MS, SimulatedUno, started_firmware
from zeroclaw_desktop.hardware.simulator.avr_machine import AvrMachine

SDA, SCL = 18, 19
BIT_CYCLES = AvrMachine.CLOCK_HZ / 9600


@pytest.fixture
def uno() -> SimulatedUno:
    """Return a started board."""
    return started_firmware()


def request(command: str, **arguments: object) -> bytes:
    return json.dumps({"id": 1, "cmd": command, "args": arguments}).encode() + b"\n"


def reply_within(uno: SimulatedUno, data: bytes, milliseconds: float) -> dict[str, Any]:
    """The reply of a request that takes no longer than that behind its last byte."""
    assert uno.machine.uart_receive(data) == len(data)
    while uno.machine.uart_input_waiting:
        uno.machine.run(CYCLES_PER_MS // 10)
    lines = uno.advance(milliseconds)
    assert lines, f"no reply within {milliseconds} ms"
    reply: dict[str, Any] = json.loads(lines[0])
    return reply


# -- I2C --------------------------------------------------------------------------------------------------
class HoldingDevice:
    """Pulls SCL low, as a device that never ends its clock stretching, when its n-th byte is transferred."""

    def __init__(self, uno: SimulatedUno, byte: int) -> None:
        self._uno = uno
        self._left = byte

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self.hold()

    def hold(self) -> None:
        self._uno.machine.drive_pin(SCL, 0)

    def begin(self, *, is_read: bool) -> bool:
        self._count()
        return True

    def write(self, value: int) -> bool:
        self._count()
        return True

    def read(self) -> int:
        self._count()
        return 0x55

    def end(self) -> None:
        """Nothing to do."""


class JammingDevice(HoldingDevice):
    """Pulls SDA low instead."""

    def hold(self) -> None:
        self._uno.machine.drive_pin(SDA, 0)


@pytest.mark.parametrize("kind", [HoldingDevice, JammingDevice])
@pytest.mark.parametrize("byte", [1, 2, 3])
@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("i2c_write", {"addr": 0x30, "data": "0102030405"}),
        ("i2c_read", {"addr": 0x30, "count": 8}),
        ("i2c_read", {"addr": 0x30, "reg": "0102", "count": 8}),
    ],
)
def test_a_line_that_is_held_in_mid_transfer_ends_it_within_the_limit(
    uno: SimulatedUno, kind: type[HoldingDevice], byte: int, command: str, arguments: dict[str, object]
) -> None:
    """EX-18. SPEC.md: a transfer ends within 50 ms; data sheet 21.7: a held SDA is lost arbitration.

    A reader cannot tell a held SDA from a device that sends zeros; it is found when the stop condition fails.
    """
    uno.machine.attach_i2c(0x30, kind(uno, byte))
    reply = reply_within(uno, request(command, **arguments), 50 + 10)
    assert (reply["ok"], reply["code"]) == (False, "bus_fault")
    assert uno.machine.pin_modes()[SDA] == uno.machine.pin_modes()[SCL] == "input"
    assert uno.ask("ping") == "pong"
    uno.machine.drive_pin(SDA, None)
    uno.machine.drive_pin(SCL, None)
    assert uno.ask("i2c_read", addr=0x48, reg=0, count=2) == "1680"


def test_a_scan_of_a_bus_that_hangs_is_one_fault_and_no_hundred(uno: SimulatedUno) -> None:
    """EX-18. 112 addresses of 50 ms each would restart the board by its own watchdog of 2 s."""
    uno.machine.drive_pin(SCL, 0)
    assert reply_within(uno, request("i2c_scan"), 60)["code"] == "bus_fault"


class StretchingBoard:
    """Lets SCL go some milliseconds after a device pulled it low."""

    def __init__(self, uno: SimulatedUno, milliseconds: float) -> None:
        self._uno = uno
        self._milliseconds = milliseconds

    def run(self, data: bytes) -> dict[str, Any]:
        machine = self._uno.machine
        assert machine.uart_receive(data) == len(data)
        while machine.uart_input_waiting:
            machine.run(CYCLES_PER_MS // 10)
        machine.run(round(self._milliseconds * CYCLES_PER_MS))
        machine.drive_pin(SCL, None)
        (line,) = self._uno.advance(40)
        reply: dict[str, Any] = json.loads(line)
        return reply


def test_clock_stretching_of_30_ms_is_waited_for(uno: SimulatedUno) -> None:
    """EX-18. A sensor that measures while it holds SCL is no fault."""
    uno.machine.attach_i2c(0x30, HoldingDevice(uno, 2))
    assert StretchingBoard(uno, 30).run(request("i2c_read", addr=0x30, count=2)) == {
        "id": 1,
        "ok": True,
        "result": "5555",
    }


@pytest.mark.parametrize("clocks", [1, 4, 9])
def test_a_device_that_holds_sda_is_clocked_free(uno: SimulatedUno, clocks: int) -> None:
    """EX-18. UM10204 section 3.1.16: up to nine clocks, then a stop condition."""
    machine = uno.machine
    machine.drive_pin(SDA, 0)
    machine.take_edges()
    data = request("i2c_read", addr=0x48, reg=0, count=2)
    assert machine.uart_receive(data) == len(data)
    seen = 0
    while seen < clocks:
        machine.run(16)
        seen += sum(1 for _, pin, level in machine.take_edges() if pin == SCL and level == 0)
        assert machine.cycle_count < 10 * AvrMachine.CLOCK_HZ
    machine.drive_pin(SDA, None)
    (line,) = uno.exchange(b"", at_least=1)
    assert json.loads(line)["result"] == "1680"


def test_i2c_takes_as_long_as_100_khz_needs(uno: SimulatedUno) -> None:
    """EX-18. 35 bytes of 9 bits at 10 us: 3.06 ms from the first's end to the last's, and gaps."""
    times = []

    class Clocked(HoldingDevice):
        def _count(self) -> None:
            times.append(uno.machine.cycle_count)

    uno.machine.attach_i2c(0x30, Clocked(uno, 0))
    data = request("i2c_read", addr=0x30, reg=0, count=32)
    assert uno.machine.uart_receive(data) == len(data)
    while len(times) < 35:
        uno.machine.run(64)  # cycle_count moves on between runs only
    assert 34 * 0.09 <= (times[-1] - times[0]) / CYCLES_PER_MS < 1.15 * 34 * 0.09


# -- SPI --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("hertz", "register", "double"),
    [
        (8_000_000, 0, 1),
        (7_999_999, 0, 0),
        (4_000_000, 0, 0),
        (1_000_000, 1, 0),
        (999_999, 2, 1),
        (250_000, 2, 0),
        (125_000, 3, 0),
    ],
)
def test_spi_clock_is_the_fastest_that_is_allowed(
    uno: SimulatedUno, hertz: int, register: int, double: int
) -> None:
    """EX-18. Table 18-5: SPR1:0 and SPI2X."""
    seen = []

    def look(value: int) -> int:
        seen.append((uno.machine.read_data(0x4C, 1)[0] & 3, uno.machine.read_data(0x4D, 1)[0] & 1))
        return value

    uno.machine.spi_transfer = look
    assert uno.ask("spi_transfer", cs=10, data=[1, 2], hz=hertz) == "0102"
    assert seen == [(register, double)] * 2


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_the_device_is_selected_for_the_whole_transfer_and_no_longer(uno: SimulatedUno, mode: int) -> None:
    """EX-18. cs is low around all bytes; CPOL and CPHA are those of the mode (table 18-2)."""
    seen = []

    def look(value: int) -> int:
        levels = uno.machine.pin_levels()
        seen.append((levels[7], uno.machine.read_data(0x4C, 1)[0] >> 2 & 3))
        return value

    uno.machine.spi_transfer = look
    uno.machine.take_edges()
    uno.ask("spi_transfer", cs=7, data="010203", mode=mode)
    assert {select_mode for _, select_mode in seen} == {mode}
    levels = [level for _, pin, level in uno.machine.take_edges() if pin == 7]
    assert levels == [1, 0, 1]


def test_ss_that_goes_low_in_mid_transfer_is_a_fault_and_the_pins_come_back(uno: SimulatedUno) -> None:
    """EX-18. Data sheet 18.3.2: the chip stops being the master, so the byte never ends."""

    def rob(value: int) -> int:
        uno.machine.drive_pin(10, 0)
        return value

    uno.machine.spi_transfer = rob
    before = uno.machine.pin_modes()
    reply = reply_within(uno, request("spi_transfer", cs=7, data="0102030405"), 20)
    assert (reply["ok"], reply["code"]) == (False, "bus_fault")
    assert uno.machine.pin_modes() == before


# -- second serial line -----------------------------------------------------------------------------------
def sent_bits(uno: SimulatedUno, pin: int) -> list[tuple[int, int]]:
    """(level, length in cycles) of a pin between its changes."""
    edges = [(cycle, level) for cycle, edge_pin, level in uno.machine.take_edges() if edge_pin == pin]
    return [(level, later - cycle) for (cycle, level), (later, _) in itertools.pairwise(edges)]


def test_every_bit_is_on_time(uno: SimulatedUno) -> None:
    """EX-18. 0x55 alternates; a receiver samples in the middle of each bit, so 15 % is near enough."""
    uno.ask("uart_write", tx=4, data="ff")
    uno.machine.take_edges()
    uno.ask("subscribe", signal="a0", period_ms=10)
    uno.exchange_for(request("uart_write", tx=4, data="5555"), 100)
    bits = sent_bits(uno, 4)
    assert [level for level, _ in bits] == [0, 1] * 9 + [0]
    assert all(length == pytest.approx(BIT_CYCLES, rel=0.15) for _, length in bits), bits


def drive_frames(uno: SimulatedUno, pin: int, data: bytes, speed: float = 1.0) -> None:
    """Send as a device on the pin does, back to back."""
    owed = 0.0
    for byte in data:
        for bit in (0, *((byte >> index) & 1 for index in range(8)), 1):
            uno.machine.drive_pin(pin, bit)
            owed += BIT_CYCLES / speed
            owed -= uno.machine.run(int(owed))


@pytest.mark.parametrize("pin", [2, 7, 8, 12, 14, 17])
@pytest.mark.parametrize("speed", [0.96, 1.0, 1.04])
def test_every_byte_value_is_received_on_every_port(uno: SimulatedUno, pin: int, speed: float) -> None:
    """EX-18. Devices may be some per cent off; all 256 values, back to back, are taken as they come."""
    uno.machine.drive_pin(pin, 1)
    assert uno.ask("uart_read", rx=pin) == {"data": "", "lost": 0}
    for start in range(0, 256, 32):
        piece = bytes(range(start, start + 32))
        drive_frames(uno, pin, piece, speed)
        assert uno.ask("uart_read", rx=pin) == {"data": piece.hex(), "lost": 0}


def test_bytes_are_received_while_the_host_line_is_full(uno: SimulatedUno) -> None:
    """EX-18. Telemetry at full rate and requests go on; neither side loses anything."""
    for channel in range(6):
        uno.exchange_for(request("subscribe", signal=f"a{channel}", period_ms=5), 40)
    uno.machine.drive_pin(7, 1)
    uno.exchange_for(request("uart_read", rx=7), 50)
    text = b"$GPGGA,120000,4717.11,N,00833.91,E*5C\r\n"
    drive_frames(uno, 7, text)
    received = b""
    for _ in range(2):
        lines = uno.exchange_for(request("uart_read", rx=7), 60)
        (row,) = (json.loads(line) for line in lines if b'"id"' in line)
        assert row["result"]["lost"] == 0
        received += bytes.fromhex(row["result"]["data"])
    assert received == text


def test_listening_goes_on_while_sending(uno: SimulatedUno) -> None:
    """EX-18. The line is full duplex: a device that answers at once is heard."""
    uno.machine.drive_pin(7, 1)
    data = request("uart_write", tx=8, rx=7, data="aa" * 32)
    assert uno.machine.uart_receive(data) == len(data)
    while uno.machine.uart_input_waiting:
        uno.machine.run(CYCLES_PER_MS // 10)
    uno.advance(3)
    drive_frames(uno, 7, b"answer")
    uno.advance(40)
    assert uno.ask("uart_read", rx=7) == {"data": b"answer".hex(), "lost": 0}


def test_more_than_fits_is_counted(uno: SimulatedUno) -> None:
    """EX-18. 63 bytes wait (SPEC.md)."""
    uno.machine.drive_pin(7, 1)
    uno.ask("uart_read", rx=7)
    drive_frames(uno, 7, bytes(range(70)))
    assert uno.ask("uart_read", rx=7) == {"data": bytes(range(32)).hex(), "lost": 7}
    assert uno.ask("uart_read", rx=7) == {"data": bytes(range(32, 63)).hex(), "lost": 0}


def test_a_break_is_lost_and_the_next_byte_is_whole(uno: SimulatedUno) -> None:
    """EX-18. A line that stays low has no stop bit."""
    uno.machine.drive_pin(7, 1)
    uno.ask("uart_read", rx=7)
    uno.machine.drive_pin(7, 0)
    uno.advance(500)
    uno.machine.drive_pin(7, 1)
    uno.advance(5)
    drive_frames(uno, 7, b"x")
    assert uno.ask("uart_read", rx=7) == {"data": b"x".hex(), "lost": 1}


def test_a_fast_signal_on_the_receiver_does_not_make_the_board_deaf(uno: SimulatedUno) -> None:
    """EX-16: the stop command comes through whatever is wired to a listening pin, here 500 kHz of edges."""
    uno.ask("gpio_write", pin=13, value=1)
    uno.machine.drive_pin(7, 1)
    uno.ask("uart_read", rx=7)
    data = request("stop_all")
    assert uno.machine.uart_receive(data) == len(data)
    for half in range(25_000):
        uno.machine.drive_pin(7, half & 1)
        uno.machine.run(32)
    lines = uno.advance(1)
    assert json.loads(lines[0])["result"] == {"stopped": 1}
    assert uno.machine.pin_levels()[13] == 0
    uno.machine.drive_pin(7, 1)
    uno.advance(5)
    uno.ask("uart_read", rx=7)
    drive_frames(uno, 7, b"fine")
    assert uno.ask("uart_read", rx=7)["data"].endswith(b"fine".hex())


# -- motors -----------------------------------------------------------------------------------------------
def duty_of(uno: SimulatedUno, pin: int) -> float:
    signal = uno.machine.pwm(pin)
    return signal[1] if signal is not None else float(uno.machine.pin_levels()[pin])


@pytest.mark.parametrize("pin", [5, 9, 11])
def test_a_ramp_is_a_straight_line(uno: SimulatedUno, pin: int) -> None:
    """EX-18. From 0 to 240 in 500 ms, and down again in 250 ms."""
    reply_within(uno, request("motor_start", pin=pin, duty=240, ramp_ms=500), 8)
    for step in range(1, 6):
        uno.advance(80)
        assert duty_of(uno, pin) == pytest.approx(step * 80 / 500 * 240 / 255, abs=0.04)
    uno.advance(200)
    assert duty_of(uno, pin) == pytest.approx(240 / 255, abs=0.005)
    reply_within(uno, request("motor_stop", pin=pin, ramp_ms=250), 8)
    uno.advance(125)
    assert duty_of(uno, pin) == pytest.approx(0.5 * 240 / 255, abs=0.06)
    uno.advance(150)
    assert duty_of(uno, pin) == 0.0
    assert uno.machine.pwm(pin) is None


def test_the_direction_is_set_before_the_motor_gets_power(uno: SimulatedUno) -> None:
    """EX-18. Otherwise it would start the wrong way."""
    uno.machine.take_edges()
    uno.ask("motor_start", pin=5, dir_pin=4, duty=255, direction=1)
    order = [pin for _, pin, level in uno.machine.take_edges() if pin in (4, 5) and level == 1]
    assert order == [4, 5]


def test_stop_all_in_mid_ramp_is_final(uno: SimulatedUno) -> None:
    """EX-16."""
    uno.ask("motor_start", pin=5, duty=255, ramp_ms=10_000)
    uno.advance(1000)
    assert uno.ask("stop_all") == {"stopped": 1}
    uno.machine.take_edges()
    uno.advance(10_000)
    assert [edge for edge in uno.machine.take_edges() if edge[1] == 5] == []


def test_the_lost_host_stops_motors(uno: SimulatedUno) -> None:
    """EX-16: a host that has gone is a stop."""
    uno.ask("motor_start", pin=6, dir_pin=7, duty=200, direction=1)
    uno.ask("watchdog_host", ms=200)
    lines = uno.advance(300)
    assert [json.loads(line)["evt"] for line in lines] == ["host_lost"]
    assert (uno.machine.pin_levels()[6], uno.machine.pin_levels()[7], uno.machine.pwm(6)) == (0, 0, None)
