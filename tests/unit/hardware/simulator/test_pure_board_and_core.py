"""The plain Python board and the firmware's protocol core, side by side: the same orders, the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.helpers.bus_devices import RefusingDevice
from tests.unit.firmware.host_board import HostBoard, build
from tests.unit.firmware.vectors import load_cases, load_optional_cases, request_bytes
from zeroclaw_desktop.hardware.simulator import virtual_devices
from zeroclaw_desktop.hardware.simulator.pure_board import BOOT_SECONDS, PureBoard
from zeroclaw_desktop.hardware.simulator.pure_line import TransmitBuffer
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode
from zeroclaw_desktop.hardware.simulator.pure_uart import SecondLine
from zeroclaw_desktop.hardware.simulator.virtual_devices import EEPROM_ADDRESS, LM75_ADDRESS, Eeprom24C32

CASES = load_cases() + load_optional_cases()
VECTOR_REQUESTS = [data for case in CASES for step in case.steps if (data := request_bytes(step))]
VOLTS_PER_STEP = 5 / 1024
# Where the two may differ: the name, and the hardware watchdog that a Python board does not have.
OWN_FACTS = {"fw": "zeroclaw-simplified", "watchdog_ms": 0}
WHOLE_DUTY = b"255"
"""A pretended pin of the core's test driver stays low at full duty, one of the Python board is high."""

