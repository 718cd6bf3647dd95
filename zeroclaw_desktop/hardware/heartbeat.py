"""Keeps a board's host watchdog fed: when the app dies, the board makes its outputs safe (HW-8)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.errors import BoardRefusedError, NoReplyError, PortGoneError
from zeroclaw_desktop.hardware.session import BoardSession

WATCHDOG_MILLISECONDS = 5_000
BEAT_SECONDS = 1.5
REPLY_SECONDS = 2.0
MISSES_ALLOWED = 3
_log = logger("serial")


async def arm_watchdog(session: BoardSession) -> bool:
    """Ask the board to make its outputs safe when it hears nothing; False when its firmware cannot."""
    if "watchdog_host" not in session.commands():
        return False
    await session.request("watchdog_host", {"ms": WATCHDOG_MILLISECONDS}, REPLY_SECONDS)
    return True


async def ping(session: BoardSession) -> float:
    """Ask the board whether it is there; returns the milliseconds until its answer."""
    begin = time.monotonic()
    with contextlib.suppress(BoardRefusedError):  # it knows no ping, and said so
        await session.request("ping", {}, REPLY_SECONDS)
    return (time.monotonic() - begin) * 1000.0


async def beat(
    session: BoardSession,
    on_silent: Callable[[ZeroClawError], None],
    answered: Callable[[float], None] = lambda _milliseconds: None,
) -> None:
    """Arm the board's watchdog and ping it until cancelled or the port is gone.

    Args:
        session: the conversation; firmware without ``watchdog_host`` gets no watchdog, and pings only where
            nothing else would tell that the line is dead.
        on_silent: called once when the board has not answered MISSES_ALLOWED pings in a row.
        answered: called with the milliseconds until the answer to each ping.
    """
    always = session.line is not None and session.line.networked
    misses, armed = 0, False
    try:
        while True:
            try:
                if armed:
                    answered(await ping(session))
                elif not await arm_watchdog(session) and not always:
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
