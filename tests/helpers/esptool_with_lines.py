"""Runs esptool with modem lines on a pseudo terminal, which has none of its own.

A program for ``ZEROCLAW_ESPTOOL``. The requests that set DTR and RTS are caught and told to the double
through a datagram socket that lies beside its port; everything else is esptool itself. Arguments are
esptool's.
"""

from __future__ import annotations

import fcntl
import runpy
import socket
import struct
import sys
import termios
from pathlib import Path
from typing import Any

SUFFIX = ".lines"
_real = fcntl.ioctl
_lines = {"bits": termios.TIOCM_DTR | termios.TIOCM_RTS}
"""Linux sets both when it opens a port."""


def _port() -> str:
    return sys.argv[sys.argv.index("--port") + 1]


def _tell() -> None:
    bits = _lines["bits"]
    state = bytes([bool(bits & termios.TIOCM_DTR), bool(bits & termios.TIOCM_RTS)])
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.connect(_port() + SUFFIX)
        line.send(state)


def _ioctl(handle: Any, request: int, argument: Any = 0, mutate: bool = True) -> Any:
    """Modem lines by the socket, the rest by the system."""
    if request == termios.TIOCMGET:
        return struct.pack("I", _lines["bits"])
    if request not in (termios.TIOCMSET, termios.TIOCMBIS, termios.TIOCMBIC):
        return _real(handle, request, argument, mutate)
    (bits,) = struct.unpack("I", argument)
    if request == termios.TIOCMSET:
        _lines["bits"] = bits
    elif request == termios.TIOCMBIS:
        _lines["bits"] |= bits
    else:
        _lines["bits"] &= ~bits
    _tell()
    return 0


def program(folder: Path) -> Path:
    """A file that may be executed and does this."""
    path = folder / "esptool-with-lines"
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{__file__}' \"$@\"\n", encoding="utf-8")
    path.chmod(0o755)
    return path


if __name__ == "__main__":
    sys.path.pop(0)
    fcntl.ioctl = _ioctl
    runpy.run_module("esptool", run_name="__main__", alter_sys=True)
