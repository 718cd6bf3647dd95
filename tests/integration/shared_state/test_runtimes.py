"""The shared state in the running program: settings, passwords, barriers, command line (EX-13, EX-19)."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from tests.helpers.network_board import NetworkBoard
from tests.integration.shared_state.redis_server import RedisServer, free_port
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.contracts.actions import ActionState
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.shared_state.errors import BarrierMismatchError, BarrierTimeoutError
from zeroclaw_desktop.runtime.reach import reach_board
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.vault import system_keyring
from zeroclaw_desktop.vault.errors import KeyringMissingError

PATIENCE = 20.0
ROOT = Path(__file__).resolve().parents[3]
LED_ON = '{"action": "led_set", "params": {"state": 1}}'
LONG = {"count": 100, "interval": 5.0}


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def program(
    folder: Path, redis_url: str = "", keyring: MemoryPasswords | None = None
) -> AsyncIterator[Runtime]:
    """A runtime as the command line has it, with settings of its own."""
    folder.mkdir(exist_ok=True)
    file = folder / "config.toml"
    if redis_url:
        file.write_text(f'[shared]\nredis_url = "{redis_url}"\n', encoding="utf-8")
    runtime = Runtime(
        ConfigStore(file), with_person=False, watch_ports=False, keyring=keyring or MemoryPasswords()
    )
    runtime.bus.bind_loop(asyncio.get_running_loop())
    runtime.share_state()
    await runtime.shared.settled()
    try:
        yield runtime
    finally:
        await runtime.stop()


async def zeroclaw(home: Path, *words: str, redis_url: str = "") -> tuple[int, str, str]:
    """The command line in a process of its own; returns exit code, output and errors."""
    home.mkdir(exist_ok=True)
    if redis_url:
        (home / "config.toml").write_text(f'[shared]\nredis_url = "{redis_url}"\n', encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "zeroclaw_desktop.cli.main", *words,
        env={**os.environ, "ZEROCLAW_HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def rows_of(listing: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(listing)["devices"]
    return rows


async def test_a_program_drives_no_board_that_another_one_drives(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """EX-19: two real programs, one board on the network, one Redis: refusal, listing, then its turn."""
    async with NetworkBoard() as board, program(tmp_path / "here", redis_server.url) as here:
        board_id = await reach_board(here, board.url)
        blink = make_payload("led_blink", LONG, source="manual", device_id=board_id)
        blinking = asyncio.get_running_loop().create_task(here.executor.submit(blink))
        await until(lambda: board.level(13) == 1)
        there = tmp_path / "there"
        exec_led = ("exec", "--payload", LED_ON, "--board", board.url)
        code, _, err = await zeroclaw(there, *exec_led, redis_url=redis_server.url)
        assert code == 1
        assert f"held by 'led_blink {blink.task_id}'" in err
        assert f":{os.getpid()}" in err
        assert "Wait until it has finished" in err
        code, out, _ = await zeroclaw(there, "device", "list", "--json")
        (driven,) = [row for row in rows_of(out) if row["held_by"]]
        assert driven["held_by"]["owner"] == f"led_blink {blink.task_id}"
        assert driven["path"].endswith(board.url.rpartition("/")[2].removeprefix("127.0.0.1"))
        assert f"driven by 'led_blink {blink.task_id}'" in (await zeroclaw(there, "device", "list"))[1]
        here.executor.cancel(blink.task_id)
        assert (await blinking).state is ActionState.CANCELLED
        code, out, err = await zeroclaw(there, *exec_led)
        assert (code, err) == (0, "")
        assert "COMPLETED led_set" in out


async def test_simulated_boards_of_two_programs_are_two_devices(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """EX-19: the same name, but another instance: nobody waits for the other."""
    async with program(tmp_path / "here", redis_server.url) as here:
        board_id = await reach_board(here, "")
        blink = make_payload("led_blink", LONG, source="manual", device_id=board_id)
        blinking = asyncio.get_running_loop().create_task(here.executor.submit(blink))
        await until(lambda: here.executor.queue_entries() != [])
        async with asyncio.timeout(PATIENCE):
            while not await here.shared.holders():
                await asyncio.sleep(0.01)
        code, out, err = await zeroclaw(
            tmp_path / "there", "exec", "--payload", LED_ON, redis_url=redis_server.url
        )
        assert (code, err) == (0, ""), out
        here.executor.cancel_all()
        await blinking


async def test_the_command_line_works_by_itself_without_its_redis(tmp_path: Path) -> None:
    """EX-13: it says that it does not see other programs, and does its work."""
    url = f"redis://127.0.0.1:{free_port()}"
    code, out, err = await zeroclaw(tmp_path / "home", "exec", "--payload", LED_ON, redis_url=url)
    assert (code, "COMPLETED led_set" in out) == (0, True)
    assert "other programs are not seen" in err
    assert "does not answer" in err
    code, out, err = await zeroclaw(tmp_path / "home", "device", "list")
    assert (code, "sim-uno" in out) == (0, True)
    assert "who drives which board is not known" in err


@pytest.mark.parametrize("keeper", ["process", "redis"])
async def test_barriers_of_the_runtime(keeper: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """EX-13: all participants go on together, in one program and across programs."""
    url = request.getfixturevalue("redis_server").url if keeper == "redis" else ""
    async with program(tmp_path / "one", url) as one, program(tmp_path / "two", url) as two:
        others = [one, two, two] if keeper == "redis" else [one] * 3
        released: list[int] = []

        async def arrive(number: int, runtime: Runtime) -> None:
            await runtime.barrier("wave", 4, PATIENCE)
            released.append(number)

        waiting = [
            asyncio.get_running_loop().create_task(arrive(number, runtime))
            for number, runtime in enumerate(others)
        ]
        await asyncio.sleep(0.3)
        assert released == []
        with pytest.raises(BarrierMismatchError):
            await one.barrier("wave", 3, PATIENCE)
        waited = await one.barrier("wave", 4, PATIENCE)
        await asyncio.gather(*waiting)
        assert sorted(released) == [0, 1, 2]
        assert waited >= 0.0
        with pytest.raises(BarrierTimeoutError, match="Only 1 of 2"):
            await two.barrier("nobody", 2, 0.2)


async def test_the_password_of_redis_goes_to_the_keyring(redis_server: RedisServer, tmp_path: Path) -> None:
    """SC-10: written into the file by hand: moved when the program starts, used, and used again next time."""
    assert redis_server.say("CONFIG SET requirepass ge/heim").startswith("+OK")
    url = redis_server.url.replace("//", "//:ge%2Fheim@")
    keyring = MemoryPasswords()
    async with program(tmp_path / "home", url, keyring) as runtime:
        assert (runtime.shared.status.shared, runtime.shared.status.fault) == (True, None)
    text = (tmp_path / "home" / "config.toml").read_text(encoding="utf-8")
    assert "heim" not in text
    assert "redis://:***@127.0.0.1" in text
    async with program(tmp_path / "home", keyring=keyring) as runtime:
        assert runtime.shared.status.shared


async def test_without_a_keyring_the_program_works_by_itself_and_says_why(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """SC-10: the password in the file is not used."""
    assert redis_server.say("CONFIG SET requirepass geheim").startswith("+OK")
    keyring = MemoryPasswords(system_keyring.missing())
    async with program(tmp_path / "home", redis_server.url.replace("//", "//:geheim@"), keyring) as runtime:
        status = runtime.shared.status
        assert not status.shared
        assert isinstance(status.fault, KeyringMissingError)
        assert "ZEROCLAW_SHARED_REDIS_URL_PASSWORD" in status.fault.hint
        assert "geheim" not in str(status)


async def test_the_state_is_opened_beside_the_loop(redis_server: RedisServer, tmp_path: Path) -> None:
    """EX-13: the Redis library is imported on a thread, and the loop goes on meanwhile."""
    probe = (
        "import asyncio, sys, time\n"
        "from pathlib import Path\n"
        "from zeroclaw_desktop.config.store import ConfigStore\n"
        "from zeroclaw_desktop.runtime.runtime import Runtime\n"
        "async def main():\n"
        "    runtime = Runtime(ConfigStore(Path(sys.argv[1])), with_person=False, watch_ports=False)\n"
        "    assert 'redis' not in sys.modules\n"
        "    runtime.share_state()\n"
        "    turns = 0\n"
        "    while not runtime.shared.status.shared:\n"
        "        await asyncio.sleep(0)\n"
        "        turns += 1\n"
        "    print(turns, 'redis' in sys.modules)\n"
        "    await runtime.stop()\n"
        "asyncio.run(main())\n"
    )
    file = tmp_path / "config.toml"
    file.write_text(f'[shared]\nredis_url = "{redis_server.url}"\n', encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", probe, str(file), env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    turns, imported = out.decode().split()
    assert imported == "True"
    assert int(turns) > 100
