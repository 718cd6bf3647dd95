"""Tells the person what happens: a line for each step with its time, moving on a terminal, and a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

REFRESH_S = 0.5


class Progress:
    """Writes steps to a stream and everything that the tools say to a log file.

    Args:
        log_path: file that receives the output of every child process; begun anew when first needed.
        verbose: also show that output.
        stream: where the steps are written; standard output when not given.
    """

    def __init__(self, log_path: Path, *, verbose: bool = False, stream: TextIO | None = None) -> None:
        self.log_path = log_path
        self.verbose = verbose
        self._stream = stream or sys.stdout
        self._moving = self._stream.isatty() and not verbose
        self._latest = ""
        self._log_begun = False

    def say(self, text: str) -> None:
        """Write a line for the person."""
        self._stream.write(text + "\n")
        self._stream.flush()

    def log(self, line: str) -> None:
        """Keep a line of a tool in the log file, and show it when verbose."""
        self.log_path.parent.mkdir(parents=True, exist_ok=True)
        with self.log_path.open("a" if self._log_begun else "w", encoding="utf-8") as file:
            file.write(line + "\n")
        self._log_begun = True
        self._latest = line.strip()
        if self.verbose:
            self.say("    " + line)

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Announce ``title``, show that time passes, and end with how long it took."""
        begun = time.monotonic()
        self._latest = ""
        self.log(f"== {title}")
        if not self._moving:
            self.say(f"{title} ...")
        stop = threading.Event()
        mover = threading.Thread(target=self._move, args=(title, begun, stop), name="progress", daemon=True)
        if self._moving:
            mover.start()
        outcome = "stopped"
        try:
            yield
            outcome = "done"
        finally:
            stop.set()
            if self._moving:
                mover.join()
            seconds = time.monotonic() - begun
            ending = f"{outcome} {'in' if outcome == 'done' else 'after'} {seconds:.1f} s"
            self.say(f"\r\033[K{title} ... {ending}" if self._moving else f"    {ending}")

    def _move(self, title: str, begun: float, stop: threading.Event) -> None:
        while not stop.wait(REFRESH_S):
            line = f"{title} ... {time.monotonic() - begun:.0f} s  {self._latest}"
            self._stream.write("\r\033[K" + line[:100])
            self._stream.flush()
