"""From the address of a board to what opens its line."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.hardware.peripherals.address import BoardAddress
from zeroclaw_desktop.hardware.peripherals.driver import Driver
from zeroclaw_desktop.hardware.peripherals.hosted_board import HostedBoard
from zeroclaw_desktop.hardware.peripherals.hosted_line import HostedLine
from zeroclaw_desktop.hardware.transport.port_handle import PortHandle, PortSettings

FetchPassword = Callable[[BoardAddress], Awaitable[str]]
"""The password that belongs to an address, '' when it needs none; may raise ZeroClawError."""


class BoardLine:
    """How the line of one board is opened, again and again; implements OwnLine.

    Args:
        fetch_password: asked before each opening where the address has a user.
    """

    def __init__(self, address: BoardAddress, profile: BoardProfile, fetch_password: FetchPassword) -> None:
        self.address = address
        self._profile = profile
        self._fetch_password = fetch_password
        self._password = ""

    @property
    def networked(self) -> bool:
        """See OwnLine."""
        return self.address.networked

    async def prepare(self) -> None:
        """Fetch what the opening needs."""
        if self.address.user:
            self._password = await self._fetch_password(self.address)

    def open(self, settings: PortSettings) -> PortHandle:
        """See OwnLine; libraries of a kind are imported when a board of it is opened."""
        address = self.address
        if address.kind.key == "tcp":
            from zeroclaw_desktop.hardware.peripherals.tcp_line import open_tcp

            return open_tcp(address.host, address.port, address.text)
        if address.kind.key == "mqtt":
            from zeroclaw_desktop.hardware.peripherals.mqtt_line import MqttLine

            return MqttLine(address, self._password)
        driver = self._driver(settings)
        return HostedLine(HostedBoard(self._profile, driver, time.monotonic), driver)

    def _driver(self, settings: PortSettings) -> Driver:
        """The hardware of a board that this program answers for; raises PortError."""
        address = self.address
        if address.kind.key == "uno-q":
            from zeroclaw_desktop.hardware.peripherals.uno_q_driver import UnoQDriver

            driver = UnoQDriver(address.host, address.port, address.text)
            driver.alive()
            return driver
        if address.kind.key == "micropython":
            from zeroclaw_desktop.hardware.peripherals.micropython_driver import MicroPythonDriver

            return MicroPythonDriver(address.path, settings, self._profile)
        from zeroclaw_desktop.hardware.peripherals.raspberry_driver import RaspberryPiDriver, load_libraries

        return RaspberryPiDriver(address.path, self._profile, load_libraries())
