"""Fixture of the firmware tests: the protocol core, compiled once for the session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.firmware.host_board import HostBoard, build


@pytest.fixture(scope="session")
def host_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled test driver."""
    return build(tmp_path_factory.mktemp("host_board"))


@pytest.fixture
def board(host_program: Path) -> Iterator[HostBoard]:
    """Yield a board that has just started, its boot line read."""
    running = HostBoard(host_program)
    running.boot()
    yield running
    running.close()


@pytest.fixture(scope="session")
def fuzz_board(host_program: Path) -> Iterator[HostBoard]:
    """Yield one board for many examples; each example begins with boot()."""
    running = HostBoard(host_program)
    yield running
    running.close()
