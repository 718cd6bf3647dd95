"""The plain Python board speaks the protocol of firmware/protocol/SPEC.md: vectors, pace, starts, fuzz."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.bus_devices import RefusingDevice
from tests.unit.firmware.schema_check import faults
from tests.unit.firmware.vectors import (
    FIRMWARE,
    Case,
    PinState,
    all_refused,
    check_pins,
    check_replies,
    load_cases,
    load_optional_cases,
    request_bytes,
)
from zeroclaw_desktop.hardware.simulator.machine import PIN_COUNT
from zeroclaw_desktop.hardware.simulator.pure_board import BOOT_SECONDS, PureBoard
from zeroclaw_desktop.hardware.simulator.pure_pins import PinMode

CASES = load_cases() + load_optional_cases()
SCHEMA = json.loads((FIRMWARE / "protocol" / "schema.json").read_text(encoding="utf-8"))
VOLTS_PER_STEP = 5 / 1024
WIRE_BYTES_A_SECOND = 11_520


def started(cause: str = "power") -> PureBoard:
    """A board whose boot line has been read."""
    board = PureBoard()
    board.i2c.attach(0x60, RefusingDevice())
    if cause != "power":
        board.advance(1.0)
        board.transmitted()
        board.reset(cause)
    board.advance(BOOT_SECONDS)
    (boot,) = board.transmitted().splitlines()
    assert json.loads(boot)["reset"] == cause
    return board


def pin_states(board: PureBoard) -> dict[int, PinState]:
    values = {
        int(pin): value
        for mode in (PinMode.PWM, PinMode.SERVO, PinMode.TONE)
        for pin, value in board.pins.values(mode).items()
    }
    return {
        pin: PinState(board.pins.mode(pin).value, board.pins.level(pin), values.get(pin, 0))
        for pin in range(PIN_COUNT)
    }


def ask(board: PureBoard, command: str, **args: Any) -> Any:
    """The result of one request; the board must carry it out."""
    board.receive(json.dumps({"id": 1, "cmd": command, "args": args}).encode() + b"\n")
    reply = json.loads(board.transmitted().splitlines()[-1])
    assert reply["ok"], reply
    return reply["result"]


# -- the vectors ------------------------------------------------------------------------------------------
def own_name(replies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The vectors' replies with this board's name: it must not pass for the real firmware."""
    return [
        {**reply, "fw": "zeroclaw-simplified"} if reply.get("evt") == "boot" else reply for reply in replies
    ]


def run_step(board: PureBoard, step: dict[str, Any], where: str) -> None:
    before = pin_states(board)
    data = request_bytes(step)
    if data is not None:
        board.receive(data)
    elif "advance_ms" in step:
        board.advance(step["advance_ms"] / 1000)
    for pin, level in step.get("drive", {}).items():
        board.drive_pin(int(pin), level)
    for channel, value in step.get("analog", {}).items():
        board.set_volts(int(channel), (value + 0.5) * VOLTS_PER_STEP)
    sent = board.transmitted()
    assert sent == b"" or sent.endswith(b"\n"), where
    lines = sent.splitlines()
    if "replies" in step:
        step = {**step, "replies": own_name(step["replies"])}
    check_replies(step, lines, where)
    check_pins(step, pin_states(board), where)
    if all_refused(lines):
        assert pin_states(board) == before, f"{where}: a refused request changed a pin"


@pytest.mark.parametrize("case", CASES, ids=[f"{case.file}: {case.name}" for case in CASES])
def test_vector(case: Case) -> None:
    board = started()
    for number, step in enumerate(case.steps):
        run_step(board, step, f"{case.name}, step {number}: {step}")


def test_it_says_what_it_is() -> None:
    board = PureBoard()
    board.advance(BOOT_SECONDS)
    assert json.loads(board.transmitted()) == {
        "evt": "boot",
        "fw": "zeroclaw-simplified",
        "version": "1.1.0",
        "reset": "power",
    }
    assert json.loads(ask(board, "capabilities"))["fw"] == "zeroclaw-simplified"


