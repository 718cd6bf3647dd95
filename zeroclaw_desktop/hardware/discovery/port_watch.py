"""Waits until ports may have changed: told by udev on Linux, by looking again elsewhere."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any, Protocol

from zeroclaw_desktop.foundation.log import logger

POLL_SECONDS = 1.0
UDEV_POLL_SECONDS = 5.0
"""Even where udev tells, now and then a look: events may be lost when its queue runs over."""
SETTLE_SECONDS = 0.1
"""One plug gives a burst of events, and permissions come a moment after the node."""
UDEV_SOCKET = "/run/udev/control"
"""There while udev's daemon runs; without it only the kernel announces anything."""
_log = logger("serial")


class HotplugSource(Protocol):
    """Something whose file number becomes readable when a port came or went."""

    def fileno(self) -> int:
        """To wait for."""

    def drain(self) -> None:
        """Take everything that is there."""

    def close(self) -> None:
        """Let go of it."""


class UdevSource:
    """udev's announcements of serial ports; raises OSError or ImportError where there is none.

    Args:
        sender: ``udev``, which announces when permissions are set, or ``kernel``.
    """

    def __init__(self, sender: str = "udev") -> None:
        import pyudev

        self._monitor: Any = pyudev.Monitor.from_netlink(pyudev.Context(), source=sender)
        self._monitor.filter_by("tty")
        self._monitor.start()

    def fileno(self) -> int:
        """See HotplugSource."""
        number: int = self._monitor.fileno()
        return number

    def drain(self) -> None:
        """See HotplugSource."""
        while self._monitor.poll(timeout=0) is not None:
            pass

    def close(self) -> None:
        """See HotplugSource; the socket is closed with the last reference to it."""
        self._monitor = None


def system_source() -> HotplugSource | None:
    """udev where it is; None where only looking helps."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        return UdevSource("udev" if os.path.exists(UDEV_SOCKET) else "kernel")
    except (ImportError, OSError) as error:
        _log.info("udev does not tell of ports here, so they are looked for every second: %s", error)
        return None


class PortWatch:
    """Tells when to look at the ports again.

    Args:
        source: what announces changes; None to look every POLL_SECONDS.
    """

    def __init__(self, source: HotplugSource | None) -> None:
        self._source = source
        self._changed = asyncio.Event()
        self._listening = False
        if source is not None:
            try:
                asyncio.get_running_loop().add_reader(source.fileno(), self._announced)
                self._listening = True
            except NotImplementedError:  # a loop without add_reader: Windows' default one
                source.close()

    def _announced(self) -> None:
        assert self._source is not None
        self._source.drain()
        self._changed.set()

    async def wait(self) -> None:
        """Return when it is time to look."""
        if not self._listening:
            await asyncio.sleep(POLL_SECONDS)
            return
        try:
            async with asyncio.timeout(UDEV_POLL_SECONDS):
                await self._changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(SETTLE_SECONDS)
        self._changed.clear()

    def close(self) -> None:
        """End listening."""
        if self._listening and self._source is not None:
            asyncio.get_running_loop().remove_reader(self._source.fileno())
            self._source.close()
            self._listening = False
