"""The chat on boards in memory: stop words first (EX-16), the last fault, a history that stays valid."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.execution import Door
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall
from zeroclaw_desktop.runtime.board_facts import live_facts
from zeroclaw_desktop.runtime.chat_service import ChatService


class Listener:
    def __init__(self) -> None:
        self.states: list[str] = []
        self.text = ""
        self.started: list[str] = []
        self.ended: list[str] = []

    def state_changed(self, turn_id: str, state: str) -> None:
        self.states.append(state)

    def text_came(self, turn_id: str, text: str) -> None:
        self.text += text

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        self.started.append(call.name)

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        self.ended.append(str(answer.data["status"]))


class Chat:
    def __init__(self, *boards: str) -> None:
        self.door = Door(*boards)
        self.service = ChatService(
            self.door.executor, self.door.stop, lambda: live_facts(self.door.boards.boards())
        )
        self.door.executor.reporters.append(self.service)
        self.listener = Listener()

    async def say(self, text: str) -> str:
        result = await self.service.send(text, self.listener)
        assert self.listener.states[-1] == "idle"
        return result.text


@pytest.mark.parametrize("sentence", ["turn on the led", "打开LED"])
async def test_a_sentence_moves_the_board(sentence: str) -> None:
    chat = Chat()
    answer = await chat.say(sentence)
    assert chat.door.boards.level(13) == 1
    assert chat.listener.ended == ["ok"]
    assert answer == chat.listener.text != ""


@pytest.mark.parametrize(
    "word", ["stop", "STOP!", "emergency stop", "stop everything", "停", "急停", "全部停止"]
)
async def test_a_word_to_stop_is_obeyed_before_any_model(word: str) -> None:
    chat = Chat()
    await chat.say("turn on the led")
    answer = await chat.say(word)
    assert chat.door.stop.latched
    assert chat.door.boards.level(13) == 0
    assert "stop_all" in chat.door.boards.commands()
    assert "1" in answer
    assert chat.listener.started == ["led_set"]


async def test_the_stop_ends_a_running_turn_and_the_history_stays_valid() -> None:
    chat = Chat()
    running = asyncio.create_task(chat.service.send("blink the led 50 times", chat.listener))
    while "gpio_write" not in chat.door.boards.commands():
        await asyncio.sleep(0.001)
    assert chat.service.busy
    stopper = Listener()
    await chat.service.send("停", stopper)
    first = await running
    assert first.outcome == "stopped"
    assert not chat.service.busy
    assert chat.door.boards.level(13) == 0
    history = chat.service._conversation.messages
    asked = [call.call_id for message in history for call in message.tool_calls]
    answered = [message.tool_call_id for message in history if message.role == "tool"]
    assert answered == asked != []
    assert [message.role for message in history][-2:] == ["user", "assistant"]


async def test_after_the_stop_commands_are_refused_until_it_is_released() -> None:
    chat = Chat()
    await chat.say("stop")
    await chat.say("turn on the led")
    assert chat.listener.ended == ["refused"]
    assert chat.door.boards.level(13) == 0
    chat.door.stop.release("test")
    await chat.say("turn on the led")
    assert chat.door.boards.level(13) == 1


async def test_why_did_it_fail() -> None:
    chat = Chat()
    await chat.say("stop")
    await chat.say("turn on the led")
    answer = await chat.say("why did it fail?")
    assert "stop" in answer.lower()
    chinese = await chat.say("为什么失败了？")
    assert any("\u4e00" <= sign <= "\u9fff" for sign in chinese)


async def test_cancelling_the_turn_ends_the_command_too() -> None:
    chat = Chat()
    running = asyncio.create_task(chat.service.send("blink the led 50 times", chat.listener))
    while "gpio_write" not in chat.door.boards.commands():
        await asyncio.sleep(0.001)
    chat.service.cancel()
    assert (await running).outcome == "stopped"
    sent = len(chat.door.boards.sent)
    await asyncio.sleep(0.4)
    assert len(chat.door.boards.sent) == sent
    assert not chat.door.stop.latched
    chat.service.cancel()


async def test_two_chats_have_histories_of_their_own() -> None:
    chat = Chat()
    other = ChatService(chat.door.executor, chat.door.stop, lambda: [])
    await chat.say("turn on the led")
    assert other._conversation.messages == []
