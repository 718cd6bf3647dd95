"""The app's side of a simulated board: starts the process, keeps the pin states, works the virtual parts."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.processes import ChildHandle, ChildRunner
from zeroclaw_desktop.foundation.assets import firmware_path
from zeroclaw_desktop.foundation.errors import AssetMissingError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import SimulatorError
from zeroclaw_desktop.hardware.simulator.circuit.live_bench import Drives, LiveBench
from zeroclaw_desktop.hardware.simulator.circuit.readings import Probe, Reading
from zeroclaw_desktop.hardware.simulator.line_faults import LASTING
from zeroclaw_desktop.hardware.simulator.machine import PIN_COUNT, Snapshot
from zeroclaw_desktop.hardware.simulator.pure_model import UNO, channels_of
from zeroclaw_desktop.hardware.transport import protocol_sim

READY_SECONDS = 20.0
QUERY_SECONDS = 3.0
EDGES_KEPT = 20_000
FAULTS = ("unplug", "replug", "garbage", "long_line", "brown_out")
_log = logger("simulator")


@dataclass(frozen=True)
class Edge:
    """A change of a driven pin; ``seconds`` is the board's own time."""

    seconds: float
    pin: int
    level: int


class BoardProcess:
    """One simulated board.

    Args:
        board_id: its id; the port is ``sim://<board_id>``.
        runner: starts the process.
        changed: called on the loop after pins or plug changed.
        bench: the parts around the board and its kind; None for a new Arduino Uno.
        simplified: use the plain Python board even where the core can run.
        with_pty: offer other programs a pseudo terminal where the system has them, else a TCP port.
        images: Intel HEX files for the flash instead of the shipped firmware and boot loader.
    """

    def __init__(
        self,
        board_id: str,
        runner: ChildRunner,
        changed: Callable[[], None],
        *,
        bench: LiveBench | None = None,
        simplified: bool = False,
        with_pty: bool = True,
        images: Sequence[Path] = (),
    ) -> None:
        self.board_id = board_id
        self.kind = ""
        self.system_path = ""
        self.bench = bench or LiveBench(board_catalog()[UNO])
        places = max((PIN_COUNT, *(pin.number + 1 for pin in self.bench.profile.pins)))
        self.snapshot = Snapshot((0,) * places, ("input",) * places)
        self.faults: tuple[str, ...] = ()
        self.stuck: dict[int, int] = {}
        self.edges: deque[Edge] = deque(maxlen=EDGES_KEPT)
        self.edges_lost = 0
        self.slipped_seconds = 0.0
        self.plugged = False
        self._runner = runner
        self._changed = changed
        self._simplified = simplified
        self._with_pty = with_pty
        self._images = tuple(images)
        self._child: ChildHandle | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._put = Drives()
        self._putting = asyncio.Lock()
        self._channels = {pin: channel for channel, pin in channels_of(self.bench.profile).items()}
        self._queries: dict[int, asyncio.Future[None]] = {}
        self._numbers = itertools.count(1)

    @property
    def port(self) -> str:
        """URL that the app opens."""
        return f"sim://{self.board_id}"

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._reader is not None and not self._reader.done()

    def _argv(self) -> list[str]:
        argv = [sys.executable, "-m", "zeroclaw_desktop.hardware.simulator"]
        argv += [] if self._with_pty else ["--no-pty"]
        if self._simplified or self.bench.profile.key != UNO:
            return [*argv, "--board", self.bench.profile.key]
        try:
            core = firmware_path("prebuilt/avr.wasm")
            images = self._images or (
                firmware_path("prebuilt/zeroclaw-arduino-uno.hex"),
                firmware_path("prebuilt/bootloader-uno.hex"),
            )
        except AssetMissingError as error:
            _log.warning("The simulated board runs simplified: %s", error.message)
            return argv
        return [*argv, "--core", str(core), *map(str, images)]

    async def start(self) -> None:
        """Start the process and wait until its port is there.

        Raises:
            SimulatorError: it did not come up.
        """
        self._ready = asyncio.get_running_loop().create_future()
        self._child = await self._runner.spawn(self._argv())
        self._reader = asyncio.get_running_loop().create_task(self._read(), name=f"sim:{self.board_id}")
        try:
            await asyncio.wait_for(asyncio.shield(self._ready), READY_SECONDS)
        except TimeoutError as error:
            await self.stop()
            raise SimulatorError("The simulated board did not start in time.", hint="Try again.") from error
        self._put, self.faults, self.stuck = Drives(celsius=math.nan), (), {}
        await self.put_on_pins()

    async def stop(self) -> None:
        """End the process; bounded."""
        protocol_sim.withdraw(self.board_id)
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(SimulatorError("The simulated board was stopped while it started."))
            self._ready.exception()
        if self._child is not None:
            await self._child.end()
            self._child = None
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        self.plugged = False

    # -- parts ----------------------------------------------------------------------------------------
    async def press_button(self, pressed: bool) -> None:
        """Hold or release the first button."""
        part = self.bench.bench.first("button")
        if part is not None:
            self.bench.close(part.part_id, pressed)
            await self.put_on_pins()

    async def set_knob(self, volts: float) -> None:
        """Turn the first potentiometer to a voltage."""
        part = self.bench.bench.first("potentiometer")
        if part is not None:
            self.bench.turn(part.part_id, volts / self.bench.supply)
            await self.put_on_pins()

    async def set_temperature(self, celsius: float) -> None:
        """Warm the first thermometer, within its range."""
        part = self.bench.bench.first("tmp36", "ntc")
        if part is not None:
            self.bench.turn(part.part_id, celsius)
            await self.put_on_pins()

    async def put_on_pins(self) -> None:
        """Bring what the parts put on the pins to what the bench says; only what has changed is ordered."""
        self._changed()
        async with self._putting:
            before, self._put = self._put, self.bench.drives()
            await self._order_differences(before, self._put)

    async def _order_differences(self, before: Drives, now: Drives) -> None:
        for pin in {*before.levels, *now.levels}:
            if before.levels.get(pin) != now.levels.get(pin):
                await self._order(cmd="drive", pin=pin, level=now.levels.get(pin))
        for pin in {*before.volts, *now.volts}:
            channel = self._channels.get(pin)
            if channel is not None and before.volts.get(pin) != now.volts.get(pin):
                await self._order(cmd="volts", channel=channel, volts=now.volts.get(pin))
        if before.celsius != now.celsius:
            await self._order(cmd="room", celsius=now.celsius)

    def readings(self) -> dict[str, Reading]:
        """What the parts show now, by id."""
        return self.bench.readings(Probe(self.snapshot, self.stuck))

    async def set_fault(self, kind: str, active: bool) -> None:
        """Begin or end a fault that lasts: one of LASTING.

        Raises:
            SimulatorError: no such fault.
        """
        if kind not in LASTING:
            raise SimulatorError(f"There is no lasting fault '{kind}'; known: {', '.join(LASTING)}.")
        await self._order(cmd="lasting", kind=kind, active=active)

    async def set_stuck(self, pin: int, level: int | None) -> None:
        """Tie a pin to ground (0) or supply (1), whatever the board does; None ends that.

        Raises:
            SimulatorError: the board has no such pin.
        """
        if self.bench.profile.pin(pin) is None:
            raise SimulatorError(f"The board has no pin {pin}.")
        await self._order(cmd="stuck", pin=pin, level=level)

    async def inject_fault(self, kind: str) -> None:
        """Cause a fault of a moment: one of FAULTS.

        Raises:
            SimulatorError: no such fault.
        """
        if kind not in FAULTS:
            raise SimulatorError(f"There is no fault '{kind}'; known: {', '.join(FAULTS)}.")
        await self._order(cmd="fault", kind=kind)

    async def query(self) -> Snapshot:
        """Ask for the pins now, with all edges until now.

        Raises:
            SimulatorError: the process does not answer.
        """
        number = next(self._numbers)
        answer = self._queries[number] = asyncio.get_running_loop().create_future()
        try:
            await self._order(cmd="query", number=number)
            await asyncio.wait_for(answer, QUERY_SECONDS)
        except TimeoutError as error:
            raise SimulatorError("The simulated board does not answer.") from error
        finally:
            self._queries.pop(number, None)
        return self.snapshot

    async def answers(self) -> bool:
        """Whether the process lives and answers."""
        if not self.running:
            return False
        try:
            await self.query()
        except SimulatorError:
            return False
        return True

    def rising_edges(self, pin: int, after: float = -1.0) -> list[float]:
        """Board times in seconds at which a pin went high, later than ``after``."""
        return [
            edge.seconds for edge in self.edges if edge.pin == pin and edge.level and edge.seconds > after
        ]

    async def _order(self, **order: Any) -> None:
        if self._child is None:
            raise SimulatorError("The simulated board is not running.", hint="Start it on the Devices page.")
        try:
            await self._child.write(json.dumps(order).encode() + b"\n")
        except (ConnectionError, BrokenPipeError) as error:
            raise SimulatorError("The simulated board has ended.", hint="Start it again.") from error

    # -- news -----------------------------------------------------------------------------------------
    async def _read(self) -> None:
        assert self._child is not None
        while line := await self._child.read_line():
            self._take(json.loads(line))
        self.plugged = False
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(SimulatorError("The simulated board ended while starting."))
        protocol_sim.withdraw(self.board_id)
        _log.info("The process of %s has ended", self.board_id)
        self._changed()

    def _take(self, row: dict[str, Any]) -> None:
        if row["evt"] in ("ready", "replugged"):
            self.kind, self.system_path, self.plugged = row["kind"], row["path"], True
            protocol_sim.announce(self.board_id, "127.0.0.1", row["port"], row["token"], row["path"])
            if self._ready is not None and not self._ready.done():
                self._ready.set_result(None)
        elif row["evt"] == "unplugged":
            self.plugged = False
            protocol_sim.withdraw(self.board_id)
        elif row["evt"] == "faults":
            self.faults = tuple(row["active"])
            self.stuck = {int(pin): level for pin, level in row["stuck"].items()}
        elif row["evt"] == "pins":
            self._take_pins(row)
        self._changed()

    def _take_pins(self, row: dict[str, Any]) -> None:
        pwm, waves = _by_pin(row["pwm"]), _by_pin(row["waves"])
        self.snapshot = Snapshot(tuple(row["levels"]), tuple(row["modes"]), pwm, waves)
        edges: Sequence[Sequence[Any]] = row["edges"]
        self.edges.extend(Edge(seconds, pin, level) for seconds, pin, level in edges)
        self.edges_lost, self.slipped_seconds = row["edges_lost"], row["slipped"]
        answer = self._queries.get(row["number"] or 0)
        if answer is not None and not answer.done():
            answer.set_result(None)


def _by_pin(row: Mapping[str, Sequence[float]]) -> dict[int, tuple[float, float]]:
    """Frequency and duty by pin, as they come over the line."""
    return {int(pin): (hertz, duty) for pin, (hertz, duty) in row.items()}
