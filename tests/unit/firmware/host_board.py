"""Builds the protocol core for this computer, with sanitizers, and talks to it through its test driver."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.unit.firmware.vectors import FIRMWARE, PinState

DRIVER = Path(__file__).with_name("host_board.c")
PROTOCOL = FIRMWARE / "protocol"
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Werror"]


def compiler() -> tuple[list[str], str]:
    """Return the C compiler's command and the sanitizers that it can link."""
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found and sys.platform != "win32":
            return [found], "address,undefined"
    return [sys.executable, "-m", "ziglang", "cc"], "undefined"


def build(folder: Path) -> Path:
    """Compile the core and the driver into folder; returns the program."""
    command, sanitizers = compiler()
    program = folder / "host_board.exe"
    flags = ["-std=c99", "-O1", "-g", f"-I{PROTOCOL}"]
    flags += [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
    core = [str(path) for path in sorted(PROTOCOL.glob("zc_*.c"))]
    run = [*command, *flags, *WARNINGS, "-o", str(program), str(DRIVER), *core]
    result = subprocess.run(run, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return program


class HostBoard:
    """A running driver; see host_board.c for its orders.

    Args:
        command: the driver and its arguments.
        variables: added to its environment.
    """

    def __init__(self, *command: Path | str, **variables: str) -> None:
        sanitizers = {"UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "detect_leaks=0"}
        environment = {**os.environ, **sanitizers, **variables}
        self._process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def close(self) -> None:
        """End the driver and assert that it ended well."""
        _, complaint = self._process.communicate()
        assert self._process.returncode == 0, complaint

    def _order(self, text: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()
        results: list[str] = []
        for line in self._process.stdout:
            if line == "ok\n":
                return results
            results.append(line.rstrip("\n"))
        raise AssertionError(f"the driver ended at '{text[:200]}': {self._process.communicate()[1]}")

    def _sent(self, text: str) -> bytes:
        return b"".join(bytes.fromhex(line.removeprefix("sent ")) for line in self._order(text))

    def boot(self, cause: str = "power") -> bytes:
        """Start anew; returns what the board sent."""
        return self._sent(f"boot {cause}")

    def receive(self, data: bytes) -> bytes:
        """Give the board bytes from the line; returns what it sent."""
        return self._sent(f"recv {data.hex()}") if data else b""

    def advance(self, milliseconds: int) -> bytes:
        """Let time pass; returns what the board sent."""
        return self._sent(f"tick {milliseconds}")

    def set_analog(self, channel: int, value: int) -> None:
        """Set the value of an analog input."""
        self._order(f"analog {channel} {value}")

    def drive(self, pin: int, level: int | None) -> None:
        """Drive an input pin from outside, or let it go (None)."""
        self._order(f"drive {pin} {2 if level is None else level}")

    def set_room(self, count: int) -> None:
        """Set the free places in the transmit buffer."""
        self._order(f"room {count}")

    def pins(self) -> dict[int, PinState]:
        """Return the state of all pins that are not reserved."""
        states = {}
        for line in self._order("pins"):
            if not line.startswith("pin "):
                continue
            _, number, mode, level, value = line.split()
            states[int(number)] = PinState(mode, int(level), int(value))
        return states
