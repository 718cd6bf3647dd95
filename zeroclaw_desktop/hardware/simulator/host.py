"""The simulator process: lets the board live in real time and carries bytes and pin states to and fro.

Orders come as JSON lines on standard input, news goes as JSON lines to standard output: ``ready`` once, then
``pins`` when something changed. The end of standard input ends the process, so it never outlives the app.
"""

from __future__ import annotations

import json
import os
import queue
import select
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from zeroclaw_desktop.hardware.simulator.line_faults import GARBAGE, LineFaults
from zeroclaw_desktop.hardware.simulator.line_link import LineLink
from zeroclaw_desktop.hardware.simulator.line_pty import LinePty
from zeroclaw_desktop.hardware.simulator.line_tcp import LineTcp
from zeroclaw_desktop.hardware.simulator.machine import SimulatedMachine
from zeroclaw_desktop.hardware.simulator.waves import WaveMeter

ANSWERING_SECONDS, ANSWERING_SLICE = 0.05, 0.001
"""So long after a request an answer is awaited, and the board lives in slices this short."""
TALKING_SECONDS, TALKING_SLICE = 0.5, 0.004
"""So long after the last byte in either direction it is not idle: telemetry keeps its pace."""
IDLE_SLICE = 0.010
PUBLISH_SECONDS = 0.016
QUIET_PUBLISH_SECONDS = 0.05
"""Pins are looked at less often while they stand still."""
MAX_LAG = 0.25
"""When the machine could not keep up by more than this, the board's time slips instead of racing."""
MAX_EDGES = 2_000
LONG_LINE_BYTES = 1_000_000


