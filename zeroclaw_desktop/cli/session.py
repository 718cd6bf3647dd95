"""A runtime for the time of one command."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zeroclaw_desktop.cli.output import INTERRUPTED, print_error, print_note
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger, start_logging, stop_logging
from zeroclaw_desktop.foundation.paths import HomeFolderError, config_file, log_folder

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.runtime import Runtime

SIMULATED = "sim-uno"


@contextlib.asynccontextmanager
async def command_runtime(*, verbose: bool = False, needs_home: bool = True) -> AsyncIterator[Runtime]:
    """A started runtime without a window and without USB watching; stopped at the end.

    What it does is in the journal, beside what a window writes there. What a crash left is for the window,
    which can ask a person and knows the boards; a command looks after its own tasks only.

    Args:
        needs_home: whether an unusable home folder is an error; it must not keep a stop from a board, and
            neither must the journal, which is not opened then.
    """
    from zeroclaw_desktop.config.store import ConfigStore
    from zeroclaw_desktop.runtime.runtime import Runtime

    folder, settings = (log_folder(), config_file()) if needs_home else _places()
    start_logging(folder, verbose=verbose)
    runtime = Runtime(ConfigStore(settings), with_person=False, watch_ports=False)
    runtime.bus.bind_loop(asyncio.get_running_loop())
    if folder is not None:
        await _listen(runtime)
    if needs_home:  # a stop waits for nobody
        _share(runtime)
        await _open_journal(runtime)
    try:
        yield runtime
    finally:
        await runtime.stop()
        stop_logging()


async def _listen(runtime: Runtime) -> None:
    """Let ``zeroclaw estop`` reach the boards that this command holds."""
    runtime.control.shows_window = False
    try:
        await runtime.control.start()
    except (OSError, ZeroClawError) as error:
        logger("cli").warning("Other commands cannot stop this one: %s", error)


def _share(runtime: Runtime) -> None:
    """Respect the devices of other programs; what keeps us from that is said, and the command runs."""
    from zeroclaw_desktop.contracts.events import SharedStateChanged

    def told(status: SharedStateChanged) -> None:
        if status.fault is not None and not status.shared:
            print_note(f"zeroclaw: other programs are not seen: {status.fault.message}")
            print_note(f"  {status.fault.hint}")

    runtime.bus.subscribe(SharedStateChanged, told)
    runtime.share_state()


async def _open_journal(runtime: Runtime) -> None:
    await runtime.journal_keeper.open(guest=True)
    await runtime.open_memory(care=False)
    if runtime.journal_keeper.fault is not None:
        print_note(f"zeroclaw: not in the journal: {runtime.journal_keeper.fault.message}")


def _places() -> tuple[Path | None, Path]:
    """Folder of the log and the settings file; where the home cannot be used, nothing and no file."""
    try:
        return log_folder(), config_file()
    except HomeFolderError as error:
        print_error(error, as_json=False)
        return None, Path(os.devnull) / "config.toml"


def _cancel_on_signal() -> list[int]:
    """Let signals cancel the running task, so that boards are made safe; returns where they are noted."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    noted: list[int] = []

    def end(number: int) -> None:
        if task is not None and not noted:
            task.cancel()
        noted.append(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with contextlib.suppress(NotImplementedError):  # Windows' loop has no signals
                loop.add_signal_handler(number, end, number)
    return noted


def run(main: Callable[[], Awaitable[int]]) -> int:
    """Run a command's coroutine on a loop of its own; SIGTERM and SIGHUP end it as Ctrl+C does."""

    async def entry() -> int:
        ended = _cancel_on_signal()
        try:
            return await main()
        except asyncio.CancelledError:
            if not ended:
                raise
            return INTERRUPTED

    return asyncio.run(entry())
