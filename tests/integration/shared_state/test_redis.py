"""What only a shared keeper can do wrong: be away, restart, refuse, freeze; and several processes (EX-13)."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.integration.shared_state.redis_server import RedisServer, free_port, missing_programs
from tests.unit.execution.reporters.reports import transition
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.shared_state import (
    DeviceHold,
    InProcessState,
    LockGrant,
    SharedState,
    open_shared_state,
)
from zeroclaw_desktop.execution.shared_state.errors import (
    BarrierTimeoutError,
    LockHeldError,
    LockLostError,
    SharedStateAddressError,
    SharedStateRefusedError,
    SharedStateUnavailableError,
)
from zeroclaw_desktop.execution.shared_state.redis_state import RedisState
from zeroclaw_desktop.execution.shared_state.snapshot_reporter import SnapshotReporter

PATIENCE = 20.0
GRANT = LockGrant("uno", "task-a", "token", 1, 10.0)
CALLS: list[tuple[str, Callable[[SharedState], Awaitable[object]]]] = [
    ("beginning a term with the device 'uno'", lambda state: state.new_term("uno")),
    ("storing the state 3 of the device 'uno'", lambda state: state.put_snapshot("uno", 3, {})),
    ("reading the state of the device 'uno'", lambda state: state.snapshot("uno")),
    ("listing the states of devices", lambda state: state.snapshots()),
    ("passing the barrier 'wave'", lambda state: state.barrier("wave", 2, 1.0)),
    ("locking the device 'uno' for 'task-a'", lambda state: state.acquire("uno", "task-a")),
    ("renewing the lock of the device 'uno'", lambda state: state.renew(GRANT)),
    ("releasing the lock of the device 'uno'", lambda state: state.release(GRANT)),
    ("asking who holds the device 'uno'", lambda state: state.holder("uno")),
    ("listing who holds devices", lambda state: state.holders()),
]


@asynccontextmanager
async def client(server: RedisServer, call_seconds: float = 3.0) -> AsyncIterator[RedisState]:
    state = RedisState(server.url, party_lease=1.0, call_seconds=call_seconds)
    try:
        yield state
    finally:
        await state.close()


class Participant:
    """A separate process; see participant.py."""

    def __init__(self, server: RedisServer, *arguments: str) -> None:
        self._command = [
            sys.executable,
            "-m",
            "tests.integration.shared_state.participant",
            server.url,
            *arguments,
        ]

    async def __aenter__(self) -> Participant:
        self._process = await asyncio.create_subprocess_exec(*self._command, stdout=subprocess.PIPE)
        try:
            assert await self.line() == "ready"
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_fault: object) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def line(self) -> str:
        """The next line that it prints."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            return (await self._process.stdout.readline()).decode().strip()

    def send(self, number: signal.Signals) -> None:
        """Kill, freeze or thaw it."""
        self._process.send_signal(number)


@pytest.mark.parametrize(("task", "call"), CALLS, ids=[task for task, _ in CALLS])
async def test_without_redis_each_call_says_what_was_not_done(
    task: str, call: Callable[[SharedState], Awaitable[object]]
) -> None:
    """EX-13: a clear fault: what was not done, where Redis was looked for, that it may work later."""
    port = free_port()
    state = RedisState(f"redis://me:topsecret@127.0.0.1:{port}")
    try:
        with pytest.raises(SharedStateUnavailableError) as raised:
            await call(state)
    finally:
        await state.close()
    assert f"so {task} was not done" in raised.value.message
    assert f"127.0.0.1:{port}" in raised.value.message
    assert "topsecret" not in str(raised.value) + str(raised.value.details)
    assert raised.value.retryable
    assert raised.value.details["not_done"] == task


async def test_a_frozen_redis_is_given_up_in_bounded_time(redis_server: RedisServer) -> None:
    """EX-13: a keeper that takes calls and never answers holds nobody up for ever; later it works again."""
    async with client(redis_server, call_seconds=0.3) as state:
        assert await state.new_term("uno") == 1
        redis_server.freeze()
        with pytest.raises(SharedStateUnavailableError, match="no answer in time"):
            await state.put_snapshot("uno", 1, {})
        redis_server.thaw()
        assert await state.put_snapshot("uno", 2, {"level": 2})
        snapshot = await state.snapshot("uno")
        assert snapshot is not None
        assert snapshot.states == {"level": 2}


async def test_snapshots_over_a_restart(either_server: tuple[RedisServer, bool]) -> None:
    """EX-13: a Redis that remembers keeps the newest, another takes the next; terms never go back."""
    server, persistent = either_server
    async with client(server) as state:
        term = await state.new_term("uno")
        await state.put_snapshot("uno", 5, {"level": 5}, term=term)
        server.kill()
        with pytest.raises(SharedStateUnavailableError):
            await state.snapshot("uno")
        server.start()
        snapshot = await state.snapshot("uno")
        assert (snapshot is not None) is persistent
        assert await state.put_snapshot("uno", 4, {"level": 4}, term=term) is not persistent
        assert await state.put_snapshot("uno", 6, {"level": 6}, term=term)
        assert await state.new_term("uno") == term + 1


