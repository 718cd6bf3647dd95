"""An execution layer whose devices are locked in a shared state, as the runtime wires it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from tests.helpers.execution import Door
from zeroclaw_desktop.execution.reporters.backoff import Backoff
from zeroclaw_desktop.execution.reporters.switchboard import ReporterSwitchboard
from zeroclaw_desktop.execution.shared_state.contract import LEASE_SECONDS
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.runtime.shared_service import REDIS_KEY, SharedStateService


class Setting:
    """The address in use; a change is told as the settings do it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.service: SharedStateService | None = None

    async def full(self, _key: str) -> str:
        return self.address

    def change(self, address: str) -> None:
        self.address = address
        assert self.service is not None
        self.service.changed(REDIS_KEY, address)


@contextlib.asynccontextmanager
async def shared_by(
    door: Door, address: str, *, lease: float = LEASE_SECONDS, setting: Setting | None = None
) -> AsyncIterator[SharedStateService]:
    """Give an execution layer the shared state at an address for the time of the block."""
    reporters, setting = ReporterSwitchboard(SystemClock()), setting or Setting(address)
    service = SharedStateService(
        reporters,
        door.bus,
        SystemClock(),
        setting.full,
        lambda device_id: device_id,
        lease=lease,
        retry=lambda: Backoff(0.1, 0.2),
    )
    setting.service = service
    door.executor.locks = service
    door.executor.reporters.append(reporters)
    service.start(address)
    await service.settled()
    try:
        yield service
    finally:
        door.executor.cancel_all("shutdown")
        await reporters.close()
        await service.close()
