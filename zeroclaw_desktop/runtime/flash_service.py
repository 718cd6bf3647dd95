"""Flash jobs as the window and the command line see them: progress on the bus, one job for each board."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.flashing.flasher import Flasher, known_methods
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore


def can_flash(board: BoardInfo) -> bool:
    """Whether this version can write firmware to a board."""
    return bool(known_methods(board.profile)) and not board.simplified


class _Listener:
    """Sends a job's news to the bus."""

    def __init__(self, board_id: str, bus: EventBus, started: float) -> None:
        self._board_id = board_id
        self._bus = bus
        self._started = started

    def phase(self, name: str, percent: float | None, message: str) -> None:
        self._bus.publish(
            FlashProgressed(self._board_id, name, percent, message, seconds=time.monotonic() - self._started)
        )

    def line(self, text: str) -> None:
        self._bus.publish(FlashLogged(self._board_id, text))


class FlashService:
    """Runs flash jobs; called by the ``flash_firmware`` command only."""

    def __init__(self, flasher: Flasher, roster: BoardRoster, bus: EventBus, store: TelemetryStore) -> None:
        self._flasher = flasher
        self._roster = roster
        self._bus = bus
        self._store = store

    async def flash(self, board_id: str, firmware_key: str) -> Mapping[str, Any]:
        """Flash a board; returns the report as a plain row.

        Raises:
            ZeroClawError: why it did not succeed; the bus has been told the same.
        """
        started = time.monotonic()
        connection = self._roster.connection(board_id)
        listener = _Listener(board_id, self._bus, started)
        self._store.add_marker(f"flash {firmware_key}", "flash", source_id=board_id)
        try:
            report = await self._flasher.flash(connection, firmware_key, listener)
        except asyncio.CancelledError:
            self._end(board_id, "cancelled", started)
            raise
        except ZeroClawError as error:
            self._end(board_id, "failed", started, error)
            raise
        self._bus.publish(
            FlashProgressed(
                board_id,
                "done",
                100.0,
                firmware=report.firmware,
                seconds=report.seconds,
                details={
                    "image": report.image.key,
                    "method": report.method,
                    "tool_seconds": report.tool_seconds,
                },
            )
        )
        return {
            "image": report.image.key,
            "method": report.method,
            "firmware": report.firmware,
            "seconds": round(report.seconds, 3),
            "tool_seconds": round(report.tool_seconds, 3),
            "verified": True,
        }

    def _end(self, board_id: str, phase: str, started: float, error: ZeroClawError | None = None) -> None:
        self._bus.publish(
            FlashProgressed(
                board_id,
                phase,
                seconds=time.monotonic() - started,
                fault_code=error.code if error else "",
                fault_message=error.message if error else "",
                fault_hint=error.hint if error else "",
                details=error.details if error else {},
            )
        )
