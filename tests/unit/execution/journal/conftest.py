"""A journal at work, for each test one of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.unit.execution.journal.journal_world import World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    started = await World(tmp_path).start()
    yield started
    await started.stop()
