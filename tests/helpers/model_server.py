"""Servers of language models on loopback: what OpenAI, Anthropic and Ollama speak, answered from a script.

Everything goes over real sockets: answers come in pieces, stall, break off, carry errors, or refuse.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Dialect = Literal["openai", "anthropic", "ollama"]
MODEL = "test-model"


@dataclass(frozen=True)
class Text:
    """A piece of the answer, sent as one chunk."""

    text: str


@dataclass(frozen=True)
class Reasoning:
    """A piece of what the model thinks."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call of a tool; its arguments are sent in ``split`` chunks."""

    name: str
    arguments: Mapping[str, Any]
    split: int = 1
    call_id: str = "call_1"

    def fragments(self) -> list[str]:
        """The JSON of the arguments, cut."""
        text = json.dumps(self.arguments, ensure_ascii=False)
        size = max(1, -(-len(text) // self.split))
        return [text[at : at + size] for at in range(0, len(text), size)]


Piece = Text | Reasoning | Call
Ending = Literal["complete", "stall", "cut_off", "error"]


@dataclass(frozen=True)
class Answer:
    """How one request is answered.

    Attributes:
        pieces: what is streamed.
        ending: after the pieces: the proper end, silence, a closed connection, or an error in the stream.
        status, headers, error: of a refusal; ``error`` is its message.
        pause: seconds between two pieces.
        finish: the reason that the server gives for the end (in the words of OpenAI).
        head_pause: seconds before anything is sent.
    """

    pieces: Sequence[Piece] = ()
    ending: Ending = "complete"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = ""
    pause: float = 0.0
    finish: str = ""
    head_pause: float = 0.0
    prompt_tokens: int = 11
    completion_tokens: int = 7
    cached_tokens: int = 0

    @property
    def reason(self) -> str:
        """Why the answer ended, as OpenAI says it."""
        calls = any(isinstance(piece, Call) for piece in self.pieces)
        return self.finish or ("tool_calls" if calls else "stop")


def says(*texts: str, **changes: Any) -> Answer:
    """An answer of words only."""
    return Answer(tuple(Text(text) for text in texts), **changes)


@dataclass
class Request:
    """What a client asked; ``closed_at`` is when it went away (monotonic seconds)."""

    path: str
    headers: Mapping[str, str]
    body: Any
    closed_at: float | None = None
    closed: asyncio.Event = field(default_factory=asyncio.Event)


class ModelServer:
    """A server of one dialect; use as an async context manager.

    Args:
        dialect: the protocol.
        answers: one for each request; the last one goes on.
        models: rows for its list of models.
    """

    def __init__(self, dialect: Dialect, answers: Sequence[Answer], models: Sequence[str] = (MODEL,)) -> None:
        self.dialect = dialect
        self.answers = list(answers)
        self.models = tuple(models)
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Base address in the form that clients of the dialect expect."""
        return self.root + ("/v1" if self.dialect == "openai" else "")

    @property
    def port(self) -> int:
        """The port in use."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def root(self) -> str:
        """Address without a path."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> ModelServer:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._serve(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; returns whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:])
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0") or 0))
        if method == "GET":
            await self._send_models(path, writer)
            return True
        request = Request(path, headers, json.loads(raw) if raw else None)
        if path == "/api/show":
            await _send_json(writer, 200, {}, {"model_info": {}, "capabilities": ["completion", "tools"]})
            return True
        self.requests.append(request)
        self.asked.set()
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        watching = asyncio.ensure_future(_watch(reader, request))
        try:
            return await self._answer(answer, request, writer)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def _send_models(self, path: str, writer: asyncio.StreamWriter) -> None:
        if self.dialect == "ollama" and path == "/api/tags":
            row: Any = {"models": [{"name": name, "model": name} for name in self.models]}
        elif self.dialect == "openai" and path == "/v1/models":
            row = {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}
        else:
            await _send_json(writer, 404, {}, {"error": "not found"})
            return
        await _send_json(writer, 200, {}, row)

    async def _answer(self, answer: Answer, request: Request, writer: asyncio.StreamWriter) -> bool:
        if answer.head_pause:
            await asyncio.sleep(answer.head_pause)
        if answer.status != 200:
            await _send_json(writer, answer.status, answer.headers, _refusal(self.dialect, answer))
            return True
        kind = "application/x-ndjson" if self.dialect == "ollama" else "text/event-stream"
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode("latin-1")
        )
        chunks = {"openai": openai_chunks, "anthropic": anthropic_chunks, "ollama": ollama_chunks}
        async for block in _paced(chunks[self.dialect](answer), answer):
            writer.write(f"{len(block):x}\r\n".encode() + block + b"\r\n")
            await writer.drain()
        if answer.ending == "stall":
            await request.closed.wait()
            return False
        if answer.ending == "cut_off":
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def _watch(reader: asyncio.StreamReader, request: Request) -> None:
    """Note when the client has gone; it sends nothing while it is answered."""
    with contextlib.suppress(ConnectionError):
        await reader.read(1)
    request.closed_at = time.monotonic()
    request.closed.set()


async def _paced(blocks: Iterator[bytes], answer: Answer) -> AsyncIterator[bytes]:
    for block in blocks:
        yield block
        await asyncio.sleep(answer.pause)


async def _send_json(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str], row: Any) -> None:
    body = json.dumps(row).encode()
    lines = [f"HTTP/1.1 {status} Scripted", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
    await writer.drain()


def _refusal(dialect: Dialect, answer: Answer) -> Any:
    if dialect == "ollama":
        return {"error": answer.error}
    if dialect == "anthropic":
        kinds = {401: "authentication_error", 429: "rate_limit_error", 400: "invalid_request_error"}
        kind = kinds.get(answer.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": answer.error}}
    code = "context_length_exceeded" if "maximum context length" in answer.error else None
    return {"error": {"message": answer.error, "type": "invalid_request_error", "param": None, "code": code}}


def _event(row: Any, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(row, ensure_ascii=False)}\n\n".encode()


def openai_chunks(answer: Answer) -> Iterator[bytes]:
    """Server-sent events of chat completions (OpenAI API reference, 'chat.completion.chunk')."""

    def chunk(delta: Mapping[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return _event({**base, "choices": [choice]})

    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    index = 0
    yield chunk({"role": "assistant", "content": ""})
    for piece in answer.pieces:
        if isinstance(piece, Text):
            yield chunk({"content": piece.text})
        elif isinstance(piece, Reasoning):
            yield chunk({"reasoning_content": piece.text})
        else:
            function: dict[str, Any] = {"name": piece.name, "arguments": ""}
            yield chunk(
                {
                    "tool_calls": [
                        {"index": index, "id": piece.call_id, "type": "function", "function": function}
                    ]
                }
            )
            for part in piece.fragments():
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
            index += 1
    if answer.ending == "error":
        yield _event(
            {"error": {"message": answer.error or "the server broke", "type": "server_error", "code": 500}}
        )
    if answer.ending != "complete":
        return
    yield chunk({}, answer.reason)
    usage: dict[str, Any] = {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "total_tokens": answer.prompt_tokens + answer.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
    }
    yield _event({**base, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def anthropic_chunks(answer: Answer) -> Iterator[bytes]:
    """Server-sent events of the Messages API (Anthropic API reference, 'Streaming messages')."""

    def event(kind: str, **row: Any) -> bytes:
        return _event({"type": kind, **row}, kind)

    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": [],
        "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": answer.prompt_tokens, "output_tokens": 1},
    }  # fmt: skip
    yield event("message_start", message=message)
    yield event("ping")
    index, opened = -1, ""
    for piece in answer.pieces:
        kind = {Text: "text", Reasoning: "thinking", Call: "tool_use"}[type(piece)]
        if kind != opened or isinstance(piece, Call):
            if opened:
                yield event("content_block_stop", index=index)
            index, opened = index + 1, kind
            block: dict[str, Any] = {"type": kind}
            if isinstance(piece, Call):
                block |= {"id": piece.call_id, "name": piece.name, "input": {}}
            else:
                block[kind] = ""
            yield event("content_block_start", index=index, content_block=block)
        for delta in _anthropic_deltas(piece):
            yield event("content_block_delta", index=index, delta=delta)
    if answer.ending == "error":
        error = {"type": "overloaded_error", "message": answer.error or "Overloaded"}
        yield event("error", error=error)
    if answer.ending != "complete":
        return
    if opened:
        yield event("content_block_stop", index=index)
    reason = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}[answer.reason]
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": answer.completion_tokens})
    yield event("message_stop")


def _anthropic_deltas(piece: Piece) -> Iterator[dict[str, Any]]:
    if isinstance(piece, Text):
        yield {"type": "text_delta", "text": piece.text}
    elif isinstance(piece, Reasoning):
        yield {"type": "thinking_delta", "thinking": piece.text}
    else:
        for part in piece.fragments():
            yield {"type": "input_json_delta", "partial_json": part}


def ollama_chunks(answer: Answer) -> Iterator[bytes]:
    """Lines of JSON (Ollama API, ``/api/chat``); its calls come whole."""

    def line(message: Mapping[str, Any], **more: Any) -> bytes:
        row = {
            "model": MODEL,
            "created_at": "2026-01-01T00:00:00Z",
            "message": message,
            "done": False,
            **more,
        }
        return json.dumps(row, ensure_ascii=False).encode() + b"\n"

    for piece in answer.pieces:
        if isinstance(piece, Call):
            call = {"function": {"name": piece.name, "arguments": dict(piece.arguments)}}
            yield line({"role": "assistant", "content": "", "tool_calls": [call]})
        elif isinstance(piece, Reasoning):
            yield line({"role": "assistant", "content": "", "thinking": piece.text})
        else:
            yield line({"role": "assistant", "content": piece.text})
    if answer.ending == "error":
        yield json.dumps({"error": answer.error or "the model broke"}).encode() + b"\n"
    if answer.ending != "complete":
        return
    yield line(
        {"role": "assistant", "content": ""},
        done=True,
        done_reason="stop",
        prompt_eval_count=answer.prompt_tokens,
        eval_count=answer.completion_tokens,
    )
