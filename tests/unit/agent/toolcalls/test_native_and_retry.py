"""AG-5: native calls, names of tools, and what the model is told."""

from __future__ import annotations

import pytest

from tests.helpers.agent_tools import TOOLS
from zeroclaw_desktop.agent.toolcalls.limits import MAX_BLOCK_CHARS
from zeroclaw_desktop.agent.toolcalls.model import MalformedCall, ParsedCall
from zeroclaw_desktop.agent.toolcalls.native_calls import read_native
from zeroclaw_desktop.agent.toolcalls.retry_message import MAX_RETRIES, retry_message
from zeroclaw_desktop.agent.toolcalls.tool_table import Reach, ToolTable


class TestNative:
    @pytest.mark.parametrize(
        "arguments",
        [
            '{"pin": 13, "value": 1}',
            '{"pin"：13，"value"：1}',
            "{'pin': 13, 'value': '1',}",
            {"pin": 13, "value": "1"},
        ],
    )
    def test_arguments_are_repaired(self, arguments: object) -> None:
        found = read_native("id1", "gpio_write", arguments, TOOLS)
        assert isinstance(found, ParsedCall)
        assert (found.call.call_id, found.call.name) == ("id1", "gpio_write")
        assert found.call.arguments == {"pin": 13, "value": 1}

    @pytest.mark.parametrize(
        ("name", "arguments", "code"),
        [
            ("gpio_write", '{"pin": 13, "val', "truncated"),
            ("gpio_write", '{"pin": 13}', "arguments"),
            ("gpio_wirte", "{}", "unknown_tool"),
            ("", "{}", "no_name"),
            ("stop", " " * (MAX_BLOCK_CHARS + 1), "too_large"),
        ],
    )
    def test_what_cannot_be_read_is_refused_with_a_reason(self, name: str, arguments: str, code: str) -> None:
        found = read_native("id1", name, arguments, TOOLS)
        assert isinstance(found, MalformedCall)
        assert found.code == code
        assert found.reason


class TestNames:
    @pytest.mark.parametrize("name", ["functions.stop", "tools.stop", "default_api.stop", "stop"])
    def test_wrappers_of_names_are_taken_off(self, name: str) -> None:
        assert TOOLS.resolve(name)[0] == "stop"

    @pytest.mark.parametrize("name", ["Stop", "STOP", "x.stop", "led\u200b", "ledd", ""])
    def test_a_tool_that_moves_wants_its_exact_name(self, name: str) -> None:
        assert TOOLS.resolve(name) == ("", "")

    def test_near_names(self) -> None:
        assert TOOLS.near("gpio_wirte")[0] == "gpio_write"
        assert TOOLS.near("bash")[0] == "shell"
        assert TOOLS.near("x" * 100_000) == ()

    def test_an_unknown_reach_counts_as_moving(self) -> None:
        table = ToolTable(TOOLS.specs)
        assert table.reach("get_weather") is Reach.MOVES
        assert table.resolve("Get_Weather") == ("", "")


class TestRetry:
    def test_names_the_fault_and_the_form(self) -> None:
        words = retry_message([MalformedCall("arguments", "'pin' is missing.", "tool_call", "led")], 1)
        assert "led: 'pin' is missing." in words
        assert "<tool_call>" in words
        assert "Nothing was done." in words

    def test_a_native_model_is_shown_no_form(self) -> None:
        fault = MalformedCall("arguments", "'pin' is missing.", "native", "led")
        assert "<tool_call>" not in retry_message([fault], 1, native=True)

    def test_after_the_last_retry_it_is_told_to_stop(self) -> None:
        fault = MalformedCall("syntax", "No JSON.", "tool_call")
        assert "Do not call a tool again" in retry_message([fault], MAX_RETRIES + 1)
        assert "Do not call a tool again" not in retry_message([fault], MAX_RETRIES)

    def test_is_bounded(self) -> None:
        faults = [MalformedCall("syntax", "x" * 100_000, "tool_call")] * 1000
        words = retry_message(faults, 1)
        assert len(words) < 5000
        assert "and 995 more" in words
