"""Commands for buses, motors and sensors (EX-18) through the door, on the real firmware in the AVR core."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from tests.helpers.execution import RecordingReporter
from tests.helpers.loopback_board import LoopbackBoards
from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.actions import ActionResult, ActionState, Constraints, Permission
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.handlers.board import BOARD_COMMANDS
from zeroclaw_desktop.execution.handlers.bus import BUS_COMMANDS
from zeroclaw_desktop.execution.handlers.bus_requests import BUS_STUCK, NO_DEVICE
from zeroclaw_desktop.execution.handlers.motor import MOTOR_COMMANDS
from zeroclaw_desktop.execution.handlers.pins import PIN_COMMANDS
from zeroclaw_desktop.execution.handlers.sensors import DRIVERS, SENSOR_COMMANDS
from zeroclaw_desktop.execution.handlers.wiring import read_wiring, wiring_of
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.preparation import Prepared
from zeroclaw_desktop.execution.registry import CommandRegistry
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import BoardRefusedError
from zeroclaw_desktop.hardware.protocol import Reply, decode_line, encode_request
from zeroclaw_desktop.hardware.simulator.avr_board import THERMOMETER_CHANNEL, AvrBoard

UNO = board_catalog()["arduino-uno"]
NEW = (*BUS_COMMANDS, *MOTOR_COMMANDS, *SENSOR_COMMANDS)
REPLY_SECONDS = 1.0


class FirmwareBoards(LoopbackBoards):
    """One Uno with the shipped firmware; its time follows the wall clock."""

    def __init__(self) -> None:
        super().__init__("uno")
        image = firmware_path("prebuilt/zeroclaw-arduino-uno.hex")
        loader = firmware_path("prebuilt/bootloader-uno.hex")
        self.board = AvrBoard(firmware_path("prebuilt/avr.wasm"), [image, loader])
        self.board.advance(2.0)
        self.board.transmitted()
        self.capabilities: Mapping[str, Any] = {}
        self._lived_until = time.perf_counter()

    def boards(self) -> list[BoardInfo]:
        info = BoardInfo(
            "uno", "Board uno", UNO, "loop://uno", "live", firmware="old 0.1", capabilities=self.capabilities
        )
        return [info]

    def exchange(self, board_id: str, command: str, args: Mapping[str, Any]) -> Any:
        self.sent.append((board_id, command, dict(args)))
        now = time.perf_counter()
        self.board.advance(now - self._lived_until)
        self._lived_until = now
        self.board.transmitted()
        self.board.receive(encode_request("1", command, args))
        received = b""
        for _ in range(round(REPLY_SECONDS / 0.001)):
            self.board.advance(0.001)
            received += self.board.transmitted()
            reply = decode_line(received) if received.endswith(b"\n") else None
            if isinstance(reply, Reply):
                return self._result(reply, command)
        raise AssertionError(f"no reply to {command}: {received!r}")

    @staticmethod
    def _result(reply: Reply, command: str) -> Any:
        if not reply.ok:
            details = {"reason": reply.error, "command": command, "board_code": reply.code}
            raise BoardRefusedError(reply.error, details=details)
        return reply.result

    def requests(self, *commands: str) -> list[tuple[str, Mapping[str, Any]]]:
        """What went over the wire, those commands only."""
        return [(command, args) for _, command, args in self.sent if command in commands]


class Bench:
    """The door around that board."""

    def __init__(self) -> None:
        self.boards = FirmwareBoards()
        self.registry = CommandRegistry()
        self.reporter = RecordingReporter()
        clock = SystemClock()
        self.executor = Executor(
            self.registry, self.boards, clock, [self.reporter], lambda: self.stop.latched
        )
        self.stop = EmergencyStop(self.boards, EventBus(), clock, self.executor.cancel_all)
        for command in (*NEW, *PIN_COMMANDS, *BOARD_COMMANDS):
            self.registry.register(command)

    async def do(self, action: str, source: Any = "manual", **params: Any) -> ActionResult:
        return await self.executor.submit(make_payload(action, params, source=source))

    async def done(self, action: str, **params: Any) -> Mapping[str, Any]:
        """The value of an action that must complete."""
        result = await self.do(action, **params)
        assert result.ok, result.faults
        return result.value

    def prepare(self, action: str, source: Any = "manual", **params: Any) -> Prepared:
        return self.executor.prepare(make_payload(action, params, source=source))

    def faults(self, action: str, **params: Any) -> list[tuple[int, str]]:
        """(code, parameter) of every fault that the checks find."""
        with pytest.raises(FaultError) as caught:
            self.prepare(action, **params)
        return [(found.code, found.param) for found in caught.value.faults]

    async def pin(self, number: int) -> Mapping[str, Any]:
        """A pin as the firmware itself tells it."""
        result = await self.do("board_info")
        return dict(result.hardware_states[f"pin_{number}"])


@pytest.fixture
def bench() -> Bench:
    return Bench()


# -- I2C --------------------------------------------------------------------------------------------------
async def test_i2c_scan_lists_the_devices(bench: Bench) -> None:
    """EX-18 i2c_scan."""
    assert await bench.done("i2c_scan") == {"found": [0x48, 0x50], "addresses": ["0x48", "0x50"]}


async def test_i2c_read_gives_bytes_and_tells_where_they_are_from(bench: Bench) -> None:
    """EX-18 i2c_read, EX-12: what was read. 22.5 degrees are 45 steps of 0.5, 7 bits up."""
    result = await bench.do("i2c_read", addr=0x48, reg=0, count=2)
    assert result.value == {"addr": 0x48, "data": [0x16, 0x80], "hex": "1680"}
    assert result.hardware_states == {"i2c_0x48": {"reg": 0, "data": "1680"}}
    assert (await bench.pin(18))["mode"] == "input"


async def test_i2c_write_to_a_memory_is_read_back_although_it_is_busy_for_5_ms(bench: Bench) -> None:
    """EX-18 i2c_write. A memory acknowledges nothing in its write cycle (Atmel 0336), so reading waits."""
    assert await bench.done("i2c_write", addr=0x50, data=[0x01, 0x20, 1, 2, 3]) == {"addr": 0x50, "bytes": 5}
    read = await bench.done("i2c_read", addr=0x50, reg=0x0120, reg_bytes=2, count=4)
    assert read["data"] == [1, 2, 3, 0xFF]
    assert await bench.done("i2c_write", addr=0x50, hex="01215A") == {"addr": 0x50, "bytes": 3}
    assert (await bench.done("i2c_read", addr=0x50, reg=0x0120, reg_bytes=2, count=3))["hex"] == "015a03"


async def test_a_missing_device_is_a_bus_fault_after_a_few_tries(bench: Bench) -> None:
    """EX-10: segment 0x40. The address is tried again for a while, since a memory may be busy."""
    result = await bench.do("i2c_read", addr=0x21)
    assert (result.state, result.error_code) == (ActionState.FAILED, NO_DEVICE)
    assert result.faults[0].symbol == "NO_DEVICE"
    assert "0x21" in result.faults[0].message
    assert 1 < len(bench.boards.requests("i2c_read")) <= 5


async def test_an_idempotent_read_is_retried_when_asked_for(bench: Bench) -> None:
    """EX-10: bus errors get a bounded retry when the command is idempotent."""
    payload = make_payload("i2c_read", {"addr": 0x21}, source="manual", constraints=Constraints(retries=1))
    assert (await bench.executor.submit(payload)).error_code == NO_DEVICE
    single = len(bench.boards.requests("i2c_read"))
    await bench.do("i2c_read", addr=0x21)
    assert single == 2 * (len(bench.boards.requests("i2c_read")) - single)


@pytest.mark.parametrize("line", [18, 19])
async def test_a_held_line_is_told_at_once_and_hangs_nothing(bench: Bench, line: int) -> None:
    """EX-18: a stuck SDA or SCL must not hang; EX-10: code of the bus segment."""
    bench.boards.board.drive_pin(line, 0)
    result = await bench.do("i2c_scan")
    assert result.error_code == BUS_STUCK
    assert (await bench.do("digital_read", pin=7)).ok
    bench.boards.board.drive_pin(line, None)
    assert (await bench.do("i2c_scan")).ok


async def test_an_output_on_the_bus_is_refused_and_stays(bench: Bench) -> None:
    """EX-6: reading a bus never changes somebody's output."""
    await bench.done("digital_write", pin=18, value=1)
    result = await bench.do("i2c_scan")
    assert result.error_code == Code.DEVICE_REFUSED
    assert await bench.pin(18) == {"mode": "output", "level": 1}


