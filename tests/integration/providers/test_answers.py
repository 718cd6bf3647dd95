"""litellm for real, over HTTP, against servers of three dialects (AG-8)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.helpers.model_server import Answer, Call, Dialect, ModelServer, Reasoning, Text, says
from tests.helpers.models_environment import HELLO, KEY, collect, entry_for, running_process, said
from zeroclaw_desktop.contracts.chat import (
    ChatMessage,
    ProviderEvent,
    ReasoningDelta,
    StreamEnded,
    TextDelta,
    ToolCall,
    ToolCallBroken,
    ToolCallDelta,
    ToolCallRequested,
    ToolSpec,
    UsageReported,
)
from zeroclaw_desktop.providers.errors import (
    AuthError,
    BadRequestError,
    ContextTooLongError,
    CutOffError,
    ModelUnknownError,
    ProviderError,
    RateLimitError,
    ServerFaultError,
    TimedOutError,
    UnreachableError,
)
from zeroclaw_desktop.providers.model_entry import Patience
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.providers.provider_process import ProviderProcess

# One provider process serves all of this file: its start costs seconds.
pytestmark = pytest.mark.asyncio(loop_scope="module")
DIALECTS: list[Dialect] = ["openai", "anthropic", "ollama"]
SET_PIN = ToolSpec(
    "set_pin",
    "Set a pin.",
    {"type": "object", "properties": {"pin": {"type": "integer"}}, "required": ["pin"]},
)
TOO_LONG = "This model's maximum context length is 4096 tokens, however you requested 9000 tokens"
CANCEL_SECONDS = 0.2
"""AG-2: what stops an answer reaches the server within 200 ms."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process() -> AsyncIterator[ProviderProcess]:
    """The provider process of these tests."""
    async with running_process() as running:
        await running.warm()
        yield running


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_text_thoughts_calls_usage_and_end_come_in_order(
    process: ProviderProcess, dialect: Dialect
) -> None:
    arguments = {"pin": 13, "note": '温度 "hot" </tool_call>'}
    pieces = (Reasoning("Let me see. "), Text("I set "), Text("it."), Call("set_pin", arguments, split=5))
    async with ModelServer(dialect, [Answer(pieces)]) as server:
        events = await collect(process, entry_for(dialect, server.url), [SET_PIN])
    assert said(events) == "I set it."
    assert "".join(event.text for event in events if isinstance(event, ReasoningDelta)) == "Let me see. "
    calls = [event.call for event in events if isinstance(event, ToolCallRequested)]
    assert [(call.name, call.arguments) for call in calls] == [("set_pin", arguments)]
    assert any(isinstance(event, ToolCallDelta) and event.name == "set_pin" for event in events)
    usage = next(event for event in events if isinstance(event, UsageReported))
    assert (usage.input_tokens, usage.output_tokens) == (11, 7)
    assert events[-1] == StreamEnded("tool_calls")


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_whole_conversation_and_the_key_reach_the_server(
    process: ProviderProcess, dialect: Dialect
) -> None:
    conversation = [
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "Set pin 13."),
        ChatMessage("assistant", "", (ToolCall("call_9", "set_pin", {"pin": 13}),)),
        ChatMessage("tool", '{"status": "ok"}', tool_call_id="call_9"),
    ]
    async with ModelServer(dialect, [says("Done.")]) as server:
        entry = entry_for(dialect, server.url, parameters={"temperature": 0.25, "max_tokens": 50})
        events = [event async for event in ask_model(process, entry, KEY, conversation, [SET_PIN])]
        request = server.requests[0]
    assert said(events) == "Done."
    assert events[-1] == StreamEnded("stop")
    sent = str(request.body)
    assert all(part in sent for part in ("Be brief.", "Set pin 13.", "set_pin", "Set a pin.", "0.25", "50"))
    assert KEY in f"{request.headers.get('authorization')} {request.headers.get('x-api-key')}"
    assert KEY not in sent


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_tag_that_is_split_over_chunks_comes_unchanged(
    process: ProviderProcess, dialect: Dialect
) -> None:
    whole = '<tool_call>{"name": "set_pin"}</tool_call> 完成'
    for size in (1, 3, 7):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        async with ModelServer(dialect, [says(*pieces)]) as server:
            assert said(await collect(process, entry_for(dialect, server.url))) == whole


async def test_two_calls_that_share_an_index_are_two_calls(process: ProviderProcess) -> None:
    pieces = (Call("a", {"n": 1}, call_id="one"), Call("b", {"n": 2}, call_id="two"))
    async with ModelServer("openai", [Answer(pieces)]) as server:
        events = await collect(process, entry_for("openai", server.url), [SET_PIN])
    calls = [event.call for event in events if isinstance(event, ToolCallRequested)]
    assert [(call.call_id, call.name, call.arguments) for call in calls] == [
        ("one", "a", {"n": 1}),
        ("two", "b", {"n": 2}),
    ]


