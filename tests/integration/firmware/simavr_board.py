"""An Arduino Uno in simavr on a pseudo terminal, in real time: a second opinion, and a board for avrdude."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path

SOURCE = Path(__file__).with_name("simavr_uno.c")


def missing_tools() -> str:
    """Return what is missing for these tests and how to get it; empty when all is there."""
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        return "simavr is missing (Debian: apt install libsimavr-dev libelf-dev)"
    missing = [tool for tool in ("cc", "avrdude") if shutil.which(tool) is None]
    return f"missing: {' '.join(missing)} (Debian: apt install gcc avrdude)" if missing else ""


def build(folder: Path) -> Path:
    """Compile the simavr host into folder; returns the program."""
    program = folder / "simavr_uno"
    command = ["cc", "-O2", "-Wall", "-o", str(program), str(SOURCE), "-lsimavr", "-lelf", "-lm"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return program


class SimavrBoard:
    """A running simavr; see simavr_uno.c for what it reads and prints.

    Attributes:
        port: path of its serial port.
        edges: (pin, level, cycle) of all changes of pins so far.
    """

    def __init__(self, program: Path, *images: Path, boot: bool, mega: bool = False) -> None:
        kind = ["--mega"] if mega else []
        command = [str(program), *kind, *map(str, images), *(["--boot"] if boot else [])]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().split()[1]
        self.edges: list[tuple[int, int, int]] = []
        self._reader = threading.Thread(target=self._read_edges)
        self._reader.start()

    def _read_edges(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            kind, *numbers = line.split()
            if kind == "pin":
                pin, level, cycle = map(int, numbers)
                self.edges.append((pin, level, cycle))

    def order(self, text: str) -> None:
        """Give one order, such as "adc 0 2500" (millivolts) or "pin 2 1"."""
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the simulation; asserts that the chip did not crash."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=10) == 0
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
