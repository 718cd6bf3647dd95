"""Two programs, one Redis, one board (EX-19): each has an execution layer of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.helpers.execution import Door
from tests.helpers.shared_program import Setting, shared_by
from tests.integration.shared_state.conftest import started
from tests.integration.shared_state.redis_server import RedisServer
from zeroclaw_desktop.contracts.actions import ActionResult, ActionState
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.shared_state.errors import SharedStateAddressError, SharedStateRefusedError
from zeroclaw_desktop.runtime.shared_service import SharedStateService

PATIENCE = 20.0
LONG = {"count": 100, "interval": 5.0}


class Pair:
    """Two programs at one board."""

    def __init__(self, here: Door, there: Door, services: list[SharedStateService]) -> None:
        self.here, self.there, self.services = here, there, services

    async def begin(self, door: Door, pin: int = 13) -> asyncio.Task[ActionResult]:
        """Let a program blink for minutes; returns when it does."""
        task = asyncio.get_running_loop().create_task(door.do("led_blink", {**LONG, "pin": pin}))
        await until(lambda: "RUNNING" in door.reporter.states())
        return task


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def programs(url: str, lease: float = 10.0) -> AsyncIterator[Pair]:
    here = Door()
    there = Door(boards=here.boards)
    async with AsyncExitStack() as stack:
        services = [
            await stack.enter_async_context(shared_by(door, url, lease=lease)) for door in (here, there)
        ]
        yield Pair(here, there, services)


@pytest.fixture
async def pair(redis_server: RedisServer) -> AsyncIterator[Pair]:
    async with programs(redis_server.url) as pair:
        yield pair


def code_of(result: ActionResult) -> Code:
    return Code(result.error_code)


async def test_the_second_program_is_refused_with_the_name_of_the_first(pair: Pair) -> None:
    """EX-19: one board, two programs: not at the same time; who has it is in the text, and can be listed."""
    blinking = await pair.begin(pair.here)
    result = await pair.there.do("led_set", {"state": 1})
    assert code_of(result) is Code.DEVICE_HELD
    task_id = pair.here.reporter.transitions[0].payload.task_id
    assert f"'led_blink {task_id}'" in result.faults[0].message
    assert f":{os.getpid()}" in result.faults[0].message
    (holder,) = await pair.services[1].holders()
    assert (holder.device_id, holder.owner) == ("uno", f"led_blink {task_id}")
    pair.here.executor.cancel(task_id)
    await blinking
    assert (await pair.there.do("led_set", {"state": 1})).ok


async def test_who_only_looks_or_makes_safe_is_never_held_up(pair: Pair) -> None:
    """EX-19, EX-16: readings need no lock, and stopping never waits for one."""
    blinking = await pair.begin(pair.here)
    for action, params in [
        ("digital_read", {"pin": 7}),
        ("board_info", {}),
        ("output_release", {"pin": 12}),
        ("board_safe", {}),
    ]:
        assert (await pair.there.do(action, params)).ok, action
    pair.here.executor.cancel_all()
    await blinking


async def test_actions_of_one_program_still_run_side_by_side(pair: Pair) -> None:
    """EX-11: the lock is the program's: disjoint pins of one board work in parallel."""
    blinking = await pair.begin(pair.here)
    assert (await pair.here.do("digital_write", {"pin": 7, "value": 1})).ok
    assert not blinking.done()
    pair.here.executor.cancel_all()
    await blinking


async def test_a_short_action_of_the_other_program_is_waited_for(pair: Pair) -> None:
    """EX-19: ten commands from each side at once; none is refused, none overlaps another's time."""
    work = [
        door.do("led_set", {"state": number % 2}) for number in range(10) for door in (pair.here, pair.there)
    ]
    assert all(result.ok for result in await asyncio.gather(*work))