def test_every_listed_command_is_known() -> None:
    board = started()
    commands = json.loads(ask(board, "capabilities"))["commands"]
    assert len(commands) == len(set(commands)) == 25
    for command in commands:
        board.receive(json.dumps({"id": 1, "cmd": command}).encode() + b"\n")
        reply = json.loads(board.transmitted().splitlines()[0])
        assert reply.get("code") != "unknown_command", command


# -- starting ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cause", ["power", "external", "brownout"])
def test_a_reset_names_its_cause_and_frees_the_pins(cause: str) -> None:
    board = started()
    ask(board, "gpio_write", pin=13, value=1)
    ask(board, "subscribe", signal="a0", period_ms=10)
    ask(board, "watchdog_host", ms=100)
    board.reset(cause)
    assert board.snapshot().levels[13] == 0
    assert board.snapshot().modes[13] == "input"
    board.advance(1.0)
    (boot,) = board.transmitted().splitlines()  # and no telemetry, no host_lost
    assert json.loads(boot)["reset"] == cause


def test_a_board_that_is_starting_hears_nothing() -> None:
    board = PureBoard()
    board.receive(b'{"id":1,"cmd":"ping"}\n{"id":2,')
    board.advance(BOOT_SECONDS)
    board.receive(b'"cmd":"ping"}\n')
    boot, rest = board.transmitted().splitlines()
    assert json.loads(boot)["evt"] == "boot"
    assert json.loads(rest)["code"] == "bad_json"


def test_what_is_wired_to_the_pins_outlives_a_reset() -> None:
    board = started()
    board.drive_pin(7, 1)
    board.set_volts(3, 2.5)
    board.reset("external")
    board.advance(BOOT_SECONDS)
    assert ask(board, "gpio_read", pin=7) == "1"
    assert ask(board, "adc_read", channel=3) == 512


# -- what the simulator shows -----------------------------------------------------------------------------
def test_edges_carry_the_boards_time() -> None:
    board = started()
    for value in (1, 1, 0):
        ask(board, "gpio_write", pin=13, value=value)
        board.advance(0.25)
    edges, lost = board.take_edges()
    assert edges == [
        (pytest.approx(BOOT_SECONDS), 13, 1),
        (pytest.approx(BOOT_SECONDS + 0.5), 13, 0),
    ]
    assert lost == 0
    assert board.take_edges() == ([], 0)


def test_square_waves_are_shown_by_frequency_and_duty() -> None:
    board = started()
    ask(board, "pwm_write", pin=5, duty=51)
    ask(board, "pwm_write", pin=6, duty=255)
    ask(board, "servo_write", pin=9, us=1500)
    ask(board, "tone", pin=8, hz=440)
    state = board.snapshot()
    assert state.pwm == {
        5: (pytest.approx(976.6, abs=0.1), pytest.approx(0.2)),
        8: (440.0, 0.5),
        9: (50.0, pytest.approx(0.075)),
    }
    assert (state.levels[6], state.modes[5], state.modes[6]) == (1, "output", "output")


def test_a_pin_that_becomes_a_plain_output_keeps_the_level_it_had() -> None:
    board = started()
    ask(board, "pwm_write", pin=6, duty=255)
    ask(board, "pin_mode", pin=6, mode="output")
    assert board.snapshot().levels[6] == 1
    ask(board, "pin_mode", pin=6, mode="input")
    ask(board, "pin_mode", pin=6, mode="output")
    assert board.snapshot().levels[6] == 0


