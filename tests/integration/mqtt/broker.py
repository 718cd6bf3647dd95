"""A real mosquitto on a free loopback port, and a real mosquitto_sub that listens to it."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 15.0
PROGRAMS = {"mosquitto": "mosquitto", "mosquitto_sub": "mosquitto-clients", "stdbuf": "coreutils"}


def program(name: str) -> str | None:
    """Path of a program; Debian puts mosquitto where only root looks."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def missing_programs() -> str:
    """Say what to install; '' when all is there."""
    missing = [package for name, package in PROGRAMS.items() if program(name) is None]
    return f"needs a broker: apt install {' '.join(missing)}" if missing else ""


def free_port() -> int:
    """A loopback port that nobody has now."""
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])


class Broker:
    """mosquitto in a folder of its own; may be ended and started again on the same port."""

    def __init__(self, folder: Path, extra: str = "allow_anonymous true\n") -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\npersistence false\n{extra}")
        self._log = folder / "mosquitto.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Address for the reporter."""
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        path = program("mosquitto")
        assert path is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([path, "-c", str(self._config)], stdout=log, stderr=log)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            assert self._process.poll() is None, self._log.read_text()
            try:
                with socket.create_connection(("127.0.0.1", self.port), 0.2):
                    return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"mosquitto does not answer: {self._log.read_text()}")

    def freeze(self) -> None:
        """Let it live and do nothing: the slowest of brokers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """End it, also a frozen one."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._process = None


@dataclass(frozen=True)
class Heard:
    """One message as the independent client got it."""

    topic: str
    qos: int
    retain: bool
    text: str

    @property
    def row(self) -> Any:
        """The message read as JSON."""
        return json.loads(self.text)


class Listener:
    """mosquitto_sub, which shares no code with the product.

    Use as ``async with Listener(broker) as listener``; messages are in ``heard``.
    """

    def __init__(self, broker: Broker, topics: str = "zeroclaw/#", options: tuple[str, ...] = ()) -> None:
        self._arguments = [
            "-h", "127.0.0.1", "-p", str(broker.port), "-t", topics, "-q", "1",
            "-F", "%t\t%q\t%r\t%p", *options,
        ]  # fmt: skip
        self.heard: list[Heard] = []
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Listener:
        path = program("mosquitto_sub")
        assert path is not None
        # In debug mode the client says when it is subscribed; only then may the test go on. stdbuf
        # (coreutils) keeps it from holding those lines back.
        self._process = await asyncio.create_subprocess_exec(
            "stdbuf",
            "-oL",
            path,
            "-d",
            *self._arguments,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            limit=1 << 20,
        )
        subscribed = asyncio.Event()
        self._reading = asyncio.get_running_loop().create_task(self._read(subscribed))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await subscribed.wait()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_fault: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def _read(self, subscribed: asyncio.Event) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            text = line.decode("utf-8").rstrip("\n")
            if text.startswith(("Subscribed (mid", "Client ")):
                if text.startswith("Subscribed"):
                    subscribed.set()
                continue
            topic, qos, retain, payload = text.split("\t", 3)
            self.heard.append(Heard(topic, int(qos), retain == "1", payload))
            self._changed.set()

    def status(self, device_id: str | None = None) -> list[Any]:
        """Status rows so far, of all devices or one."""
        return [
            message.row
            for message in self.heard
            if message.topic.endswith("/status" if device_id is None else f"/{device_id}/status")
        ]

    async def until(self, ready: Any) -> None:
        """Wait until ``ready()`` is true; fails the test when it never is."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not ready():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"never came; heard: {self.heard[-5:]}") from None


async def until(ready: Any) -> None:
    """Wait until ``ready()`` is true; fails the test when it never is."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not ready():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError("it never became true") from None


class Gate:
    """A relay in front of a broker: while it is shut, connections are refused and open ones are cut.

    Use as ``async with Gate(broker) as gate``; it starts open.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.port = free_port()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Address for the reporter."""
        return f"mqtt://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Gate:
        await self.open()
        return self

    async def __aexit__(self, *_fault: object) -> None:
        await self.shut()

    async def open(self) -> None:
        """Let connections through."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", self.port)

    async def shut(self) -> None:
        """Cut everything."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._writers:
                await asyncio.sleep(0.005)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            inner, outer = await asyncio.open_connection("127.0.0.1", self._broker.port)
            self._writers.add(outer)
            try:
                await asyncio.gather(_copy(reader, outer), _copy(inner, writer))
            finally:
                self._writers.discard(outer)
        except OSError:
            writer.close()
        finally:
            self._writers.discard(writer)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.transport.abort()
