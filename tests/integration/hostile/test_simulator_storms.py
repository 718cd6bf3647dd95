"""The simulated board under bad use: two starts at once, unplug storms, other programs on its port, kills."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys

import pytest

from tests.integration.hostile.conftest import Desk
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.simulator.board_process import BoardProcess
from zeroclaw_desktop.runtime.simulators import UNO_ID

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals and /proc; run it on Linux")


def simulator_processes() -> set[int]:
    """Children of this process that are simulators."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            with open(f"/proc/{name}/cmdline", encoding="utf-8") as file:
                command = file.read()
        except (OSError, ValueError):
            continue
        if int(parent) == os.getpid() and state != "Z" and "hardware.simulator" in command:
            found.add(int(name))
    return found


async def led(desk: Desk, state: int) -> bool:
    payload = make_payload("led_set", {"state": state}, source="manual", device_id=UNO_ID)
    return (await desk.runtime.executor.submit(payload)).ok


async def test_starts_at_once_give_one_board_and_one_process(desk: Desk) -> None:
    before = simulator_processes()
    await asyncio.gather(*(desk.runtime.simulators.start() for _ in range(5)))
    assert len(simulator_processes() - before) == 1
    assert await led(desk, 1)
    # A start that is given up leaves no process behind.
    await desk.runtime.simulators.stop(UNO_ID)
    starting = asyncio.create_task(desk.runtime.simulators.start())
    while not simulator_processes() - before:
        await asyncio.sleep(0.01)
    starting.cancel()
    await asyncio.wait([starting])
    assert simulator_processes() - before == set()


async def test_a_storm_of_unplugging_and_of_other_programs_ends_in_a_live_board(desk: Desk) -> None:
    await desk.runtime.simulators.start()
    process: BoardProcess = desk.runtime.simulators.process(UNO_ID)
    board = desk.runtime.roster.connection(UNO_ID)
    work = [asyncio.create_task(led(desk, number % 2)) for number in range(20)]
    for number in range(12):
        await process.inject_fault("unplug" if number % 2 == 0 else "replug")
        if process.system_path and number % 3 == 0:
            with contextlib.suppress(OSError):  # it may just have been unplugged
                os.close(os.open(process.system_path, os.O_RDWR | os.O_NOCTTY))
        await process.inject_fault(("garbage", "brown_out", "long_line")[number % 3])
        await asyncio.sleep(0.03)
    await asyncio.gather(*work)
    if not process.plugged:
        await process.inject_fault("replug")
    async with asyncio.timeout(20):
        while board.state != "live":
            assert board.state in ("lost", "connecting", "live", "failed")
            if board.state == "failed":
                await board.connect()
            await asyncio.sleep(0.05)
    assert await led(desk, 1)
    assert (await process.query()).levels[13] == 1


async def test_another_program_that_opens_the_port_while_the_app_has_it_changes_nothing(desk: Desk) -> None:
    await desk.runtime.simulators.start()
    process = desk.runtime.simulators.process(UNO_ID)
    assert await led(desk, 1)
    other = os.open(process.system_path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        os.write(other, b'{"id":"1","cmd":"gpio_write","args":{"pin":13,"value":0}}\n' * 20)
        await asyncio.sleep(0.2)
        assert (await process.query()).levels[13] == 1
        assert await led(desk, 1)
        board = desk.runtime.roster.connection(UNO_ID)
        await board.disconnect()
        with pytest.raises(ZeroClawError) as caught:
            await board.connect()
        assert caught.value.code == "port_busy"
    finally:
        os.close(other)
    await desk.runtime.roster.connection(UNO_ID).connect()
    assert await led(desk, 1)


async def test_a_simulator_killed_while_the_stop_is_pressed_leaves_the_app_usable(desk: Desk) -> None:
    before = simulator_processes()
    await desk.runtime.simulators.start()
    (pid,) = simulator_processes() - before
    os.kill(pid, signal.SIGKILL)
    report = await asyncio.wait_for(desk.runtime.stop_everything.trigger("test"), 5)
    assert not report.outcomes or not report.outcomes[0].confirmed
    await desk.runtime.simulators.start()
    desk.runtime.stop_everything.release("person")
    assert await led(desk, 1)
