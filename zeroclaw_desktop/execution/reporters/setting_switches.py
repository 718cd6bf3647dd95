"""Reporters switched by settings, at the start and at run time: JSON-lines file, MQTT, serial line."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.execution.reporters.contract import Reporter
from zeroclaw_desktop.execution.reporters.json_lines import JsonLinesReporter
from zeroclaw_desktop.execution.reporters.serial_line import SerialReporter, WritablePort
from zeroclaw_desktop.execution.reporters.switchboard import ReporterSwitchboard
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

JSONL_KEY = "reporters.jsonl"
MQTT_KEY = "reporters.mqtt_url"
SERIAL_KEY = "reporters.serial_port"
NAMES = {JSONL_KEY: "jsonl", MQTT_KEY: "mqtt", SERIAL_KEY: "serial"}
FILE_NAME = "actions.jsonl"
_log = logger("execution")


class ReporterSettings:
    """Keeps the switchboard in step with the settings of the section ``reporters``.

    Args:
        folder: where the JSON-lines file goes; made when it is needed.
        full_address: gives the address of a setting with its password; may raise ZeroClawError.
        open_port: opens a serial port that no board is on; runs on a worker thread, may raise ZeroClawError.
    """

    def __init__(
        self,
        switchboard: ReporterSwitchboard,
        folder: Path,
        full_address: Callable[[str], Awaitable[str]],
        open_port: Callable[[str], WritablePort],
    ) -> None:
        self._switchboard = switchboard
        self._folder = folder
        self._full_address = full_address
        self._open_port = open_port
        self._tasks = TaskSupervisor("reporter-settings")
        self._one_at_a_time = asyncio.Lock()
        self._wanted: dict[str, Any] = {}
        self._switching: list[asyncio.Task[Any]] = []

    def apply(self, values: Mapping[str, Any]) -> None:
        """Switch everything as ``values`` say, in the background; keys that are missing are left alone."""
        for key in NAMES:
            if key in values:
                self.changed(key, values[key])

    def changed(self, key: str, value: object) -> None:
        """Follow one setting, in the background; other keys are ignored. Fits ``ConfigStore.on_change``."""
        if key not in NAMES:
            return
        self._wanted[key] = value
        self._switching = [task for task in self._switching if not task.done()]
        self._switching.append(self._tasks.start(self._switch(key), key))

    async def settled(self) -> None:
        """Wait until what was asked is done."""
        while pending := [task for task in self._switching if not task.done()]:
            await asyncio.wait(pending)

    async def close(self) -> None:
        """End the switching; what is plugged in stays with the switchboard."""
        await self._tasks.stop()

    async def _switch(self, key: str) -> None:
        async with self._one_at_a_time:
            # The newest wish counts: of several quick changes the earlier ones may be over by now.
            value = self._wanted[key]
            try:
                reporter = await self._make(key, value)
            except ZeroClawError as error:
                await self._switchboard.remove(NAMES[key])
                _log.error("%s is not used: %s %s", key, error.message, error.hint)
                return
            if reporter is not None and reporter is self._switchboard.reporter(NAMES[key]):
                return
            await self._switchboard.remove(NAMES[key])
            if reporter is not None:
                self._switchboard.add(NAMES[key], reporter)

    async def _make(self, key: str, value: object) -> Reporter | None:
        """The reporter that a setting asks for; the one in use where that is it already."""
        if key == JSONL_KEY:
            return JsonLinesReporter(self._folder / FILE_NAME) if value is True else None
        if key == SERIAL_KEY:
            await self._switchboard.remove(NAMES[key])  # the port may be the same one
            path = str(value or "").strip()
            return SerialReporter(await asyncio.to_thread(self._open_port, path)) if path else None
        text = await self._full_address(key) if value else ""
        if not text:
            return None
        # The MQTT library takes 50 ms to import; a start without a broker does not pay for it.
        from zeroclaw_desktop.execution.reporters.mqtt import MqttReporter
        from zeroclaw_desktop.execution.reporters.mqtt_address import parse_mqtt_address

        address, present = parse_mqtt_address(text), self._switchboard.reporter(NAMES[key])
        if isinstance(present, MqttReporter) and present.address == address:
            return present
        return MqttReporter(address)
