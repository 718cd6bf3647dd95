"""One participant's wait at a barrier that Redis keeps.

Participants hold places with a lease that they renew while they wait. The release is an entry in a stream of
that round's own, written by the script that counted the last one in: it wakes those who wait, it can be read
again after a broken connection, and it says who was released.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.execution.shared_state import contract, undone
from zeroclaw_desktop.execution.shared_state.errors import SharedStateError, SharedStateUnavailableError
from zeroclaw_desktop.execution.shared_state.redis_link import RedisLink
from zeroclaw_desktop.foundation.clock import Clock

RELEASED_SECONDS = 600.0
"""How long a release can be read; far longer than a participant may be out of touch."""
Script = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class BarrierScripts:
    """The scripts of redis_scripts, ready to call."""

    attend: Script
    withdraw: Script


class RedisBarrier:
    """A participant.

    Args:
        prefix: of all keys, with its colon.
        lease: seconds after which a silent participant does not count any longer.
    """

    def __init__(
        self,
        link: RedisLink,
        scripts: BarrierScripts,
        clock: Clock,
        prefix: str,
        name: str,
        parties: int,
        lease: float,
    ) -> None:
        self._link = link
        self._scripts = scripts
        self._clock = clock
        self._name = name
        self._parties = parties
        self._lease_ms = max(1, round(lease * 1000))
        self._participant = uuid.uuid4().hex
        self._round = ""
        base = f"{prefix}barrier:{name}"
        self._keys = [f"{base}:waiting", f"{base}:round"]
        self._released = f"{base}:released:"
        self._task = undone.passing(name)

    async def wait(self, timeout: float) -> None:
        """Wait; see SharedState.barrier."""
        deadline = time.monotonic() + timeout
        try:
            # The first call fails at once when Redis is away; once inside, an outage is waited out.
            if await self._attend():
                return
            while (left := deadline - time.monotonic()) > 0:
                if await self._wait_a_while(left):
                    return
        except SharedStateUnavailableError:
            raise
        except BaseException:
            await self._withdraw_quietly()
            raise
        await self._give_up(timeout)

    async def _wait_a_while(self, left: float) -> bool:
        """Wait for the release, for a third of the lease at most, then renew the place."""
        block_ms = max(1, round(min(left * 1000, self._lease_ms / 3, 500)))
        try:
            if await self._heard(block_ms):
                return True
            return left * 1000 > block_ms and await self._attend()
        except SharedStateUnavailableError as error:
            if not error.retryable:
                raise
            await self._clock.sleep(min(left, 0.1))
            if left <= 0.1:
                raise
            return False

    async def _heard(self, block_ms: int) -> bool:
        key = self._released + self._round
        found = await self._link.call(self._task, lambda redis: redis.xread({key: "0"}, 1, block_ms))
        if not found:
            return False
        [(_key, [(_number, entry)])] = found
        return self._included(entry["participants"])

    async def _attend(self) -> bool:
        """Come, or renew the place; True when released."""
        kind, current, rest = await self._link.call(
            self._task,
            lambda _redis: self._scripts.attend(
                keys=self._keys,
                args=[
                    self._participant,
                    self._parties,
                    self._lease_ms,
                    self._round,
                    uuid.uuid4().hex,
                    self._released,
                    round(RELEASED_SECONDS * 1000),
                ],
            ),
        )
        if kind == "mismatch":
            raise contract.mismatched(self._name, self._parties, int(rest))
        # Another round than before: Redis has forgotten ours, or all of its places had run out.
        self._round = current
        return kind == "released" and self._included(rest)

    def _included(self, participants: str) -> bool:
        if self._participant not in participants.split(" "):
            raise contract.missed(self._name)
        return True

    async def _withdraw(self) -> tuple[bool, int]:
        """Leave; returns whether it was too late for that, and how many were present."""
        kind, rest = await self._link.call(
            undone.leaving(self._name),
            lambda _redis: self._scripts.withdraw(
                keys=self._keys, args=[self._participant, self._round, self._released]
            ),
        )
        if kind == "released":
            return self._included(rest), self._parties
        return False, int(rest)

    async def _withdraw_quietly(self) -> None:
        """Leave for a reason that is on its way already; without Redis the place runs out by itself."""
        with contextlib.suppress(SharedStateError):
            await self._withdraw()

    async def _give_up(self, timeout: float) -> None:
        released, present = await self._withdraw()
        if not released:
            raise contract.timed_out(self._name, self._parties, present, timeout)
