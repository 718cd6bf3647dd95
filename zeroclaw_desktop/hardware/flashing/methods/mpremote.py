"""mpremote (MIT, a child process) and a board that runs MicroPython: programs are copied as files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import MicropythonOptions
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.contracts.processes import ChildExit
from zeroclaw_desktop.hardware.flashing import micropython_scripts as scripts
from zeroclaw_desktop.hardware.flashing.failures import PORT_CAUSES, Cause
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, check_fit, unfit
from zeroclaw_desktop.hardware.flashing.method import FlashJob
from zeroclaw_desktop.hardware.flashing.tool_run import ToolRun, succeeded
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

MPREMOTE = ToolSpec(
    "mpremote",
    (),
    Words("copies programs to boards that run MicroPython", "向运行 MicroPython 的开发板复制程序"),
    {"linux": "python -m pip install mpremote"},
    "mpremote",
)
"""Only our own environment's: what stands on the search path may have another command line."""
SPARE_BYTES = 8_192
"""A file system needs some room for its own tables."""
STEPS_A_RUN = 100
"""A command line may not be too long on Windows; each run but the first goes on where the last one ended."""
ANSWER_SECONDS = 25.0
"""mpremote waits 10 s for the prompt, and for ever for some other answers."""
RUN_SECONDS = 60.0
STEP_SECONDS = 3.0
PAUSE_SECONDS = 1.0
NO_RAW_REPL = r"could not enter raw repl|could not exec command|timeout waiting for"
NOT_LISTENING = Cause(
    NO_RAW_REPL,
    "raw_repl",
    "The board does not stop its program to take a new one, or does not run MicroPython. "
    "Nothing was changed.",
    "Press its reset button and try again at once. If it has no MicroPython yet, flash that first.",
)
CAUSES = (
    Cause(
        scripts.BOARD_FULL,
        "board_full",
        "The file system of the board has too little room for the programs. Nothing was changed.",
        "Delete files on the board, or copy less.",
    ),
    Cause(
        scripts.DIFFERS,
        "verify_failed",
        "What was read back from the board differs from what was copied. The old program is still there.",
        "Try again; if it fails again, try another cable or port.",
    ),
    Cause(
        r"oserror: (?:\[errno 30\]|30\b)|erofs|read-only",
        "board_read_only",
        "The board does not let programs be written: its files are read-only. Nothing was changed.",
        "On a board with CircuitPython, copy the files to its drive CIRCUITPY instead.",
    ),
    *PORT_CAUSES,
    Cause(
        r"in use by another program",
        "port_busy",
        "The port could not be opened; it may be in use by another program.",
        "Close the other program and try again.",
    ),
    NOT_LISTENING,
)


def options_of(profile: BoardProfile) -> MicropythonOptions:
    """The board's table for mpremote."""
    options = profile.flash.options["mpremote"]
    assert isinstance(options, MicropythonOptions)
    return options


def files_for_board(image: FirmwareImage, options: MicropythonOptions) -> Mapping[str, bytes]:
    """The files by their names on the board: a single program takes the name that runs at power-up."""
    if len(image.files) == 1:
        (name, content) = next(iter(image.files.items()))
        if "/" not in name and name.endswith(".py"):
            return {options.main: content}
    return image.files


class Mpremote:
    """See FlashMethod."""

    key = "mpremote"
    image_kinds = frozenset({"python"})
    needs_port = True
    verifies = True

    def find_tool(self) -> Tool:
        """See FlashMethod."""
        return find_tool(MPREMOTE)

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """See FlashMethod."""
        check_fit(image, profile)
        files, main = files_for_board(image, options_of(profile)), options_of(profile).main
        if len(files) == 1 and main not in files:
            raise unfit(
                image.path, f"a single compiled file does not start by itself; put a {main} beside it"
            )
        for name in files:
            if name.startswith("/") or ".." in name.split("/") or name.endswith(scripts.NEW):
                raise unfit(image.path, f"'{name}' is no name for a file of the board")

    async def write(self, job: FlashJob) -> float:
        """See FlashMethod."""
        options = options_of(job.profile)
        files = files_for_board(job.image, options)
        if options.main not in files:
            job.listener.line(f"There is no {options.main} among the files, so nothing starts at power-up.")
        copying = _Copying(job, files)
        await copying.go()
        return copying.run.seconds


