"""A far end on a pseudo terminal for the tests of sessions and connections."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.hardware.far_end import FarEnd


@pytest.fixture
async def far_end(tmp_path: Path) -> AsyncIterator[Callable[..., FarEnd]]:
    """Make a far end under ``tmp_path/port``; unplugged after the test."""
    made: list[FarEnd] = []

    def make(*args: Any, **options: Any) -> FarEnd:
        made.append(FarEnd(tmp_path / f"port{len(made) or ''}", *args, **options))
        return made[-1]

    yield make
    for end in made:
        end.unplug()
