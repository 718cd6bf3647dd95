"""AG-1, AG-8: a model behind real HTTP moves the simulated board through the same door as everybody else."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.helpers.model_server import Answer, Call, ModelServer, Text, says
from tests.helpers.models_environment import installed_python
from tests.integration.simulated.conftest import Bench
from zeroclaw_desktop.agent.turn import TurnResult, TurnState
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall

LED = 13
LED_ON = Call("led_set", {"state": 1})


class Listener:
    """Hears a turn."""

    def __init__(self) -> None:
        self.text = ""
        self.answers: list[ChatMessage] = []

    def state_changed(self, turn_id: str, state: TurnState) -> None:
        """States are not looked at here."""

    def text_came(self, turn_id: str, text: str) -> None:
        self.text += text

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """Calls are looked at when they end."""

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        self.answers.append(answer)


async def ask(
    bench: Bench, text: str, answers: Sequence[Answer], *, native: bool = True
) -> tuple[TurnResult, Listener, ModelServer]:
    """Set a model up that answers from a script, and send a message to it."""
    installed_python()
    listener = Listener()
    async with ModelServer("openai", answers) as server:
        entry = {
            "provider": "compatible",
            "model": "test-model",
            "base_url": server.url,
            "native_tools": native,
        }
        bench.runtime.config.set("models.entries", {"scripted": entry})
        bench.runtime.config.set("models.chat", "scripted")
        result = await bench.runtime.chat.send(text, listener)
    return result, listener, server


async def test_a_model_switches_the_led_and_hears_what_was_read_back(bench: Bench) -> None:
    assert await bench.level(LED) == 0
    result, listener, server = await ask(
        bench, "LED on, please", [Answer((Text("One moment."), LED_ON)), says("The LED is on.")]
    )
    assert result.outcome == "done"
    assert await bench.level(LED) == 1
    assert listener.text.endswith("The LED is on.")
    assert [answer.data["status"] for answer in listener.answers] == ["ok"]
    first, second = (request.body["messages"] for request in server.requests)
    assert first[0]["role"] == "system"
    assert bench.connection.board_id in first[0]["content"]
    told = next(message for message in second if message["role"] == "tool")
    assert json.loads(told["content"])["status"] == "ok"


async def test_a_model_without_tools_does_the_same_by_text(bench: Bench) -> None:
    call = '<tool_call>{"name": "led_set", "arguments": {"state": 1}}</tool_call>'
    result, listener, server = await ask(
        bench, "LED on", [says("Now: ", call[:9], call[9:]), says("Done.")], native=False
    )
    assert result.outcome == "done"
    assert await bench.level(LED) == 1
    assert "tool_call" not in listener.text
    assert "tools" not in server.requests[0].body
    assert '"name": "led_set"' in server.requests[1].body["messages"][-2]["content"]
    assert server.requests[1].body["messages"][-1]["content"].startswith("Result of led_set: ")


async def test_json_in_the_prose_of_a_model_with_tools_is_no_call(bench: Bench) -> None:
    """AG-5: it could have called the tool, and wrote about it instead."""
    bare = '{"name": "led_set", "arguments": {"state": 1}}'
    result, listener, _ = await ask(bench, "how would you do it?", [says(bare)])
    assert result.outcome == "done"
    assert listener.text == bare
    assert await bench.level(LED) == 0


async def test_what_moves_needs_a_person_whoever_asks(bench: Bench) -> None:
    """EX-6: nobody is at this window, so a raw pin stays as it is, and the model is told."""
    pin = Call("digital_write", {"pin": 7, "value": 1})
    _, listener, server = await ask(bench, "pin 7 high", [Answer((pin,)), says("It was refused.")])
    assert await bench.level(7) == 0
    assert [answer.data["status"] for answer in listener.answers] == ["refused"]
    assert "refused" in server.requests[1].body["messages"][-1]["content"]


async def test_what_is_remembered_is_told_and_not_kept_in_the_conversation(bench: Bench) -> None:
    """AG-12: the recall step; nothing of it is stored back."""
    offline = await bench.runtime.chat.send("remember that the greenhouse fan is on pin 9", Listener())
    assert offline.outcome == "done"
    question = "which pin is the greenhouse fan on?"
    _, _, server = await ask(bench, question, [says("Pin 9.")])
    messages = server.requests[0].body["messages"]
    assert "greenhouse fan is on pin 9" in messages[0]["content"]
    assert messages[-1]["content"] == question


async def test_a_model_that_there_is_not_is_said_at_once(bench: Bench) -> None:
    bench.runtime.config.set("models.chat", "nobody")
    result = await bench.runtime.chat.send("LED on", Listener())
    assert result.outcome == "failed"
    assert result.fault is not None
    assert "nobody" in result.fault.message
    assert await bench.level(LED) == 0


async def test_without_a_model_the_offline_assistant_answers(bench: Bench) -> None:
    result = await bench.runtime.chat.send("turn the LED on", Listener())
    assert result.outcome == "done"
    assert await bench.level(LED) == 1


@pytest.mark.parametrize("status", [401, 500])
async def test_a_server_that_refuses_ends_the_turn_with_the_reason(bench: Bench, status: int) -> None:
    result, _, _ = await ask(bench, "LED on", [Answer(status=status, error="not today")])
    assert result.outcome == "failed"
    assert result.fault is not None
    assert await bench.level(LED) == 0