def test_faults_of_i2c_parameters(bench: Bench) -> None:
    """EX-5: ranges, forms and the register that does not fit."""
    assert bench.faults("i2c_read", addr=0x07) == [(Code.OUT_OF_RANGE, "addr")]
    assert bench.faults("i2c_read", addr=0x48, count=33) == [(Code.OUT_OF_RANGE, "count")]
    assert bench.faults("i2c_read", addr=0x48, reg=256) == [(Code.OUT_OF_RANGE, "reg")]
    assert bench.faults("i2c_write", addr=0x48) == [(Code.MISSING_PARAMETER, "data")]
    assert bench.faults("i2c_write", addr=0x48, data=[1], hex="01") == [(Code.BAD_FORMAT, "hex")]
    assert bench.faults("i2c_write", addr=0x48, data=[]) == [(Code.OUT_OF_RANGE, "data")]
    assert bench.faults("i2c_write", addr=0x48, data=[0, 256]) == [(Code.OUT_OF_RANGE, "data[1]")]
    assert bench.faults("i2c_write", addr=0x48, hex="123") == [(Code.BAD_FORMAT, "hex")]
    assert bench.faults("i2c_write", addr=0x48, hex="00" * 33) == [(Code.BAD_FORMAT, "hex")]


def test_devices_on_one_bus_are_separate_resources_and_a_scan_takes_the_bus(bench: Bench) -> None:
    """EX-11: `<device>/i2c:0@0x48`; disjoint devices run in parallel, a scan runs alone."""
    thermometer = dict(bench.prepare("i2c_read", addr=0x48).resources)
    memory = dict(bench.prepare("i2c_read", addr=0x50).resources)
    scan = dict(bench.prepare("i2c_scan").resources)
    assert thermometer["uno/i2c:0@0x48"] == "write"
    shared = set(thermometer) & set(memory)
    assert shared == {"uno/i2c:0", "uno/gpio:18", "uno/gpio:19", "uno/serial"}
    assert {thermometer[name] for name in shared} | {memory[name] for name in shared} == {"read"}
    assert scan["uno/i2c:0"] == "write"
    assert dict(bench.prepare("digital_write", pin=18, value=0).resources)["uno/gpio:18"] == "write"