class _Copying:
    """One job: the steps, in as few runs of mpremote as a command line allows."""

    def __init__(self, job: FlashJob, files: Mapping[str, bytes]) -> None:
        self.run = ToolRun(job, "mpremote", CAUSES)
        self._job = job
        self._files = files
        self._total = max(1, sum(map(len, files.values())))
        self._copied = 0
        self._answered = False

    async def go(self) -> None:
        """Copy, compare, let the copies take their places, restart the board.

        Raises:
            FlashError: it failed.
        """
        probing, *steps = self._write_steps()
        await self._ask(probing)
        groups = [steps[at : at + STEPS_A_RUN] for at in range(0, len(steps), STEPS_A_RUN)]
        for number, group in enumerate(groups, start=1):
            timeout = RUN_SECONDS + STEP_SECONDS * len(group)
            ended = await self._run(group, timeout, resume=True, last=number == len(groups))
            if not succeeded(ended):
                raise self.run.failure(ended)

    async def _ask(self, probing: Path) -> None:
        """Stop the board's program and ask what it runs; where a soft reset hangs, without one (AC45)."""
        ended = await self._run([probing], ANSWER_SECONDS, resume=False)
        if self._is_deaf(ended):
            self._job.listener.line("The board did not come back from a soft reset; once more without one.")
            await asyncio.sleep(PAUSE_SECONDS)
            ended = await self._run([probing], ANSWER_SECONDS, resume=True)
        if self._is_deaf(ended):
            raise self.run.refusal(NOT_LISTENING, ended.tail)
        if not succeeded(ended):
            raise self.run.failure(ended)

    def _is_deaf(self, ended: ChildExit) -> bool:
        if succeeded(ended) or self._answered:
            return False
        return ended.timed_out or re.search(NO_RAW_REPL, ended.tail, re.IGNORECASE) is not None

    async def _run(
        self, group: Sequence[Path], timeout: float, *, resume: bool, last: bool = False
    ) -> ChildExit:
        arguments = [*self._job.tool.argv, "connect", self._job.port]
        if resume:
            arguments.append("resume")
        for step in group:
            arguments += ["+", "run", str(step)]
        if last:
            arguments += ["+", "reset"]
        return await self.run.run(arguments, timeout=timeout, take=self._take)

    def _write_steps(self) -> list[Path]:
        """Programs for the board, as files of the job in their order."""
        files = self._files
        programs = [scripts.probing(self._total + SPARE_BYTES)]
        folders = scripts.folders_of(files)
        if folders:
            programs.append(scripts.making_folders(folders))
        programs += [*scripts.copying(files), scripts.comparing(files), scripts.taking_place(files)]
        paths = []
        for number, program in enumerate(programs):
            path = self._job.folder / f"step-{number:04d}.py"
            path.write_text(program, encoding="utf-8")
            paths.append(path)
        return paths

    def _take(self, line: str) -> bool:
        if not line.startswith(scripts.MARK):
            return False
        word, _, rest = line.removeprefix(scripts.MARK).partition(" ")
        if word == "board":
            self._answered = True
            self._job.listener.line(f"The board runs {rest}.")
            self.run.report("copy", 0.0)
        elif word == "copied" and rest.isdigit():
            self._copied += int(rest)
            self.run.report("copy", min(100.0, self._copied * 100.0 / self._total))
        elif word == "same":
            self._job.listener.line(f"The board has read back {rest} files: they are what was sent.")
        elif word == "swap":
            self.run.report("write", 0.0)
        elif word == "done":
            self.run.report("write", 100.0)
        return True
