"""Boards that lie: wrong ids, numbers that are none, endless and deep answers, escapes in names, floods."""

from __future__ import annotations

import contextlib
import json
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from tests.integration.hostile.conftest import BOARD, Desk
from tests.unit.hardware.far_end import CAPABILITIES, Answer, FarEnd, Request, as_our_firmware, reply, until
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.session import MAX_BACKLOG
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="plays the board on a pseudo terminal; POSIX only"
)
MakeFarEnd = Callable[..., FarEnd]


def answering(**special: bytes) -> Callable[[Request], Answer]:
    """Our firmware, but for some commands the result is this JSON text."""

    def behave(request: Request) -> Answer:
        text = special.get(request["cmd"])
        if text is None:
            return as_our_firmware(request)
        return b'{"id":"%s","ok":true,"result":%s}\n' % (request["id"].encode(), text)

    return behave


@pytest.mark.parametrize(
    "answer",
    [
        b"null", b'"NaN"', b"NaN", b"Infinity", b"1e999", b"-5", b"1024", b"9" * 3000, b"1" + b"0" * 400,
        b"[]", b"{}", b"true", b'"\\u0663"', b'"1.5"', b"12.7", b'""', b'"\\u001b[2J"',
    ],
)  # fmt: skip
async def test_a_reading_that_is_none_is_the_boards_fault_and_never_a_value(
    desk: Desk, far_end: MakeFarEnd, answer: bytes
) -> None:
    await desk.board(far_end(answering(adc_read=answer))).connect()
    result = await desk.do("analog_read", pin="A0")
    assert result.error_code == Code.DEVICE_REFUSED
    assert result.hardware_states == {}
    assert result.faults[0].message.isprintable()


@pytest.mark.parametrize(
    "state",
    [
        b'{"mode":"o","level":"1","pwm":{"%s":1}}' % (b"9" * 3000),
        b'{"mode":"%s","level":"%s"}' % (b"o" * 1900, b"1" * 1900),
        b'{"mode":"","level":""}', b'{"mode":1,"level":[]}', b"null", b"[]", b'"{\\"mode\\":"', b"1e999",
        b'{"mode":"oooo","level":"\xe2\x80\xae01","servo":{"1":1e308,"2":null,"3":true,"4":-1}}',
            ],
)  # fmt: skip
async def test_nonsense_instead_of_pin_states_leaves_a_board_that_can_be_used(
    desk: Desk, far_end: MakeFarEnd, state: bytes
) -> None:
    board = desk.board(far_end(answering(state=state)))
    with contextlib.suppress(ZeroClawError):
        await board.connect()
    if board.state == "live":
        assert (await desk.do("digital_write", pin=7, value=1)).ok
        assert all(pin.level in (0, 1, None) for pin in board.pins.values())
    else:
        assert (board.state, board.info.fault_code) == ("failed", "no_reply")