# -- SPI --------------------------------------------------------------------------------------------------
async def test_spi_transfer_exchanges_bytes_and_plans_its_pins(bench: Bench) -> None:
    """EX-18 spi_transfer, EX-15: the plan says beforehand what the pins do. The bus is looped back."""
    planned = {
        change.pin: (change.mode, change.after)
        for change in bench.prepare("spi_transfer", cs=10, hex="00").changes
    }
    assert planned == {10: ("output", 1), 11: ("output", 0), 13: ("output", 0), 12: ("input", None)}
    result = await bench.do("spi_transfer", cs=10, data=[0xA5, 0x5A], mode=3, frequency=500_000)
    assert result.value == {"cs": 10, "data": [0xA5, 0x5A], "hex": "a55a"}
    states = result.hardware_states
    assert states["pin_10"] == {"mode": "output", "level": 1}
    assert (states["pin_11"]["mode"], states["pin_12"]["mode"], states["pin_13"]["mode"]) == (
        "output",
        "input",
        "output",
    )


def test_faults_of_spi_parameters(bench: Bench) -> None:
    """EX-5, EX-6: data pins cannot select, reserved pins cannot either."""
    assert bench.faults("spi_transfer", cs=12, data=[1]) == [(Code.ILLEGAL_PIN, "cs")]
    assert bench.faults("spi_transfer", cs=1, data=[1]) == [(Code.ILLEGAL_PIN, "cs")]
    assert bench.faults("spi_transfer", cs=10, data=[1], mode=4) == [(Code.NOT_A_CHOICE, "mode")]
    assert bench.faults("spi_transfer", cs=10, data=[1], frequency=9_000_000) == [
        (Code.OUT_OF_RANGE, "frequency")
    ]
    assert bench.faults("spi_transfer", cs=1) == [(Code.MISSING_PARAMETER, "data"), (Code.ILLEGAL_PIN, "cs")]


