"""The ports that are plugged in now, each with its identity."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from zeroclaw_desktop.hardware.discovery.identity import PortIdentities
from zeroclaw_desktop.hardware.errors import PortMissingError
from zeroclaw_desktop.hardware.transport.discovery import PortInfo

FindPorts = Callable[[], tuple[PortInfo, ...]]


class PluggedPorts:
    """Looks at the ports of the machine.

    Args:
        find_ports: lists them; called on a worker thread.
    """

    def __init__(self, find_ports: FindPorts) -> None:
        self._find_ports = find_ports
        self._identities = PortIdentities()
        self._ports: tuple[PortInfo, ...] = ()
        self._by_identity: dict[str, PortInfo] = {}

    @property
    def ports(self) -> tuple[PortInfo, ...]:
        """As last looked at."""
        return self._ports

    @property
    def by_identity(self) -> Mapping[str, PortInfo]:
        """As last looked at."""
        return self._by_identity

    def identity_of(self, path: str) -> str:
        """Identity of the port at a path; '' when no USB port is there."""
        return next((name for name, port in self._by_identity.items() if port.path == path), "")

    async def look(self) -> bool:
        """Look now; returns whether anything changed. Raises PortError."""
        ports = await asyncio.to_thread(self._find_ports)
        changed = ports != self._ports
        self._ports = ports
        self._by_identity = {name: port for port, name in self._identities.of(ports).items()}
        return changed

    async def locate(self, identity: str) -> str:
        """Path at which a device is at this very moment.

        So a board that got another path after its reset is found again, and nobody ever opens a path that
        belongs to another device by now.

        Raises:
            PortMissingError: it is not plugged in.
            PortError: the ports could not be listed.
        """
        await self.look()
        port = self._by_identity.get(identity)
        if port is None:
            raise PortMissingError(
                "The board is not plugged in.",
                hint="Plug it in; use a cable that carries data, not power only.",
                retryable=True,
                details={"port": identity},
            )
        return port.path
