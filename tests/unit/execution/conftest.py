"""A door with the real firmware behind it."""

from __future__ import annotations

import pytest

from tests.helpers.firmware_bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()