def test_spi_takes_all_its_pins(bench: Bench) -> None:
    """EX-11: nobody else drives a pin of the bus meanwhile."""
    writes = {
        name for name, mode in bench.prepare("spi_transfer", cs=7, data=[1]).resources if mode == "write"
    }
    assert writes == {"uno/spi:0", "uno/gpio:7", "uno/gpio:11", "uno/gpio:12", "uno/gpio:13"}


# -- second serial line -----------------------------------------------------------------------------------
def frames_at(edges: list[tuple[float, int, int]], pin: int) -> bytes:
    """Decode 9600 baud 8N1 from the level changes of a pin: sampled in the middle of each bit."""
    changes = [(when, level) for when, edge_pin, level in edges if edge_pin == pin]

    def level_at(when: float) -> int:
        return next((level for at, level in reversed(changes) if at <= when), 1)

    received, at = bytearray(), 0.0
    for when, level in changes:
        if level == 0 and when >= at:
            bits = [level_at(when + (index + 1.5) / 9600) for index in range(9)]
            assert bits[8] == 1, "no stop bit"
            received.append(sum(bit << index for index, bit in enumerate(bits[:8])))
            at = when + 9.5 / 9600
    return bytes(received)


async def test_uart_write_sends_frames_of_9600_baud(bench: Bench) -> None:
    """EX-18 uart_write: the bytes are decoded from the edges at the pin."""
    bench.boards.board.take_edges()
    result = await bench.do("uart_write", tx=8, text="Hé\n")
    assert result.value == {"tx": 8, "bytes": 4}
    assert result.hardware_states == {"pin_8": {"mode": "output", "level": 1}}
    edges, _ = bench.boards.board.take_edges()
    assert frames_at(edges, 8) == "Hé\n".encode()


def send_frames(board: AvrBoard, pin: int, data: bytes) -> None:
    """Drive a pin as a device does that sends at 9600 baud 8N1."""
    board.drive_pin(pin, 1)
    board.advance(0.003)
    for byte in data:
        for bit in (0, *((byte >> index) & 1 for index in range(8)), 1):
            board.drive_pin(pin, bit)
            board.advance(1 / 9600)
    board.advance(0.003)


async def test_uart_read_takes_what_came_since_it_listens(bench: Bench) -> None:
    """EX-18 uart_read: the first call begins listening, later calls take the bytes in order."""
    assert await bench.done("uart_read", rx=7) == {"rx": 7, "data": [], "hex": "", "text": "", "lost": 0}
    send_frames(bench.boards.board, 7, b"OK \x00\xff\x55")
    assert (await bench.done("uart_read", rx=7, count=3))["text"] == "OK "
    assert (await bench.done("uart_read", rx=7, wait=0.05))["data"] == [0, 0xFF, 0x55]
    assert (await bench.pin(7))["mode"] == "input"


async def test_uart_read_waits_until_enough_has_come(bench: Bench) -> None:
    """EX-8: waiting is made of cancel points; the bytes that come meanwhile are put together."""
    await bench.done("uart_read", rx=7)
    reading = asyncio.create_task(bench.done("uart_read", rx=7, count=4, wait=5.0))
    await asyncio.sleep(0.1)
    send_frames(bench.boards.board, 7, b"ab")
    await asyncio.sleep(0.1)
    send_frames(bench.boards.board, 7, b"cd")
    assert (await reading)["text"] == "abcd"