async def test_locks_over_a_restart(either_server: tuple[RedisServer, bool]) -> None:
    """EX-19: a Redis that remembers keeps the lock; with another the holder learns that it is lost."""
    server, persistent = either_server
    async with client(server) as state:
        grant = await state.acquire("uno", "task", lease=60.0)
        server.kill()
        server.start()
        if persistent:
            await state.renew(grant)
            with pytest.raises(LockHeldError):
                await state.acquire("uno", "other")
        else:
            with pytest.raises(LockLostError, match="forgotten"):
                await state.renew(grant)
            await state.acquire("uno", "other")


async def test_a_barrier_over_a_restart(either_server: tuple[RedisServer, bool]) -> None:
    """EX-13: those who wait come again by themselves after a restart, and are released together."""
    server, _persistent = either_server
    async with client(server) as first, client(server) as second, client(server) as third:
        waiting = [
            asyncio.get_running_loop().create_task(state.barrier("wave", 3, PATIENCE))
            for state in (first, second)
        ]
        await asyncio.sleep(0.2)
        server.kill()
        await asyncio.sleep(0.3)
        assert not any(task.done() for task in waiting)
        server.start()
        await third.barrier("wave", 3, PATIENCE)
        await asyncio.gather(*waiting)


async def test_a_barrier_whose_redis_stays_away(redis_server: RedisServer) -> None:
    """EX-13: the fault names the barrier that was not passed; the wait is bounded by its own timeout."""
    async with client(redis_server, call_seconds=0.5) as state:
        waiting = asyncio.get_running_loop().create_task(state.barrier("wave", 2, 1.0))
        await asyncio.sleep(0.2)
        redis_server.kill()
        with pytest.raises(SharedStateUnavailableError, match="barrier 'wave'"):
            await waiting


async def test_work_ends_when_redis_stays_away(redis_server: RedisServer) -> None:
    """EX-19: a lock that cannot be renewed ends the work before its lease can pass to somebody else."""

    async def work(state: SharedState) -> None:
        async with DeviceHold(state, "uno", "task", lease=1.0):
            redis_server.kill()
            await asyncio.sleep(30)

    async with client(redis_server, call_seconds=0.3) as state:
        with pytest.raises(LockLostError, match="could not be renewed"):
            await work(state)


async def test_work_goes_on_over_a_short_outage(tmp_path: Path) -> None:
    """EX-19: a restart shorter than the lease, of a Redis that remembers, costs nothing."""
    missing = missing_programs()
    if missing:
        pytest.skip(missing)
    server = RedisServer(tmp_path, persistent=True)
    server.start()
    try:
        async with client(server) as state, DeviceHold(state, "uno", "task", lease=3.0) as grant:
            server.kill()
            await asyncio.sleep(0.3)
            server.start()
            await asyncio.sleep(3.2)
            holder = await state.holder("uno")
            assert holder is not None
            assert holder.term == grant.term
    finally:
        server.kill()


async def test_a_cancel_is_never_swallowed(redis_server: RedisServer) -> None:
    """EX-8, EX-13: who is told to stop while it talks to Redis stops, whatever else comes then."""
    chance = random.Random(11)

    async def talk(state: RedisState) -> None:
        while True:
            await state.new_term("uno")

    for _ in range(200):
        async with client(redis_server) as state:
            task = asyncio.get_running_loop().create_task(talk(state))
            for _ in range(chance.randrange(40)):
                await asyncio.sleep(0)
            await asyncio.sleep(chance.random() * 0.004)
            task.cancel()
            await asyncio.wait({task}, timeout=PATIENCE)
            assert task.cancelled()


async def test_scripts_that_redis_has_forgotten_are_loaded_again(redis_server: RedisServer) -> None:
    """EX-13: the cache of scripts may be emptied at any time."""
    async with client(redis_server) as state:
        assert await state.put_snapshot("uno", 1, {})
        assert redis_server.say("SCRIPT FLUSH").startswith("+OK")
        assert await state.put_snapshot("uno", 2, {})


async def test_a_refusal_is_told_apart_from_silence(redis_server: RedisServer) -> None:
    """EX-13: a Redis that may not write says so; trying again would not help."""
    assert redis_server.say("CONFIG SET min-replicas-to-write 1").startswith("+OK")
    async with client(redis_server) as state:
        with pytest.raises(SharedStateRefusedError, match="storing the state 1") as raised:
            await state.put_snapshot("uno", 1, {})
    assert not raised.value.retryable


