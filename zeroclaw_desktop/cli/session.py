"""A runtime for the time of one command."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zeroclaw_desktop.cli.output import print_error
from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.foundation.paths import HomeFolderError, config_file, log_folder

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime

SIMULATED = "sim-uno"


@contextlib.asynccontextmanager
async def command_runtime(*, verbose: bool = False, needs_home: bool = True) -> AsyncIterator[Runtime]:
    """A started runtime without a window and without USB watching; stopped at the end.

    Args:
        needs_home: whether an unusable home folder is an error; it must not keep a stop from a board.
    """
    from zeroclaw_desktop.config.store import ConfigStore
    from zeroclaw_desktop.runtime.runtime import Runtime

    folder, settings = (log_folder(), config_file()) if needs_home else _places()
    start_logging(folder, verbose=verbose)
    runtime = Runtime(ConfigStore(settings), with_person=False, watch_ports=False)
    runtime.bus.bind_loop(asyncio.get_running_loop())
    try:
        yield runtime
    finally:
        await runtime.stop()
        stop_logging()


def _places() -> tuple[Path | None, Path]:
    """Folder of the log and the settings file; where the home cannot be used, nothing and no file."""
    try:
        return log_folder(), config_file()
    except HomeFolderError as error:
        print_error(error, as_json=False)
        return None, Path(os.devnull) / "config.toml"


def run(main: Callable[[], Awaitable[int]]) -> int:
    """Run a command's coroutine on a loop of its own."""

    async def entry() -> int:
        return await main()

    return asyncio.run(entry())