def test_faults_of_the_second_serial_line(bench: Bench) -> None:
    """EX-5, EX-6."""
    assert bench.faults("uart_write", tx=8) == [(Code.MISSING_PARAMETER, "data")]
    assert bench.faults("uart_write", tx=1, data=[1]) == [(Code.ILLEGAL_PIN, "tx")]
    assert bench.faults("uart_write", tx=8, rx=8, data=[1]) == [(Code.BAD_FORMAT, "rx")]
    assert bench.faults("uart_write", tx=8, text="é" * 17) == [(Code.OUT_OF_RANGE, "text")]  # 34 bytes
    assert bench.faults("uart_read", rx=0) == [(Code.ILLEGAL_PIN, "rx")]


# -- motors -----------------------------------------------------------------------------------------------
async def test_a_named_motor_starts_and_stops(bench: Bench) -> None:
    """EX-18 motor_start and motor_stop; motor A of the Arduino Motor Shield Rev3: PWM 3, direction 12."""
    result = await bench.do("motor_start", motor="A", duty=0.5, direction="backward", ramp=0.05)
    assert result.ok, result.faults
    assert result.value == {"motor": "A", "pwm_pin": 3, "direction": "backward", "duty": 0.5}
    assert result.hardware_states["pin_3"]["duty"] == pytest.approx(0.5, abs=1 / 255)
    assert result.hardware_states["pin_12"] == {"mode": "output", "level": 1}
    stopped = await bench.do("motor_stop", motor="A")
    assert stopped.hardware_states == {"pin_3": {"mode": "output", "level": 0}}


async def test_a_motor_runs_for_a_time(bench: Bench) -> None:
    """EX-18: with a duration the motor is off afterwards, and the plan says both."""
    planned = bench.prepare("motor_start", pwm_pin=5, duty=1.0, duration=0.2).changes
    assert [(change.pin, change.mode, change.after) for change in planned] == [
        (5, "pwm", 1.0),
        (5, "output", 0),
    ]
    result = await bench.do("motor_start", pwm_pin=5, duty=1.0, ramp=0.0, duration=0.2)
    assert result.ok, result.faults
    assert result.hardware_states == {"pin_5": {"mode": "output", "level": 0}}


async def test_a_motor_is_stopped_before_it_turns_the_other_way(bench: Bench) -> None:
    """EX-4: the state that a former run left is cleared first; a driver is never reversed under way."""
    await bench.done("motor_start", motor="A", duty=0.6, ramp=0.0)
    await bench.done("motor_start", motor="A", duty=0.6, direction="backward", ramp=0.05)
    sent = [command for command, _ in bench.boards.requests("motor_start", "motor_stop")]
    assert sent == ["motor_start", "motor_stop", "motor_start"]
    assert (await bench.pin(12))["level"] == 1


async def test_cancelling_stops_the_motor(bench: Bench) -> None:
    """EX-4 cancel, EX-8: outputs are put into their safe state."""
    payload = make_payload("motor_start", {"pwm_pin": 6, "duty": 0.9, "duration": 60.0}, source="manual")
    work = asyncio.create_task(bench.executor.submit(payload))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    assert bench.executor.cancel(payload.task_id)
    assert (await work).state is ActionState.CANCELLED
    assert await bench.pin(6) == {"mode": "output", "level": 0}


async def test_a_time_out_stops_the_motor(bench: Bench) -> None:
    """EX-8: code 0x31 and the safe state."""
    payload = make_payload(
        "motor_start",
        {"pwm_pin": 6, "duty": 0.9, "duration": 60.0},
        source="manual",
        constraints=Constraints(timeout=0.3),
    )
    assert (await bench.executor.submit(payload)).error_code == Code.TIMEOUT
    assert await bench.pin(6) == {"mode": "output", "level": 0}


