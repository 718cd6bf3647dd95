"""A connection to an MQTT broker (3.1.1): the only module that knows the MQTT library.

The library's own reconnecting is switched off: it has one fixed delay and starts tasks that nobody owns. A
connection is made, used until it is lost, closed; who wants another makes another.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gmqtt import Client, Message
from gmqtt.mqtt.constants import MQTTv311
from gmqtt.mqtt.handler import MQTTConnectError
from gmqtt.storage import PersistentStorage

from zeroclaw_desktop.mqtt.errors import MqttLinkError

CONNECT_SECONDS = 5.0
KEEPALIVE_SECONDS = 20
SEND_BUFFER_BYTES = 65_536
"""What the system may hold back for a slow broker: more would only grow old there."""
NEVER_BY_ITSELF = -2
"""The library compares its count of failures with this; -1 would mean without end."""
LOGIN_REFUSED = (4, 5)
"""Return codes of CONNACK: bad user name or password; not authorised (MQTT 3.1.1, table 3.1)."""

# The library reports each lost connection as an error with a traceback; the caller tells it once, in words.
logging.getLogger("gmqtt").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Broker:
    """Where the broker is and who asks.

    Attributes:
        user: '' for nobody.
    """

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Will:
    """What the broker says for us, retained, when the connection ends without a goodbye."""

    topic: str
    payload: bytes = b"offline"


class _InFlight(PersistentStorage):  # type: ignore[misc]  # the library ships no type information
    """Messages of QoS 1 that the broker has not acknowledged, by packet number, with what they are about."""

    def __init__(self) -> None:
        super().__init__()
        self.subjects: dict[int, Any] = {}
        self.sending: Any = None

    def push_message(self, mid: int, raw_package: bytes) -> None:
        super().push_message(mid, raw_package)
        if self.sending is not None:
            self.subjects[mid] = self.sending

    def remove_message_by_mid(self, mid: int) -> None:
        super().remove_message_by_mid(mid)
        self.subjects.pop(mid, None)


@dataclass
class _State:
    lost: bool = False
    closing: bool = False


class BrokerConnection:
    """One connection; all methods on the thread of the loop that it is opened on.

    Args:
        will: spoken by the broker when we vanish.
        changed: called when the connection is lost.
        received: called with topic, payload and whether the broker had retained it, for each message of a
            topic that was subscribed to.
    """

    def __init__(
        self,
        broker: Broker,
        will: Will | None = None,
        changed: Callable[[], None] = lambda: None,
        received: Callable[[str, bytes, bool], None] = lambda _topic, _payload, _retained: None,
    ) -> None:
        self._broker = broker
        self._changed = changed
        self._received = received
        self._state = _State()
        self._gone = asyncio.Event()
        self._in_flight = _InFlight()
        self._client = Client(
            f"zeroclaw-{uuid.uuid4().hex[:14]}",
            clean_session=True,
            will_message=Message(will.topic, will.payload, qos=1, retain=True) if will else None,
            persistent_storage=self._in_flight,
        )
        self._client.set_config({"reconnect_retries": NEVER_BY_ITSELF, "reconnect_delay": 0})
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._message_came
        if broker.user:
            self._client.set_auth_credentials(broker.user, broker.password or None)

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._state.lost

    async def open(self, timeout: float = CONNECT_SECONDS) -> None:
        """Connect.

        Raises:
            MqttLinkError: says what the network or the broker said; nothing stays open.
        """
        try:
            await self._connect(timeout)
        except MQTTConnectError as error:
            await self.abandon()
            raise self._refused(error) from error
        except TimeoutError as error:
            await self.abandon()
            raise self._unreachable(f"no answer within {timeout:g} s") from error
        except OSError as error:
            await self.abandon()
            raise self._unreachable(error.strerror or str(error)) from error
        except BaseException:
            await self.abandon()
            raise
        self._tune_socket()

    async def _connect(self, timeout: float) -> None:
        broker = self._broker
        loop = asyncio.get_running_loop()
        connecting = loop.create_task(
            self._client.connect(
                broker.host, broker.port, ssl=broker.tls, keepalive=KEEPALIVE_SECONDS, version=MQTTv311
            ),
            name="mqtt:connect",
        )
        gone = loop.create_task(self._gone.wait(), name="mqtt:gone")
        try:
            # A peer that hangs up without an answer would leave connect() waiting for ever.
            await asyncio.wait({connecting, gone}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()
            elif gone.done():
                raise ConnectionResetError("the peer hung up without an MQTT answer")
            else:
                raise TimeoutError
        finally:
            for task in (connecting, gone):
                task.cancel()
            await asyncio.gather(connecting, gone, return_exceptions=True)

    def _tune_socket(self) -> None:
        """Small messages leave at once, and few wait in the system for a broker that is slow."""
        transport = self._transport()
        plug = transport.get_extra_info("socket") if transport is not None else None
        if plug is not None and plug.family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):
                plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    def socket_option(self, level: int, option: int) -> int:
        """An option of the connection's socket, for the doctor and the tests."""
        transport = self._transport()
        return int(transport.get_extra_info("socket").getsockopt(level, option)) if transport else 0

    def _transport(self) -> Any:
        # The library has no public way to its transport, which alone knows how much is unsent.
        connection = self._client._connection
        return connection._transport if connection is not None else None

    def unsent_bytes(self) -> int:
        """What the broker has not taken yet and the system does not hold."""
        transport = self._transport()
        return int(transport.get_write_buffer_size()) if transport is not None else 0

    @property
    def in_flight(self) -> int:
        """Messages of QoS 1 that were not acknowledged."""
        return len(self._in_flight.get_all())

    def publish(
        self, topic: str, payload: bytes, *, qos: int = 0, retain: bool = False, subject: Any = None
    ) -> None:
        """Hand a message to the connection; never blocks. When that is lost it may be lost as well.

        Args:
            subject: what the message is about, for ``unacknowledged``.
        """
        self._in_flight.sending = subject
        try:
            self._client.publish(topic, payload, qos=qos, retain=retain)
        finally:
            self._in_flight.sending = None

    def subscribe(self, topic: str, qos: int = 0) -> None:
        """Listen to a topic from now on."""
        self._client.subscribe(topic, qos=qos)

    def unacknowledged(self) -> list[Any]:
        """Subjects of messages of QoS 1 that must be sent again over the next connection, oldest first."""
        return list(self._in_flight.subjects.values())

    async def close(self, timeout: float, farewell: tuple[str, bytes] | None = None) -> None:
        """Say goodbye (so that the last will stays unsaid), then end; forcibly after ``timeout`` seconds.

        Args:
            farewell: topic and payload of a last message, retained.
        """
        self._state.closing = True
        if not self._state.lost:
            with contextlib.suppress(TimeoutError, OSError):
                async with asyncio.timeout(timeout):
                    if farewell is not None:
                        self._client.publish(farewell[0], farewell[1], qos=1, retain=True)
                    while self.in_flight and not self._state.lost:  # noqa: ASYNC110 - bounded by the timeout
                        await asyncio.sleep(0.005)
                    await self._client.disconnect()
        await self.abandon()

    async def abandon(self) -> None:
        """Cut the connection without a goodbye; the broker speaks the last will."""
        self._state.closing = True
        connection = self._client._connection
        if connection is not None:
            if connection._keep_connection_callback is not None:
                connection._keep_connection_callback.cancel()
            connection._transport.abort()
        # The library's reading task ends a few steps after its transport.
        for _ in range(4):
            await asyncio.sleep(0)

    def _message_came(
        self, _client: object, topic: str, payload: bytes, _qos: int, properties: dict[str, Any]
    ) -> int:
        self._received(topic, bytes(payload), bool(properties.get("retain")))
        return 0

    def _disconnected(self, _client: object, _packet: object, _error: object = None) -> None:
        self._state.lost = True
        self._gone.set()
        if not self._state.closing:
            self._changed()

    def _refused(self, error: MQTTConnectError) -> MqttLinkError:
        login = error._code in LOGIN_REFUSED
        return MqttLinkError(
            f"The MQTT broker {self._broker} refuses the connection: {error.message}.",
            hint="Check user name and password in the address." if login else "Check the broker's settings.",
            code="mqtt_login" if login else "mqtt_refused",
            retryable=not login,
            details={"address": str(self._broker), "reason": error.message},
        )

    def _unreachable(self, reason: str) -> MqttLinkError:
        return MqttLinkError(
            f"The MQTT broker {self._broker} cannot be reached: {reason}.",
            hint="Check that the broker runs and that the address is right.",
            code="mqtt_unreachable",
            retryable=True,
            details={"address": str(self._broker), "reason": reason},
        )