NUMBERS = st.sampled_from([0, 1, 2, 3, 5, 8, 9, 10, 11, 13, 14, 17, 19, 20, 50, 100, 180, 300, 440, 1500, -1])
VALUES: st.SearchStrategy[Any] = st.one_of(
    NUMBERS,
    st.sampled_from(["D9", "a0", "A5", "d13", "uptime", "input", "output", "input_pullup", None, True]),
)
# For each command the arguments that it knows, so that many requests are good ones.
ARGUMENTS = {
    "ping": (), "capabilities": (), "state": (), "gpio_read": ("pin",), "gpio_write": ("pin", "value"),
    "pin_mode": ("pin", "mode"), "adc_read": ("channel",), "pwm_write": ("pin", "duty"),
    "servo_write": ("pin", "angle"), "servo_detach": ("pin",), "tone": ("pin", "hz", "ms"),
    "no_tone": ("pin",), "stop_all": (), "subscribe": ("signal", "period_ms"), "unsubscribe": ("signal",),
    "watchdog_host": ("ms",), "board_reset": (), "fly": (), "i2c_scan": (),
    "i2c_read": ("addr", "reg", "count"), "i2c_write": ("addr", "data"),
    "spi_transfer": ("cs", "data", "mode", "hz"), "uart_write": ("tx", "rx", "data"),
    "uart_read": ("rx", "count"), "motor_start": ("pin", "dir_pin", "duty", "direction", "ramp_ms"),
    "motor_stop": ("pin", "ramp_ms"),
}  # fmt: skip
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "pin": st.sampled_from([2, 3, 5, 8, 9, 10, 11, 13, 14, "A1", "d3"]),
    "value": st.sampled_from([0, 1]),
    "mode": st.sampled_from(["input", "input_pullup", "output"]),
    "signal": st.sampled_from(["a0", "A1", "d2", "d3", "D8", "d9", "d13", "uptime"]),
    "hz": st.sampled_from([31, 440, 20_000]),
    "period_ms": st.sampled_from([5, 7, 100]),
    "ms": st.sampled_from([0, 20, 100, 150]),
    "addr": st.sampled_from([LM75_ADDRESS, EEPROM_ADDRESS, 0x60, 0x20]),
    "reg": st.sampled_from([0, 2, 255, "0020", [0, 31], "00200102", []]),
    "count": st.sampled_from([1, 2, 32]),
    "data": st.sampled_from([[0], "0a", "001e010203", [0, 31, 7, 8], [1, 2, 3], "", "00" * 33, [256]]),
    "cs": st.sampled_from([10, 7, "A0", 13]),
    "tx": st.sampled_from([7, 8, 10]),
    "rx": st.sampled_from([6, 7, 8]),
    "dir_pin": st.sampled_from([4, 7, 12, 9]),
    "direction": st.sampled_from([0, 1]),
    "ramp_ms": st.sampled_from([0, 7, 90, 10_000]),
}
OWN_MEANING = {("motor_start", "pin"): st.sampled_from([3, 5, 6, 10, 4]), ("spi_transfer", "mode"): NUMBERS,
               ("spi_transfer", "hz"): st.sampled_from([125_000, 8_000_000, 1])}  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A request that fits, or nearly."""
    command = draw(st.sampled_from(sorted(ARGUMENTS)))
    args: dict[str, Any] = {}
    for name in ARGUMENTS[command]:
        if draw(st.integers(0, 9)):
            fitting = OWN_MEANING.get((command, name), FITTING.get(name, NUMBERS))
            args[name] = draw(VALUES if draw(st.integers(0, 6)) == 0 else fitting)
    return json.dumps({"id": draw(st.integers(0, 99)), "cmd": command, "args": args}).encode() + b"\n"


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A request of the vectors with a few bytes changed, taken out or put in."""
    data = bytearray(draw(st.sampled_from(VECTOR_REQUESTS)))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        data[place : place + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


Step = tuple[str, Any]
STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.one_of(
        st.tuples(st.just("send"), requests()),
        st.tuples(st.just("send"), requests()),
        st.tuples(st.just("send"), mutated()),
        st.tuples(st.just("advance"), st.integers(1, 160)),
        st.tuples(st.just("drive"), st.tuples(st.integers(2, 19), st.integers(0, 1))),
        st.tuples(st.just("analog"), st.tuples(st.integers(0, 5), st.integers(0, 1023))),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostBoard]:
    running = HostBoard(build(tmp_path_factory.mktemp("core")))
    yield running
    running.close()


@pytest.fixture(scope="module")
def drivers_surroundings() -> Iterator[None]:
    """The core's test driver has a line that is never full, a memory that is never busy, and no receiver."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransmitBuffer, "room", 255)
        patch.setattr(virtual_devices, "WRITE_CYCLE_SECONDS", 0.0)
        patch.setattr(SecondLine, "see", lambda _line, _pin: None)
        yield


@pytest.fixture(scope="module")
def own() -> dict[str, Any]:
    """Capabilities of the Python board."""
    board = PureBoard()
    board.advance(BOOT_SECONDS)
    board.receive(b'{"cmd":"capabilities"}\n')
    found: dict[str, Any] = json.loads(json.loads(board.transmitted().splitlines()[-1])["result"])
    return found


def test_both_have_the_same_capabilities(core: HostBoard, own: dict[str, Any]) -> None:
    """A host may use on the simplified board what it uses on the real firmware, in the same words."""
    core.boot()
    facts = json.loads(json.loads(core.receive(b'{"cmd":"capabilities"}\n'))["result"])
    assert list(own.items()) == list({**facts, **OWN_FACTS}.items())


def as_own(sent: bytes) -> bytes:
    """What the core sent, with the Python board's name and watchdog."""
    lines = sent.replace(b'"fw":"zeroclaw-arduino"', b'"fw":"zeroclaw-simplified"').split(b"\n")
    for place, line in enumerate(lines):
        head, found, rest = line.partition(b'"result":"{')
        if found:
            facts = {**json.loads(json.loads(line)["result"]), **OWN_FACTS}
            lines[place] = (
                head + b'"result":' + json.dumps(compact(facts)).encode() + rest[rest.rindex(b"}") :]
            )
    return b"\n".join(lines)


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def do_on_core(core: HostBoard, step: Step) -> bytes:
    kind, what = step
    if kind == "send":
        return core.receive(what)
    if kind == "advance":
        return core.advance(what)
    (core.drive if kind == "drive" else core.set_analog)(*what)
    return b""


def do_on_board(board: PureBoard, step: Step) -> bytes:
    kind, what = step
    if kind == "send":
        board.receive(what)
    elif kind == "advance":
        board.advance(what / 1000)
    elif kind == "drive":
        board.drive_pin(*what)
    else:
        board.set_volts(what[0], (what[1] + 0.5) * VOLTS_PER_STEP)
    return board.transmitted()


class StillThermometer:
    """The core's test driver has one that takes no settings and stays at 22.5 degrees."""

    def __init__(self) -> None:
        self._pointer = self._place = self._taken = 0

    def begin(self, *, is_read: bool) -> bool:
        self._place = self._taken = 0
        return True

    def write(self, value: int) -> bool:
        if not self._taken:
            self._pointer = value & 3
        self._taken += 1
        return True

    def read(self) -> int:
        content = (b"\x16\x80", b"\0\0", b"\x4b\0", b"\x50\0")[self._pointer]
        self._place += 1
        return content[(self._place - 1) % 2]

    def end(self) -> None:
        """Nothing is kept."""


def wire_anew(board: PureBoard) -> None:
    """The core's test driver begins each start with fresh devices and nothing on its pins."""
    board.i2c.attach(LM75_ADDRESS, StillThermometer())
    board.i2c.attach(EEPROM_ADDRESS, Eeprom24C32(lambda: 0.0))
    board.i2c.attach(0x60, RefusingDevice())
    board.second_line.peer = board.second_line.arrive
    for pin in range(2, 20):
        board.drive_pin(pin, None)
    for channel in range(6):
        board.set_volts(channel, 0)


def core_pins(core: HostBoard) -> dict[int, tuple[str, int, int]]:
    waves = ("p", "s", "t")
    return {
        pin: (state.mode, state.level, state.value if state.mode in waves else 0)
        for pin, state in core.pins().items()
    }


def board_pins(board: PureBoard) -> dict[int, tuple[str, int, int]]:
    values = {
        pin: value
        for mode in (PinMode.PWM, PinMode.SERVO, PinMode.TONE)
        for pin, value in board.pins.values(mode).items()
    }
    return {
        pin: (board.pins.mode(pin).value, board.pins.level(pin), values.get(str(pin), 0))
        for pin in range(2, 20)
    }


ALIGN: tuple[Step, ...] = (
    # The core keeps whose turn it is over a start; one sample from the first place sets both alike.
    ("send", b'{"id":0,"cmd":"subscribe","args":{"signal":"uptime","period_ms":5}}\n'),
    ("advance", 2),
    ("send", b'{"id":0,"cmd":"unsubscribe"}\n'),
)


@pytest.mark.usefixtures("drivers_surroundings")
@settings(max_examples=300)
@given(STEPS)
def test_both_answer_byte_for_byte_and_leave_their_pins_alike(core: HostBoard, steps: list[Step]) -> None:
    assume(not any(WHOLE_DUTY in what for kind, what in steps if kind == "send"))
    core.boot()
    board = PureBoard()
    wire_anew(board)
    board.advance(BOOT_SECONDS)
    board.transmitted()
    for step in (*ALIGN, *steps):
        expected = as_own(do_on_core(core, step))
        assert do_on_board(board, step) == expected, step
        if b'"evt":"boot"' in expected:
            wire_anew(board)
            # The core's driver is no fresh program: it forgets its motors only when it looks at their pins.
            assert do_on_board(board, ("advance", 1)) == do_on_core(core, ("advance", 1))
        assert board_pins(board) == core_pins(core), step
