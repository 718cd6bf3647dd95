"""B3: the execution layer's own cost: payload in to bytes on the wire, and reply to report.

The board is in memory, so that what is measured is the door alone, against the same request made directly,
turn by turn. For the rate the board answers at once; beside it stands the rate with a board that is simulated
in the same process.
"""

from __future__ import annotations

import asyncio
import statistics
from typing import Any

from benchmarks._bench import add_up, row
from benchmarks._doors import (
    READING,
    STEPS,
    InstantBoards,
    bare_door,
    count_of,
    direct_times,
    rate,
    requests_of,
    times,
)

ROUNDS = 150
TURNS = 20
COMMANDS = 8_000
RATES = 5


async def _measure() -> list[dict[str, Any]]:
    door = bare_door()
    direct: list[float] = []
    through: list[float] = []
    for _ in range(ROUNDS):
        direct += await direct_times(door, TURNS)
        through += await times(door, TURNS)
    sums = add_up(
        ROUNDS * TURNS,
        submitted=len(through),
        requests=requests_of(door) - len(direct),
        told=count_of(door).ends,
    )
    add_up(STEPS * len(through), steps=count_of(door).steps)
    added = statistics.median(through) - statistics.median(direct)
    return [
        row("B3-direct", "request to a board in memory", direct, "us"),
        row(
            "B3",
            "the same through the door",
            through,
            "us",
            ratio=statistics.median(through) / statistics.median(direct),
            note=f"{added:.0f} us added; budget 150 without a journal; {sums}",
        ),
        await _rate_row("B3-rate", "commands over 16 pins, the board answers at once", InstantBoards()),
        await _rate_row("B3-rate-sim", "the same with a board simulated in the process", None),
    ]


async def _rate_row(number: str, name: str, boards: InstantBoards | None) -> dict[str, Any]:
    door = bare_door(boards)
    rates = [await rate(door, COMMANDS, READING[0]) for _ in range(RATES)]
    sums = add_up(RATES * COMMANDS, requests=requests_of(door), told=count_of(door).ends)
    add_up(STEPS * RATES * COMMANDS, steps=count_of(door).steps)
    return row(number, name, rates, "1/s", note=f"budget 5,000; {sums}")


def run() -> list[dict[str, Any]]:
    """Return the rows of B3."""
    return asyncio.run(_measure())
