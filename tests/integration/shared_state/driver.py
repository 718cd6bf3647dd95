"""A program of its own that drives the board 'uno' with the locks of a Redis; prints what happens.

Use: ``driver.py URL LEASE``. It holds the board for a minute, then ends.
"""

from __future__ import annotations

import asyncio
import sys

from tests.helpers.execution import Door
from tests.helpers.shared_program import shared_by
from zeroclaw_desktop.contracts.actions import ActionTransition


class _Teller:
    def report(self, transition: ActionTransition) -> None:
        print(transition.state.value, flush=True)


async def main(url: str, lease: float) -> None:
    door = Door()
    async with shared_by(door, url, lease=lease):
        door.executor.reporters.append(_Teller())
        await door.do("led_blink", {"count": 60, "interval": 1.0})


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
