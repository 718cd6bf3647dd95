"""The other end of a serial line: a pseudo terminal on which a test plays the board."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import tty
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import SerialLine
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

#: An Uno that needs no time after opening, so that a silent one is given up early.
QUICK_UNO = replace(board_catalog()["arduino-uno"], serial=SerialLine(settle_seconds=0.0))
CAPABILITIES = {"fw": "zeroclaw-arduino", "version": "1.0.0", "window": 4, "window_bytes": 240, "proto": 1}
STATE = {"mode": "--iiiiiiiiiiioiiiiii", "level": "--000000000001000000", "pwm": {}, "servo": {}}

Request = Mapping[str, Any]
Answer = bytes | None


def reply(request: Request, result: Any) -> bytes:
    return json.dumps({"id": request["id"], "ok": True, "result": result}).encode() + b"\n"


def refuse(request: Request, error: str, code: str = "unknown_command") -> bytes:
    row = {"id": request["id"], "ok": False, "error": error, "code": code}
    return json.dumps(row).encode() + b"\n"


def as_our_firmware(request: Request) -> Answer:
    """Answers of the firmware of this project, as SPEC.md has them."""
    results = {
        "ping": "pong",
        "capabilities": json.dumps(CAPABILITIES),
        "state": STATE,
        "gpio_write": "done",
        "subscribe": "done",
        "unsubscribe": {"ended": 1},
        "stop_all": {"stopped": 1},
    }
    command = request["cmd"]
    return reply(request, results[command]) if command in results else refuse(request, "Unknown command")


def as_upstream_firmware(request: Request) -> Answer:
    """Answers of the upstream sketch: capabilities as text, an empty result beside an error."""
    results = {
        "ping": "pong",
        "capabilities": '{"gpio":[2,3,13],"led_pin":13}',
        "gpio_read": "0",
        "gpio_write": "done",
    }
    if request["cmd"] in results:
        return reply(request, results[request["cmd"]])
    row = {"id": request["id"], "ok": False, "result": "", "error": "Unknown command"}
    return json.dumps(row).encode() + b"\n"


class FarEnd:
    """Plays the board; use on a running loop.

    Args:
        path: a link that leads to the terminal, so that the port can vanish and come back by name.
        behave: answer to a request; None keeps silent.
    """

    def __init__(self, path: Path, behave: Callable[[Request], Answer] = as_our_firmware) -> None:
        self.path = path
        self.behave = behave
        self.requests: list[dict[str, Any]] = []
        self.raw = bytearray()
        self._line = bytearray()
        self._master = -1
        self._slave = -1
        self._loop = asyncio.get_running_loop()
        self.plug_in()

    def plug_in(self) -> None:
        """Appear under the path."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))
        self._loop.add_reader(self._master, self._readable)

    def unplug(self) -> None:
        """Vanish."""
        if self._master < 0:
            return
        self._loop.remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._line.clear()
        self.path.unlink(missing_ok=True)

    def say(self, data: bytes) -> None:
        """Send bytes to the host."""
        if data and self._master >= 0:
            os.write(self._master, data)

    def stop_reading(self) -> None:
        """Take nothing any more, so that the line fills up."""
        self._loop.remove_reader(self._master)

    def _readable(self) -> None:
        try:
            data = os.read(self._master, 65_536)
        except OSError:
            return
        self.raw += data
        for byte in data:
            if byte not in b"\r\n":
                self._line.append(byte)
                continue
            line, self._line = bytes(self._line), bytearray()
            if line:
                self._line_came(line)

    def _line_came(self, line: bytes) -> None:
        with contextlib.suppress(ValueError):
            request = json.loads(line)
            self.requests.append(request)
            answer = self.behave(request)
            if answer is not None:
                self.say(answer)

    def commands(self) -> list[str]:
        """Names of the requests that came, in order."""
        return [request["cmd"] for request in self.requests]


async def until(condition: Callable[[], object], what: str, seconds: float = 10.0) -> None:
    """Wait for something that must happen."""
    try:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"{what} did not happen within {seconds:g} s") from None