class _Orders:
    """Reads standard input on a thread and wakes the main loop."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.waitable, self._waker = socket.socketpair()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)
            self._waker.send(b"o")
        self._lines.put(None)
        self._waker.send(b"e")

    def take(self) -> list[dict[str, Any] | None]:
        """Orders that came; None means the app has gone."""
        self.waitable.recv(4096)
        orders: list[dict[str, Any] | None] = []
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return orders
            orders.append(None if line is None else json.loads(line))


class SimulatorHost:
    """One board, its lines and its loop.

    Args:
        machine: the board.
        with_pty: whether other programs get a pseudo terminal; else a TCP port.
    """

    def __init__(self, machine: SimulatedMachine, *, with_pty: bool) -> None:
        self._machine = machine
        self._with_pty = with_pty
        self._orders = _Orders()
        self._link = LineLink()
        self._outside: LinePty | LineTcp | None = self._make_outside()
        self._plugged = True
        self._quit = False
        self._last_request = self._last_sent = 0.0
        self._last_published = 0.0
        self._publish_every = PUBLISH_SECONDS
        self._shown: tuple[Any, ...] = ()
        self._slipped = 0.0
        self._edges: list[tuple[float, int, int]] = []
        self._edges_lost = 0
        self._meter = WaveMeter()
        self._board_seconds = 0.0
        self._lasting = LineFaults()
        self._stuck: dict[int, int] = {}
        self._faults: dict[str, Callable[[], None]] = {
            "unplug": self._unplug,
            "replug": self._replug,
            "garbage": lambda: self._send(GARBAGE),
            "long_line": lambda: self._send(b"x" * LONG_LINE_BYTES + b"\n"),
            "brown_out": lambda: self._machine.reset("brownout"),
        }

    def run(self) -> None:
        """Serve until told to quit or the app goes."""
        self._announce()
        lived_until = time.perf_counter()
        while not self._quit:
            self._wait(self._slice())
            now = time.perf_counter()
            lag = now - lived_until
            if lag > MAX_LAG:
                self._slipped += lag - ANSWERING_SLICE
                lag = ANSWERING_SLICE
            if self._plugged:
                self._live(lag)
            lived_until = now
            if now - self._last_published >= self._publish_every:
                self._last_published = now
                self._publish()

    def _make_outside(self) -> LinePty | LineTcp:
        return LinePty() if self._with_pty else LineTcp()

    def _slice(self) -> float:
        """How long the board may live before the next look, in seconds; bytes that come in end the wait."""
        now = time.perf_counter()
        if now - self._last_request < ANSWERING_SECONDS:
            return ANSWERING_SLICE
        return TALKING_SLICE if now - self._last_sent < TALKING_SECONDS else IDLE_SLICE

    def _live(self, seconds: float) -> None:
        """Without enough supply the chip is held in reset and hears nothing."""
        if self._lasting.has("brown_out"):
            return
        self._machine.advance(seconds)
        self._board_seconds += seconds
        self._forward()

    # -- lines ----------------------------------------------------------------------------------------
    def _wait(self, seconds: float) -> None:
        watched: list[Any] = [self._orders.waitable, *self._link.waitables()]
        if self._outside is not None:
            watched += self._outside.waitables()
        ready, _, _ = select.select(watched, [], [], seconds)
        if self._orders.waitable in ready:
            for order in self._orders.take():
                self._obey(order)
        # The app first: when it has just hung up, the next program's opening must reset the board.
        self._serve_client(ready)
        if self._outside is not None:
            self._serve_outside(self._outside)
        self._accept_client(ready)

    def _serve_outside(self, line: LinePty | LineTcp) -> None:
        opened = line.poll_opened()
        if opened and not self._link.connected:
            self._machine.reset("external")
            self._last_request = time.perf_counter()
        if opened or line.in_use:  # who has closed it again already may have written all the same
            data = line.receive()
            if data and not self._link.connected:
                self._deliver(data)

    def _serve_client(self, ready: list[Any]) -> None:
        if any(client in ready for client in self._link.waitables()[1:]):
            busy = self._outside is not None and self._outside.in_use
            data, reset = self._link.receive(busy)
            if reset:
                self._machine.reset("external")
            if data:
                self._deliver(data)

    def _accept_client(self, ready: list[Any]) -> None:
        if self._link.waitables()[0] in ready:
            self._link.accept()
            if not self._plugged:
                self._link.turn_away()

    def _deliver(self, data: bytes) -> None:
        self._last_request = time.perf_counter()
        if not self._lasting.has("brown_out"):
            self._machine.receive(data)

    def _forward(self) -> None:
        data = self._lasting.passed_on(self._machine.transmitted(), time.perf_counter())
        if data:
            self._last_sent = time.perf_counter()
            self._send(data)

    def _send(self, data: bytes) -> None:
        if self._link.connected:
            self._link.send(data)
        elif self._outside is not None and self._outside.in_use:
            self._outside.send(data)

    # -- orders ---------------------------------------------------------------------------------------
    def _obey(self, order: dict[str, Any] | None) -> None:
        if order is None or order["cmd"] == "quit":
            self._quit = True
        elif order["cmd"] == "drive":
            self._machine.drive_pin(order["pin"], order["level"])
        elif order["cmd"] == "volts":
            self._machine.set_volts(order["channel"], order["volts"])
        elif order["cmd"] == "room":
            self._machine.set_room(order["celsius"])
        elif order["cmd"] == "lasting":
            self._set_lasting(order["kind"], order["active"])
        elif order["cmd"] == "stuck":
            self._set_stuck(order["pin"], order["level"])
        elif order["cmd"] == "reset":
            self._machine.reset("external")
        elif order["cmd"] == "fault":
            self._faults[order["kind"]]()
        elif order["cmd"] == "query":
            self._publish(order["number"])

    def _set_lasting(self, kind: str, active: bool) -> None:
        """Begin or end a fault that lasts."""
        if kind == "unplug":
            (self._unplug if active else self._replug)()
            return
        if kind == "brown_out" and active != self._lasting.has(kind):
            self._machine.reset("brownout")
            self._machine.transmitted()
            self._lasting.drop()
        self._lasting.set(kind, active)
        self._tell_faults()

    def _set_stuck(self, pin: int, level: int | None) -> None:
        self._machine.short_pin(pin, level)
        if level is None:
            self._stuck.pop(pin, None)
        else:
            self._stuck[pin] = level
        self._tell_faults()

    def _tell_faults(self) -> None:
        stuck = {str(pin): level for pin, level in self._stuck.items()}
        self._say({"evt": "faults", "active": self._lasting.active, "stuck": stuck})

    def _unplug(self) -> None:
        if not self._plugged:
            return
        self._plugged = False
        self._lasting.set("unplug", True)
        self._lasting.drop()
        self._link.turn_away()
        if self._outside is not None:
            self._outside.close()
            self._outside = None
        self._say({"evt": "unplugged"})
        self._tell_faults()

    def _replug(self) -> None:
        if self._plugged:
            return
        self._plugged = True
        self._lasting.set("unplug", False)
        self._outside = self._make_outside()
        self._machine.reset("power")
        self._announce("replugged")
        self._tell_faults()

    # -- news -----------------------------------------------------------------------------------------
    def _announce(self, name: str = "ready") -> None:
        path = self._outside.path if self._outside is not None else ""
        self._say(
            {
                "evt": name,
                "kind": self._machine.kind,
                "port": self._link.port,
                "token": self._link.token,
                "path": path,
            }
        )

    def _publish(self, number: int | None = None) -> None:
        edges, lost = self._machine.take_edges()
        self._meter.feed(edges)
        self._edges += edges
        self._edges_lost += lost + max(0, len(self._edges) - MAX_EDGES)
        del self._edges[:-MAX_EDGES]
        state = self._machine.snapshot()
        waves = {**self._meter.waves(self._board_seconds), **state.pwm}
        shown = (state.levels, state.modes, tuple(sorted(state.pwm.items())), tuple(sorted(waves.items())))
        if shown == self._shown and not self._edges and number is None:
            self._publish_every = QUIET_PUBLISH_SECONDS
            return
        self._publish_every = PUBLISH_SECONDS
        self._shown = shown
        self._say(
            {
                "evt": "pins",
                "number": number,
                "levels": state.levels,
                "modes": state.modes,
                "pwm": {str(pin): value for pin, value in state.pwm.items()},
                "waves": {str(pin): value for pin, value in waves.items()},
                "edges": self._edges,
                "edges_lost": self._edges_lost,
                "slipped": self._slipped,
            }
        )
        self._edges = []

    @staticmethod
    def _say(row: dict[str, Any]) -> None:
        try:
            os.write(1, json.dumps(row, separators=(",", ":")).encode() + b"\n")
        except OSError:
            sys.exit(0)
