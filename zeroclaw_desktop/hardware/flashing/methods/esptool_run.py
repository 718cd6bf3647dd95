"""One run of esptool, or the same run again at lower and lower baud rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import EsptoolOptions
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.failures import OUTPUT_KEPT, explain_failure
from zeroclaw_desktop.hardware.flashing.method import ChipIdentity, FlashJob
from zeroclaw_desktop.hardware.flashing.methods.esptool_causes import CAUSES, last_words, slower_may_help
from zeroclaw_desktop.hardware.flashing.methods.esptool_output import EsptoolOutput, identity_of

FIRST_BAUD = 115_200
"""The loader in ROM begins at it; other rates are agreed upon later."""
LARGEST_USUAL_FLASH = 16 << 20
"""Assumed for the time limit while the chip has not told."""
SETTLE_SECONDS = 60.0
"""Most that connecting and starting the stub may take."""
BITS_A_BYTE = 10
SECONDS_A_MEGABYTE_ERASED = 40.0
"""ISSI, Winbond and GigaDevice state at most 0.4 s for a sector of 4 KiB; usual is a tenth of that."""
_ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",  # progress while it happens, not in blocks of 4 KiB
    "PYTHONIOENCODING": "utf-8:replace",  # its bars are not in the code pages of Windows
    "NO_COLOR": "1",
    "COLUMNS": "120",
}


def options_of(profile: BoardProfile) -> EsptoolOptions:
    """The board's table for esptool."""
    options = profile.flash.options["esptool"]
    assert isinstance(options, EsptoolOptions)
    return options


class EsptoolRun:
    """Runs esptool for a job.

    Args:
        sizes: bytes of each part that is read or written, in order.

    Attributes:
        identity: the chip that the last run has talked to.
        verified: number of parts whose hash the chip has confirmed.
        seconds: run time of all runs.
    """

    def __init__(self, job: FlashJob, sizes: Sequence[int] = ()) -> None:
        self.identity: ChipIdentity | None = None
        self.verified = 0
        self.seconds = 0.0
        self._job = job
        self._options = options_of(job.profile)
        self._sizes = sizes
        self._wrote = False
        self._tail = ""

    async def offline(self, command: Sequence[str]) -> None:
        """A command that needs no board.

        Raises:
            FlashError: it failed.
        """
        ended = await self._start(["--chip", self._options.chip, *command], SETTLE_SECONDS)
        if ended.returncode != 0 or ended.timed_out:
            raise self._explained(ended)

    async def go(self, command: Sequence[str], *, stub: bool = True, baud: int = FIRST_BAUD) -> None:
        """A command that leaves the chip in its loader.

        Args:
            stub: whether to load Espressif's faster loader into its memory first.

        Raises:
            FlashError: it failed.
        """
        ended = await self._connected(command, stub=stub, baud=baud, last=False)
        if ended.returncode != 0 or ended.timed_out:
            raise self._explained(ended)

    async def go_down_the_ladder(self, command: Sequence[str], *, last: bool = False) -> None:
        """The same, at the fastest rate that works.

        Args:
            last: whether the chip is to start its program afterwards.

        Raises:
            FlashError: it failed, at the lowest rate too.
        """
        bauds = self._options.bauds
        if self._job.by_hand:
            bauds = (FIRST_BAUD,)  # nobody resets the chip before a second try
        for number, baud in enumerate(bauds):
            ended = await self._connected(command, stub=True, baud=baud, last=last)
            if ended.returncode == 0 and not ended.timed_out:
                return
            if number + 1 == len(bauds) or not slower_may_help(ended):
                raise self._explained(ended)
            self._job.listener.line(f"That failed at {baud} baud; trying again at {bauds[number + 1]} baud.")

    async def _connected(self, command: Sequence[str], *, stub: bool, baud: int, last: bool) -> ChildExit:
        job, size = self._job, sum(self._sizes)
        after = "no-reset"
        if last:  # while DTR keeps still, RTS alone resets few boards; some chips can do it themselves
            after = "watchdog-reset" if job.by_hand else "hard-reset"
        before = "no-reset" if job.by_hand else "default-reset"
        # All of them are given, because variables of the person may set others.
        arguments = ["--chip", "auto", "--port", job.port, "--baud", str(baud)]
        arguments += ["--before", before, "--after", after, *([] if stub else ["--no-stub"])]
        line_seconds = 2 * size * BITS_A_BYTE / baud
        erase_seconds = size / (1 << 20) * SECONDS_A_MEGABYTE_ERASED
        return await self._start([*arguments, *command], SETTLE_SECONDS + line_seconds + erase_seconds)

    async def _start(self, arguments: Sequence[str], seconds: float) -> ChildExit:
        job = self._job
        output = EsptoolOutput(self._sizes, self._moved_on, self._said)
        argv = [*job.tool.argv, *arguments]
        job.listener.line("$ " + " ".join(argv))
        ended = await job.runner.run(argv, timeout=seconds, on_output=output.feed, environment=_ENVIRONMENT)
        output.finish()
        self.seconds += ended.seconds
        self.verified = output.verified
        self._tail = ended.tail
        self.identity = identity_of(ended.tail.replace("\r\n", "\n"))
        return ended

    def _moved_on(self, phase: str, percent: float) -> None:
        self._wrote = self._wrote or phase == "write"
        self._job.listener.phase(phase, percent, "")

    def _said(self, line: str) -> None:
        if line.startswith("Flash will be erased") and not self._wrote:
            self._moved_on("write", 0.0)
        self._job.listener.line(line)

    def _explained(self, ended: ChildExit) -> FlashError:
        error = explain_failure(
            "esptool",
            CAUSES,
            replace(ended, tail=last_words(ended.tail)),
            wrote=self._wrote,
            port=self._job.port,
        )
        error.details |= {"output": ended.tail[-OUTPUT_KEPT:], "wrote": self._wrote}
        return error

    def failed(self, reason: str) -> FlashError:
        """The error for a run that ended well and yet did not do what it must."""
        after = " The board may have no working firmware now; flash again." if self._wrote else ""
        return FlashError(
            f"esptool failed ({reason}).{after}",
            hint="Read the log below, then try again.",
            code="flash_failed",
            retryable=True,
            details={"reason": reason, "output": self._tail[-OUTPUT_KEPT:], "port": self._job.port},
        )
