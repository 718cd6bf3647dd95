"""Registered commands as tools: the same door, told to models in their form (EX-4, EX-6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.chat import ToolCall
from zeroclaw_desktop.tools.command_tools import CommandTool, command_tools
from zeroclaw_desktop.tools.explain_last import ExplainLastTool


def tools_of(door: Door, language: Any = "en") -> dict[str, CommandTool]:
    return command_tools(door.registry, door.executor.submit, lambda: language)


async def call(door: Door, name: str, language: Any = "en", **arguments: Any) -> Mapping[str, Any]:
    answer = await tools_of(door, language)[name].call(ToolCall("c1", name, arguments), "turn-1")
    assert (answer.role, answer.tool_call_id) == ("tool", "c1")
    assert json.loads(answer.text) == json.loads(json.dumps(answer.data, default=str))
    return answer.data


class TestSpecs:
    def test_the_stop_is_not_for_models(self) -> None:
        """EX-6: motor_emergency_stop may be triggered from the manual stop only."""
        assert "motor_emergency_stop" not in tools_of(Door())

    def test_each_has_a_description_and_a_closed_schema(self) -> None:
        tools = tools_of(Door())
        assert {"led_blink", "digital_read", "analog_read", "servo_move", "board_info"} <= set(tools)
        for name, tool in tools.items():
            schema = tool.spec.parameters
            assert tool.spec.name == name
            assert tool.spec.description
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert set(schema.get("required", [])) <= set(schema["properties"])
            json.dumps(schema)

    def test_limits_reach_the_model(self) -> None:
        angle = tools_of(Door())["servo_move"].spec.parameters["properties"]["angle"]
        assert (angle["minimum"], angle["maximum"]) == (0, 180)

    def test_a_board_can_be_chosen_where_one_is_needed(self) -> None:
        tools = tools_of(Door())
        assert "device_id" in tools["digital_read"].spec.parameters["properties"]
        assert "device_id" not in tools["digital_read"].spec.parameters.get("required", [])


class TestCalls:
    async def test_it_goes_through_the_door_as_the_agent(self) -> None:
        door = Door()
        row = await call(door, "digital_read", pin=2)
        assert row["status"] == "ok"
        assert row["result"]
        (payload,) = {
            transition.payload.task_id: transition.payload for transition in door.reporter.transitions
        }.values()
        assert (payload.source, payload.task_id) == ("agent", "turn-1.c1")
        assert "gpio_read" in door.boards.commands()

    async def test_the_named_board_is_the_one_that_moves(self) -> None:
        door = Door("left", "right")
        assert (await call(door, "led_set", state=1, device_id="right"))["status"] == "ok"
        assert (door.boards.level(13, "left"), door.boards.level(13, "right")) == (0, 1)

    async def test_several_boards_and_none_named_is_asked_back(self) -> None:
        row = await call(Door("left", "right"), "led_set", state=1)
        assert row["status"] == "failed"
        assert "left" in row["error"]
        assert row["error_code"] == 0x25

    async def test_a_raw_pin_is_refused_when_nobody_can_be_asked(self) -> None:
        """EX-6: digital_write on a raw pin needs root, the agent has skill."""
        door = Door()
        row = await call(door, "digital_write", pin=7, value=1)
        assert (row["status"], row["error_code"]) == ("refused", 0x13)
        assert row["error"]
        assert row["hint"]
        assert door.boards.commands() == []

    async def test_while_stopped_everything_is_refused(self) -> None:
        door = Door()
        await door.stop.trigger("test")
        row = await call(door, "led_set", state=1)
        assert (row["status"], row["error_code"]) == ("refused", 0x34)
        assert door.boards.level(13) == 0

    @pytest.mark.parametrize(
        ("name", "arguments", "code"),
        [
            ("servo_move", {"angle": 181}, 0x11),
            ("servo_move", {"angle": "90"}, 0x10),
            ("servo_move", {"angel": 90}, 0x04),
            ("digital_read", {"pin": 99}, 0x12),
            ("digital_read", {"pin": 0}, 0x12),
            ("digital_read", {}, 0x03),
        ],
    )
    async def test_wrong_arguments_are_told_and_nothing_is_sent(
        self, name: str, arguments: dict[str, Any], code: int
    ) -> None:
        door = Door()
        row = await call(door, name, **arguments)
        assert row["status"] == "failed"
        codes = [transition.result for transition in door.reporter.transitions if transition.result]
        assert code in [fault.code for result in codes for fault in result.faults]
        assert row["faults"]
        assert door.boards.commands() == []

    async def test_faults_are_worded_in_the_language_of_the_chat(self) -> None:
        english = await call(Door(), "servo_move", "en", angle=181)
        chinese = await call(Door(), "servo_move", "zh", angle=181)
        assert english["error"].isascii()
        assert any("\u4e00" <= sign <= "\u9fff" for sign in chinese["error"])

    async def test_a_strange_board_name_of_a_model_is_a_failure_not_a_crash(self) -> None:
        for strange in (["uno"], 5, {"a": 1}):
            assert (await call(Door(), "digital_read", pin=2, device_id=strange))["status"] == "failed"
        assert (await call(Door(), "digital_read", pin=2, device_id=None))["status"] == "ok"


class TestExplainLast:
    async def ask(self, result: ActionResult | None, language: Any = "en") -> Mapping[str, Any]:
        tool = ExplainLastTool(lambda: result, lambda: language)
        answer = await tool.call(ToolCall("c1", "explain_last", {}), "turn-1")
        assert answer.data["status"] == "ok"
        found: Mapping[str, Any] = answer.data["result"]
        return found

    async def test_nothing_failed(self) -> None:
        assert await self.ask(None) == {"found": False, "text": ""}

    async def test_the_reason_and_the_next_step(self) -> None:
        result = await Door().do("servo_move", {"angle": 500})
        row = await self.ask(result)
        assert (row["found"], row["action"], row["state"]) == (True, "servo_move", "FAILED")
        assert row["error_code"] == 0x11
        assert row["error"] in row["text"]
        assert (await self.ask(result, "zh"))["text"] != row["text"]
