"""HW-12: topics of a real broker become series, over an outage too; switched by settings."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.integration.mqtt.broker import Broker, program, until
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore
from zeroclaw_desktop.runtime.plot_sources import MQTT_SOURCE, TOPICS_KEY, PlotSources


@asynccontextmanager
async def plotting(
    broker: Broker, folder: Path, topics: str
) -> AsyncIterator[tuple[PlotSources, ConfigStore, TelemetryStore]]:
    config = ConfigStore(folder / "config.toml")
    config.set(TOPICS_KEY, topics)
    store = TelemetryStore()

    async def address(_key: str) -> str:
        return broker.url

    sources = PlotSources(store, config, address, Backoff(0.05, 0.2))
    sources.start()
    try:
        yield sources, config, store
    finally:
        await sources.stop()


def publish(broker: Broker, topic: str, payload: str) -> None:
    path = program("mosquitto_pub")
    assert path is not None
    subprocess.run([path, "-p", str(broker.port), "-t", topic, "-m", payload, "-r"], check=True, timeout=20)


def value(store: TelemetryStore, label: str) -> float | None:
    return {info.key.label: info.last_value for info in store.series(MQTT_SOURCE)}.get(label)


async def test_numbers_and_json_on_topics_are_plotted(broker: Broker, tmp_path: Path) -> None:
    publish(broker, "lab/a/temp", "21.5")
    publish(broker, "lab/b", '{"hum": 40}')
    publish(broker, "other", "1")
    async with plotting(broker, tmp_path, "lab/#") as (sources, config, store):
        await until(lambda: value(store, "lab/a/temp") == 21.5 and value(store, "lab/b.hum") == 40)
        assert value(store, "other") is None
        assert sources.counters()[MQTT_SOURCE].samples == 2
        config.set(TOPICS_KEY, "other")
        await until(lambda: value(store, "other") == 1)


async def test_after_an_outage_it_goes_on(broker: Broker, tmp_path: Path) -> None:
    async with plotting(broker, tmp_path, "n") as (sources, _, store):
        publish(broker, "n", "1")
        await until(lambda: value(store, "n") == 1)
        broker.end()
        await until(lambda: TOPICS_KEY in sources.faults)
        broker.start()
        await until(lambda: TOPICS_KEY not in sources.faults)
        publish(broker, "n", "2")
        await until(lambda: value(store, "n") == 2)
        assert sources.counters()[MQTT_SOURCE].samples == 2