async def test_a_wrong_password_is_told(redis_server: RedisServer) -> None:
    """EX-13: the hint names user and password; the password itself is not shown."""
    assert redis_server.say("CONFIG SET requirepass right").startswith("+OK")
    for url in (redis_server.url, redis_server.url.replace("//", "//:wrongword@")):
        state = RedisState(url)
        try:
            with pytest.raises(SharedStateRefusedError) as raised:
                await state.new_term("uno")
        finally:
            await state.close()
        assert "password" in raised.value.hint
        assert "wrongword" not in str(raised.value)
    state = RedisState(redis_server.url.replace("//", "//:right@"))
    try:
        assert await state.new_term("uno") == 1
    finally:
        await state.close()


@pytest.mark.parametrize(
    "url", ["http://host", "host:6379", "redis://host:abc", "redis://host:70000", "redis://h/x"]
)
def test_a_wrong_address_is_refused(url: str) -> None:
    """EX-13: told when it is set, not at the first use."""
    with pytest.raises(SharedStateAddressError) as raised:
        open_shared_state(url)
    assert "redis://" in raised.value.hint


async def test_the_setting_chooses_the_keeper(redis_server: RedisServer) -> None:
    """EX-13: in-process by default, Redis by its address."""
    assert isinstance(open_shared_state(" "), InProcessState)
    state = open_shared_state(redis_server.url)
    assert isinstance(state, RedisState)
    assert await state.new_term("uno") == 1
    await state.close()


async def test_separate_processes_are_released_together(redis_server: RedisServer) -> None:
    """EX-13: two other processes and this one."""
    async with (
        Participant(redis_server, "barrier", "wave", "3", "20") as one,
        Participant(redis_server, "barrier", "wave", "3", "20") as two,
        client(redis_server) as state,
    ):
        await state.barrier("wave", 3, PATIENCE)
        for other in (one, two):
            assert (await other.line()).startswith("released ")


@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are killed and frozen by signals: run on Linux"
)
async def test_a_killed_process_does_not_count(redis_server: RedisServer) -> None:
    """EX-13: kill -9 while waiting: after its lease the ghost is gone and does not complete the round."""
    async with (
        Participant(redis_server, "barrier", "wave", "2", "20") as victim,
        client(redis_server) as state,
    ):
        while redis_server.say("ZCARD zeroclaw:barrier:wave:waiting") != ":1\r\n":
            await asyncio.sleep(0.01)
        victim.send(signal.SIGKILL)
        await asyncio.sleep(1.2)
        with pytest.raises(BarrierTimeoutError, match="Only 1 of 2"):
            await state.barrier("wave", 2, 0.3)


@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are killed and frozen by signals: run on Linux"
)
async def test_a_process_out_of_touch_learns_that_it_was_missed(redis_server: RedisServer) -> None:
    """EX-13: frozen beyond its lease while others completed the round: not released late, but told."""

    def present() -> str:
        return redis_server.say("ZCARD zeroclaw:barrier:wave:waiting").strip()

    async with (
        Participant(redis_server, "barrier", "wave", "4", "60") as frozen,
        client(redis_server) as state,
    ):
        waiting = [
            asyncio.get_running_loop().create_task(state.barrier("wave", 4, PATIENCE)) for _ in range(2)
        ]
        while present() != ":3":
            await asyncio.sleep(0.01)
        frozen.send(signal.SIGSTOP)
        while present() != ":2":
            await asyncio.sleep(0.01)
        await asyncio.gather(*waiting, *(state.barrier("wave", 4, PATIENCE) for _ in range(2)))
        frozen.send(signal.SIGCONT)
        assert (await frozen.line()).startswith("barrier_missed ")


@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are killed and frozen by signals: run on Linux"
)
async def test_a_killed_process_loses_its_device(redis_server: RedisServer) -> None:
    """EX-19: who holds it is seen from outside; after kill -9 the device is free when the lease ends."""
    async with (
        Participant(redis_server, "lock", "uno", "far-task", "1.0") as victim,
        client(redis_server) as state,
    ):
        assert await victim.line() == "holding"
        await asyncio.sleep(1.5)
        holder = await state.holder("uno")
        assert holder is not None
        assert holder.owner == "far-task"
        assert holder.process.endswith(f":{victim._process.pid}")
        victim.send(signal.SIGKILL)
        async with DeviceHold(state, "uno", "heir", wait=PATIENCE) as grant:
            assert grant.term == holder.term + 1


async def test_states_are_shared_again_after_an_outage(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-12, EX-13: a Redis that is away does no harm: told once, the latest arrives later."""
    async with client(redis_server, call_seconds=0.5) as state:
        redis_server.kill()
        reporter = SnapshotReporter(state, backoff=Backoff(0.05, 0.1))
        reporter.start()
        for seq in range(1, 6):
            reporter.report(transition(seq, "uno"))
            await asyncio.sleep(0.05)
        while reporter.failures < 2:
            await asyncio.sleep(0.01)
        redis_server.start()
        await reporter.stop(PATIENCE)
        snapshot = await state.snapshot("uno")
        assert snapshot is not None
        assert snapshot.seq == 5
        errors = [record for record in caplog.records if record.levelname == "ERROR"]
        assert len(errors) == 1
        assert "was not done" in errors[0].getMessage()
