"""All boards: the ones connected, the ports without a board, the way of the execution layer to them."""

from __future__ import annotations

import asyncio
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
from zeroclaw_desktop.hardware.boards.catalog import profile_for_usb
from zeroclaw_desktop.hardware.connection import BoardConnection, GrantedLink, not_live
from zeroclaw_desktop.hardware.errors import PortError, UnknownBoardError
from zeroclaw_desktop.hardware.session import StopSent
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.hardware.transport.discovery import PortInfo, list_serial_ports

SCAN_SECONDS = 1.0
_UNREACHED = ("connecting", "lost", "flashing")
"""States in which a board may be driving something although it cannot be told to stop."""
_log = logger("serial")


class BoardRoster:
    """Implements contracts.boards.BoardAccess.

    Args:
        find_ports: lists the serial ports; called on a worker thread.
    """

    def __init__(
        self,
        bus: EventBus,
        store: TelemetryStore,
        find_ports: Callable[[], tuple[PortInfo, ...]] = list_serial_ports,
    ) -> None:
        self._bus = bus
        self._store = store
        self._find_ports = find_ports
        self._connections: dict[str, BoardConnection] = {}
        self._ports: tuple[PortInfo, ...] = ()

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
    ) -> BoardConnection:
        """Add a board; the same id again returns the board that is there."""
        known = self._connections.get(board_id)
        if known is not None:
            return known
        connection = BoardConnection(
            board_id,
            name,
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
        )
        self._connections[board_id] = connection
        self._bus.publish(BoardsChanged(board_id))
        return connection

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

    # -- ports ----------------------------------------------------------------------------------------
    async def watch_ports(self) -> None:
        """Look for ports until cancelled; genuine boards appear as boards, bridge chips as ports."""
        while True:
            try:
                await self.scan_ports()
            except PortError as error:
                _log.warning("%s", error.message)
            await asyncio.sleep(SCAN_SECONDS)

    async def scan_ports(self) -> None:
        """Look once."""
        ports = await asyncio.to_thread(self._find_ports)
        if ports == self._ports:
            return
        self._ports = ports
        for port in ports:
            profile = (
                profile_for_usb(port.vendor, port.product)
                if port.vendor is not None and port.product is not None
                else None
            )
            if profile is not None:
                self._meet(port, profile)
        self._bus.publish(PortsChanged())

    def _meet(self, port: PortInfo, profile: BoardProfile) -> None:
        """A known board on a port: the same board on another path keeps its card."""
        board_id = f"{profile.key}-{port.serial_number or port.location or port.path}"
        known = self._connections.get(board_id)
        if known is None:
            self.add(board_id, profile.name, profile, port.path)
        elif known.port != port.path and known.session is None:
            known.port = known.system_path = port.path
            self._bus.publish(BoardsChanged(board_id))

    def free_ports(self) -> list[PortInfo]:
        """Ports that no board stands for."""
        taken = {connection.port for connection in self._connections.values()}
        return [port for port in self._ports if port.path not in taken]

    def port_present(self, path: str) -> bool:
        """Whether a USB port is there now."""
        return any(port.path == path for port in self._ports)

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
