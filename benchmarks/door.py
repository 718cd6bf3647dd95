"""B3: the execution layer's own cost: payload in to bytes on the wire, and a command to its report.

The board is in memory and answers at once, so that what is measured is the door alone, against the same
request made directly.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import Any

from benchmarks._bench import row
from tests.helpers.execution import Door
from zeroclaw_desktop.execution.grants import Grant
from zeroclaw_desktop.execution.payloads import make_payload

COMMANDS = 3_000
PARALLEL = 16


async def _measure() -> list[dict[str, Any]]:
    door = Door()
    link = door.boards.link("uno", Grant("benchmark"))
    direct, through = [], []
    for _ in range(COMMANDS):
        started = time.perf_counter()
        await link.request("gpio_read", {"pin": 7})
        direct.append((time.perf_counter() - started) * 1e6)
        payload = make_payload("digital_read", {"pin": 7}, source="manual", device_id="uno")
        started = time.perf_counter()
        await door.executor.submit(payload)
        through.append((time.perf_counter() - started) * 1e6)
    door.reporter.transitions.clear()
    started = time.perf_counter()
    pins = [2 + index % PARALLEL for index in range(COMMANDS)]
    await asyncio.gather(*(door.do("digital_read", {"pin": pin}) for pin in pins))
    rate = COMMANDS / (time.perf_counter() - started)
    added = statistics.median(through) - statistics.median(direct)
    return [
        row("B3-direct", "request to a board in memory", direct, "us"),
        row(
            "B3",
            "the same through the door",
            through,
            "us",
            ratio=statistics.median(through) / statistics.median(direct),
            note=f"{added:.0f} us added; budget 150 without a journal",
        ),
        row("B3-rate", "commands over 16 pins at once", [rate], "1/s", note="budget 5,000"),
    ]


def run() -> list[dict[str, Any]]:
    """Return the rows of B3."""
    return asyncio.run(_measure())
