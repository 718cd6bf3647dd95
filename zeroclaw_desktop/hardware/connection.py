"""One board and its connection: states, handshake, reconnection, lending the port to the flasher.

States: ``offline`` -> ``connecting`` -> ``live``; from there ``lost`` (comes back by itself), ``flashing`` or
``offline``; ``failed`` when it cannot be talked to, with the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from zeroclaw_desktop.contracts.boards import (
    BoardHealth,
    BoardInfo,
    BoardProfile,
    ExecutionGrant,
    NamedPin,
    PinState,
    WiredPart,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.hardware.console_buffer import ConsoleBuffer
from zeroclaw_desktop.hardware.errors import (
    BoardNotLiveError,
    GrantExpiredError,
    NoHandshakeError,
    PortError,
    PortMissingError,
)
from zeroclaw_desktop.hardware.heartbeat import arm_watchdog, beat, ping
from zeroclaw_desktop.hardware.instance import instance_name
from zeroclaw_desktop.hardware.peripherals.contract import OwnLine
from zeroclaw_desktop.hardware.protocol import BoardEvent, firmware_name
from zeroclaw_desktop.hardware.session import BoardSession, SessionEvents
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.line_times import TimeBase
from zeroclaw_desktop.hardware.telemetry.lines import LineCounters
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.port_handle import PortSettings

BACK_SECONDS = 8.0
"""Boards with USB of their own are away for one to five seconds while they restart."""
LOOK_SECONDS = 0.2
RECONNECT_SECONDS = (0.3, 0.5, 1.0, 2.0, 4.0)
_log = logger("serial")


class BoardConnection:
    """A board that the person sees as one thing, whatever happens to its port; implements Peripheral (HW-5).

    Args:
        port: path or URL that the app opens.
        system_path: path for other programs: avrdude, a terminal.
        locate: finds the path of the device at this moment, before each opening; None when the path never
            changes. Raises PortMissingError.
        line: how the board is reached where it is at no serial port.
        store: takes the telemetry.
        changed: called after the state changed.
        pins_changed: called after pins were observed.
        signal_changed: called with signal and value when the board reports a change of a digital input.
    """

    def __init__(
        self,
        board_id: str,
        name: str,
        profile: BoardProfile,
        port: str,
        *,
        store: TelemetryStore,
        changed: Callable[[], None],
        pins_changed: Callable[[], None],
        signal_changed: Callable[[str, int], None] = lambda _signal, _value: None,
        system_path: str = "",
        simulated: bool = False,
        locate: Callable[[], Awaitable[str]] | None = None,
        line: OwnLine | None = None,
    ) -> None:
        self.board_id = board_id
        self.name = name
        self.profile = profile
        self.port = port
        self.system_path = system_path or port
        self.simulated = simulated
        self.simplified = False
        self.plugged = True
        self.named_pins: tuple[NamedPin, ...] = ()
        self.wired: tuple[WiredPart, ...] | None = None
        self._locate = locate
        self._line = line
        self._answer_ms: float | None = None
        self.state = "offline"
        self.console = ConsoleBuffer()
        self._fault: ZeroClawError | None = None
        self._session: BoardSession | None = None
        self._ingest = TelemetryIngest(board_id, store, lambda lines, _when: self.console.append(lines))
        self._changed = changed
        self._pins_changed = pins_changed
        self._signal_changed = signal_changed
        self._wanted = False
        self._lock = asyncio.Lock()
        self._tasks = TaskSupervisor(f"board:{board_id}")
        self._subscriptions: dict[str, Mapping[str, Any]] = {}
        self._last_capabilities: Mapping[str, Any] = {}
        self._heartbeat: asyncio.Task[None] | None = None
        self._greeting: asyncio.Task[Any] | None = None
        self._named_path = ""
        """The path that ``instance`` was made from; anew on opening, as a link may lead elsewhere then."""
        self._instance = ""

    # -- what others see ------------------------------------------------------------------------------
    @property
    def info(self) -> BoardInfo:
        """The board as it is now."""
        session, fault = self._session, self._fault
        counters = {**vars(session.counters)} if session is not None else {}
        counters |= {"lines": self._ingest.counters.lines, "overlong": self._ingest.counters.overlong}
        return BoardInfo(
            self.board_id,
            self.name,
            self.profile,
            self.port,
            self.state,
            self.simulated,
            self.simplified,
            self.system_path,
            firmware_name(self._last_capabilities),
            self._last_capabilities,
            counters,
            fault.code if fault else "",
            fault.message if fault else "",
            fault.hint if fault else "",
            fault.details if fault else {},
            self.plugged,
            self.instance,
            self.named_pins,
            self._answer_ms,
            self.added,
            self.wired,
            session.heard_at if session is not None else None,
        )

    @property
    def instance(self) -> str:
        """What the device is called among programs; see ``instance_name``."""
        if self._named_path != self.system_path:
            self._named_path, self._instance = self.system_path, instance_name(self.system_path)
        return self._instance

    @property
    def added(self) -> bool:
        """Whether the person entered its address."""
        return self._line is not None

    @property
    def board_type(self) -> str:
        """See Peripheral."""
        return self.profile.key

    def tools(self) -> frozenset[str]:
        """See Peripheral."""
        return self.session.commands() if self.session is not None else frozenset()

    async def health_check(self) -> BoardHealth:
        """See Peripheral."""
        session = self.session
        if session is None:
            return BoardHealth(False, note=self._fault.message if self._fault else f"It is {self.state}.")
        try:
            self._answer_ms = await ping(session)
        except ZeroClawError as error:
            return BoardHealth(False, note=error.message)
        return BoardHealth(True, self._answer_ms)

    @property
    def pins(self) -> Mapping[int, PinState]:
        """Pins as last observed."""
        return self._session.pins if self._session is not None else {}

    @property
    def line_counters(self) -> LineCounters:
        """What came over the port since the program began, by lines and samples."""
        return self._ingest.counters

    @property
    def line_reader(self) -> TelemetryIngest:
        """The reader of its lines, with counters and hints."""
        return self._ingest

    def unfinished_line(self) -> str:
        """The line whose end has not come yet, for the console; '' when there is none."""
        return self.console.unfinished_text(*self._ingest.unfinished)

    def choose_reading(self, encoding: str | None, time_base: str | None = None, rate: float = 1.0) -> None:
        """Read what comes from now on in another way; None leaves it as it is.

        Args:
            encoding: of lines; what the console shows of earlier ones follows.
            time_base: ``device``, ``host`` or ``index``.
            rate: lines a second, for ``index``.

        Raises:
            TelemetrySettingError: one of them is not possible.
        """
        base = None if time_base is None else TimeBase(time_base, rate)  # type: ignore[arg-type]  # it checks
        self._ingest.choose(encoding=encoding, time_base=base)
        if encoding is not None:
            self.console.encoding = encoding

    @property
    def session(self) -> BoardSession | None:
        """The conversation while the board is live."""
        return self._session if self.state == "live" else None

    def _set(self, state: str, fault: ZeroClawError | None = None) -> None:
        self.state, self._fault = state, fault
        reason = f": {fault.message}" if fault else ""
        _log.info("%s on %s is %s%s", self.name, self.port, state, reason)
        self._changed()

    # -- life -----------------------------------------------------------------------------------------
    async def connect(self) -> None:
        """Open the port and greet the board.

        Raises:
            ZeroClawError: why it did not work; the state is ``failed`` and tells the same.
        """
        self._wanted = True
        async with self._lock:
            if self.state != "live":
                await self._open()

    async def disconnect(self) -> None:
        """Let go of the port and stay away."""
        self._wanted = False
        async with self._lock:
            await self._close("offline")

    async def shut_down(self) -> None:
        """Put the outputs into the safe state, let go, end everything; bounded."""
        self._wanted = False
        if self.session is not None:
            await self.session.stop_now()
        await self._tasks.stop()
        async with self._lock:
            await self._close("offline")

    async def _open(self, quiet: bool = False) -> None:
        if not quiet:
            self._set("connecting")
        self._named_path = ""
        events = SessionEvents(self._lost, self._happened, self._pins_changed)
        try:
            await self._find()
            session = BoardSession(self.port, self.profile, self._ingest, events, self._line)
            line = self.profile.serial
            await session.open(PortSettings(line.baud, line.assert_dtr, line.assert_rts))
        except ZeroClawError as error:
            if not quiet:
                self._set("failed", error)
            raise
        except asyncio.CancelledError:
            if not quiet:
                self._set("offline")
            raise
        self._session = session
        self._last_capabilities = session.capabilities
        for args in self._subscriptions.values():
            with contextlib.suppress(ZeroClawError):
                await session.request("subscribe", args)
        self._set("live")
        self._heartbeat = self._tasks.start(
            beat(session, lambda error: self._fell_silent(session, error), self._answered), "heartbeat"
        )

    def _answered(self, milliseconds: float) -> None:
        self._answer_ms = milliseconds

    async def _find(self) -> None:
        if self._line is not None:
            await self._line.prepare()
        if self._locate is not None:
            self.port = self.system_path = await self._locate()

    def _fell_silent(self, session: BoardSession, error: ZeroClawError) -> None:
        """The port is there but the board does not answer: hang up and try anew."""
        if self._session is session:
            self._tasks.start(session.close(), "hang up")
            self._lost(error)

    async def _close(self, state: str) -> None:
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None
        session, self._session = self._session, None
        self._answer_ms = None
        if session is not None:
            await session.close()
        if self.state != state:
            self._set(state)

    def _lost(self, error: ZeroClawError) -> None:
        self._session = self._answer_ms = None
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None
        self._set("lost", error)
        if self._wanted:
            self._tasks.start(self._reconnect(), "reconnect")

    async def _reconnect(self) -> None:
        attempt = 0
        while self._wanted and self.state == "lost":
            await asyncio.sleep(RECONNECT_SECONDS[min(attempt, len(RECONNECT_SECONDS) - 1)])
            attempt += 1
            async with self._lock:
                if not self._wanted or self.state != "lost":
                    return
                try:
                    await self._open(quiet=True)
                except ZeroClawError as error:
                    if not self._may_come_back(error):
                        self._set("failed", error)
                        return

    def _may_come_back(self, error: ZeroClawError) -> bool:
        """Whether a lost board is waited for: its port is, and its program where that is elsewhere."""
        networked = self._line is not None and self._line.networked
        return isinstance(error, PortError) or (networked and isinstance(error, NoHandshakeError))

    def _happened(self, event: BoardEvent) -> None:
        if event.name == "boot" and self.state == "live":
            if self._greeting is None or self._greeting.done():
                # A board that restarts again and again is greeted once at a time.
                cause = str(event.fields.get("reset", "unknown cause"))[:40]
                _log.warning("%s restarted (%s)", self.name, cause)
                self._greeting = self._tasks.start(self._greet_again(), "greet")
        elif event.name == "change" and event.fields.get("value") in (0, 1):
            self._signal_changed(str(event.fields.get("signal")), int(event.fields["value"]))
        elif event.name == "host_lost":
            _log.warning("%s put its outputs into the safe state: it heard nothing from here", self.name)

    async def _greet_again(self) -> None:
        """After the board restarted by itself: read its pins, subscribe again, arm its watchdog."""
        session = self.session
        if session is None:
            return
        with contextlib.suppress(ZeroClawError):
            await session.observe()
            await arm_watchdog(session)
            for args in self._subscriptions.values():
                await session.request("subscribe", args)

    # -- lending --------------------------------------------------------------------------------------
    @contextlib.asynccontextmanager
    async def lend_port(self, *, needed: bool = True) -> AsyncIterator[str]:
        """Let go of the port for the time of the block, then greet the board again.

        Args:
            needed: whether the port must be there; a board in its boot mode may have none.

        Yields:
            The path to give to the tool; '' when it is not there. What the greeting says afterwards is in
            ``info``.
        """
        async with self._lock:
            await self._close("flashing")
            path = ""
            try:
                await self._find()
                path = self.system_path
            except ZeroClawError as error:
                if needed:
                    self._set("failed", error)
                    raise
            try:
                yield path
            finally:
                self._wanted = True
                try:
                    await self._open_when_back()
                except ZeroClawError as error:
                    self._last_capabilities = {}
                    self._set("failed", error)
                except asyncio.CancelledError:
                    self._set("offline")
                    raise

    async def _open_when_back(self) -> None:
        """Open the port; one that is away because the board restarts its USB is waited for."""
        deadline = asyncio.get_running_loop().time() + BACK_SECONDS
        while True:
            try:
                await self._open(quiet=True)
                return
            except PortMissingError:
                if self._locate is None or asyncio.get_running_loop().time() > deadline:
                    raise
            await asyncio.sleep(LOOK_SECONDS)

    def note_request(self, command: str, args: Mapping[str, Any]) -> None:
        """Remember subscriptions, so that they survive a reconnection."""
        if command == "subscribe":
            self._subscriptions[str(args.get("signal"))] = dict(args)
        elif command == "unsubscribe":
            if "signal" in args:
                self._subscriptions.pop(str(args["signal"]), None)
            else:
                self._subscriptions.clear()


class GrantedLink:
    """A conversation for the bearer of a grant; implements contracts.boards.BoardLink."""

    def __init__(self, connection: BoardConnection, grant: ExecutionGrant) -> None:
        self._connection = connection
        self._grant = grant

    @property
    def info(self) -> BoardInfo:
        """The board at the other end."""
        return self._connection.info

    def _session(self) -> BoardSession:
        if not self._grant.valid:
            raise GrantExpiredError(
                f"The action {self._grant.task_id} has ended and may not use the board any more."
            )
        session = self._connection.session
        if session is None:
            raise not_live(self._connection)
        return session

    async def request(self, command: str, args: Mapping[str, Any], timeout: float = 5.0) -> Any:
        """See BoardLink."""
        result = await self._session().request(command, args, timeout, self._session)
        self._connection.note_request(command, args)
        return result

    async def observe(self) -> Mapping[int, PinState]:
        """See BoardLink."""
        return await self._session().observe()

    async def send_raw(self, data: bytes) -> None:
        """See BoardLink."""
        self._session().send_raw(data)


def not_live(connection: BoardConnection) -> BoardNotLiveError:
    """The error for a board that cannot be talked to now."""
    return BoardNotLiveError(
        f"The board '{connection.name}' is not connected (it is {connection.state}).",
        hint="Connect it on the Devices page.",
        retryable=True,
        details={"device": connection.name},
    )
