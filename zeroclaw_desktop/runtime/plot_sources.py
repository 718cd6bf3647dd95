"""Sources of the plots that are no board: UDP, MQTT topics, ports without protocol."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.setting_switches import MQTT_KEY
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.hardware.console_buffer import ConsoleBuffer
from zeroclaw_desktop.hardware.sources.message_lines import line_of_message
from zeroclaw_desktop.hardware.sources.udp_lines import LOOPBACK, UdpLines
from zeroclaw_desktop.hardware.telemetry.errors import TelemetrySettingError
from zeroclaw_desktop.hardware.telemetry.frame_ingest import FrameIngest
from zeroclaw_desktop.hardware.telemetry.frame_splitter import FrameCounters
from zeroclaw_desktop.hardware.telemetry.ingest import TelemetryIngest
from zeroclaw_desktop.hardware.telemetry.lines import LineCounters
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_habits import PlotHabits, ReadingWish
from zeroclaw_desktop.runtime.plot_ports import PlotPorts, apply_reading

UDP_KEY, UDP_REACH_KEY, UDP_PORT_KEY = "plots.udp", "plots.udp_reach", "plots.udp_port"
TOPICS_KEY = "plots.mqtt_topics"
ALL_INTERFACES = "0.0.0.0"
MQTT_SOURCE = "mqtt"
CONSOLE_LINES = 2_000
MAX_CONSOLES = 64
GOODBYE_SECONDS = 0.5
_log = logger("runtime")


class PlotSources:
    """Keeps the sources in step with the settings.

    Args:
        store: where samples go.
        config: the person's settings.
        full_address: gives the address of the broker with its password; may raise ZeroClawError.
        backoff: waiting between attempts to reach the broker; None for the usual one.
        habits: remembers ports and ways to read; None for this run only.

    Attributes:
        consoles: what each source sent, by its id.
        ports: ports without protocol.
        faults: why a source that is switched on does not work, by the key of its setting.
    """

    def __init__(
        self,
        store: TelemetryStore,
        config: ConfigStore,
        full_address: Callable[[str], Awaitable[str]],
        backoff: Backoff | None = None,
        habits: PlotHabits | None = None,
    ) -> None:
        self.consoles: dict[str, ConsoleBuffer] = {}
        self.habits = habits or PlotHabits(None)
        self.ports = PlotPorts(store, self.habits, self._show)
        self.faults: dict[str, ZeroClawError] = {}
        self._store = store
        self._config = config
        self._full_address = full_address
        self._backoff = backoff or Backoff()
        self._tasks = TaskSupervisor("plot-sources")
        self._udp: UdpLines | None = None
        self._mqtt: asyncio.Task[Any] | None = None
        self._messages: TelemetryIngest | None = None

    def start(self) -> None:
        """Begin what the settings say, and follow them."""
        self._switch_udp()
        self._switch_mqtt()
        self.ports.start()
        self._config.on_change(self._changed)

    async def stop(self) -> None:
        """End all sources."""
        await self._tasks.stop()
        await self.ports.stop()
        udp, self._udp = self._udp, None
        if udp is not None:
            await asyncio.to_thread(udp.stop)

    @property
    def udp_port(self) -> int:
        """The UDP port that is listened on; 0 when none is."""
        return self._udp.port if self._udp is not None else 0

    def counters(self) -> dict[str, LineCounters | FrameCounters]:
        """Return what came from each source by its id."""
        found: dict[str, LineCounters | FrameCounters] = {}
        if self._udp is not None:
            found |= self._udp.sources()
        found |= {port: source.ingest.counters for port, source in self.ports.open.items()}
        if self._messages is not None:
            found[MQTT_SOURCE] = self._messages.counters
        return found

    def _changed(self, key: str, _value: object) -> None:
        if key in (UDP_KEY, UDP_REACH_KEY, UDP_PORT_KEY):
            self._switch_udp()
        elif key in (TOPICS_KEY, MQTT_KEY):
            self._switch_mqtt()

    def _show(self, source_id: str, lines: Sequence[bytes], _when: float) -> None:
        console = self.consoles.get(source_id)
        if console is None and len(self.consoles) < MAX_CONSOLES:
            console = self.consoles[source_id] = ConsoleBuffer(CONSOLE_LINES)
        if console is not None:
            reader = self.reader(source_id)
            if isinstance(reader, TelemetryIngest):
                console.encoding = reader.parser.encoding
            console.append(lines)

    # -- ways to read ---------------------------------------------------------------------------------
    def reader(self, source_id: str) -> TelemetryIngest | FrameIngest | None:
        """Return the reader of a source that is no board; None where there is none now."""
        if source_id in self.ports.open:
            return self.ports.open[source_id].ingest
        if source_id == MQTT_SOURCE:
            return self._messages
        return self._udp.reader(source_id) if self._udp is not None else None

    def choose_reading(self, source_id: str, reading: ReadingWish) -> None:
        """Read what a source sends from now on in another way, and remember it.

        Raises:
            TelemetrySettingError: the source sends frames, or one of the choices is not possible.
        """
        reader = self.reader(source_id)
        if isinstance(reader, FrameIngest):
            raise TelemetrySettingError(
                "Frames are read as their description says.", hint="Change the description."
            )
        if reader is not None:
            apply_reading(reader, reading)
        self.habits.set_reading(source_id, reading)

    def remembered(self, reader: TelemetryIngest) -> None:
        """Let a new reader read as its source was read last."""
        reading = self.habits.reading(reader.source_id)
        if reading is not None:
            try:
                apply_reading(reader, reading)
            except ZeroClawError as error:
                _log.warning("%s is read in the usual way: %s", reader.source_id, error.message)

    # -- UDP ------------------------------------------------------------------------------------------
    def _switch_udp(self) -> None:
        udp, self._udp = self._udp, None
        if udp is not None:
            udp.stop()
        self.faults.pop(UDP_KEY, None)
        if not self._config.get(UDP_KEY):
            return
        address = ALL_INTERFACES if self._config.get(UDP_REACH_KEY) == "network" else LOOPBACK
        port = int(self._config.get(UDP_PORT_KEY))
        listening = UdpLines(self._store, address, port, self._show, self.remembered)
        try:
            listening.start()
        except ZeroClawError as error:
            self.faults[UDP_KEY] = error
            _log.error("%s %s", error.message, error.hint)
            return
        self._udp = listening

    # -- MQTT -----------------------------------------------------------------------------------------
    def _switch_mqtt(self) -> None:
        if self._mqtt is not None:
            self._mqtt.cancel()
            self._mqtt = None
        self.faults.pop(TOPICS_KEY, None)
        filters = [name.strip() for name in str(self._config.get(TOPICS_KEY)).split(",") if name.strip()]
        if filters:
            self._mqtt = self._tasks.start(self._listen(filters), "mqtt topics")

    async def _listen(self, filters: list[str]) -> None:
        while True:
            try:
                await self._one_link(filters)
                self._backoff.succeeded()
            except ZeroClawError as error:
                if TOPICS_KEY not in self.faults:
                    _log.error("Topics are not plotted: %s %s", error.message, error.hint)
                self.faults[TOPICS_KEY] = error
            await asyncio.sleep(self._backoff.failed())

    async def _one_link(self, filters: list[str]) -> None:
        """Connect and hear until the link is lost."""
        text = await self._full_address(MQTT_KEY)
        if not text:
            raise ZeroClawError(
                "No MQTT broker is set.", hint="Set it under Settings, Reports.", code="mqtt_link"
            )
        # The MQTT library takes 50 ms to import; a start without topics does not pay for it.
        from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address
        from zeroclaw_desktop.mqtt.broker_connection import Broker, BrokerConnection

        address = parse_mqtt_address(text)
        broker = Broker(address.host, address.port, address.tls, address.user, address.password)
        lost = asyncio.Event()
        ingest = self._message_ingest()
        connection = BrokerConnection(
            broker, changed=lost.set, received=lambda topic, data, _: _feed(ingest, topic, data)
        )
        await connection.open()
        try:
            self.faults.pop(TOPICS_KEY, None)
            for name in filters:
                connection.subscribe(name)
            await lost.wait()
        finally:
            await (connection.abandon() if connection.lost else connection.close(GOODBYE_SECONDS))

    def _message_ingest(self) -> TelemetryIngest:
        if self._messages is None:
            self._messages = TelemetryIngest(
                MQTT_SOURCE, self._store, lambda lines, when: self._show(MQTT_SOURCE, lines, when)
            )
            self.remembered(self._messages)
            # A message begins with a line, so that none is partial.
            self._messages.feed(b"\n", time.monotonic())
        return self._messages


def _feed(ingest: TelemetryIngest, topic: str, payload: bytes) -> None:
    ingest.feed(line_of_message(topic, payload), time.monotonic())
