"""All boards: the ones connected, the ports without a board, the way of the execution layer to them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import (
    BoardInfo,
    BoardLink,
    BoardProfile,
    ExecutionGrant,
    PinState,
    StopOutcome,
)
from zeroclaw_desktop.contracts.events import (
    BoardsChanged,
    BoardSignalChanged,
    PinsObserved,
    PortsChanged,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.boards.catalog import board_catalog, profile_for_usb
from zeroclaw_desktop.hardware.connection import BoardConnection, GrantedLink, not_live
from zeroclaw_desktop.hardware.discovery.identity import short_identity
from zeroclaw_desktop.hardware.discovery.known_boards import KnownBoard, KnownBoards, plain_name, with_pin
from zeroclaw_desktop.hardware.discovery.plugged_ports import FindPorts, PluggedPorts
from zeroclaw_desktop.hardware.discovery.port_watch import HotplugSource, PortWatch, system_source
from zeroclaw_desktop.hardware.errors import PortError, UnknownBoardError
from zeroclaw_desktop.hardware.peripherals.contract import OwnLine
from zeroclaw_desktop.hardware.session import StopSent
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.discovery import PortInfo, list_serial_ports

_UNREACHED = ("connecting", "lost", "flashing")
"""States in which a board may be driving something although it cannot be told to stop."""
_NO_WORD = re.compile(r"[^a-z0-9]+")
_log = logger("serial")


class BoardRoster:
    """Implements contracts.boards.BoardAccess.

    Args:
        find_ports: lists the serial ports; called on a worker thread.
        known: what the person said of boards before.
        hotplug: what announces ports that come and go, asked for when watching begins.
    """

    def __init__(
        self,
        bus: EventBus,
        store: TelemetryStore,
        find_ports: FindPorts = list_serial_ports,
        known: KnownBoards | None = None,
        hotplug: Callable[[], HotplugSource | None] = system_source,
    ) -> None:
        self._bus = bus
        self._store = store
        self._plugged = PluggedPorts(find_ports)
        self._hotplug = hotplug
        self._known = known or KnownBoards(None)
        self._ids: dict[str, str] = {}
        """Board id by identity of the port."""
        self._connections: dict[str, BoardConnection] = {}

    # -- membership -----------------------------------------------------------------------------------
    def add(
        self,
        board_id: str,
        name: str,
        profile: BoardProfile,
        port: str,
        *,
        system_path: str = "",
        simulated: bool = False,
        locate: Callable[[], Awaitable[str]] | None = None,
        line: OwnLine | None = None,
    ) -> BoardConnection:
        """Add a board; the same id again returns the board that is there. A name of the person's wins."""
        there = self._connections.get(board_id)
        if there is not None:
            return there
        known = self._known.find(self._identity(board_id)) or KnownBoard("")
        connection = BoardConnection(
            board_id,
            known.name or self._free_name(name),
            profile,
            port,
            store=self._store,
            changed=lambda: self._bus.publish(BoardsChanged(board_id)),
            pins_changed=lambda: self._bus.publish(PinsObserved(board_id)),
            signal_changed=lambda signal, value: self._bus.publish(
                BoardSignalChanged(board_id, signal, value)
            ),
            system_path=system_path,
            simulated=simulated,
            locate=locate,
            line=line,
        )
        connection.named_pins = known.pins
        self._connections[board_id] = connection
        self._bus.publish(BoardsChanged(board_id))
        return connection

    def add_address(
        self, address: str, profile: BoardProfile, line: OwnLine, system_path: str
    ) -> BoardConnection:
        """Add a board at an address that the person entered; what is known of the address counts for it."""
        board_id = self._ids.get(address)
        if board_id is None:
            wanted = _NO_WORD.sub("-", address.lower()).strip("-")
            taken = set(self._ids.values()) | set(self._connections)
            numbered = (f"{wanted}-{number}" for number in itertools.count(2))
            board_id = next(name for name in itertools.chain((wanted,), numbered) if name not in taken)
            self._ids[address] = board_id
        return self.add(board_id, profile.name, profile, address, line=line, system_path=system_path)

    async def remove(self, board_id: str) -> None:
        """Disconnect a board and forget it."""
        connection = self._connections.pop(board_id, None)
        if connection is not None:
            await connection.shut_down()
            self._bus.publish(BoardsChanged())

    def connection(self, board_id: str) -> BoardConnection:
        """The connection of a board.

        Raises:
            UnknownBoardError: there is none.
        """
        known = self._connections.get(board_id)
        if known is None:
            raise UnknownBoardError(
                f"There is no board '{board_id}'.",
                hint="Choose one of the boards on the Devices page.",
                details={"device": board_id, "allowed": ", ".join(self._connections)},
            )
        return known

    def tools(self) -> frozenset[str]:
        """Commands of the protocol that some connected board carries out."""
        return frozenset().union(*(connection.tools() for connection in self._connections.values()))

    # -- ports ----------------------------------------------------------------------------------------
    async def watch_ports(self) -> None:
        """Look for ports until cancelled; boards that are known appear as boards, others as ports."""
        watch = PortWatch(self._hotplug())
        try:
            while True:
                try:
                    await self.scan_ports()
                except PortError as error:
                    _log.warning("%s", error.message)
                await watch.wait()
        finally:
            watch.close()

    async def scan_ports(self) -> None:
        """Look once."""
        if not await self._plugged.look():
            return
        for identity, port in self._plugged.by_identity.items():
            profile = self._profile_of(identity, port)
            if profile is not None and port.path not in self._added_paths():
                self._meet(identity, port, profile)
        for identity, board_id in self._ids.items():
            connection = self._connections.get(board_id)
            plugged = identity in self._plugged.by_identity
            if connection is not None and not connection.added and connection.plugged != plugged:
                connection.plugged = plugged
                self._bus.publish(BoardsChanged(board_id))
        self._bus.publish(PortsChanged())

    def _profile_of(self, identity: str, port: PortInfo) -> BoardProfile | None:
        """What the person said, else what the USB id says; a bridge chip or a shared id says nothing."""
        known = self._known.find(identity)
        if known is not None and known.kind in board_catalog():
            return board_catalog()[known.kind]
        if port.vendor is None or port.product is None:
            return None
        return profile_for_usb(port.vendor, port.product)

    def _meet(self, identity: str, port: PortInfo, profile: BoardProfile) -> BoardConnection:
        """A known board on a port: the same board on another path keeps its card."""
        connection = self._connections.get(self._ids.get(identity, ""))
        if connection is None:
            board_id = self._ids[identity] = f"{profile.key}-{short_identity(identity)}"
            return self.add(
                board_id, profile.name, profile, port.path, locate=lambda: self._plugged.locate(identity)
            )
        if connection.port != port.path and connection.session is None:
            connection.port = connection.system_path = port.path
            self._bus.publish(BoardsChanged(connection.board_id))
        return connection

    def _free_name(self, name: str) -> str:
        """Boards of one kind are told apart by a number until the person names them."""
        taken = {connection.name for connection in self._connections.values()}
        return next(
            choice for choice in (name, *(f"{name} {n}" for n in range(2, 10_000))) if choice not in taken
        )

    def adopt(self, path: str, profile: BoardProfile) -> BoardConnection:
        """Take a port for the kind of board that the person chose, and remember it for this device."""
        identity = self._plugged.identity_of(path)
        if not identity:
            connection = self.add(path, profile.name, profile, path)
        else:
            with contextlib.suppress(ZeroClawError):  # told in the log; it holds until the end of the program
                self._known.remember(identity, kind=profile.key)
            connection = self._meet(identity, self._plugged.by_identity[identity], profile)
        self._bus.publish(PortsChanged())
        return connection

    async def forget(self, board_id: str) -> None:
        """Disconnect a board and drop what was remembered of it; its port is asked about again.

        Raises:
            ZeroClawError: it could not be written down, so it will be back at the next start.
        """
        identity = self._identity(board_id)
        await self.remove(board_id)
        if identity in self._ids:
            del self._ids[identity]
        self._known.forget(identity)
        self._bus.publish(PortsChanged())

    def away(self) -> list[KnownBoard]:
        """Boards that the person has named, or named pins of, and that have no card because they are away."""
        known = [board for board in self._known.all() if board.name or board.pins]
        return [
            board
            for board in known
            if board.identity not in self._ids and not board.identity.startswith("board:")
        ]

    def forget_away(self, identity: str) -> None:
        """Drop what was remembered of a board that is away; raises ZeroClawError like ``forget``."""
        self._known.forget(identity)
        self._bus.publish(PortsChanged())

    def identity(self, board_id: str) -> str:
        """How a board is known again: by its serial number, its place or its path, see PortIdentities."""
        return self._identity(board_id)

    def rename(self, board_id: str, name: str) -> None:
        """Give a board a name of the person's; '' gives it its own name back.

        Raises:
            UnknownBoardError: there is no such board.
            ZeroClawError: the name could not be written down; it holds until the end of the program.
        """
        connection = self.connection(board_id)
        chosen = plain_name(name)
        connection.name = chosen or self._free_name(connection.profile.name)
        self._bus.publish(BoardsChanged(board_id))
        self._known.remember(self._identity(board_id), name=chosen)

    def name_pin(self, board_id: str, pin: int, name: str, role: str = "") -> None:
        """Give a pin a name and a role of the person's; the name moves when another pin has it.

        Args:
            name: '' takes the pin's name away.
            role: key of execution.pin_roles.ROLES; '' for a name alone.

        Raises:
            UnknownBoardError: there is no such board.
            ZeroClawError: the name could not be written down; it holds until the end of the program.
        """
        connection = self.connection(board_id)
        connection.named_pins = with_pin(connection.named_pins, pin, name, role)
        self._bus.publish(BoardsChanged(board_id))
        self._known.remember(self._identity(board_id), pins=connection.named_pins)

    def _identity(self, board_id: str) -> str:
        found = (identity for identity, known_id in self._ids.items() if known_id == board_id)
        return next(found, f"board:{board_id}")

    def free_ports(self) -> list[PortInfo]:
        """Ports that no board stands for."""
        taken = {connection.port for connection in self._connections.values()} | self._added_paths()
        return [port for port in self._plugged.ports if port.path not in taken]

    def usb_ports(self) -> list[PortInfo]:
        """Every USB port that is there, with a board or without."""
        return list(self._plugged.ports)

    def port_info(self, path: str) -> PortInfo | None:
        """What is known of a USB port; None when it is not there now."""
        return next((port for port in self._plugged.ports if port.path == path), None)

    def _added_paths(self) -> set[str]:
        """Ports of the boards that the person entered, which are no boards of their own."""
        return {board.system_path for board in self._connections.values() if board.added}

    def port_present(self, path: str) -> bool:
        """Whether a USB port is there now."""
        return any(port.path == path for port in self._plugged.ports)

    # -- BoardAccess ----------------------------------------------------------------------------------
    def boards(self) -> Sequence[BoardInfo]:
        """See BoardAccess."""
        return [connection.info for connection in self._connections.values()]

    def pin_states(self, board_id: str) -> Mapping[int, PinState]:
        """See BoardAccess."""
        connection = self._connections.get(board_id)
        return connection.pins if connection is not None else {}

    def link(self, board_id: str, grant: ExecutionGrant) -> BoardLink:
        """See BoardAccess; raises UnknownBoardError or BoardNotLiveError."""
        connection = self.connection(board_id)
        if connection.session is None and connection.state != "flashing":
            raise not_live(connection)
        return GrantedLink(connection, grant)

    def stop_all(self, triggered_at: float) -> Awaitable[Sequence[StopOutcome]]:
        """See BoardAccess."""
        sent = [
            (connection, connection.session.stop_now())
            for connection in self._connections.values()
            if connection.session is not None
        ]
        return self._gather_stops(sent, triggered_at)

    async def _gather_stops(
        self, sent: Sequence[tuple[BoardConnection, Awaitable[StopSent]]], triggered_at: float
    ) -> Sequence[StopOutcome]:
        reached = {connection.board_id for connection, _ in sent}
        outcomes = [
            StopOutcome(connection.board_id, connection.name, None, False, f"it is {connection.state}")
            for connection in self._connections.values()
            if connection.board_id not in reached and connection.state in _UNREACHED
        ]
        results = await asyncio.gather(*(awaitable for _, awaitable in sent))
        for (connection, _), result in zip(sent, results, strict=True):
            wire_ms = None if result.wire_time is None else (result.wire_time - triggered_at) * 1000.0
            outcomes.append(
                StopOutcome(connection.board_id, connection.name, wire_ms, result.confirmed, result.note)
            )
        confirmed = [c for (c, _), result in zip(sent, results, strict=True) if result.confirmed]
        await asyncio.gather(*map(self._read_back, confirmed))
        return outcomes

    @staticmethod
    async def _read_back(connection: BoardConnection) -> None:
        """Read the pins after the stop; a board that did not answer is not asked again."""
        if connection.session is None:
            return
        try:
            await connection.session.observe()
        except ZeroClawError as error:
            _log.warning("After the stop %s could not be read: %s", connection.name, error.message)

    async def shut_down(self) -> None:
        """Put every board into its safe state and let go of all ports."""
        await asyncio.gather(*(connection.shut_down() for connection in self._connections.values()))
