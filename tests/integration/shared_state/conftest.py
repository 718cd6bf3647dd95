"""Both keepers of shared state for one and the same suite, and real Redis servers for the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.shared_state.redis_server import RedisServer, missing_programs
from zeroclaw_desktop.execution.shared_state import InProcessState, SharedState, open_shared_state
from zeroclaw_desktop.execution.shared_state.redis_state import RedisState

Connect = Callable[[], SharedState]


def started(folder: Path, *, persistent: bool = False) -> RedisServer:
    missing = missing_programs()
    if missing:
        pytest.skip(missing)
    server = RedisServer(folder, persistent=persistent)
    server.start()
    return server


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis that forgets everything when it ends."""
    server = started(tmp_path)
    yield server
    server.kill()


@pytest.fixture(params=[True, False], ids=["persistent", "forgetful"])
def either_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[RedisServer, bool]]:
    """A Redis, and whether it remembers after a restart."""
    server = started(tmp_path, persistent=request.param)
    yield server, request.param
    server.kill()


@pytest.fixture(params=["process", "redis"])
async def connect(request: pytest.FixtureRequest) -> AsyncIterator[Connect]:
    """Makes a client of the keeper: the one object of this process, or a connection of its own."""
    states: list[SharedState] = []
    if request.param == "process":
        only = open_shared_state("")
        assert isinstance(only, InProcessState)
        states.append(only)

        def client() -> SharedState:
            return only
    else:
        server: RedisServer = request.getfixturevalue("redis_server")

        def client() -> SharedState:
            states.append(RedisState(server.url, party_lease=1.0))
            return states[-1]

    yield client
    for state in states:
        await state.close()


@pytest.fixture
async def redis_connect(redis_server: RedisServer) -> AsyncIterator[Connect]:
    """Makes connections to one Redis, for what only a keeper outside this process can do."""
    states: list[SharedState] = []

    def client() -> SharedState:
        states.append(RedisState(redis_server.url, party_lease=1.0))
        return states[-1]

    yield client
    for state in states:
        await state.close()


@pytest.fixture
def state(connect: Connect) -> SharedState:
    """One client."""
    return connect()
