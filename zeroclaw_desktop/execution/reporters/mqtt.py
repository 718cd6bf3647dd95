"""MQTT as a destination: the end of each action on ``zeroclaw/<device_id>/status``.

QoS 0 by default: for a state that is soon followed by the next, the latest counts, and acknowledged messages
pile up on a bad network. While the broker is away or slow the newest reports wait in a bounded queue. Runs on
the loop's thread; nothing here ever waits for the broker there.
"""

from __future__ import annotations

import asyncio

from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.mqtt_address import MqttAddress
from zeroclaw_desktop.execution.reporters.mqtt_link import MqttLink
from zeroclaw_desktop.execution.reporters.newest_queue import NewestQueue
from zeroclaw_desktop.execution.reporters.status import status_line
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.mqtt.broker_connection import CONNECT_SECONDS
from zeroclaw_desktop.mqtt.errors import MqttLinkError

QUEUE_LIMIT = 256
HIGH_WATER_BYTES = 16_384
MAX_IN_FLIGHT = 32
BATCH = 8
STALL_SECONDS = 10.0
STEADY_SECONDS = 5.0
"""A link that was lost sooner counts as a failure: a broker that throws us out at once is not hammered."""
LOOK_AGAIN_SECONDS = 0.02
_log = logger("execution")


class MqttReporter:
    """Publishes the end of each action.

    Args:
        address: the broker; see parse_mqtt_address.
        limit: how many reports wait at most.
        backoff: the plan of waits between attempts to connect.
        connect_seconds: how long an attempt may take.
        stall_seconds: a broker that takes nothing for so long is left, and connected to again.
    """

    def __init__(
        self,
        address: MqttAddress,
        *,
        limit: int = QUEUE_LIMIT,
        backoff: Backoff | None = None,
        connect_seconds: float = CONNECT_SECONDS,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self.address = address
        self.sent = 0
        self.last_fault = ""
        self._backoff = backoff or Backoff()
        self._connect_seconds = connect_seconds
        self._stall_seconds = stall_seconds
        self._queue = NewestQueue(limit)
        self._tasks = TaskSupervisor("mqtt-reporter")
        self._wake = asyncio.Event()
        self._link: MqttLink | None = None
        self._in_outage = False

    @property
    def connected(self) -> bool:
        """Whether there is a link to the broker."""
        return self._link is not None and not self._link.lost

    @property
    def dropped(self) -> int:
        """Reports that gave way to newer ones."""
        return self._queue.dropped

    @property
    def waiting(self) -> int:
        """Reports that were not handed to the broker yet."""
        return len(self._queue)

    @property
    def unacknowledged(self) -> int:
        """Messages of QoS 1 that the broker has but did not acknowledge yet."""
        return self._link.in_flight if self._link is not None else 0

    def socket_option(self, level: int, option: int) -> int:
        """An option of the connection's socket; 0 without a connection."""
        return self._link.socket_option(level, option) if self._link is not None else 0

    def start(self) -> None:
        """See RunningReporter."""
        self._tasks.start(self._run(), "link")

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        if transition.result is not None:
            self._queue.put(transition.result)
            self._wake.set()

    async def stop(self, timeout: float = 2.0) -> None:
        """See RunningReporter."""
        deadline = asyncio.get_running_loop().time() + timeout
        while self.connected and self._busy() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
            # The library tells nobody when its buffer is empty.
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        link, self._link = self._link, None
        await self._tasks.stop(timeout)
        if link is not None:
            await link.close(max(0.2, deadline - asyncio.get_running_loop().time()))
        self._queue.clear()

    def _busy(self) -> bool:
        link = self._link
        return bool(len(self._queue) or (link is not None and (link.unsent_bytes() or link.in_flight)))

    async def _run(self) -> None:
        while True:
            delay = await self._one_link()
            if delay:
                await asyncio.sleep(delay)

    async def _one_link(self) -> float:
        """Connect once and deliver until the link is lost; returns how long to wait before the next time."""
        loop = asyncio.get_running_loop()
        link = MqttLink(self.address, self._wake.set)
        try:
            await link.open(self._connect_seconds)
        except MqttLinkError as error:
            self._tell_outage(error.message)
            return self._backoff.failed()
        self._link = link
        self._tell_recovery()
        opened = loop.time()
        reason = ""
        try:
            reason = await self._deliver(link)
        finally:
            # When stopping, stop() has taken the link to say goodbye properly.
            if self._link is link:
                self._link = None
                await link.abandon()
                for result in reversed(link.unacknowledged()):
                    self._queue.put_back(result)
        self._tell_outage(reason)
        if loop.time() - opened >= STEADY_SECONDS:
            self._backoff.succeeded()
        return self._backoff.failed()

    async def _deliver(self, link: MqttLink) -> str:
        """Hand over reports until the link is lost; returns why it ended."""
        while not link.lost:
            self._wake.clear()
            while not link.lost and len(self._queue):
                if self._crowded(link) and not await self._room(link):
                    return f"it took nothing for {self._stall_seconds:g} s"
                if not link.lost:
                    self._publish_one(link)
                if self.sent % BATCH == 0:
                    # A full queue is not worth a pause of the whole loop.
                    await asyncio.sleep(0)
            if not link.lost:
                await self._wake.wait()
        return "the connection was lost"

    def _publish_one(self, link: MqttLink) -> None:
        result = self._queue.take()
        if result is None:
            return
        # Nothing moved in a dry run: it must not stand as the device's last state.
        retain = self.address.retain and not result.dry_run
        link.publish(self.address.status_topic(result.device_id), status_line(result), result, retain=retain)
        self.sent += 1

    @staticmethod
    def _crowded(link: MqttLink) -> bool:
        return link.unsent_bytes() > HIGH_WATER_BYTES or link.in_flight >= MAX_IN_FLIGHT

    async def _room(self, link: MqttLink) -> bool:
        """Wait until the broker takes more; False when it takes nothing at all."""
        loop = asyncio.get_running_loop()
        before, since = (link.unsent_bytes(), link.in_flight), loop.time()
        while not link.lost and self._crowded(link):
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
            now = (link.unsent_bytes(), link.in_flight)
            if now != before:
                before, since = now, loop.time()
            elif loop.time() - since >= self._stall_seconds:
                return False
        return True

    def _tell_outage(self, reason: str) -> None:
        self.last_fault = reason
        if not self._in_outage:
            self._in_outage = True
            _log.warning("Reports do not reach the MQTT broker %s; trying again: %s", self.address, reason)

    def _tell_recovery(self) -> None:
        if self._in_outage:
            self._in_outage = False
            _log.info("The MQTT broker %s is reached; %d reports were lost", self.address, self.dropped)