async def test_motor_stop_ends_a_run_that_has_the_pins(bench: Bench) -> None:
    """EX-18: motor_stop does not wait behind the run it is to end; the run says that it was stopped."""
    work = asyncio.create_task(bench.do("motor_start", motor="B", duty=0.4, duration=60.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    assert (await bench.do("motor_stop", motor="B")).ok
    result = await asyncio.wait_for(work, 5.0)
    assert (result.state, result.error_code) == (ActionState.FAILED, Code.CANCELLED)
    assert await bench.pin(11) == {"mode": "output", "level": 0}


async def test_motor_stop_during_a_reversal_keeps_the_motor_from_starting_again(bench: Bench) -> None:
    """EX-18: the later command wins, even while the run still waits for the motor to stand."""
    await bench.done("motor_start", motor="A", duty=0.6, ramp=0.0)
    work = asyncio.create_task(bench.do("motor_start", motor="A", duty=0.6, direction="backward", ramp=0.4))
    await until(lambda: bool(bench.boards.requests("motor_stop")))
    assert (await bench.do("motor_stop", motor="A")).ok
    assert (await work).error_code == Code.CANCELLED
    assert await bench.pin(3) == {"mode": "output", "level": 0}
    assert len(bench.boards.requests("motor_start")) == 1


async def test_a_motor_that_something_else_stopped_is_no_success(bench: Bench) -> None:
    """EX-12: what is reported was read back; a stop by the board itself is told."""
    work = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=0.4, ramp=0.0, duration=0.4))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    bench.boards.exchange("uno", "stop_all", {})
    assert (await work).error_code == Code.CANCELLED


async def test_the_emergency_stop_ends_motors_and_ramps(bench: Bench) -> None:
    """EX-16: the board's stop command ends the ramp as well."""
    work = asyncio.create_task(bench.do("motor_start", pwm_pin=5, duty=1.0, ramp=5.0))
    await until(lambda: bool(bench.boards.requests("motor_start")))
    await asyncio.sleep(0.1)
    await bench.stop.trigger("button")
    assert (await work).state is ActionState.CANCELLED
    bench.boards.board.advance(6.0)
    assert bench.boards.board.snapshot().levels[5] == 0
    assert 5 not in bench.boards.board.snapshot().pwm


def test_faults_of_motor_parameters(bench: Bench) -> None:
    """EX-5, EX-6."""
    assert bench.faults("motor_start", duty=0.5) == [(Code.MISSING_PARAMETER, "pwm_pin")]
    assert bench.faults("motor_start", motor="Z", duty=0.5) == [(Code.NOT_A_CHOICE, "motor")]
    assert bench.faults("motor_start", motor="A", pwm_pin=5, duty=0.5) == [(Code.BAD_FORMAT, "pwm_pin")]
    assert bench.faults("motor_start", pwm_pin=4, duty=0.5) == [(Code.ILLEGAL_PIN, "pwm_pin")]
    assert bench.faults("motor_start", pwm_pin=5, direction_pin=1, duty=0.5) == [
        (Code.ILLEGAL_PIN, "direction_pin")
    ]
    assert bench.faults("motor_start", pwm_pin=5, direction_pin=5, duty=0.5) == [
        (Code.BAD_FORMAT, "direction_pin")
    ]
    backward = bench.faults("motor_start", pwm_pin=5, direction="backward", duty=0.5)
    assert backward == [(Code.MISSING_PARAMETER, "direction_pin")]
    assert bench.faults("motor_start", pwm_pin=5, duty=0.0) == [(Code.OUT_OF_RANGE, "duty")]
    assert bench.faults("motor_start", pwm_pin=5, duty=1.5) == [(Code.OUT_OF_RANGE, "duty")]
    assert bench.faults("motor_stop") == [(Code.MISSING_PARAMETER, "pwm_pin")]


# -- sensors ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("celsius", [-10.0, 0.0, 21.5, 80.0])
async def test_both_thermometers_give_the_temperature(bench: Bench, celsius: float) -> None:
    """EX-18 sensor_read: TMP36 (0.5 V + 10 mV a degree; an ADC step is 0.49 degrees), LM75 on I2C."""
    bench.boards.board.set_volts(THERMOMETER_CHANNEL, 0.5 + 0.010 * celsius)
    analog = await bench.done("sensor_read", sensor="temperature", driver="tmp36", pin="A1")
    assert analog == {
        "sensor": "temperature",
        "value": pytest.approx(celsius, abs=0.5),
        "unit": "°C",
        "driver": "tmp36",
    }
    digital = await bench.do("sensor_read", sensor="temperature", driver="lm75")
    assert digital.value["value"] == pytest.approx(celsius, abs=0.25)
    assert set(digital.hardware_states) == {"i2c_0x48"}


