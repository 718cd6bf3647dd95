"""Calls to a Redis, bounded in time, with its faults in our words: the only module that knows the library."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.shared_state import contract
from zeroclaw_desktop.execution.shared_state.errors import (
    SharedStateAddressError,
    SharedStateRefusedError,
    SharedStateUnavailableError,
)
from zeroclaw_desktop.foundation.text import QUOTED, visible

CALL_SECONDS = 3.0
CONNECT_SECONDS = 1.0
REPLY_SECONDS = 2.0
RETRIES = 2
CANCEL_SECONDS = 0.5
SCHEMES = ("redis", "rediss", "unix")
Answer = TypeVar("Answer")


class RedisLink:
    """A pool of connections to one Redis.

    Args:
        url: ``redis://[user:password@]host:6379/0``, ``rediss://`` for TLS, or ``unix:///path``.
        call_seconds: how long one call may take with everything, its retries as well.

    Raises:
        SharedStateAddressError: the address is not understood.
    """

    def __init__(self, url: str, *, call_seconds: float = CALL_SECONDS) -> None:
        self.shown = shown_address(url)
        self._call_seconds = call_seconds
        self._closed = False
        self._running: set[asyncio.Task[Any]] = set()
        # A connection from before a restart of Redis is dead: the first call over it fails and is repeated,
        # which is harmless, since all our calls may be.
        retry = Retry(ExponentialBackoff(cap=0.2, base=0.02), RETRIES)
        try:
            self._redis: Any = Redis.from_url(
                url.strip(),
                decode_responses=True,
                retry=retry,
                socket_connect_timeout=CONNECT_SECONDS,
                socket_timeout=REPLY_SECONDS,
                protocol=2,
            )
        except (ValueError, RedisError) as error:
            raise _wrong_address(Words(str(error), "选项无效")) from error

    async def call(self, not_done: Words, work: Callable[[Any], Awaitable[Answer]]) -> Answer:
        """Do something with the client.

        Args:
            not_done: what it is; see ``undone``.

        Raises:
            SharedStateUnavailableError: no answer in time; it may or may not have been done.
            SharedStateRefusedError: the answer was a refusal.
        """
        if self._closed:
            raise contract.closed(not_done)
        # In a task of its own, as the library (by asyncio.wait_for before Python 3.12) can swallow a cancel
        # that comes together with a reply; who is told to stop must stop.
        task = asyncio.get_running_loop().create_task(
            self._translated(not_done, work), name=f"redis:{not_done.en}"
        )
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            await asyncio.wait({task}, timeout=self._call_seconds)
        except asyncio.CancelledError:
            task.cancel()
            # So that what the caller does next (releasing what it may have got) comes after it.
            await asyncio.wait({task}, timeout=CANCEL_SECONDS)
            raise
        if not task.done():
            task.cancel()
            raise self._unavailable(not_done, None)
        return task.result()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            # Marks it as seen: the caller may have gone.
            task.exception()

    async def _translated(self, not_done: Words, work: Callable[[Any], Awaitable[Answer]]) -> Answer:
        try:
            return await work(self._redis)
        except (AuthenticationError, AuthorizationError) as error:
            raise self._refused(not_done, str(error), "Check user and password in the address.") from error
        except (BusyLoadingError, RedisConnectionError, RedisTimeoutError, OSError, TimeoutError) as error:
            raise self._unavailable(not_done, error) from error
        except ResponseError as error:
            raise self._refused(not_done, str(error), "Check the settings of Redis.") from error

    def script(self, text: str) -> Callable[..., Awaitable[Any]]:
        """A Lua script as a function of ``keys`` and ``args``; loaded when Redis does not know it."""
        script: Callable[..., Awaitable[Any]] = self._redis.register_script(text)
        return script

    async def close(self) -> None:
        """Let running calls end, which they do in bounded time, then end all connections."""
        self._closed = True
        if self._running:
            await asyncio.wait(self._running, timeout=self._call_seconds)
        await self._redis.aclose()

    def _unavailable(self, not_done: Words, error: BaseException | None) -> SharedStateUnavailableError:
        reason = str(error or "") or "no answer in time"
        return SharedStateUnavailableError(
            f"Redis at {self.shown} does not answer, so {not_done.en} was not done: {reason}",
            hint="Check that Redis runs and that the address is right; without an address the shared state "
            "stays in this program.",
            retryable=True,
            details=self._details(not_done, reason),
        )

    def _refused(self, not_done: Words, reason: str, hint: str) -> SharedStateRefusedError:
        return SharedStateRefusedError(
            f"Redis at {self.shown} refuses, so {not_done.en} was not done: {reason}",
            hint=hint,
            details=self._details(not_done, reason),
        )

    def _details(self, not_done: Words, reason: str) -> dict[str, str]:
        return {
            "address": self.shown,
            "not_done": not_done.en,
            "not_done_zh": not_done.zh,
            "reason": reason,
        }


def shown_address(url: str) -> str:
    """An address without user and password.

    Raises:
        SharedStateAddressError: it is none.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise _wrong_address(Words(str(error), "主机或端口无效")) from error
    if parts.scheme not in SCHEMES:
        known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise _wrong_address(Words(f"it must begin with {known}", f"必须以 {known} 之一开头"))
    if parts.scheme == "unix":
        return parts.path
    # The library takes a database that is no number for number 0, which may be somebody else's.
    database = parts.path.strip("/")
    if database and not database.isdecimal():
        shown = repr(visible(database, QUOTED))
        raise _wrong_address(
            Words(f"the database must be a number, not {shown}", f"数据库应为数字，而不是 {shown}")
        )
    return f"{parts.hostname or 'localhost'}:{6379 if port is None else port}"


def _wrong_address(reason: Words) -> SharedStateAddressError:
    return SharedStateAddressError(
        f"The address of Redis is not understood: {reason.en}.",
        hint="Write it like redis://host:6379/0 or rediss://user:password@host:6379/0.",
        details={"reason": reason.en, "reason_zh": reason.zh},
    )
