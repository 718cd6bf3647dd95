"""Shared state in a Redis: for several processes and machines."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.shared_state import contract, redis_scripts, undone
from zeroclaw_desktop.execution.shared_state.contract import (
    LEASE_SECONDS,
    PARTY_LEASE_SECONDS,
    SNAPSHOT_SECONDS,
    LockGrant,
    LockHolder,
    Snapshot,
)
from zeroclaw_desktop.execution.shared_state.redis_barrier import BarrierScripts, RedisBarrier
from zeroclaw_desktop.execution.shared_state.redis_link import CALL_SECONDS, RedisLink
from zeroclaw_desktop.foundation.clock import Clock, SystemClock

PREFIX = "zeroclaw:"
FORGOTTEN = Words("its lease has ended or Redis has forgotten it", "租期已到，或 Redis 已不再保存它")


class RedisState:
    """Implements SharedState in a Redis (5 or later) by single commands and Lua scripts that may be repeated.

    A Redis that restarts without its data forgets locks and waiting participants: a holder learns of it at
    its next renewal, participants come again by themselves.

    Args:
        url: see RedisLink.
        prefix: of all keys, so that several installations can share a Redis.
        party_lease: seconds after which a participant that died does not count at a barrier.
        call_seconds: how long one call may take.
    """

    in_process = False

    def __init__(
        self,
        url: str,
        *,
        prefix: str = PREFIX,
        party_lease: float = PARTY_LEASE_SECONDS,
        call_seconds: float = CALL_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self._link = RedisLink(url, call_seconds=call_seconds)
        self._prefix = prefix
        self._party_lease = party_lease
        self._clock = clock or SystemClock()
        self._put = self._link.script(redis_scripts.PUT_SNAPSHOT)
        self._acquire = self._link.script(redis_scripts.ACQUIRE)
        self._renew = self._link.script(redis_scripts.RENEW)
        self._release = self._link.script(redis_scripts.RELEASE)
        self._barrier_scripts = BarrierScripts(
            self._link.script(redis_scripts.ATTEND), self._link.script(redis_scripts.WITHDRAW)
        )

    def _key(self, kind: str, name: str) -> str:
        return f"{self._prefix}{kind}:{name}"

    async def new_term(self, device_id: str) -> int:
        """See SharedState."""
        contract.check_name(device_id, "a device id")
        key = self._key("term", device_id)
        return int(await self._link.call(undone.beginning_term(device_id), lambda redis: redis.incr(key)))

    async def put_snapshot(
        self,
        device_id: str,
        seq: int,
        states: Mapping[str, Any],
        *,
        term: int = 0,
        keep: float = SNAPSHOT_SECONDS,
    ) -> bool:
        """See SharedState."""
        contract.check_name(device_id, "a device id")
        contract.check_seconds(keep, "the time to keep a snapshot")
        body = contract.encode_states(states)
        stands = await self._link.call(
            undone.storing(device_id, seq),
            lambda _redis: self._put(
                keys=[self._key("snapshot", device_id), self._key("term", device_id)],
                args=[term, seq, body, _milliseconds(keep)],
            ),
        )
        return bool(stands)

    async def snapshot(self, device_id: str) -> Snapshot | None:
        """See SharedState."""
        key = self._key("snapshot", device_id)
        row = await self._link.call(undone.reading(device_id), lambda redis: redis.hgetall(key))
        return _snapshot(device_id, row) if row else None

    async def snapshots(self) -> Sequence[Snapshot]:
        """See SharedState."""
        devices = await self._names("snapshot", undone.LISTING_SNAPSHOTS)
        found = [await self.snapshot(device_id) for device_id in devices]
        return [snapshot for snapshot in found if snapshot is not None]

    async def barrier(self, name: str, parties: int, timeout: float) -> float:
        """See SharedState."""
        contract.check_barrier(name, parties, timeout)
        began = time.monotonic()
        participant = RedisBarrier(
            self._link, self._barrier_scripts, self._clock, self._prefix, name, parties, self._party_lease
        )
        await participant.wait(timeout)
        return time.monotonic() - began

    async def acquire(
        self, device_id: str, owner: str, *, lease: float = LEASE_SECONDS, token: str = ""
    ) -> LockGrant:
        """See SharedState."""
        contract.check_name(device_id, "a device id")
        contract.check_name(owner, "the owner of a lock")
        contract.check_seconds(lease, "the lease of a lock")
        token = token or uuid.uuid4().hex
        granted, *rest = await self._link.call(
            undone.locking(device_id, owner),
            lambda _redis: self._acquire(
                keys=[self._key("lock", device_id), self._key("term", device_id)],
                args=[token, owner, contract.this_process(), _milliseconds(lease)],
            ),
        )
        if granted:
            return LockGrant(device_id, owner, token, int(rest[0]), lease)
        holder, process, term, remaining = rest
        raise contract.held(owner, LockHolder(device_id, holder, process, int(term), int(remaining) / 1000.0))

    async def renew(self, grant: LockGrant) -> None:
        """See SharedState."""
        refusal = await self._link.call(
            undone.renewing(grant.device_id),
            lambda _redis: self._renew(
                keys=[self._key("lock", grant.device_id)], args=[grant.token, _milliseconds(grant.lease)]
            ),
        )
        if refusal:
            reason, *holder = refusal
            raise contract.lost(grant, contract.taken_by(*holder) if reason == "taken" else FORGOTTEN)

    async def release(self, grant: LockGrant) -> bool:
        """See SharedState."""
        released = await self._link.call(
            undone.releasing(grant.device_id),
            lambda _redis: self._release(keys=[self._key("lock", grant.device_id)], args=[grant.token]),
        )
        return bool(released)

    async def holder(self, device_id: str) -> LockHolder | None:
        """See SharedState."""
        key = self._key("lock", device_id)

        async def read(redis: Any) -> tuple[dict[str, str], int]:
            async with redis.pipeline(transaction=True) as both:
                both.hgetall(key)
                both.pttl(key)
                row, remaining = await both.execute()
            return row, int(remaining)

        row, remaining = await self._link.call(undone.asking_holder(device_id), read)
        if not row or remaining <= 0:
            return None
        return LockHolder(device_id, row["owner"], row["process"], int(row["term"]), remaining / 1000.0)

    async def holders(self) -> Sequence[LockHolder]:
        """See SharedState."""
        devices = await self._names("lock", undone.LISTING_HOLDERS)
        found = [await self.holder(device_id) for device_id in devices]
        return [holder for holder in found if holder is not None]

    async def close(self) -> None:
        """See SharedState."""
        await self._link.close()

    async def _names(self, kind: str, task: Words) -> list[str]:
        """Names that have a key of this kind, sorted."""
        begin = self._key(kind, "")

        async def scan(redis: Any) -> set[str]:
            return {key async for key in redis.scan_iter(match=_literal(begin) + "*", count=500)}

        keys = await self._link.call(task, scan)
        return sorted(key.removeprefix(begin) for key in keys)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def _literal(text: str) -> str:
    """A text whose signs mean themselves in a Redis pattern."""
    return "".join(f"\\{sign}" if sign in "*?[]\\^-" else sign for sign in text)


def _snapshot(device_id: str, row: Mapping[str, str]) -> Snapshot:
    return Snapshot(device_id, int(row["term"]), int(row["seq"]), json.loads(row["body"]), float(row["at"]))
