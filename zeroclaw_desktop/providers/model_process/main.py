"""The program of the provider process: reads requests, answers with frames, ends with its standard input.

Started as a file by the Python of the models' environment. It does not hold this program, so the package is
made known here without putting its folder on the path: nothing else of the program's own environment can be
imported.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
import threading
from pathlib import Path
from typing import Any


def _know_the_package() -> None:
    folder = Path(__file__).resolve().parents[2]
    spec = importlib.util.spec_from_file_location(
        "zeroclaw_desktop", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["zeroclaw_desktop"] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    sys.path[0:1] = []  # the folder of this file
    _know_the_package()

from zeroclaw_desktop.providers.model_process.batching import Batch  # noqa: E402
from zeroclaw_desktop.providers.model_process.egress import EgressGuard  # noqa: E402
from zeroclaw_desktop.providers.model_process.failures import describe  # noqa: E402
from zeroclaw_desktop.providers.wire import BEAT_SECONDS, VERSION, pack, unpack  # noqa: E402


class ModelProcess:
    """Answers requests until its input ends.

    Args:
        output: file descriptor that frames are written to.
        guard: told which servers may be reached.
    """

    def __init__(self, output: int, guard: EgressGuard) -> None:
        self._output = output
        self._guard = guard
        self._running: dict[int, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Say hello, then serve."""
        loop = asyncio.get_running_loop()
        self.send({"hello": VERSION, "pid": os.getpid()})
        reader = threading.Thread(target=self._read, args=(loop,), name="requests", daemon=True)
        reader.start()
        beating = loop.create_task(self._beat())
        await self._ended.wait()
        beating.cancel()
        for task in list(self._running.values()):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running.values(), timeout=1.0)

    def send(self, frame: dict[str, Any]) -> None:
        """Write one line; the program reads all the time, so this does not wait."""
        rest = memoryview(pack(frame))
        while rest:
            try:
                rest = rest[os.write(self._output, rest) :]
            except OSError:  # the program has gone
                self._ended.set()
                return

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Runs on a thread: pipes of Windows cannot be watched by a loop."""
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(self._take, line)
        loop.call_soon_threadsafe(self._ended.set)

    def _take(self, line: bytes) -> None:
        frame = unpack(line)
        number = int(frame["id"])
        if frame["do"] == "cancel":
            if number in self._running:
                self._running[number].cancel()
            return
        request = frame.get("request", {})
        batch = Batch(lambda events: self.send({"id": number, "events": events}))
        work = (
            self._stream(number, request, batch) if frame["do"] == "stream" else self._tell(number, request)
        )
        task = asyncio.get_running_loop().create_task(work)
        self._running[number] = task
        secrets = (str(request.get("key") or ""),)
        task.add_done_callback(lambda done: self._finished(number, done, batch, secrets))

    async def _stream(self, number: int, request: dict[str, Any], batch: Batch) -> None:
        from zeroclaw_desktop.providers.model_process import litellm_calls

        self._guard.allow([request["base_url"]])
        # On a thread, so that the process beats and hears of cancels meanwhile: it takes seconds.
        await asyncio.to_thread(litellm_calls.library)
        self.send({"id": number, "begun": True})
        done = await litellm_calls.stream(request, batch.add)
        batch.flush()
        self.send({"id": number, "done": done})

    async def _tell(self, number: int, request: dict[str, Any]) -> None:
        from zeroclaw_desktop.providers.model_process.litellm_calls import catalogue

        self.send({"id": number, "result": catalogue(str(request.get("provider", "")))})

    def _finished(
        self, number: int, task: asyncio.Task[None], batch: Batch, secrets: tuple[str, ...]
    ) -> None:
        self._running.pop(number, None)
        if task.cancelled():
            batch.drop()
            return
        error = task.exception()
        if error is not None:
            batch.flush()
            self.send({"id": number, "error": describe(error, began=batch.began, secrets=secrets)})

    async def _beat(self) -> None:
        number = 0
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            number += 1
            self.send({"beat": number})


def main() -> int:
    """Serve on standard input and output; what libraries print goes to standard error."""
    frames = os.dup(1)
    os.dup2(2, 1)
    guard = EgressGuard()
    guard.install()
    asyncio.run(ModelProcess(frames, guard).run())
    # Threads of libraries must not keep the process alive.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
