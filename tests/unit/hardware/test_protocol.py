"""The board protocol on the host side, from firmware/protocol/SPEC.md and HW-3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.protocol import (
    BoardEvent,
    Reply,
    decode_capabilities,
    decode_line,
    decode_state,
    encode_request,
    firmware_name,
    servo_angle,
)

UNO = board_catalog()["arduino-uno"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


class TestRequests:
    def test_compact_and_one_line(self) -> None:
        line = encode_request("1", "gpio_write", {"pin": 13, "value": 1})
        assert line == b'{"id":"1","cmd":"gpio_write","args":{"pin":13,"value":1}}\n'

    def test_numbers_that_json_does_not_have_never_reach_the_wire(self) -> None:
        with pytest.raises(ValueError, match="not JSON compliant"):
            encode_request("1", "pwm_write", {"duty": float("nan")})

    @given(
        st.text(min_size=1, max_size=9), st.text(max_size=20), st.dictionaries(st.text(max_size=9), st.text())
    )
    def test_whatever_is_asked_stays_on_one_ascii_line(
        self, request_id: str, command: str, args: dict[str, str]
    ) -> None:
        line = encode_request(request_id, command, args)
        assert line.isascii()
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        assert json.loads(line) == {"id": request_id, "cmd": command, "args": args}


class TestLines:
    def test_a_good_reply(self) -> None:
        assert decode_line(b'{"id":"1","ok":true,"result":"done"}') == Reply("1", True, "done", "", "")

    def test_a_bad_reply_has_text_and_code(self) -> None:
        line = b'{"id":"1","ok":false,"error":"Invalid pin 99","code":"bad_pin"}'
        assert decode_line(line) == Reply("1", False, None, "Invalid pin 99", "bad_pin")

    def test_upstream_sends_an_empty_result_beside_the_error(self) -> None:
        line = b'{"id":"1","ok":false,"result":"","error":"Unknown command"}'
        assert decode_line(line) == Reply("1", False, "", "Unknown command", "")

    def test_an_id_may_be_a_number(self) -> None:
        reply = decode_line(b'{"id":7,"ok":true,"result":"pong"}')
        assert isinstance(reply, Reply)
        assert reply.request_id == "7"

    def test_an_event_keeps_its_fields(self) -> None:
        event = decode_line(b'{"evt":"change","signal":"d2","value":1,"t":12346}')
        assert isinstance(event, BoardEvent)
        assert event.name == "change"
        assert (event.fields["signal"], event.fields["value"], event.fields["t"]) == ("d2", 1, 12346)

    @pytest.mark.parametrize(
        "line",
        [
            b"",
            b"temp:21.5",
            b"{",
            b"[]",
            b"null",
            b"1",
            b'{"id":"1"}',
            b'{"id":"1","ok":"true"}',
            b'{"id":"1","ok":1,"result":"x"}',
            b'{"ok":true,"result":"x"}',
            b'\xff\xfe{"id":"1","ok":true}',
            b'{"id":"1","ok":true,"result":"\xff"}',
            b"[" * 4000,
            b'{"a":' * 2000,
            b"9" * 5000,
        ],
    )
    def test_what_is_neither_is_neither(self, line: bytes) -> None:
        assert decode_line(line) is None

    @given(st.binary(max_size=300))
    def test_no_bytes_raise(self, line: bytes) -> None:
        decode_line(line)

    @given(JSON)
    def test_no_json_raises_anywhere(self, value: Any) -> None:
        line = json.dumps(value).encode()
        message = decode_line(line)
        assert message is None or isinstance(value, dict)
        result = message.result if isinstance(message, Reply) else value
        firmware_name(decode_capabilities(result))
        decode_state(result, UNO)


class TestCapabilities:
    def test_as_text_and_as_object(self) -> None:
        expected = {"gpio": [2, 13], "led_pin": 13}
        assert decode_capabilities('{"gpio":[2,13],"led_pin":13}') == expected
        assert decode_capabilities(expected) == expected

    @pytest.mark.parametrize("result", [None, "", "pong", "[1]", 5, [], "[" * 3000, '{"gpio":'])
    def test_anything_else_is_none(self, result: Any) -> None:
        assert decode_capabilities(result) == {}

    def test_name_of_the_firmware(self) -> None:
        assert firmware_name({"fw": "zeroclaw-arduino", "version": "1.0.0"}) == "zeroclaw-arduino 1.0.0"
        assert firmware_name({"gpio": [13]}) == ""


class TestState:
    def test_modes_levels_duty_and_angle(self) -> None:
        result = {
            "mode": "--iuopst------------",
            "level": "--0110-1------------",
            "pwm": {"5": 255, "9": 0},
            "servo": {"6": 2400},
        }
        pins = decode_state(result, UNO)
        assert len(pins) == 20
        assert (pins[0].mode, pins[0].level) == ("serial", None)
        assert (pins[2].mode, pins[2].level) == ("input", 0)
        assert (pins[3].mode, pins[3].level) == ("input_pullup", 1)
        assert (pins[4].mode, pins[4].level) == ("output", 1)
        assert (pins[5].mode, pins[5].duty) == ("pwm", 1.0)
        assert (pins[6].mode, pins[6].level, pins[6].angle) == ("servo", None, 180.0)
        assert pins[7].mode == "output"

    def test_ends_of_the_servo_range(self) -> None:
        """SPEC.md: 544 us at 0, 2400 us at 180 degrees."""
        assert servo_angle(544) == 0.0
        assert servo_angle(1472) == 90.0
        assert servo_angle(2400) == 180.0

    def test_a_shorter_answer_tells_of_fewer_pins(self) -> None:
        assert sorted(decode_state({"mode": "iii", "level": "01"}, UNO)) == [0, 1]

    @pytest.mark.parametrize("result", [None, "done", 3, [], {}, {"mode": 5}, {"mode": None, "level": None}])
    def test_firmware_without_it_tells_nothing(self, result: Any) -> None:
        assert decode_state(result, UNO) == {}

    @pytest.mark.parametrize(
        "pwm", [{"²": 1}, {"5": 10**400}, {"5": True}, {"5": "128"}, {"x": 1}, {"5": float("nan")}, [], 7]
    )
    def test_nonsense_in_place_of_a_duty_is_left_out(self, pwm: Any) -> None:
        pins = decode_state({"mode": "i" * 20, "level": "0" * 20, "pwm": pwm}, UNO)
        assert pins[5].duty is None
