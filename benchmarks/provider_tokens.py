"""B11: an answer of 2,000 tokens through the provider process, against a raw HTTP client in the same run.

The server runs in a process of its own and sends one token an event. What counts is the processor time of
this process, which is the window's: its loop is Qt's with asyncio inside. A timer of 1 ms notes gaps of the
loop while the provider process starts and while tokens come.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.parse
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from benchmarks._bench import percentile, row
from zeroclaw_desktop.contracts.chat import ChatMessage, TextDelta
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.providers.model_entry import ModelEntry
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.providers.models_python import models_python
from zeroclaw_desktop.providers.provider_process import ProviderProcess
from zeroclaw_desktop.sandbox.process import ChildProcesses

ROOT = Path(__file__).resolve().parents[1]
TOKENS = 2_000
ROUNDS = 5
PAUSE = 0.0004
"""Between two tokens; about 2,000 come in a second with what the server does itself."""
_SERVER = """
import asyncio, sys
from tests.helpers.model_server import ModelServer, says

async def main():
    answer = says(*[f"word{n} " for n in range(int(sys.argv[1]))], pause=float(sys.argv[2]))
    async with ModelServer("openai", [answer]) as server:
        print(server.url, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

asyncio.run(main())
"""


@contextlib.contextmanager
def _server(tokens: int, pause: float) -> Iterator[str]:
    command = [sys.executable, "-c", _SERVER, str(tokens), str(pause)]
    child = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=-1, stdout=-1, text=True
    )
    assert child.stdout is not None
    assert child.stdin is not None
    try:
        yield child.stdout.readline().strip()
    finally:
        child.stdin.close()
        child.wait(10)
        child.stdout.close()


async def _raw(url: str) -> AsyncIterator[str]:
    """Tokens read with sockets and JSON alone: what any client has to do."""
    parts = urllib.parse.urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    body = json.dumps({"model": "m", "stream": True, "messages": []}).encode()
    head = f"POST {parts.path}/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    try:
        while line := await reader.readline():
            if line.startswith(b"data: [DONE]"):
                return
            if line.startswith(b"data: "):
                choices = json.loads(line[6:])["choices"]
                if choices and choices[0]["delta"].get("content"):
                    yield choices[0]["delta"]["content"]
    finally:
        writer.close()
        await writer.wait_closed()


async def _ours(process: ProviderProcess, url: str) -> AsyncIterator[str]:
    entry = ModelEntry("bench", "compatible", "test-model", url)
    async for event in ask_model(process, entry, "key", [ChatMessage("user", "go")], ()):
        if isinstance(event, TextDelta):
            yield event.text


class _Run:
    """One answer: milliseconds to the first token, microseconds of this process a token, tokens a second."""

    def __init__(self, first: float, cost: float, rate: float) -> None:
        self.first, self.cost, self.rate = first, cost, rate


async def _measure(tokens: AsyncIterator[str]) -> _Run:
    begun, spent, first, text = time.perf_counter(), time.process_time(), 0.0, []
    async for token in tokens:
        first = first or (time.perf_counter() - begun) * 1000
        text.append(token)
    whole = time.perf_counter() - begun
    count = "".join(text).count("word")
    if count != TOKENS:
        raise RuntimeError(f"{count} of {TOKENS} tokens came")
    return _Run(first, (time.process_time() - spent) / count * 1e6, count / whole)


@contextlib.asynccontextmanager
async def _gaps() -> AsyncIterator[list[float]]:
    """Milliseconds between the calls of a timer of 1 ms."""
    gaps: list[float] = []

    async def tick() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            gaps.append((now - last) * 1000)
            last = now

    task = asyncio.ensure_future(tick())
    try:
        yield gaps
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _all(url: str) -> list[dict[str, Any]]:
    process = ProviderProcess(ChildProcesses(), models_python, SystemClock())
    try:
        async with _gaps() as starting:
            cold = await _measure(_ours(process, url))
        raw, ours = [], []
        for _ in range(ROUNDS):
            raw.append(await _measure(_raw(url)))
            ours.append(await _measure(_ours(process, url)))
        async with _gaps() as streaming:
            await _measure(_ours(process, url))
    finally:
        await process.stop()
    cost, peer = [run.cost for run in ours], [run.cost for run in raw]
    rate = f"{statistics.median(run.rate for run in ours):,.0f} tokens/s"
    later = [one.first - other.first for one, other in zip(ours, raw, strict=True)]
    ratio = statistics.median(cost) / statistics.median(peer)
    return [
        row(
            "B11.token",
            "this process, a token through the provider process",
            cost,
            "us",
            ratio=ratio,
            note=rate,
        ),
        row("B11.raw", "this process, a token by raw HTTP", peer, "us"),
        row("B11.first.warm", "first token later than by raw HTTP, warm", later, "ms"),
        row("B11.first.cold", "first token, process not started", [cold.first], "ms"),
        row("B11.gap.start", "gaps of the loop while it starts", starting, "ms", note=_most(starting)),
        row("B11.gap.stream", "gaps of the loop while tokens come", streaming, "ms", note=_most(streaming)),
    ]


def _most(gaps: list[float]) -> str:
    return f"max {max(gaps):.1f} ms, p99.9 {percentile(gaps, 0.999):.1f} ms"


def run() -> list[dict[str, Any]]:
    """Rows of B11."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import qasync
    from PySide6.QtWidgets import QApplication

    try:
        models_python()
    except ZeroClawError as error:
        raise RuntimeError(f"{error.message} {error.hint}") from error
    loop = qasync.QEventLoop(QApplication.instance() or QApplication([]))
    asyncio.set_event_loop(loop)
    try:
        with _server(TOKENS, PAUSE) as url, loop:
            return loop.run_until_complete(_all(url))
    finally:
        asyncio.set_event_loop(None)
