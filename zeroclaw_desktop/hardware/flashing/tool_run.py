"""One tool at work for one job: its command lines and output go to the log, its failures become words."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.failures import Cause, explain_failure, failure_of
from zeroclaw_desktop.hardware.flashing.method import WRITING_PHASES, FlashJob
from zeroclaw_desktop.hardware.flashing.tool_output import ToolOutput

TAIL_CHARACTERS = 16_000


class ToolRun:
    """Runs the steps of a job that are child processes.

    Args:
        job: the job.
        name: of the tool, for messages.
        causes: its messages with what they mean.
        details: values for the texts of causes; ``board`` is always there.

    Attributes:
        wrote: whether the old firmware is gone, as far as the tool has told.
        seconds: run time of the tool so far.
        details: values for the texts of causes.
    """

    def __init__(
        self, job: FlashJob, name: str, causes: Sequence[Cause], details: Mapping[str, Any] | None = None
    ) -> None:
        self.wrote = False
        self.seconds = 0.0
        self.details: dict[str, Any] = {
            "board": job.profile.name,
            "chip": job.profile.chip,
            **(details or {}),
        }
        self._job = job
        self._name = name
        self._causes = causes

    def report(self, phase: str, percent: float | None) -> None:
        """Tell how far it is."""
        self.wrote = self.wrote or phase in WRITING_PHASES
        self._job.listener.phase(phase, percent, "")

    async def run(
        self,
        arguments: Sequence[str],
        *,
        timeout: float,
        on_line: Callable[[str], None] = lambda _line: None,
        on_growth: Callable[[bytearray], None] = lambda _line: None,
        take: Callable[[str], bool] = lambda _line: False,
        give_up: Callable[[str], bool] = lambda _line: False,
    ) -> ChildExit:
        """Run one command to its end, however that is.

        Args:
            timeout: seconds after which it is ended.
            on_line: told of each line.
            on_growth, take: see ToolOutput.
            give_up: whether a line shows that there is no use in going on; the tool is ended then.
        """
        listener = self._job.listener
        listener.line("$ " + " ".join(arguments))
        seen: list[str] = []
        started = time.monotonic()
        loop = asyncio.get_running_loop()
        given_up = False
        limit = asyncio.timeout(None)

        def line_came(line: str) -> None:
            nonlocal given_up
            listener.line(line)
            seen.append(line)
            on_line(line)
            if not given_up and give_up(line):
                given_up = True
                limit.reschedule(loop.time())

        output = ToolOutput(line_came, on_growth, take)
        try:
            async with limit:
                ended = await self._job.runner.run(arguments, timeout=timeout, on_output=output.feed)
        except TimeoutError:
            tail = "\n".join(seen)[-TAIL_CHARACTERS:]
            ended = ChildExit(-15, False, time.monotonic() - started, tail)
        output.finish()
        self.seconds += ended.seconds
        return ended

    async def must_run(
        self,
        arguments: Sequence[str],
        *,
        timeout: float,
        on_line: Callable[[str], None] = lambda _line: None,
        on_growth: Callable[[bytearray], None] = lambda _line: None,
        take: Callable[[str], bool] = lambda _line: False,
    ) -> ChildExit:
        """Run one command that must succeed; arguments as for ``run``.

        Raises:
            FlashError: it did not.
        """
        ended = await self.run(arguments, timeout=timeout, on_line=on_line, on_growth=on_growth, take=take)
        if not succeeded(ended):
            raise self.failure(ended)
        return ended

    def failure(self, ended: ChildExit) -> FlashError:
        """What a failed run means."""
        return explain_failure(
            self._name,
            self._causes,
            ended,
            wrote=self.wrote,
            port=self._job.port,
            details=self.details,
        )

    def refusal(self, cause: Cause, output: str = "", **details: Any) -> FlashError:
        """An error that the tool does not tell of itself."""
        values = {
            "output": output,
            "port": self._job.port,
            "holder": "",
            "tool": self._name,
            "wrote": self.wrote,
            **self.details,
            **details,
        }
        return failure_of(cause, values)


def succeeded(ended: ChildExit) -> bool:
    """Whether a run ended well: the exit code says so, not the words (AC5)."""
    return ended.returncode == 0 and not ended.timed_out


def number_in(pattern: str, text: str) -> int | None:
    """The number that the first group of a pattern finds: decimal, or hexadecimal after ``0x``."""
    found = re.search(pattern, text, re.IGNORECASE)
    return int(found[1], 0) if found else None
