"""A serial line as a destination: status lines for a monitor on a port of its own.

The port must not be a board's: a board would take the lines for requests. The handle is given by whoever may
open ports; this room knows none.
"""

from __future__ import annotations

from typing import Protocol

from zeroclaw_desktop.execution.reporters.background import BackgroundReporter

SERIAL_QUEUE_LIMIT = 100


class WritablePort(Protocol):
    """An open port; ``hardware.transport.PortHandle`` is one."""

    def write(self, data: bytes) -> None:
        """Write all of ``data``; may block, may raise."""

    def close(self) -> None:
        """Let go of the port."""


class _PortLines:
    """Puts line ends on."""

    def __init__(self, port: WritablePort) -> None:
        self._port = port

    def write(self, line: bytes) -> None:
        self._port.write(line + b"\n")

    def close(self) -> None:
        self._port.close()


class SerialReporter(BackgroundReporter):
    """Writes the end of each action to a serial line; on a slow one the newest reports are kept.

    Args:
        port: an open port, owned and closed by the reporter from now on.
        limit: how many reports wait at most.
    """

    def __init__(self, port: WritablePort, *, limit: int = SERIAL_QUEUE_LIMIT) -> None:
        super().__init__(_PortLines(port), "serial", limit=limit)
