"""One turn (AG-1): a scripted provider plays the model; whatever happens, the history stays valid."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any

import pytest

from zeroclaw_desktop.agent.turn import MAX_TOOL_ITERATIONS, AgentTurn, Conversation, TurnResult
from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    ProviderEvent,
    StreamEnded,
    TextDelta,
    ToolCall,
    ToolCallBroken,
    ToolCallRequested,
    ToolSpec,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError

Step = ProviderEvent | Exception | asyncio.Event


class Script:
    """A provider that says what the test wrote, one list for each round."""

    name = "script"

    def __init__(self, *rounds: Sequence[Step]) -> None:
        self.rounds = list(rounds)
        self.seen: list[list[ChatMessage]] = []
        self.offered: list[str] = []

    async def stream(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ProviderEvent, None]:
        self.seen.append(list(messages))
        self.offered = [tool.name for tool in tools]
        for step in self.rounds.pop(0) if self.rounds else []:
            if isinstance(step, asyncio.Event):
                await step.wait()
            elif isinstance(step, Exception):
                raise step
            else:
                yield step


class PlainTool:
    """A tool that answers by a function of the test."""

    def __init__(self, name: str, answer: Callable[[ToolCall], Awaitable[dict[str, Any]]]) -> None:
        self.spec = ToolSpec(name, "", {"type": "object"})
        self._answer = answer
        self.calls: list[tuple[str, str]] = []

    async def call(self, call: ToolCall, turn_id: str) -> ChatMessage:
        self.calls.append((call.call_id, turn_id))
        row = await self._answer(call)
        return ChatMessage("tool", json.dumps(row), tool_call_id=call.call_id, data=row)


class Watcher:
    def __init__(self) -> None:
        self.log: list[tuple[str, ...]] = []

    def state_changed(self, turn_id: str, state: str) -> None:
        self.log.append(("state", state))

    def text_came(self, turn_id: str, text: str) -> None:
        self.log.append(("text", text))

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        self.log.append(("started", call.call_id))

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        self.log.append(("ended", call.call_id, str(answer.data["status"])))


async def good(_call: ToolCall) -> dict[str, Any]:
    return {"status": "ok"}


def asks(*names: str) -> list[Step]:
    return [ToolCallRequested(ToolCall(f"c{n}", name, {"n": n})) for n, name in enumerate(names, 1)]


class Rig:
    def __init__(
        self, *rounds: Sequence[Step], **tools: Callable[[ToolCall], Awaitable[dict[str, Any]]]
    ) -> None:
        self.provider = Script(*rounds)
        self.tools = {name: PlainTool(name, answer) for name, answer in tools.items()}
        self.conversation = Conversation()
        self.watcher = Watcher()
        self.turn = AgentTurn(self.conversation, self.provider, self.tools, self.watcher)

    async def run(self, text: str = "hello") -> TurnResult:
        result = await self.turn.run(text)
        self.check_history()
        assert self.watcher.log[-1] == ("state", "idle")
        return result

    def check_history(self) -> None:
        """Each call has exactly one answer, directly after it: what every model API demands."""
        open_calls: list[str] = []
        for message in self.conversation.messages:
            if message.role == "tool":
                assert message.tool_call_id in open_calls
                open_calls.remove(message.tool_call_id)
                assert json.loads(message.text)["status"]
                continue
            assert open_calls == []
            open_calls = [call.call_id for call in message.tool_calls]
        assert open_calls == []

    def roles(self) -> list[str]:
        return [message.role for message in self.conversation.messages]


class TestAnswers:
    async def test_text_streams_and_is_remembered(self) -> None:
        rig = Rig([TextDelta("Hel"), TextDelta("lo."), StreamEnded("stop")])
        result = await rig.run("hi")
        assert (result.outcome, result.text, result.calls, result.fault) == ("done", "Hello.", (), None)
        assert rig.conversation.messages == [ChatMessage("user", "hi"), ChatMessage("assistant", "Hello.")]
        assert rig.watcher.log == [
            ("state", "thinking"),
            ("state", "streaming"),
            ("text", "Hel"),
            ("text", "lo."),
            ("state", "idle"),
        ]

    async def test_calls_run_in_order_and_their_results_go_back(self) -> None:
        rig = Rig(
            [TextDelta("I look."), *asks("a", "b"), StreamEnded("tool_calls")],
            [TextDelta("Done.")],
            a=good,
            b=good,
        )
        result = await rig.run()
        assert result.text == "I look.\n\nDone."
        assert [call.name for call, _ in result.calls] == ["a", "b"]
        assert rig.roles() == ["user", "assistant", "tool", "tool", "assistant"]
        assert [message.role for message in rig.provider.seen[1]] == ["user", "assistant", "tool", "tool"]
        assert rig.provider.offered == ["a", "b"]
        calls = [entry for entry in rig.watcher.log if entry[0] in ("started", "ended")]
        assert calls == [("started", "c1"), ("ended", "c1", "ok"), ("started", "c2"), ("ended", "c2", "ok")]
        assert rig.tools["a"].calls == [("c1", rig.turn.turn_id)]

    async def test_nothing_after_the_end_of_the_stream_counts(self) -> None:
        rig = Rig([TextDelta("a"), StreamEnded("stop"), TextDelta("b")])
        assert (await rig.run()).text == "a"

    async def test_a_second_turn_sees_the_first(self) -> None:
        rig = Rig([TextDelta("one")])
        await rig.run("first")
        provider = Script([TextDelta("two")])
        await AgentTurn(rig.conversation, provider, {}, rig.watcher).run("second")
        assert [message.text for message in provider.seen[0]] == ["first", "one", "second"]

    async def test_a_model_that_never_stops_calling_is_stopped(self) -> None:
        rig = Rig(*[asks("a")] * 50, a=good)
        result = await rig.run()
        assert len(rig.tools["a"].calls) == MAX_TOOL_ITERATIONS == 10
        assert len(result.calls) == 10


class TestFailingTools:
    async def test_an_unknown_tool_is_answered_and_the_model_goes_on(self) -> None:
        rig = Rig(asks('fly "away"'), [TextDelta("Sorry.")])
        result = await rig.run()
        (_, answer), *rest = result.calls
        assert rest == []
        assert answer.data["status"] == "failed"
        assert 'fly "away"' in json.loads(answer.text)["error"]
        assert result.text == "Sorry."

    async def test_after_a_failure_the_rest_of_the_round_is_skipped(self) -> None:
        async def bad(_call: ToolCall) -> dict[str, Any]:
            return {"status": "failed"}

        rig = Rig(asks("a", "bad", "a", "a"), [TextDelta("It failed.")], a=good, bad=bad)
        result = await rig.run()
        assert [answer.data["status"] for _, answer in result.calls] == ["ok", "failed", "skipped", "skipped"]
        assert len(rig.tools["a"].calls) == 1
        assert result.outcome == "done"

    async def test_a_tool_that_raises_our_own_error_is_a_failed_call(self) -> None:
        async def broken(_call: ToolCall) -> dict[str, Any]:
            raise ZeroClawError("The board is gone.", hint="Plug it in.")

        rig = Rig(asks("broken", "broken"), [TextDelta("Sorry.")], broken=broken)
        result = await rig.run()
        assert result.outcome == "done"
        first = result.calls[0][1].data
        assert (first["status"], first["error"], first["hint"]) == (
            "failed",
            "The board is gone.",
            "Plug it in.",
        )

    async def test_a_bug_in_a_tool_is_not_hidden_and_leaves_a_valid_history(self) -> None:
        async def buggy(_call: ToolCall) -> dict[str, Any]:
            raise KeyError("bug")

        rig = Rig(asks("buggy", "buggy"), buggy=buggy)
        caught = None
        try:
            await rig.turn.run("go")
        except KeyError as error:
            caught = error
        assert caught is not None
        rig.check_history()


class TestFailingProvider:
    async def test_what_was_said_before_the_failure_is_kept(self) -> None:
        rig = Rig([TextDelta("I was say"), ZeroClawError("The model went away.")])
        result = await rig.run()
        assert (result.outcome, result.text) == ("failed", "I was say")
        assert result.fault is not None
        assert result.fault.message == "The model went away."
        assert rig.conversation.messages[-1] == ChatMessage("assistant", "I was say")

    async def test_calls_of_a_stream_that_was_cut_off_are_not_run(self) -> None:
        rig = Rig([*asks("a"), ZeroClawError("cut off")], a=good)
        result = await rig.run()
        assert rig.tools["a"].calls == []
        assert (result.outcome, result.calls) == ("failed", ())
        assert rig.roles() == ["user"]


class TestCancelling:
    async def test_while_the_answer_streams(self) -> None:
        rig = Rig([TextDelta("Once upon"), asyncio.Event(), TextDelta("never")])
        task = asyncio.create_task(rig.run())
        while ("text", "Once upon") not in rig.watcher.log:
            await asyncio.sleep(0)
        task.cancel()
        result = await task
        assert (result.outcome, result.text) == ("stopped", "Once upon")
        assert rig.conversation.messages[-1] == ChatMessage("assistant", "Once upon")

    async def test_before_anything_was_said(self) -> None:
        rig = Rig([asyncio.Event()])
        task = asyncio.create_task(rig.run())
        while not rig.provider.seen:
            await asyncio.sleep(0)
        task.cancel()
        assert (await task).outcome == "stopped"
        assert rig.roles() == ["user"]

    async def test_while_a_tool_runs(self) -> None:
        ended = asyncio.Event()

        async def slow(_call: ToolCall) -> dict[str, Any]:
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return {"status": "ok"}

        rig = Rig(asks("a", "slow", "a"), a=good, slow=slow)
        task = asyncio.create_task(rig.run())
        while ("started", "c2") not in rig.watcher.log:
            await asyncio.sleep(0)
        task.cancel()
        result = await task
        assert ended.is_set()
        assert result.outcome == "stopped"
        assert [answer.data["status"] for _, answer in result.calls] == ["ok", "cancelled", "cancelled"]
        assert len(rig.tools["a"].calls) == 1
        assert ("ended", "c2", "cancelled") in rig.watcher.log


def written(name: str, arguments: str = "{}") -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


class TestCallsInText:
    """AG-4, AG-5: a model that has no interface for tools and writes its calls into its text."""

    @staticmethod
    def rig(*rounds: Sequence[Step], **tools: Callable[[ToolCall], Awaitable[dict[str, Any]]]) -> Rig:
        rig = Rig(*rounds, **tools)
        rig.turn = AgentTurn(rig.conversation, rig.provider, rig.tools, rig.watcher, calls_in_text=True)
        return rig

    async def test_the_call_is_carried_out_and_never_shown(self) -> None:
        text = f"<think>hm</think>I look.\n{written('a')}"
        pieces: list[Step] = [TextDelta(sign) for sign in text]
        rig = self.rig([*pieces, StreamEnded("stop")], [TextDelta("Done."), StreamEnded("stop")], a=good)
        result = await rig.run()
        assert result.text == "I look.\n\n\nDone."
        assert len(rig.tools["a"].calls) == 1
        assert rig.roles() == ["user", "assistant", "tool", "assistant"]
        assert rig.conversation.messages[1].text == "I look.\n"

    async def test_ids_differ_between_rounds(self) -> None:
        step: list[Step] = [TextDelta(written("a")), StreamEnded("stop")]
        rig = self.rig(step, step, [TextDelta("Done.")], a=good)
        await rig.run()
        ids = [call_id for call_id, _ in rig.tools["a"].calls]
        assert len(set(ids)) == 2

    async def test_the_model_hears_what_was_wrong_and_may_mend_it(self) -> None:
        rig = self.rig(
            [TextDelta(written("ab")), StreamEnded("stop")],
            [TextDelta(written("abc")), StreamEnded("stop")],
            [TextDelta("Done.")],
            abc=good,
        )
        result = await rig.run()
        assert (result.outcome, result.text) == ("done", "Done.")
        assert len(rig.tools["abc"].calls) == 1
        told = rig.provider.seen[1][-1]
        assert told.role == "user"
        assert "Did you mean abc?" in told.text

    async def test_after_two_retries_it_is_an_error(self) -> None:
        step: list[Step] = [TextDelta("<tool_call>{nothing}</tool_call>"), StreamEnded("stop")]
        rig = self.rig(*[step] * 9, a=good)
        result = await rig.run()
        assert len(rig.provider.seen) == 3
        assert result.outcome == "failed"
        assert result.fault is not None
        assert result.fault.code == "unreadable_calls"
        assert rig.tools["a"].calls == []

    @pytest.mark.parametrize("end", [[StreamEnded("length")], [], [ZeroClawError("The line is lost.")]])
    async def test_a_call_that_is_cut_off_is_not_carried_out(self, end: list[Step]) -> None:
        """C1 row 32."""
        text = written("a").removesuffix("\n</tool_call>")
        rig = self.rig([TextDelta(text), *end], [TextDelta("Sorry."), StreamEnded("stop")], a=good)
        await rig.run()
        assert rig.tools["a"].calls == []

    async def test_what_was_held_back_is_said_when_the_line_is_lost(self) -> None:
        rig = self.rig([TextDelta("a < b or <too"), ZeroClawError("The line is lost.")])
        assert (await rig.run()).text == "a < b or <too"

    async def test_a_model_with_an_interface_may_write_about_tags(self) -> None:
        rig = Rig([TextDelta(written("a")), StreamEnded("stop")], a=good)
        assert (await rig.run()).text == written("a")
        assert rig.tools["a"].calls == []


class TestNativeCalls:
    async def test_arguments_are_mended_where_that_cannot_be_wrong(self) -> None:
        """AG-5: "13" for a whole number."""
        heard: list[dict[str, Any]] = []

        async def keep(call: ToolCall) -> dict[str, Any]:
            heard.append(dict(call.arguments))
            return {"status": "ok"}

        asked: list[Step] = [
            ToolCallRequested(ToolCall("1", "a", {"pin": "13", "approved": True})),
            ToolCallRequested(ToolCall("2", "a", {"pin": "low"})),
        ]
        rig = Rig(asked, [TextDelta("Done.")], a=keep)
        schema = {"type": "object", "properties": {"pin": {"type": "integer"}}}
        rig.tools["a"].spec = ToolSpec("a", "", schema)
        await rig.run()
        assert heard == [{"pin": 13}, {"pin": "low"}]

    async def test_broken_arguments_are_repaired_or_told(self) -> None:
        """AG-5; C1 rows 32, 39, 48: punctuation is repaired, what is cut off is never guessed."""
        heard: list[dict[str, Any]] = []

        async def keep(call: ToolCall) -> dict[str, Any]:
            heard.append(dict(call.arguments))
            return {"status": "ok"}

        asked: list[Step] = [
            ToolCallBroken("1", "a", '{"pin"：13，}', "no valid JSON"),
            ToolCallBroken("2", "a", '{"pin": 1', "no valid JSON"),
            ToolCallBroken("3", "a", '{"pin": 2}', "the answer was cut off"),
        ]
        rig = Rig(asked, [TextDelta("Done.")], a=keep)
        result = await rig.run()
        assert heard == [{"pin": 13}]
        assert (result.outcome, result.text) == ("done", "Done.")
        told = rig.provider.seen[1][-1]
        assert told.role == "user"
        assert "2 calls could not be carried out" in told.text
        assert "the answer was cut off." in told.text
        assert "<tool_call>" not in told.text
