"""Switches off outputs that have been active for longer than their board's policy allows (EX-6)."""

from __future__ import annotations

import asyncio

from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.log import logger

LOOK_SECONDS = 0.25
_log = logger("execution")


class PinGuard:
    """Looks a few times a second while limited pins are active."""

    def __init__(self, executor: Executor, clock: Clock) -> None:
        self._executor = executor
        self._clock = clock

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Release every output whose time is over, through the door."""
        for pin in self._executor.governor.overdue(self._clock.monotonic()):
            _log.warning(
                "Pin %d of %s has been active for %.1f s, longer than it may: it is switched off",
                pin.pin,
                pin.device_id,
                pin.seconds,
            )
            payload = make_payload(
                "output_release", {"pin": pin.pin}, source="manual", device_id=pin.device_id
            )
            await self._executor.submit(payload)
