"""Keeps a board's host watchdog fed: when the app dies, the board makes its outputs safe (HW-8)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.errors import NoReplyError, PortGoneError
from zeroclaw_desktop.hardware.session import BoardSession

WATCHDOG_MILLISECONDS = 5_000
BEAT_SECONDS = 1.5
REPLY_SECONDS = 2.0
MISSES_ALLOWED = 3
_log = logger("serial")


async def arm_watchdog(session: BoardSession) -> bool:
    """Ask the board to make its outputs safe when it hears nothing; False when its firmware cannot."""
    commands = session.capabilities.get("commands", ())
    if not isinstance(commands, (list, tuple)) or "watchdog_host" not in commands:
        return False
    await session.request("watchdog_host", {"ms": WATCHDOG_MILLISECONDS}, REPLY_SECONDS)
    return True


async def beat(session: BoardSession, on_silent: Callable[[ZeroClawError], None]) -> None:
    """Arm the board's watchdog and ping it until cancelled or the port is gone.

    Args:
        session: the conversation; firmware without ``watchdog_host`` gets no watchdog and no pings.
        on_silent: called once when the board has not answered MISSES_ALLOWED pings in a row.
    """
    misses, armed = 0, False
    try:
        while True:
            try:
                if armed:
                    await session.request("ping", {}, REPLY_SECONDS)
                elif not await arm_watchdog(session):
                    return
                misses, armed = 0, True
            except NoReplyError as error:
                misses += 1
                if misses >= MISSES_ALLOWED:
                    _log.error("The board on %s has stopped answering", session.port)
                    on_silent(error)
                    return
            await asyncio.sleep(BEAT_SECONDS)
    except PortGoneError:
        return
    except ZeroClawError as error:
        _log.warning("The watchdog of the board on %s is not fed: %s", session.port, error.message)
