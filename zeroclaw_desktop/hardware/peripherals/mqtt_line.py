"""A board behind an MQTT broker: our JSON lines, one a message.

=================  ==============  =======================================================================
topic              published by    payload
=================  ==============  =======================================================================
``<base>/cmd``     this program    a request
``<base>/reply``   the board       a reply
``<base>/evt``     the board       an event or a line of telemetry
``<base>/online``  the board       retained ``online``; its last will says ``offline``
``<base>/host``    this program    retained ``online``; its last will says ``offline``
=================  ==============  =======================================================================

Requests go with QoS 0 and are never retained: a broker that kept them for a board that is away would let it
act on old orders when it comes back. A reply or event that the broker had retained is old too, and dropped.
"""

from __future__ import annotations

import asyncio
import contextlib

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import LinkError, PortError, PortGoneError, PortMissingError
from zeroclaw_desktop.hardware.peripherals.address import BoardAddress
from zeroclaw_desktop.mqtt.broker_connection import Broker, BrokerConnection, Will
from zeroclaw_desktop.mqtt.errors import MqttLinkError

CONNECT_SECONDS = 3.0
ONLINE_SECONDS = 0.5
"""How long the broker may take to say whether the board is there; without a word the handshake finds out."""
GOODBYE_SECONDS = 1.0
MAX_MESSAGE = 65_536
MAX_WAITING = 1_048_576
"""Bytes that came and were not read; more are dropped, as a serial line drops what nobody takes."""
MAX_UNSENT = 262_144
_ABSENT = (b"offline", b"0", b"false")


class MqttLine:
    """Implements PortHandle; the connection lives on a loop of the line's own thread.

    Args:
        password: for the broker; '' for none.

    Raises:
        PortError: the broker or the board is not there.
        LinkError: the broker does not let us in.
    """

    def __init__(self, address: BoardAddress, password: str) -> None:
        self._address = address
        self._shown = address.text
        self._loop = asyncio.SelectorEventLoop()
        self._woken = asyncio.Event()
        self._presence = asyncio.Event()
        self._absent = False
        self._received = bytearray()
        self._line = bytearray()
        broker = Broker(address.host, address.port, address.tls, address.user, password)
        self._connection = BrokerConnection(
            broker, Will(self._topic("host")), self._woken.set, self._message_came
        )
        try:
            self._loop.run_until_complete(self._open())
        except MqttLinkError as error:
            self._end_loop()
            raise self._explained(error) from error
        except BaseException:
            self._loop.run_until_complete(self._connection.abandon())
            self._end_loop()
            raise

    def _topic(self, name: str) -> str:
        return f"{self._address.base}/{name}"

    async def _open(self) -> None:
        await self._connection.open(CONNECT_SECONDS)
        self._connection.publish(self._topic("host"), b"online", qos=1, retain=True)
        for name in ("online", "reply", "evt"):
            self._connection.subscribe(self._topic(name))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ONLINE_SECONDS):
                await self._presence.wait()
        if self._absent:
            raise self._board_absent()

    def read(self, seconds: float) -> bytes:
        """See PortHandle."""
        self._loop.run_until_complete(self._wait(seconds))
        self._check()
        data = bytes(self._received)
        self._received.clear()
        return data

    async def _wait(self, seconds: float) -> None:
        if not self._received and not self._connection.lost:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._woken.wait()
        self._woken.clear()

    def _check(self) -> None:
        if self._received:
            return  # what came before the end is still read
        if self._connection.lost:
            raise PortGoneError(
                f"The connection to the broker of {self._shown} is lost.",
                hint="The app connects again by itself when the broker is back.",
                code="network_lost",
                retryable=True,
                details={"port": self._shown, "reason": "the broker hung up"},
            )
        if self._absent:
            raise self._board_absent()

    def write(self, data: bytes) -> None:
        """See PortHandle; each whole line becomes one message."""
        self._line += data
        *lines, rest = self._line.split(b"\n")
        self._line = bytearray(rest)
        for line in lines:
            if line.strip() and not self._connection.lost:
                self._connection.publish(self._topic("cmd"), bytes(line))
        self._loop.run_until_complete(asyncio.sleep(0))
        if self._connection.unsent_bytes() > MAX_UNSENT:
            raise PortGoneError(
                f"The broker of {self._shown} takes nothing any more.",
                code="network_lost",
                retryable=True,
                details={"port": self._shown, "reason": "the broker takes nothing any more"},
            )

    def wake(self) -> None:
        """See PortHandle."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._woken.set)

    def close(self) -> None:
        """See PortHandle."""
        self._loop.run_until_complete(
            self._connection.close(GOODBYE_SECONDS, (self._topic("host"), b"offline"))
        )
        self._end_loop()

    def _end_loop(self) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def _message_came(self, topic: str, payload: bytes, retained: bool) -> None:
        if topic == self._topic("online"):
            self._absent = payload.strip().lower() in _ABSENT
            self._presence.set()
        elif not retained and len(self._received) < MAX_WAITING:
            self._received += payload[:MAX_MESSAGE].rstrip(b"\r\n") + b"\n"
        self._woken.set()

    def _board_absent(self) -> PortMissingError:
        return PortMissingError(
            f"The board at {self._shown} is not connected to its broker.",
            hint="Switch it on; the app connects by itself when it was connected before.",
            code="device_offline",
            retryable=True,
            details={"port": self._shown, "topic": self._topic("online")},
        )

    def _explained(self, error: MqttLinkError) -> ZeroClawError:
        """The same fault as one of a port; being refused is not tried again and again."""
        kind = PortMissingError if error.code == "mqtt_unreachable" else PortError
        if not error.retryable:
            return LinkError(error.message, hint=error.hint, code=error.code, details=error.details)
        return kind(error.message, hint=error.hint, code=error.code, retryable=True, details=error.details)
