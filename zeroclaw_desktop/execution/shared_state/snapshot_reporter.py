"""A reporter that keeps each device's shared snapshot up to date: its last report, in the status shape."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from zeroclaw_desktop.contracts.actions import ActionResult, ActionTransition
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.status import status_line
from zeroclaw_desktop.execution.shared_state.contract import SharedState
from zeroclaw_desktop.execution.shared_state.errors import SharedStateError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor

_log = logger("execution")


class SnapshotReporter:
    """Puts the end of each action into the shared state, in the background; only the latest of each device
    waits. Dry runs and actions without a device change no device's state and are left out.

    Args:
        state: not owned: whoever made it closes it.
        named: gives the name under which the state of a device is shared, from its id here: two programs may
            use one id for two devices.
        pause: seconds between two rounds of writing; of many reports in that time only the last is written.
        backoff: the plan of waits while the keeper is away.
    """

    def __init__(
        self,
        state: SharedState,
        *,
        named: Callable[[str], str] = lambda device_id: device_id,
        pause: float = 0.0,
        backoff: Backoff | None = None,
    ) -> None:
        self._state = state
        self._named = named
        self._pause = pause
        self._backoff = backoff or Backoff()
        self._latest: dict[str, ActionResult] = {}
        self._terms: dict[str, int] = {}
        self._outdated: set[str] = set()
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._tasks = TaskSupervisor("snapshots")

    @property
    def failures(self) -> int:
        """Failures in a row; 0 while all is well."""
        return self._backoff.failures

    def start(self) -> None:
        """See RunningReporter."""
        self._tasks.start(self._run(), "writer")

    def report(self, transition: ActionTransition) -> None:
        """See Reporter."""
        result = transition.result
        if result is not None and result.device_id and result.seq and not result.dry_run:
            self._latest[result.device_id] = result
            self._idle.clear()
            self._wake.set()

    async def stop(self, timeout: float = 2.0) -> None:
        """See RunningReporter."""
        if self._tasks.running:
            await self._settle(timeout)
        await self._tasks.stop(timeout)

    async def _settle(self, timeout: float) -> None:
        try:
            async with asyncio.timeout(timeout):
                await self._idle.wait()
        except TimeoutError:
            _log.warning("The states of %s were not shared in time", ", ".join(self._latest))

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._latest:
                device_id = next(iter(self._latest))
                await self._share(device_id, self._latest.pop(device_id))
            self._idle.set()
            await asyncio.sleep(self._pause)

    async def _share(self, device_id: str, result: ActionResult) -> None:
        try:
            stands = await self._put(device_id, result)
        except SharedStateError as error:
            if not self._backoff.failures:
                _log.error("The states of devices are not shared; trying again: %s", error.message)
            # A newer report may have come meanwhile; then this one has no use any longer.
            self._latest.setdefault(device_id, result)
            await asyncio.sleep(self._backoff.failed())
            return
        if self._backoff.failures:
            self._backoff.succeeded()
            _log.info("The states of devices are shared again")
        if not stands and device_id not in self._outdated:
            self._outdated.add(device_id)
            _log.warning("Another program reports newer states of %s; ours are not shared", device_id)

    async def _put(self, device_id: str, result: ActionResult) -> bool:
        name = self._named(device_id)
        if name not in self._terms:
            self._terms[name] = await self._state.new_term(name)
        row = json.loads(status_line(result))
        return await self._state.put_snapshot(name, result.seq, row, term=self._terms[name])
