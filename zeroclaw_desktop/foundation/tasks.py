"""No task is ever lost: every coroutine that nobody awaits is started through a TaskSupervisor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")
_log = logging.getLogger("zeroclaw.tasks")


def followed(
    coroutine: Coroutine[Any, Any, Answer], name: str | None = None
) -> tuple[asyncio.Task[Answer], asyncio.Future[None]]:
    """Run a coroutine as a task that outlives whoever waits for it.

    Returns:
        The task, and a future that is done as soon as the task is, however it ended. Cancelling the future
        leaves the task alone. ``asyncio.shield`` and ``asyncio.wait`` do the same with one more turn of the
        loop, which under Qt costs as much as the rest.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not ended.done():
            ended.set_result(None)

    def never_began(_task: object) -> None:
        coroutine.close()
        tell()

    async def run() -> Answer:
        task.remove_done_callback(never_began)
        try:
            return await coroutine
        finally:
            tell()

    task = loop.create_task(run(), name=name)
    task.add_done_callback(never_began)
    return task, ended


class TaskSupervisor:
    """Keeps strong references to background tasks, logs their faults and ends them together.

    Args:
        name: prefix of the tasks' names.
        loop: where they run; None for the loop that runs when one is started.
    """

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._name = name
        self._loop = loop
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, coroutine: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run a coroutine in the background; its exception is logged, never swallowed silently."""
        loop = self._loop or asyncio.get_running_loop()
        task = loop.create_task(coroutine, name=f"{self._name}:{name}")
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        fault = task.exception()
        if fault is not None:
            _log.error("Background task %s failed: %s", task.get_name(), fault, exc_info=fault)

    @property
    def running(self) -> int:
        """Number of tasks that have not ended."""
        return len(self._tasks)

    async def stop(self, timeout: float = 5.0) -> list[str]:
        """Cancel all tasks and wait for them.

        Args:
            timeout: seconds to wait before giving up.

        Returns:
            Names of tasks that did not end in time.
        """
        pending = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in pending:
            task.cancel()
        if not pending:
            return []
        _, stuck = await asyncio.wait(pending, timeout=timeout)
        for task in stuck:
            _log.error("Background task %s does not end", task.get_name())
        return [task.get_name() for task in stuck]
