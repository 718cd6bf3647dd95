"""Flash jobs as the window and the command line see them: progress on the bus, one job for each board."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import Any

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.boards import BoardInfo
from zeroclaw_desktop.contracts.events import FlashLogged, FlashProgressed
from zeroclaw_desktop.contracts.flash_request import EraseRequest, FlashRequest
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.flasher import Flasher, known_methods
from zeroclaw_desktop.hardware.flashing.method import WRITING_PHASES, ErasableMethod
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore


def can_flash(board: BoardInfo) -> bool:
    """Whether this version can write firmware to a board."""
    return bool(known_methods(board.profile)) and not (board.simplified or board.added)


def can_erase(board: BoardInfo) -> bool:
    """Whether this version can erase a board's whole chip."""
    return any(isinstance(way, ErasableMethod) for way in known_methods(board.profile)) and can_flash(board)


class _Listener:
    """Sends a job's news to the bus.

    Attributes:
        wrote: whether writing has begun, so that the old firmware is gone.
        asked: whether the board was put into its boot loader.
    """

    def __init__(self, board_id: str, bus: EventBus, started: float) -> None:
        self._board_id = board_id
        self._bus = bus
        self._started = started
        self.wrote = False
        self.asked = False

    def phase(self, name: str, percent: float | None, message: str) -> None:
        self.asked = self.asked or name == "prepare"
        self.wrote = self.wrote or name in WRITING_PHASES or name == "erase"
        self._bus.publish(
            FlashProgressed(self._board_id, name, percent, message, seconds=time.monotonic() - self._started)
        )

    def line(self, text: str) -> None:
        self._bus.publish(FlashLogged(self._board_id, text))


class FlashService:
    """Runs flash jobs; called by the ``flash_firmware`` command only.

    Args:
        save_first: the person's setting: whether to keep what is on a board before its first flash.
        lend: takes ports away from whoever else listens to them, for the time of a job.
    """

    def __init__(
        self,
        flasher: Flasher,
        roster: BoardRoster,
        bus: EventBus,
        store: TelemetryStore,
        save_first: Callable[[], bool],
        lend: Callable[..., AbstractAsyncContextManager[None]] = lambda *_paths: nullcontext(),
    ) -> None:
        self._flasher = flasher
        self._roster = roster
        self._bus = bus
        self._store = store
        self._save_first = save_first
        self._lend = lend

    def skip_saving(self, board_id: str) -> None:
        """Write at once instead of reading first what is on the board."""
        self._flasher.skip_saving(board_id)

    async def flash(self, board_id: str, request: FlashRequest) -> Mapping[str, Any]:
        """Flash a board; returns the report as a plain row.

        Raises:
            ZeroClawError: why it did not succeed; the bus has been told the same.
        """
        started = time.monotonic()
        connection = self._roster.connection(board_id)
        listener = _Listener(board_id, self._bus, started)
        self._store.add_marker(f"flash {request.firmware}", "flash", source_id=board_id)
        if request.save_first is None:
            request = replace(request, save_first=self._save_first())
        try:
            async with self._lend(connection.port, connection.system_path):
                report = await self._flasher.flash(connection, request, listener)
        except asyncio.CancelledError:
            self._end(board_id, "cancelled", started, _cancelled(listener))
            raise
        except ZeroClawError as error:
            self._end(board_id, "failed", started, error)
            raise
        warning = report.warning
        kept = str(report.restore_point) if report.restore_point is not None else ""
        self._bus.publish(
            FlashProgressed(
                board_id,
                "done",
                100.0,
                firmware=report.firmware,
                seconds=report.seconds,
                fault_code=warning.code if warning else "",
                fault_message=warning.message if warning else "",
                fault_hint=warning.hint if warning else "",
                details={
                    "image": report.image.key,
                    "method": report.method,
                    "tool_seconds": report.tool_seconds,
                    "restore_point": kept,
                    "verified": report.verified,
                    **(warning.details if warning else {}),
                },
            )
        )
        return {
            "image": report.image.key,
            "method": report.method,
            "firmware": report.firmware,
            "seconds": round(report.seconds, 3),
            "tool_seconds": round(report.tool_seconds, 3),
            "verified": report.verified,
            "restore_point": kept,
            "warning": warning.message if warning else "",
        }

    async def erase(self, board_id: str, request: EraseRequest) -> Mapping[str, Any]:
        """Erase a board's chip; returns the report as a plain row.

        Raises:
            ZeroClawError: why it did not succeed; the bus has been told the same.
        """
        started = time.monotonic()
        connection = self._roster.connection(board_id)
        listener = _Listener(board_id, self._bus, started)
        self._store.add_marker("erase", "flash", source_id=board_id)
        try:
            async with self._lend(connection.port, connection.system_path):
                report = await self._flasher.erase(connection, request, listener)
        except asyncio.CancelledError:
            self._end(board_id, "cancelled", started, _cancelled(listener))
            raise
        except ZeroClawError as error:
            self._end(board_id, "failed", started, error)
            raise
        kept = str(report.restore_point) if report.restore_point is not None else ""
        details = {"image": "", "method": report.method, "restore_point": kept, "erased": True}
        self._bus.publish(FlashProgressed(board_id, "done", 100.0, seconds=report.seconds, details=details))
        return {"method": report.method, "seconds": round(report.seconds, 3), "restore_point": kept}

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


def _cancelled(listener: _Listener) -> FlashError:
    """What state a board is in after a cancel; only the bus is told, the action ends as cancelled."""
    if listener.wrote:
        return FlashError(
            "Flashing was cancelled while it wrote. The firmware is not complete; the board may do nothing.",
            hint="Write it again, or choose another firmware or a restore point.",
            code="flash_cancelled_writing",
        )
    after = " It may still be in its boot loader: press its reset button." if listener.asked else ""
    return FlashError(
        f"Flashing was cancelled before anything was written; the board has its old firmware.{after}",
        hint="Begin again when you like.",
        code="flash_cancelled",
    )