async def test_a_program_that_was_killed_loses_the_board(redis_server: RedisServer) -> None:
    """EX-19: ``kill -9``: refused while its lease runs, free after that, without anybody's help."""
    command = [sys.executable, "-m", "tests.integration.shared_state.driver", redis_server.url, "2.0"]
    door = Door()
    async with shared_by(door, redis_server.url):
        victim = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        assert victim.stdout is not None
        while (line := await victim.stdout.readline()).strip() != b"RUNNING":
            assert line, "it ended"
        assert code_of(await door.do("led_set", {"state": 1})) is Code.DEVICE_HELD
        victim.kill()
        await victim.wait()
        results = [await door.do("led_set", {"state": 1})]
        while not results[-1].ok and len(results) < 20:
            results.append(await door.do("led_set", {"state": 1}))
    assert code_of(results[0]) is Code.DEVICE_HELD
    assert f":{victim.pid}" in results[0].faults[0].message
    assert results[-1].ok


@pytest.mark.skipif(sys.platform == "win32", reason="processes are frozen by signals: run on Linux")
async def test_a_program_that_was_frozen_beyond_its_lease_stops_when_it_wakes(
    redis_server: RedisServer,
) -> None:
    """EX-19: it cannot know that others have the board by now, so its first step is to lose its lock."""
    command = [sys.executable, "-m", "tests.integration.shared_state.driver", redis_server.url, "1.0"]
    door = Door()
    async with shared_by(door, redis_server.url):
        sleeper = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        assert sleeper.stdout is not None
        while (line := await sleeper.stdout.readline()).strip() != b"RUNNING":
            assert line, "it ended"
        sleeper.send_signal(signal.SIGSTOP)
        while not (await door.do("led_set", {"state": 1})).ok:
            await asyncio.sleep(0.05)
        sleeper.send_signal(signal.SIGCONT)
        async with asyncio.timeout(PATIENCE):
            assert (await sleeper.stdout.readline()).strip() == b"FAILED"
            await sleeper.wait()


@pytest.mark.parametrize("persistent", [True, False], ids=["persistent", "forgetful"])
async def test_redis_restarts_in_the_middle(persistent: bool, tmp_path: Path) -> None:
    """EX-19: with its memory the action goes on; without it the lock is lost: stopped, outputs safe, said."""
    server = started(tmp_path, persistent=persistent)
    try:
        async with programs(server.url, lease=4.0) as pair:
            blinking = await pair.begin(pair.here)
            server.kill()
            server.start()
            if persistent:
                await asyncio.sleep(4.5)
                assert not blinking.done()
                assert code_of(await pair.there.do("led_set", {"state": 1})) is Code.DEVICE_HELD
                pair.here.executor.cancel_all()
                assert (await blinking).state is ActionState.CANCELLED
                return
            result = await blinking
            assert (result.state, code_of(result)) == (ActionState.FAILED, Code.LOCK_LOST)
            assert "any longer" in result.faults[0].message
            assert pair.here.boards.level(13) == 0
            assert (await pair.there.do("led_set", {"state": 1})).ok
    finally:
        server.kill()


async def test_without_its_redis_nothing_new_is_moved_and_stopping_works(tmp_path: Path) -> None:
    """EX-19, EX-16: nobody knows who has the board: refused, said, advised; back again when Redis is."""
    server = started(tmp_path)
    try:
        async with programs(server.url, lease=1.0) as pair:
            blinking = await pair.begin(pair.here)
            server.kill()
            refused = await pair.there.do("led_set", {"state": 1})
            assert code_of(refused) is Code.LOCK_UNAVAILABLE
            assert "does not answer" in refused.faults[0].message
            assert "without an address" in refused.faults[0].details["hint"]
            status = pair.services[1].status
            assert (status.shared, status.fault is not None) == (True, True)
            assert (await pair.there.do("digital_read", {"pin": 7})).ok
            assert (await pair.there.do("board_safe")).ok
            lost = await blinking
            assert (lost.state, code_of(lost)) == (ActionState.FAILED, Code.LOCK_LOST)
            assert pair.here.boards.level(13) == 0
            pair.here.boards.sent.clear()
            await pair.here.stop.trigger("test")
            assert pair.here.boards.commands() == ["stop_all"]
            pair.here.stop.release("test")
            server.start()
            assert (await pair.there.do("led_set", {"state": 1})).ok
            assert pair.services[1].status.fault is None
    finally:
        server.kill()


