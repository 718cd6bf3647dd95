"""The reporter's connection to an MQTT broker: reports, and whether this program is there."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.execution.reporters.mqtt_address import MqttAddress
from zeroclaw_desktop.mqtt.broker_connection import CONNECT_SECONDS, Broker, BrokerConnection, Will


class MqttLink:
    """A connection to a broker with a last will on the availability topic.

    Args:
        changed: called on the loop's thread when the link is lost.
    """

    def __init__(self, address: MqttAddress, changed: Callable[[], None]) -> None:
        self._address = address
        broker = Broker(address.host, address.port, address.tls, address.user, address.password)
        self._connection = BrokerConnection(broker, Will(address.availability_topic), changed)

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._connection.lost

    async def open(self, timeout: float = CONNECT_SECONDS) -> None:
        """Connect and announce this program as online; raises MqttLinkError, and nothing stays open then."""
        await self._connection.open(timeout)
        self._connection.publish(self._address.availability_topic, b"online", qos=1, retain=True)

    def socket_option(self, level: int, option: int) -> int:
        """See BrokerConnection."""
        return self._connection.socket_option(level, option)

    def unsent_bytes(self) -> int:
        """See BrokerConnection."""
        return self._connection.unsent_bytes()

    @property
    def in_flight(self) -> int:
        """See BrokerConnection."""
        return self._connection.in_flight

    def publish(self, topic: str, payload: bytes, result: ActionResult, *, retain: bool) -> None:
        """Hand a report to the connection; never blocks. When the link is lost it may be lost as well."""
        self._connection.publish(topic, payload, qos=self._address.qos, retain=retain, subject=result)

    def unacknowledged(self) -> list[ActionResult]:
        """Reports of QoS 1 that must be sent again over the next link, oldest first."""
        return self._connection.unacknowledged()

    async def close(self, timeout: float) -> None:
        """Say goodbye (so that the last will stays unsaid), then end; forcibly after ``timeout`` seconds."""
        await self._connection.close(timeout, (self._address.availability_topic, b"offline"))

    async def abandon(self) -> None:
        """Cut the connection without a goodbye; the broker speaks the last will."""
        await self._connection.abandon()
