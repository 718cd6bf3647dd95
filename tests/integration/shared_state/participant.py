"""A program of its own that takes part in shared state; prints what happens, one line each.

Use: ``participant.py URL barrier NAME PARTIES TIMEOUT`` or ``participant.py URL lock DEVICE OWNER LEASE``.
"""

from __future__ import annotations

import asyncio
import sys
import time

from zeroclaw_desktop.execution.shared_state import DeviceHold
from zeroclaw_desktop.execution.shared_state.errors import SharedStateError
from zeroclaw_desktop.execution.shared_state.redis_state import RedisState


async def main(url: str, kind: str, name: str, second: str, third: str) -> None:
    state = RedisState(url, party_lease=1.0)
    print("ready", flush=True)
    try:
        if kind == "barrier":
            await state.barrier(name, int(second), float(third))
            print(f"released {time.time():.6f}", flush=True)
        else:
            async with DeviceHold(state, name, second, lease=float(third)):
                print("holding", flush=True)
                await asyncio.sleep(60)
    except SharedStateError as error:
        print(f"{error.code} {error.message}", flush=True)
    finally:
        await state.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
