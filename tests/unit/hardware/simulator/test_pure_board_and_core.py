"""The plain Python board and the firmware's protocol core, side by side: the same orders, the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.unit.firmware.host_board import HostBoard, build
from tests.unit.firmware.vectors import load_cases, request_bytes
from zeroclaw_desktop.hardware.simulator.pure_board import BOOT_SECONDS, PureBoard
from zeroclaw_desktop.hardware.simulator.pure_line import TransmitBuffer
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode

VECTOR_REQUESTS = [data for case in load_cases() for step in case.steps if (data := request_bytes(step))]
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
    "watchdog_host": ("ms",), "board_reset": (), "fly": (),
}  # fmt: skip
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "pin": st.sampled_from([2, 3, 5, 8, 9, 10, 11, 13, 14, "A1", "d3"]),
    "value": st.sampled_from([0, 1]),
    "mode": st.sampled_from(["input", "input_pullup", "output"]),
    "signal": st.sampled_from(["a0", "A1", "d2", "d3", "D8", "d9", "d13", "uptime"]),
    "hz": st.sampled_from([31, 440, 20_000]),
    "period_ms": st.sampled_from([5, 7, 100]),
    "ms": st.sampled_from([0, 20, 100, 150]),
}


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A request that fits, or nearly."""
    command = draw(st.sampled_from(sorted(ARGUMENTS)))
    args: dict[str, Any] = {}
    for name in ARGUMENTS[command]:
        if draw(st.integers(0, 9)):
            args[name] = draw(VALUES if draw(st.integers(0, 6)) == 0 else FITTING.get(name, NUMBERS))
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
def endless_room() -> Iterator[None]:
    """The core's test driver has a line that is never full; so has the Python board here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransmitBuffer, "room", 255)
        yield


@pytest.fixture(scope="module")
def own() -> dict[str, Any]:
    """Capabilities of the Python board."""
    board = PureBoard()
    board.advance(BOOT_SECONDS)
    board.receive(b'{"cmd":"capabilities"}\n')
    found: dict[str, Any] = json.loads(json.loads(board.transmitted().splitlines()[-1])["result"])
    return found


@pytest.fixture(scope="module")
def elsewhere(core: HostBoard, own: dict[str, Any]) -> list[bytes]:
    """Commands that only the core has: no host may use them on the Python board, which does not list them."""
    core.boot()
    facts = json.loads(json.loads(core.receive(b'{"cmd":"capabilities"}\n'))["result"])
    assert set(own["commands"]) <= set(facts["commands"])
    return [name.encode() for name in set(facts["commands"]) - set(own["commands"])]


def as_own(sent: bytes, own: dict[str, Any]) -> bytes:
    """What the core sent, with the Python board's name and without capabilities that it does not claim."""
    lines = sent.replace(b'"fw":"zeroclaw-arduino"', b'"fw":"zeroclaw-simplified"').split(b"\n")
    for place, line in enumerate(lines):
        head, found, rest = line.partition(b'"result":"{')
        if found:
            facts = json.loads(json.loads(line)["result"])
            shared = {key: OWN_FACTS.get(key, value) for key, value in facts.items() if key in own}
            shared["commands"] = [name for name in facts["commands"] if name in own["commands"]]
            lines[place] = (
                head + b'"result":' + json.dumps(compact(shared)).encode() + rest[rest.rindex(b"}") :]
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


def unwire(board: PureBoard) -> None:
    """The core's test driver forgets at a restart what was put on its pins."""
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


@pytest.mark.usefixtures("endless_room")
@settings(max_examples=300)
@given(STEPS)
def test_both_answer_byte_for_byte_and_leave_their_pins_alike(
    core: HostBoard, own: dict[str, Any], elsewhere: list[bytes], steps: list[Step]
) -> None:
    sent = b"".join(what for kind, what in steps if kind == "send")
    assume(not any(name in sent for name in (WHOLE_DUTY, *elsewhere)))
    core.boot()
    board = PureBoard()
    board.advance(BOOT_SECONDS)
    board.transmitted()
    for step in (*ALIGN, *steps):
        expected = as_own(do_on_core(core, step), own)
        assert do_on_board(board, step) == expected, step
        if b'"evt":"boot"' in expected:
            unwire(board)
        assert board_pins(board) == core_pins(core), step
