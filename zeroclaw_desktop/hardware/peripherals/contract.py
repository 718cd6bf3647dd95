"""What a board is to the app, whatever its kind (HW-5), and how its line is opened."""

from __future__ import annotations

from typing import Protocol

from zeroclaw_desktop.contracts.boards import BoardHealth
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings


class OwnLine(Protocol):
    """How a board is reached that is at no serial port."""

    @property
    def networked(self) -> bool:
        """Whether it may be lost without the system noticing, so that it is pinged whatever its firmware."""

    async def prepare(self) -> None:
        """Fetch what the opening needs, on the loop; may raise ZeroClawError."""

    def open(self, settings: PortSettings) -> PortHandle:
        """Open the line on the thread that will own it; raises PortError, or LinkError to be asked anew."""


class Peripheral(Protocol):
    """A board. ``hardware.connection.BoardConnection`` is the implementation for every kind."""

    name: str

    @property
    def board_type(self) -> str:
        """Key of its board file."""

    async def connect(self) -> None:
        """Open the line and greet the board; raises ZeroClawError."""

    async def disconnect(self) -> None:
        """Let go of the line and stay away."""

    async def health_check(self) -> BoardHealth:
        """Ask it now whether it answers; never raises for a board that does not."""

    def tools(self) -> frozenset[str]:
        """Commands of the protocol that it carries out now; empty while it is not connected."""
