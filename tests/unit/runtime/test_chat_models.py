"""Who answers the chat, and whether what is said leaves this computer."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.agent.prompted_provider import in_text
from zeroclaw_desktop.agent.system_prompt import NO_BOARD, system_prompt
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall, ToolSpec
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.offline import BoardFacts
from zeroclaw_desktop.runtime.chat_models import board_line, is_local


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://localhost:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://127.9.9.9/v1", True),
        ("https://api.example.com/v1", False),
        ("http://localhost.example.com/v1", False),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://192.168.1.5:11434", False),
        ("http://0.0.0.0:1", False),
    ],
)
def test_a_model_is_here_by_its_address(address: str, local: bool) -> None:
    assert is_local(ModelEntry("m", "compatible", "x", address)) is local


def test_a_model_that_falls_back_to_another_is_not_here() -> None:
    entry = ModelEntry("m", "compatible", "x", "http://127.0.0.1:1", fallback=("cloud",))
    assert not is_local(entry)


def test_a_board_is_told_with_what_it_can_do() -> None:
    board = BoardFacts("sim-uno", "Desk", "arduino-uno", 13, (2, 3), ("A0",), (3,), (9,), {"fan": 9})
    line = board_line(board)
    for part in ('"sim-uno"', '"Desk"', "LED on pin 13", "digital pins 2, 3", "A0", '"fan" = 9'):
        assert part in line
    assert board_line(BoardFacts("b", "B", "k", None, (), (), (), ())) == '- device_id "b", "B" (k)'


def test_the_system_message_names_boards_tools_and_memories() -> None:
    tool = ToolSpec("led_set", "Switch an LED.", {"type": "object"})
    text = system_prompt(["- board one"], [tool], "MEMORIES")
    assert "- board one" in text
    assert "led_set: Switch an LED." in text
    assert "MEMORIES" in text
    assert NO_BOARD in system_prompt([])
    assert "<tool_call>" not in system_prompt([])


def test_a_conversation_for_a_model_without_tools_is_text_by_turns() -> None:
    calls = (ToolCall("1", "led_set", {"state": 1}), ToolCall("2", "pin_read", {"pin": 2}))
    told = in_text(
        [
            ChatMessage("user", "on"),
            ChatMessage("assistant", "Now:", calls),
            ChatMessage("tool", "{1}", tool_call_id="1"),
            ChatMessage("tool", "{2}", tool_call_id="2"),
            ChatMessage("user", "and?"),
        ]
    )
    assert [message.role for message in told] == ["user", "assistant", "user"]
    assert told[1].text.splitlines()[0] == "Now:"
    assert '{"name": "led_set", "arguments": {"state": 1}}' in told[1].text
    assert told[2].text == "Result of led_set: {1}\nResult of pin_read: {2}\nand?"