async def test_events_about_pins_that_are_none_change_nothing_and_lose_no_reply(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    end = far_end()
    board = desk.board(end)
    await board.connect()
    before = dict(board.pins)
    for signal in ("d²", "d٣x", "d" + "9" * 2000, "d999999", "d-1", "", "d", None, ["d2"], {"d": 2}):
        end.say(json.dumps({"evt": "change", "signal": signal, "value": 1}).encode() + b"\n")
    values: tuple[Any, ...] = ("1", None, 2, [], 1e308)
    for value in values:
        end.say(json.dumps({"evt": "change", "signal": "d2", "value": value}).encode() + b"\n")
    assert (await desk.do("digital_write", pin=7, value=1)).ok
    assert dict(board.pins).keys() == before.keys()
    assert board.pins[2].level == before[2].level


async def test_wrong_and_repeated_ids_and_deep_or_long_replies_are_skipped(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    def behave(request: Request) -> Answer:
        right = as_our_firmware(request)
        if request["cmd"] != "gpio_write" or right is None:
            return right
        wrong = b"".join(
            b'{"id":%s,"ok":true,"result":"wrong"}\n' % identifier
            for identifier in (
                b'"0"',
                b"-1",
                b"null",
                b"[]",
                b'"999999999999999999999"',
                b'{"a":1}',
                b"1e999",
            )
        )
        deep = b'{"id":"x","ok":true,"result":' + b"[" * 400 + b"]" * 400 + b"}\n"
        long = b'{"id":"%s","ok":true,"result":"' % request["id"].encode() + b"a" * 5_000 + b'"}\n'
        return wrong + deep + long + right + right

    board = desk.board(far_end(behave))
    await board.connect()
    result = await desk.do("digital_write", pin=7, value=1)
    assert result.ok
    assert board.info.counters["stale_replies"] >= 7
    assert board.info.counters["overlong"] == 1


async def test_what_a_board_says_cannot_work_a_terminal(desk: Desk, far_end: MakeFarEnd) -> None:
    bad = "\x1b]0;owned\x07\u202e\u200b\x9b2J" + "x" * 500

    def behave(request: Request) -> Answer:
        if request["cmd"] == "capabilities":
            return reply(request, json.dumps({**CAPABILITIES, "fw": bad}))
        if request["cmd"] == "gpio_write":
            row = {"id": request["id"], "ok": False, "error": bad, "code": bad}
            return json.dumps(row).encode() + b"\n"
        return as_our_firmware(request)

    end = far_end(behave)
    board = desk.board(end)
    await board.connect()
    assert board.info.firmware.isprintable()
    assert len(board.info.firmware) < 120
    refused = await desk.do("digital_write", pin=7, value=1)
    assert refused.error_code == Code.DEVICE_REFUSED
    assert refused.faults[0].message.isprintable()
    assert len(refused.faults[0].message) < 400
    end.say(bad.encode() + b"\n")
    await until(lambda: board.console.total and "owned" in board.console.since(0)[1][-1], "the console line")
    assert all(line.isprintable() for line in board.console.since(0)[1])


async def test_a_board_that_restarts_all_the_time_is_greeted_once_at_a_time(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    end = far_end()
    board = desk.board(end)
    await board.connect()
    before = len(end.requests)
    for _ in range(300):
        end.say(b'{"evt":"boot","reset":"external"}\n')
    await until(lambda: len(end.requests) > before, "a greeting")
    assert (await desk.do("digital_write", pin=7, value=1)).ok
    assert len(end.requests) - before < 60


async def test_a_flood_of_events_is_dropped_before_it_fills_the_memory_and_the_stop_gets_through(
    desk: Desk, far_end: MakeFarEnd
) -> None:
    end = far_end()
    board = desk.board(end)
    await board.connect()
    session = board.session
    assert session is not None
    flood = b'{"evt":"change","signal":"d2","value":1}\n' * 500
    for _ in range(40):  # the window is busy with something else all the time
        session._bytes_came(flood + b'{"id":"unknown","ok":true}\n', 0.0)
    assert session._backlog <= MAX_BACKLOG
    assert session.counters.dropped > 15_000
    report = await desk.runtime.stop_everything.trigger("test")
    assert report.outcomes[0].confirmed
    assert session._backlog == 0
    assert session.counters.stale_replies == 40
    assert "stop_all" in end.commands()


def test_millions_of_labels_stay_within_a_bound() -> None:
    store = TelemetryStore(1000)
    ingest = TelemetryIngest(BOARD, store)
    ingest.feed(b"start\n", 0.0)
    tracemalloc.start()
    for number in range(30):
        lines = b"".join(b"label_%d_%d:%d\n" % (number, line, line) for line in range(250))
        ingest.feed(lines, float(number))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(store.series(BOARD)) <= store.max_series
    assert store.refused_samples > 7_000
    assert held < 8_000_000


@pytest.mark.parametrize("line", [
    b'{"a\\u001b[31m\\u202e":1}', b'{"a":1e999,"b":-1e999,"c":NaN}', b'{"a":' + b"9" * 4000 + b"}",
    b"[" * 4000, b'{"a":' * 600 + b"1" + b"}" * 600, b"t:1e999",
    b"\x1b[31mtemp:1\x1b[0m", b"x:" + b"9" * 4000,
    "\u202etemp\u202c:1".encode(), b"\xff\xfe:1", b">" + b"a" * 4000 + b":1", b",".join([b"1"] * 2000),
])  # fmt: skip
def test_bad_values_and_labels_become_no_value_and_no_escape(line: bytes) -> None:
    store = TelemetryStore(1000)
    ingest = TelemetryIngest(BOARD, store)
    for number in range(3):
        ingest.feed(line + b"\n", float(number))
    for info in store.series(BOARD):
        assert info.key.label.isprintable(), info.key.label
        assert info.unit.isprintable()
        assert len(info.key.label) < 200
        values: Any = store.snapshot(info.key).value
        assert not any(value in (float("inf"), float("-inf")) for value in values)
