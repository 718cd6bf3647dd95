"""Qt and asyncio on one thread (qasync), from the first paint to the orderly end."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

import qasync
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from zeroclaw_desktop.foundation.log import logger

_log = logger("bridge")


class AppLoop(QObject):
    """Runs the application.

    Args:
        start: awaited after the first paint.
        stop: awaited before the end; must be bounded.
    """

    def __init__(
        self,
        application: QApplication,
        start: Callable[[], Awaitable[None]],
        stop: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self._start = start
        self._stop = stop
        self._loop = qasync.QEventLoop(application)
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(self._log_exception)
        self._ended: asyncio.Event = asyncio.Event()

    def quit(self) -> None:
        """Begin the orderly end; may be called more than once."""
        self._ended.set()

    def run(self) -> None:
        """Run until ``quit``."""
        with self._loop:
            self._loop.run_until_complete(self._live())

    async def _live(self) -> None:
        starting = asyncio.ensure_future(self._start_after_paint())
        starting.add_done_callback(self._core_started)
        await self._ended.wait()
        if not starting.done():
            starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await self._stop()

    async def _start_after_paint(self) -> None:
        """Let the first frame reach the screen before anything heavy is imported."""
        painted = asyncio.Event()
        QTimer.singleShot(0, painted.set)
        await painted.wait()
        await self._start()

    @staticmethod
    def _core_started(starting: asyncio.Future[None]) -> None:
        """Without a core the window stays and the fault is told; a newcomer can still read the log page."""
        fault = None if starting.cancelled() else starting.exception()
        if fault is not None:
            _log.critical("The core did not start", exc_info=fault)
            sys.excepthook(type(fault), fault, fault.__traceback__)

    @staticmethod
    def _log_exception(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        fault = context.get("exception")
        _log.error(
            "Unhandled: %s", context.get("message"), exc_info=fault if isinstance(fault, Exception) else None
        )
