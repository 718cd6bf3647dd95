"""A real redis-server on a free loopback port, with or without a memory that outlives it."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PATIENCE_SECONDS = 15.0


def missing_programs() -> str:
    """Say what to install; '' when all is there."""
    return "" if shutil.which("redis-server") else "needs a Redis: apt install redis-server"


def free_port() -> int:
    """A loopback port that nobody has now."""
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])


class RedisServer:
    """redis-server in a folder of its own; may be ended and started again on the same port.

    Args:
        persistent: whether every change is on the disk before it is acknowledged.
    """

    def __init__(self, folder: Path, *, persistent: bool = False, options: tuple[str, ...] = ()) -> None:
        self.port = free_port()
        self._folder = folder
        self._log = folder / "redis.log"
        self._options = [
            "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "",
            "--appendonly", "yes" if persistent else "no", "--appendfsync", "always", *options,
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address for the product."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(["redis-server", *self._options], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self._log.read_text()
            # A locked server answers too, by a refusal; one that still loads says so.
            if self.say("PING").startswith(("+PONG", "-NOAUTH")):
                return
            time.sleep(0.02)
        raise AssertionError(f"redis-server does not answer: {self._log.read_text()}")

    def say(self, command: str) -> str:
        """Send one inline command (by the protocol, without any library); the first part of the answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1.0) as plug:
                plug.sendall(command.encode() + b"\r\n")
                return plug.recv(4096).decode()
        except OSError:
            return ""

    def freeze(self) -> None:
        """Let it live and do nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
