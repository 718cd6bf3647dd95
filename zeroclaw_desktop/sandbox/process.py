"""Child processes in a session of their own, so that the whole family can be ended.

Output is read as bytes and decoded with replacement characters: a tool's messages may be in any encoding.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.foundation.errors import ZeroClawError

TAIL_BYTES = 64 * 1024
END_GRACE_SECONDS = 1.0
LINE_LIMIT = 1 << 20
PIECE_BYTES = 4096
DRAIN_SECONDS = 0.5
"""For what a child has written when it has ended but others hold its output open."""


class ChildStartError(ZeroClawError):
    """A program could not be started."""

    default_code = "tool_missing"


async def _start(
    argv: Sequence[str],
    environment: Mapping[str, str] | None,
    stdin: int,
    stderr: int,
    *,
    inherit: bool = True,
) -> asyncio.subprocess.Process:
    merged = {**(os.environ if inherit else {}), **environment} if environment is not None else None
    new_group = (
        {"creationflags": 0x00000200} if sys.platform == "win32" else {"start_new_session": True}
    )  # 0x200: CREATE_NEW_PROCESS_GROUP
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *argv,
            stdin=stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env=merged,
            limit=LINE_LIMIT,
            **new_group,
        )
    )
    try:
        # Shielded: a cancel in here would end the child alone, and leave what it has started already.
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait({starting})
        if starting.exception() is None:
            await _end_group(starting.result(), END_GRACE_SECONDS)
            _close_pipes(starting.result())
        raise
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise ChildStartError(
            f"The program {argv[0]} could not be started: {reason}.",
            hint="Install it, or check that it may be executed.",
            details={"tool": os.path.basename(argv[0])},
        ) from error


def _signal_group(process: asyncio.subprocess.Process, number: int) -> None:
    """Signal the whole group; what the child started may be there although the child has ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform != "win32":
            os.killpg(process.pid, number)
        elif process.returncode is None:
            process.terminate()


async def _end_group(process: asyncio.subprocess.Process, grace: float) -> None:
    """Ask the group to end, then kill what is left of it; returns when the child has been reaped."""
    _signal_group(process, signal.SIGTERM)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), grace)
    _signal_group(process, getattr(signal, "SIGKILL", signal.SIGTERM))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), grace)


def _close_pipes(process: asyncio.subprocess.Process) -> None:
    """Let go of pipes that somebody who left the group still holds open."""
    transport: asyncio.SubprocessTransport = process._transport  # type: ignore[attr-defined]
    transport.close()


class Child:
    """A running child with pipes; see contracts.processes.ChildHandle."""

    def __init__(
        self, process: asyncio.subprocess.Process, on_error_output: Callable[[bytes], None] | None = None
    ) -> None:
        self._process = process
        self._started = time.monotonic()
        self._listening: asyncio.Task[None] | None = None
        if on_error_output is not None:
            self._listening = asyncio.get_running_loop().create_task(self._listen(on_error_output))

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    async def write(self, data: bytes) -> None:
        """Send to its standard input."""
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing():
            raise ConnectionError("the child has gone")
        stdin.write(data)
        await stdin.drain()

    async def read_line(self) -> bytes:
        """Next line of its standard output; b'' at the end."""
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    async def end(self, grace: float = END_GRACE_SECONDS) -> ChildExit:
        """Close its input, which it takes as the wish to end; then signal, then kill."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), grace)
        await _end_group(self._process, grace)
        if self._listening is not None:
            await asyncio.wait({self._listening}, timeout=DRAIN_SECONDS)
            self._listening.cancel()
            _close_pipes(self._process)
        code = self._process.returncode if self._process.returncode is not None else -1
        return ChildExit(code, False, time.monotonic() - self._started, "")

    async def _listen(self, on_error_output: Callable[[bytes], None]) -> None:
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(PIECE_BYTES):
            on_error_output(piece)


class ChildProcesses:
    """Starts children; implements contracts.processes.ChildRunner."""

    async def spawn(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        inherit: bool = True,
        on_error_output: Callable[[bytes], None] | None = None,
    ) -> Child:
        """Start with pipes on standard input and output.

        Args:
            environment: names added to our own environment, or all there is when ``inherit`` is False.
            on_error_output: given what it writes to standard error; None drops that.

        Raises:
            ChildStartError: no such program, or it may not be executed.
        """
        pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        stderr = nowhere if on_error_output is None else pipe
        return Child(await _start(argv, environment, pipe, stderr, inherit=inherit), on_error_output)

    async def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        on_output: Callable[[bytes], None] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> ChildExit:
        """Run to the end with both outputs joined.

        Args:
            argv: program and arguments; no shell is involved.
            timeout: seconds after which the group is ended.
            on_output: called with each piece of output as it comes.
            environment: names added to our own environment.

        Raises:
            ChildStartError: the program could not be started.
        """
        started = time.monotonic()
        process = await _start(argv, environment, asyncio.subprocess.DEVNULL, asyncio.subprocess.STDOUT)
        tail = bytearray()
        timed_out = ended = False
        try:
            # Not wait_for: up to Python 3.11 it swallows a cancel that comes together with the end.
            async with asyncio.timeout(timeout):
                await self._pump(process, tail, on_output)
            ended = process.stdout is not None and process.stdout.at_eof()
        except TimeoutError:
            timed_out = True
        finally:
            if not ended:
                await asyncio.shield(_end_group(process, END_GRACE_SECONDS))
                _close_pipes(process)
        code = process.returncode if process.returncode is not None else -1
        return ChildExit(code, timed_out, time.monotonic() - started, tail.decode(errors="replace"))

    @staticmethod
    async def _pump(
        process: asyncio.subprocess.Process, tail: bytearray, on_output: Callable[[bytes], None] | None
    ) -> None:
        """Read until the output ends, or the child has ended and others hold its output open."""
        assert process.stdout is not None
        while True:
            try:
                async with asyncio.timeout(DRAIN_SECONDS):
                    piece = await process.stdout.read(PIECE_BYTES)
            except TimeoutError:
                if process.returncode is not None:
                    return
                continue
            if not piece:
                break
            tail += piece
            del tail[:-TAIL_BYTES]
            if on_output is not None:
                on_output(piece)
            await asyncio.sleep(0)  # a child that floods must not keep everybody else waiting
        await process.wait()
