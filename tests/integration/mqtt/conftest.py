"""A broker of one's own for each test; without mosquitto the tests say what to install."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.mqtt.broker import Broker, missing_programs


@pytest.fixture
def idle_broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker that was not started."""
    missing = missing_programs()
    if missing:
        pytest.skip(missing)
    broker = Broker(tmp_path)
    yield broker
    broker.end()


@pytest.fixture
def broker(idle_broker: Broker) -> Broker:
    """A running broker."""
    idle_broker.start()
    return idle_broker