async def test_a_call_in_an_answer_that_was_cut_at_its_limit_is_broken(process: ProviderProcess) -> None:
    answer = Answer((Call("set_pin", {"pin": 13}),), finish="length")
    async with ModelServer("openai", [answer]) as server:
        events = await collect(process, entry_for("openai", server.url), [SET_PIN])
    assert [event for event in events if isinstance(event, ToolCallRequested)] == []
    assert [event.name for event in events if isinstance(event, ToolCallBroken)] == ["set_pin"]
    assert events[-1] == StreamEnded("length")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (401, "invalid key", AuthError),
        (403, "not for you", AuthError),
        (404, "no such model", ModelUnknownError),
        (429, "slow down", RateLimitError),
        (500, "it broke", ServerFaultError),
        (503, "overloaded", ServerFaultError),
        (400, "bad field", BadRequestError),
        (400, TOO_LONG, ContextTooLongError),
    ],
)
async def test_refusals_have_their_kind(
    process: ProviderProcess, dialect: Dialect, status: int, message: str, expected: type[ProviderError]
) -> None:
    refusal = Answer(status=status, error=message, headers={"Retry-After": "7"})
    async with ModelServer(dialect, [refusal]) as server:
        with pytest.raises(ProviderError) as caught:
            await collect(process, entry_for(dialect, server.url))
    assert type(caught.value) is expected
    assert message.split(",")[0].split("'")[-1].strip() in caught.value.message
    if isinstance(caught.value, RateLimitError):
        assert caught.value.retry_after == 7.0


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("ending", ["cut_off", "error"])
async def test_what_came_before_a_break_is_kept(
    process: ProviderProcess, dialect: Dialect, ending: str
) -> None:
    answer = says("The fan ", "is on", pause=0.05, ending=ending)
    came: list[ProviderEvent] = []
    async with ModelServer(dialect, [answer]) as server:
        answers = ask_model(process, entry_for(dialect, server.url), KEY, HELLO, ())
        with pytest.raises(CutOffError) as caught:
            await _take_all(answers, came)
        assert len(server.requests) == 1
    assert said(came) == "The fan is on"
    assert caught.value.partial == "The fan is on"


async def _take_all(events: AsyncIterator[ProviderEvent], into: list[ProviderEvent]) -> None:
    async for event in events:
        into.append(event)


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_cancelled_answer_closes_its_connection(process: ProviderProcess, dialect: Dialect) -> None:
    async with ModelServer(dialect, [says("a", ending="stall")]) as server:
        answer = ask_model(process, entry_for(dialect, server.url), KEY, HELLO, ())
        assert await anext(answer) == TextDelta("a")
        begun = time.monotonic()
        await answer.aclose()
        async with asyncio.timeout(10):
            await server.requests[0].closed.wait()
        closed_at = server.requests[0].closed_at
    assert closed_at is not None
    assert closed_at - begun < CANCEL_SECONDS


async def test_cancelling_the_task_closes_the_connection_as_well(process: ProviderProcess) -> None:
    async with ModelServer("openai", [says("a", ending="stall")]) as server:
        task = asyncio.ensure_future(collect(process, entry_for("openai", server.url)))
        async with asyncio.timeout(60):
            await server.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(10):
            await server.requests[0].closed.wait()
        # The process serves the next one.
        server.answers = [says("again")]
        assert said(await collect(process, entry_for("openai", server.url))) == "again"
        assert process.starts == 1


@pytest.mark.parametrize(
    ("answer", "patience", "phase"),
    [
        (says("a", head_pause=30), Patience(first=0.3), "first"),
        (says("a", ending="stall"), Patience(between=0.3), "between"),
        (says(*"abcdefghij" * 100, pause=0.05), Patience(whole=0.6), "whole"),
    ],
)
async def test_silence_ends_a_request_and_its_connection(
    process: ProviderProcess, answer: Answer, patience: Patience, phase: str
) -> None:
    async with ModelServer("openai", [answer]) as server:
        with pytest.raises((TimedOutError, CutOffError)) as caught:
            await collect(process, entry_for("openai", server.url, patience=patience))
        async with asyncio.timeout(10):
            await server.requests[0].closed.wait()
    if phase == "first":
        assert type(caught.value) is TimedOutError
        assert caught.value.details["phase"] == phase
    else:
        assert type(caught.value) is CutOffError
        assert caught.value.details["cause"] == "model_timeout"


async def test_nobody_at_the_address_is_said_so(process: ProviderProcess) -> None:
    async with ModelServer("openai", [says("")]) as server:
        address = server.url
    with pytest.raises(UnreachableError, match="cannot be reached"):
        await collect(process, entry_for("openai", address))


async def test_several_answers_at_once_do_not_mix(process: ProviderProcess) -> None:
    async with (
        ModelServer("openai", [says(*["a"] * 20, pause=0.01)]) as first,
        ModelServer("anthropic", [says(*["b"] * 20, pause=0.01)]) as second,
        ModelServer("ollama", [Answer(status=500, error="broken")]) as third,
    ):
        asked = [collect(process, entry_for(server.dialect, server.url)) for server in (first, second, third)]
        one, two, three = await asyncio.gather(*asked, return_exceptions=True)
    assert not isinstance(one, BaseException)
    assert not isinstance(two, BaseException)
    assert (said(one), said(two)) == ("a" * 20, "b" * 20)
    assert isinstance(three, ServerFaultError)
    assert process.starts == 1
