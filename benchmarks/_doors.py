"""Doors for the benchmarks of the execution layer: a board that answers at once, a command that counts as a
movement, a journal in a folder of its own, and counters of every hop."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks._bench import add_up
from tests.helpers.execution import Door
from tests.helpers.loopback_board import LoopbackBoards
from zeroclaw_desktop.contracts.actions import ActionTransition
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.execution.handlers.pin_rules import gpio, needs_pin
from zeroclaw_desktop.execution.handlers.pins import PIN
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.execution.registry import Command, HandlerContext, Outcome
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.hardware.protocol import Reply, decode_line, encode_request
from zeroclaw_desktop.store.thread import StoreThread

PINS = tuple(range(2, 18))
"""Sixteen resources."""
READING = ("digital_read", {"pin": 7})
MOVING = ("benchmark_move", {"pin": 7})
STEPS = 4
"""PENDING, VALIDATED, RUNNING and the end."""
_YES = b'{"id":"1","ok":true,"result":1}\n'


async def _move(context: HandlerContext, params: Mapping[str, Any]) -> Outcome:
    """One request like the reading's, in a command that the journal must take for a movement."""
    return Outcome({"value": await context.link.request("gpio_read", {"pin": params["pin"]})})


async def _hold(context: HandlerContext, _params: Mapping[str, Any]) -> Outcome:
    await context.sleep(600.0)
    return Outcome()


MOVE = Command(
    "benchmark_move",
    "Sends one request.",
    _move,
    {"pin": PIN},
    check=needs_pin("digital"),
    resources=gpio("write"),
)
HOLD = Command(
    "benchmark_hold",
    "Holds a pin until it is stopped.",
    _hold,
    {"pin": PIN},
    check=needs_pin("digital"),
    resources=gpio("write"),
    default_timeout=900.0,
)


class InstantBoards(LoopbackBoards):
    """Requests and answers in the wire format, without a board that has to be simulated in between."""

    def exchange(self, board_id: str, command: str, args: Mapping[str, Any]) -> Any:
        """See LoopbackBoards."""
        self.sent.append((board_id, command, args))
        encode_request("1", command, args)
        reply = decode_line(_YES)
        assert isinstance(reply, Reply)
        return reply.result


class CountingReporter:
    """Counts transitions and keeps nothing."""

    def __init__(self) -> None:
        self.steps = 0
        self.ends = 0

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        self.steps += 1
        self.ends += transition.result is not None


def bare_door(boards: LoopbackBoards | None = None) -> Door:
    """A door without a journal; its reporter only counts."""
    door = Door(boards=boards)
    door.registry.register(MOVE)
    door.registry.register(HOLD)
    door.executor.reporters = [CountingReporter()]
    return door


@contextlib.asynccontextmanager
async def journalled_door(
    boards: LoopbackBoards | None = None,
) -> AsyncIterator[tuple[Door, Journal, StoreThread]]:
    """A door whose executor keeps a journal in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        store = StoreThread(Path(folder) / "store.db", [JOURNAL_SCHEMA])
        await store.start()
        door = bare_door(boards)
        journal = Journal(store, SystemClock())
        door.executor.journal = journal
        door.executor.reporters.append(journal)
        try:
            yield door, journal, store
        finally:
            await journal.close()
            await store.stop()


def count_of(door: Door) -> CountingReporter:
    """The door's own counter."""
    counter = door.executor.reporters[0]
    assert isinstance(counter, CountingReporter)
    return counter


def requests_of(door: Door) -> int:
    """Requests that reached the board."""
    return len(door.boards.sent)


async def times(door: Door, turns: int, command: tuple[str, dict[str, Any]] = READING) -> list[float]:
    """Microseconds from the payload to the report, one after the other."""
    took = []
    for _ in range(turns):
        payload = make_payload(*command, source="manual", device_id="uno")
        started = time.perf_counter()
        result = await door.executor.submit(payload)
        took.append((time.perf_counter() - started) * 1e6)
        if not result.ok:
            raise RuntimeError(result.faults[0].message)
    return took


async def direct_times(door: Door, turns: int) -> list[float]:
    """The request alone, as a session would send it."""
    link = door.boards.link("uno", Grant("benchmark"))
    took = []
    for _ in range(turns):
        started = time.perf_counter()
        await link.request("gpio_read", {"pin": 7})
        took.append((time.perf_counter() - started) * 1e6)
    return took


async def rate(door: Door, commands: int, action: str) -> float:
    """Commands a second from sixteen callers, each at a pin of its own and with its next command at once."""

    async def caller(pin: int) -> None:
        for _ in range(commands // len(PINS)):
            result = await door.do(action, {"pin": pin}, device_id="uno")
            if not result.ok:
                raise RuntimeError(result.faults[0].message)

    started = time.perf_counter()
    await asyncio.gather(*(caller(pin) for pin in PINS))
    return commands / (time.perf_counter() - started)


async def journal_adds_up(submitted: int, door: Door, journal: Journal, **more: int) -> str:
    """What went in, was told, and is in the journal, with each of its steps.

    Raises:
        RuntimeError: something was lost or came twice.
    """
    counts, counter = await journal.counts(), count_of(door)
    told = add_up(
        submitted,
        submitted=submitted,
        told=counter.ends,
        journalled=counts.tasks,
        ended=counts.tasks - counts.unfinished,
        by_state=sum(counts.by_state.values()),
        **more,
    )
    add_up(counter.steps, steps_told=counter.steps, steps_journalled=counts.steps)
    add_up(0, lost_rows=journal.lost_rows)
    return told
