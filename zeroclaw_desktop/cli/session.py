"""A runtime for the time of one command."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.foundation.paths import config_file, log_folder

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime

SIMULATED = "sim-uno"


@contextlib.asynccontextmanager
async def command_runtime(*, verbose: bool = False) -> AsyncIterator[Runtime]:
    """A started runtime without a window and without USB watching; stopped at the end."""
    from zeroclaw_desktop.config.store import ConfigStore
    from zeroclaw_desktop.runtime.runtime import Runtime

    start_logging(log_folder(), verbose=verbose)
    runtime = Runtime(ConfigStore(config_file()), with_person=False, watch_ports=False)
    runtime.bus.bind_loop(asyncio.get_running_loop())
    try:
        yield runtime
    finally:
        await runtime.stop()
        stop_logging()


def run(main: Callable[[], Awaitable[int]]) -> int:
    """Run a command's coroutine on a loop of its own."""

    async def entry() -> int:
        return await main()

    return asyncio.run(entry())