async def test_humidity_is_the_share_of_the_supply(bench: Bench) -> None:
    """EX-18 humidity by driver: HIH-4030 at 50 % gives 5 V * (0.0062 * 50 + 0.16) = 2.35 V."""
    bench.boards.board.set_volts(2, 2.35)
    value = await bench.done("sensor_read", sensor="humidity", driver="hih4030", pin="a2")
    assert value["value"] == pytest.approx(50.0, abs=0.8)
    assert value["unit"] == "%"


async def test_a_reading_beyond_the_sensor_is_a_fault_and_no_value(bench: Bench) -> None:
    """EX-12: never invented; nothing at A3 (0 V) would be -50 degrees, at 5 V it would be 450."""
    for volts in (0.0, 5.0):
        bench.boards.board.set_volts(3, volts)
        result = await bench.do("sensor_read", sensor="temperature", driver="tmp36", pin="A3")
        assert (result.state, result.error_code) == (ActionState.FAILED, Code.DEVICE_REFUSED)


async def test_a_missing_i2c_sensor_is_a_bus_fault(bench: Bench) -> None:
    """EX-10."""
    result = await bench.do("sensor_read", sensor="temperature", driver="lm75", addr=0x49)
    assert result.error_code == NO_DEVICE


def test_faults_of_sensor_parameters(bench: Bench) -> None:
    """EX-5: which part and where."""
    assert bench.faults("sensor_read", sensor="weight") == [(Code.NOT_A_CHOICE, "sensor")]
    assert bench.faults("sensor_read", sensor="temperature") == [(Code.MISSING_PARAMETER, "driver")]
    assert bench.faults("sensor_read", sensor="humidity", driver="lm75") == [(Code.NOT_A_CHOICE, "driver")]
    assert bench.faults("sensor_read", sensor="temperature", driver="tmp36") == [
        (Code.MISSING_PARAMETER, "pin")
    ]
    wrong = bench.faults("sensor_read", sensor="temperature", driver="tmp36", pin="A9")
    assert wrong == [(Code.ILLEGAL_PIN, "pin")]


def test_every_driver_covers_its_range() -> None:
    """The data of the drivers: an analog sensor's range lies within the 0 to 5 V of the converter."""
    for driver in DRIVERS.values():
        assert driver.low < driver.high
        if driver.bus == "analog":
            supply = 1.0 if driver.ratiometric else 5.0
            assert (
                0.0
                <= driver.low / driver.scale + driver.zero
                < driver.high / driver.scale + driver.zero
                <= supply
            )
        else:
            assert 0x08 <= driver.address <= 0x77


# -- all of them ------------------------------------------------------------------------------------------
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


def test_the_wiring_of_the_uno_fits_its_pins() -> None:
    """The board file: motors have a PWM pin and a plain one; the SPI pins are among those of the bus."""
    wiring = wiring_of("arduino-uno")
    assert wiring.spi is not None
    spi_pins = {pin.number for pin in UNO.pins if "spi" in pin.functions}
    assert {wiring.spi.out_pin, wiring.spi.in_pin, wiring.spi.clock_pin} < spi_pins
    assert set(wiring.motors) == {"A", "B"}
    for motor in wiring.motors.values():
        speed = UNO.pin(motor.pwm_pin)
        assert speed is not None
        assert "pwm" in speed.functions
        assert motor.direction_pin is not None
        assert UNO.pin(motor.direction_pin) is not None


def test_a_board_without_wiring_has_none() -> None:
    assert wiring_of("no-such-board").motors == {}
    assert read_wiring({"motors": {"fan": {"pwm": 5}}}).motors["fan"].direction_pin is None


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must happen soon."""
    async with asyncio.timeout(5.0):
        while not condition():
            await asyncio.sleep(0.005)
