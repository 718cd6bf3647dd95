"""The program that is killed: an executor at work on several boards, its journal on.

Run as a file. It imports everything once and forks a worker for each line ``RUN DATABASE SEED`` on standard
input, so that many kills do not cost many starts. It prints, each line in one write so that none is torn:

    RUN pid PID              a worker was made
    RUN wire TASK            a handler that moves something got its link: from here on the hardware may move
    RUN done TASK STATE      the result was given to whoever asked: it is acknowledged
    RUN ended                the worker is gone; nothing of it comes after this line
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
# By name and not by search: an installed package may carry a folder 'tests' of its own.
_tests = types.ModuleType("tests")
_tests.__path__ = [str(ROOT / "tests")]
sys.modules["tests"] = _tests

from tests.helpers.loopback_board import LoopbackBoards, LoopbackLink  # noqa: E402
from zeroclaw_desktop.bus.event_bus import EventBus  # noqa: E402
from zeroclaw_desktop.contracts.boards import ExecutionGrant  # noqa: E402
from zeroclaw_desktop.execution.emergency_stop import EmergencyStop  # noqa: E402
from zeroclaw_desktop.execution.executor import Executor  # noqa: E402
from zeroclaw_desktop.execution.handlers.builtin import register_builtin  # noqa: E402
from zeroclaw_desktop.execution.journal import Journal, Retention  # noqa: E402
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA  # noqa: E402
from zeroclaw_desktop.execution.payloads import make_payload  # noqa: E402
from zeroclaw_desktop.execution.registry import CommandRegistry  # noqa: E402
from zeroclaw_desktop.foundation.clock import SystemClock  # noqa: E402
from zeroclaw_desktop.store.thread import StoreThread  # noqa: E402

BOARDS = ("a", "b", "c")
CALLERS = 12
KEPT_ENTRIES = 300
"""Few, so that the journal forgets old entries while it is being killed."""


def say(*words: object) -> None:
    """One line in one write."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class WatchedBoards(LoopbackBoards):
    """Says which task is about to reach a board."""

    run = ""
    looking: ClassVar[set[str]] = set()
    """Tasks that only look; their rows before need not be there first."""

    def link(self, board_id: str, grant: ExecutionGrant) -> LoopbackLink:
        task_id = grant.task_id  # type: ignore[attr-defined]
        if task_id not in self.looking:
            say(self.run, "wire", task_id)
        return super().link(board_id, grant)


async def work(run: str, database: Path, seed: int) -> None:
    """Until killed: commands of many kinds, some refused, some cancelled, from several callers at once."""
    chance = random.Random(seed)
    store = StoreThread(database, [JOURNAL_SCHEMA])
    await store.start()
    clock = SystemClock()
    journal = Journal(store, clock, Retention(most_entries=KEPT_ENTRIES))
    boards = WatchedBoards(*BOARDS)
    boards.run = run
    registry = CommandRegistry()
    executor = Executor(registry, boards, clock, [journal], lambda: False)
    executor.journal = journal

    async def flash(_board: str, _key: str) -> Mapping[str, Any]:
        return {}

    stop = EmergencyStop(boards, EventBus(), clock, executor.cancel_all)
    register_builtin(registry, boards, flash, stop.trigger)

    def some_command() -> tuple[str, dict[str, Any]]:
        pin = chance.randrange(2, 13)
        return chance.choice(
            [
                ("digital_read", {"pin": pin}),
                ("digital_write", {"pin": pin, "value": chance.randrange(2)}),
                ("servo_move", {"angle": chance.randrange(181)}),
                ("pwm_write", {"pin": chance.choice([3, 5, 6]), "duty": chance.random()}),
                ("led_blink", {"count": 2, "interval": 0.05}),
                ("analog_read", {"pin": "A0"}),
                ("digital_write", {"pin": 99, "value": 1}),
                ("warp_drive", {"text": "\udcff" + "x" * chance.randrange(200)}),
            ]
        )

    async def caller() -> None:
        while True:
            action, params = some_command()
            payload = make_payload(action, params, source="manual", device_id=chance.choice(BOARDS))
            if action in ("digital_read", "analog_read"):
                boards.looking.add(payload.task_id)
            if chance.random() < 0.1:
                asyncio.get_running_loop().call_later(0.003, executor.cancel, payload.task_id)
            result = await executor.submit(payload)
            say(run, "done", result.task_id, result.state.value)

    async def forget() -> None:
        while True:
            await asyncio.sleep(0.01)
            await journal.apply_retention()

    await asyncio.gather(forget(), *(caller() for _ in range(CALLERS)))


def main() -> None:
    """Make workers until standard input ends."""
    gc.freeze()
    for line in sys.stdin:
        run, database, seed = line.split()
        pid = os.fork()
        if not pid:
            try:
                asyncio.run(work(run, Path(database), int(seed)))
            finally:
                os._exit(70)
        say(run, "pid", pid)
        _, status = os.waitpid(pid, 0)
        say(run, "ended", -os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