# -- pace -------------------------------------------------------------------------------------------------
def test_the_line_carries_no_more_telemetry_than_its_baud_rate() -> None:
    board = started()
    signals = [*(f"a{channel}" for channel in range(6)), "d2", "uptime"]
    for signal in signals:
        ask(board, "subscribe", signal=signal, period_ms=5)  # 1600 lines a second, eight times too many
    seconds, data = 2, b""
    for _ in range(seconds * 100):
        board.advance(0.01)
        data += board.transmitted()
    assert 0.95 * WIRE_BYTES_A_SECOND < len(data) / seconds < 1.02 * WIRE_BYTES_A_SECOND
    counts = [data.count(f'"{signal}"'.encode()) for signal in signals]
    assert max(counts) - min(counts) <= 2  # in turns
    left_out = seconds * 200 * len(signals) - sum(counts)
    each_waits = 8  # periods at most, until its turn comes: those are counted when it is served
    assert 0 <= left_out - ask(board, "state")["dropped"] <= each_waits * len(signals)


def test_a_busy_line_never_holds_back_a_reply() -> None:
    board = started()
    for channel in range(6):
        ask(board, "subscribe", signal=f"a{channel}", period_ms=5)
    board.advance(0.5)
    board.transmitted()
    assert ask(board, "ping") == "pong"


@given(st.lists(st.floats(0, 0.02), max_size=60))
def test_time_runs_the_same_in_whatever_slices(slices: list[float]) -> None:
    board, at_once = started(), started()
    for one in (board, at_once):
        ask(one, "subscribe", signal="uptime", period_ms=7)
    for seconds in slices:
        board.advance(seconds)
    at_once.advance(sum(round(seconds * 1e9) for seconds in slices) / 1e9)
    assert board.transmitted() == at_once.transmitted()


# -- fuzz -------------------------------------------------------------------------------------------------
COMMANDS = [
    "ping", "capabilities", "state", "gpio_read", "gpio_write", "pin_mode", "adc_read", "pwm_write",
    "servo_write", "servo_detach", "tone", "no_tone", "stop_all", "subscribe", "unsubscribe",
    "watchdog_host", "board_reset", "fly", "i2c_scan", "i2c_read", "i2c_write", "spi_transfer", "uart_write",
    "uart_read", "motor_start", "motor_stop",
]  # fmt: skip
FRAGMENTS = st.sampled_from(
    [b"{", b"}", b"[", b"]", b":", b",", b'"', b"\\", b'"id"', b'"cmd"', b'"args"', b'"pin"', b"13", b"-0",
     b"1e2", b"null", b"true", b"\n", b"\r", b"\0", b"\xff", b" ", b'"ping"', b'"gpio_write"', b"x" * 90,
     b'{"id":1,"cmd":"ping"}\n', b'{"id":2,"cmd":"board_reset"}\n']
)  # fmt: skip
NOISE = st.lists(st.one_of(FRAGMENTS, st.binary(max_size=20)), max_size=60).map(b"".join)


@given(NOISE, st.integers(1, 300))
def test_bytes_of_any_kind_get_at_most_one_reply_a_line_and_never_raise(data: bytes, piece: int) -> None:
    board = started()
    for start in range(0, len(data), piece):
        board.receive(data[start : start + piece])
    sent = board.transmitted()
    rows = [json.loads(line) for line in sent.splitlines()]
    for row in rows:
        assert faults(row, SCHEMA, SCHEMA) == [], row
    pieces = data.replace(b"\r", b"\n").split(b"\n")
    lines = [line for line in pieces if line.strip(b" \t") or len(line) > 255]
    replies = [row for row in rows if "id" in row]
    assert len(lines) - 1 <= len(replies) <= len(lines)  # the last one may not have ended
    board.receive(b'\n{"id":"after","cmd":"ping"}\n')
    assert board.transmitted().endswith(b'{"id":"after","ok":true,"result":"pong"}\n')


@given(
    st.text(max_size=300), st.sampled_from(COMMANDS), st.dictionaries(st.text(), st.integers(), max_size=4)
)
def test_every_request_gets_its_id_back(request_id: str, command: str, args: dict[str, int]) -> None:
    board = started()
    line = json.dumps({"id": request_id, "cmd": command, "args": args}).encode()
    board.receive(line + b"\n")
    reply = json.loads(board.transmitted().splitlines()[0])
    if len(line) <= 255:
        assert reply["id"] == request_id
    else:
        assert reply["code"] == "line_too_long"