async def test_the_emergency_stop_does_not_wait_for_a_lock(redis_server: RedisServer, pair: Pair) -> None:
    """EX-16: Redis takes questions and never answers; the stop goes out while an action waits for it."""
    redis_server.freeze()
    try:
        waiting = asyncio.get_running_loop().create_task(pair.here.do("led_set", {"state": 1}))
        await until(lambda: "VALIDATED" in pair.here.reporter.states())
        report = await pair.here.stop.trigger("test")
        assert report.cancelled == 1
        assert pair.here.boards.commands() == ["stop_all"]
        # Not LOCK_UNAVAILABLE, which it would be had it waited until Redis is given up.
        assert (await waiting).state is ActionState.CANCELLED
    finally:
        redis_server.thaw()


async def test_a_redis_that_is_not_there_is_waited_for_in_the_background(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-13: at the start the program works by itself, says so, and shares as soon as it can."""
    server = started(tmp_path)
    server.kill()
    door = Door()
    try:
        async with shared_by(door, server.url) as service:
            assert (service.status.shared, service.status.wanted) == (False, f"127.0.0.1:{server.port}")
            assert service.status.fault is not None
            assert (await door.do("led_set", {"state": 1})).ok
            assert [record.levelname for record in caplog.records if "not shared" in record.getMessage()] == [
                "ERROR"
            ]
            server.start()
            await until(lambda: service.status.shared)
            assert service.status.fault is None
            assert (await door.do("led_set", {"state": 0})).ok
    finally:
        server.kill()


async def test_a_wrong_address_or_password_leaves_the_program_by_itself(redis_server: RedisServer) -> None:
    """EX-13: told once, not tried again and again; the person corrects the setting."""
    assert redis_server.say("CONFIG SET requirepass right").startswith("+OK")
    door = Door()
    setting = Setting("redis://host:abc")
    async with shared_by(door, setting.address, setting=setting) as service:
        assert isinstance(service.status.fault, SharedStateAddressError)
        setting.change(redis_server.url.replace("//", "//:wrongword@"))
        await service.settled()
        assert isinstance(service.status.fault, SharedStateRefusedError)
        assert "wrongword" not in str(service.status)
        assert (await door.do("led_set", {"state": 1})).ok
        setting.change(redis_server.url.replace("//", "//:right@"))
        await service.settled()
        assert (service.status.shared, service.status.fault) == (True, None)


async def test_the_setting_is_followed_while_actions_run(redis_server: RedisServer) -> None:
    """EX-13: in process, with Redis, in process again; what runs keeps its lock until it ends."""
    door = Door()
    setting = Setting("")
    async with shared_by(door, "", setting=setting) as service, shared_by(Door(), redis_server.url) as other:
        assert service.state.in_process
        setting.change(redis_server.url)
        assert (await door.do("led_set", {"state": 1})).ok
        assert service.status.shared
        blinking = asyncio.get_running_loop().create_task(door.do("led_blink", LONG))
        await until(lambda: door.reporter.states().count("RUNNING") == 2)
        setting.change("")
        await service.settled()
        assert (service.status.shared, service.status.wanted) == (False, "")
        assert [holder.device_id for holder in await other.holders()] == ["uno"]
        door.executor.cancel_all()
        await blinking
        async with asyncio.timeout(PATIENCE):
            while await other.holders():
                await asyncio.sleep(0.01)
        assert (await door.do("led_set", {"state": 1})).ok


async def test_snapshots_reach_the_other_program(pair: Pair) -> None:
    """EX-13: the last report of each device, in the status shape."""
    assert (await pair.here.do("led_set", {"state": 1})).ok
    async with asyncio.timeout(PATIENCE):
        while (snapshot := await pair.services[1].state.snapshot("uno")) is None:
            await asyncio.sleep(0.01)
    assert snapshot.states["action"] == "led_set"
    assert snapshot.states["device_id"] == "uno"
