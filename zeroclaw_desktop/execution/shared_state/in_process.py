"""Shared state within this process: the default, and the measure for the other keeper."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.shared_state import contract, undone
from zeroclaw_desktop.execution.shared_state.contract import (
    LEASE_SECONDS,
    SNAPSHOT_SECONDS,
    LockGrant,
    LockHolder,
    Snapshot,
)
from zeroclaw_desktop.foundation.clock import Clock, SystemClock

ENDED = Words("its lease has ended", "租期已到")


@dataclass
class _Round:
    """Those who wait at a barrier."""

    parties: int
    waiting: list[asyncio.Future[None]] = field(default_factory=list)


@dataclass(slots=True)
class _Held:
    grant: LockGrant
    until: float


class InProcessState:
    """Implements SharedState for the tasks of one loop.

    Args:
        clock: decides about leases and the age of snapshots.
    """

    in_process = True

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._snapshots: dict[str, tuple[Snapshot, float]] = {}
        self._terms: dict[str, int] = {}
        self._rounds: dict[str, _Round] = {}
        self._locks: dict[str, _Held] = {}

    async def new_term(self, device_id: str) -> int:
        """See SharedState."""
        contract.check_name(device_id, "a device id")
        self._terms[device_id] = self._terms.get(device_id, 0) + 1
        return self._terms[device_id]

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
        # Through JSON as with Redis: what was stored must stay when the writer changes its own mapping.
        kept = Snapshot(device_id, term, seq, json.loads(contract.encode_states(states)), self._clock.wall())
        before = await self.snapshot(device_id)
        if before is not None and (before.term, before.seq) >= (term, seq):
            return (before.term, before.seq) == (term, seq) and before.states == kept.states
        self._snapshots[device_id] = (kept, self._clock.monotonic() + keep)
        self._terms[device_id] = max(term, self._terms.get(device_id, 0))
        return True

    async def snapshot(self, device_id: str) -> Snapshot | None:
        """See SharedState."""
        kept = self._snapshots.get(device_id)
        if kept is None:
            return None
        snapshot, until = kept
        if until <= self._clock.monotonic():
            del self._snapshots[device_id]
            return None
        return snapshot

    async def snapshots(self) -> Sequence[Snapshot]:
        """See SharedState."""
        found = [await self.snapshot(device_id) for device_id in sorted(self._snapshots)]
        return [snapshot for snapshot in found if snapshot is not None]

    async def barrier(self, name: str, parties: int, timeout: float) -> float:
        """See SharedState."""
        contract.check_barrier(name, parties, timeout)
        began = self._clock.monotonic()
        current = self._rounds.setdefault(name, _Round(parties))
        if current.parties != parties:
            raise contract.mismatched(name, parties, current.parties)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        current.waiting.append(place)
        if len(current.waiting) == parties:
            # From here on this name means the next round.
            del self._rounds[name]
            for other in current.waiting:
                if not other.done():
                    other.set_result(None)
        await self._wait(name, current, place, timeout)
        return self._clock.monotonic() - began

    async def _wait(self, name: str, current: _Round, place: asyncio.Future[None], timeout: float) -> None:
        deadline = asyncio.get_running_loop().create_task(self._clock.sleep(timeout))
        try:
            await asyncio.wait({place, deadline}, return_when=asyncio.FIRST_COMPLETED)
            if not place.done():
                raise contract.timed_out(name, current.parties, len(current.waiting), timeout)
            place.result()
        finally:
            deadline.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await deadline
            self._withdraw(name, current, place)

    def _withdraw(self, name: str, current: _Round, place: asyncio.Future[None]) -> None:
        """Take a participant out of a round that was not released."""
        place.cancel()
        if self._rounds.get(name) is current:
            current.waiting.remove(place)
            if not current.waiting:
                del self._rounds[name]

    async def acquire(
        self, device_id: str, owner: str, *, lease: float = LEASE_SECONDS, token: str = ""
    ) -> LockGrant:
        """See SharedState."""
        contract.check_name(device_id, "a device id")
        contract.check_name(owner, "the owner of a lock")
        contract.check_seconds(lease, "the lease of a lock")
        token = token or uuid.uuid4().hex
        present = self._present(device_id)
        if present is not None and present.grant.token != token:
            raise contract.held(owner, self._shown(present))
        term = present.grant.term if present is not None else await self.new_term(device_id)
        grant = LockGrant(device_id, owner, token, term, lease)
        self._locks[device_id] = _Held(grant, self._clock.monotonic() + lease)
        return grant

    async def renew(self, grant: LockGrant) -> None:
        """See SharedState."""
        present = self._present(grant.device_id)
        if present is None:
            raise contract.lost(grant, ENDED)
        if present.grant.token != grant.token:
            raise contract.lost(grant, contract.taken_by(present.grant.owner))
        self._locks[grant.device_id] = _Held(present.grant, self._clock.monotonic() + grant.lease)

    async def release(self, grant: LockGrant) -> bool:
        """See SharedState."""
        present = self._present(grant.device_id)
        if present is None or present.grant.token != grant.token:
            return False
        del self._locks[grant.device_id]
        return True

    async def holder(self, device_id: str) -> LockHolder | None:
        """See SharedState."""
        present = self._present(device_id)
        return None if present is None else self._shown(present)

    async def holders(self) -> Sequence[LockHolder]:
        """See SharedState."""
        found = [await self.holder(device_id) for device_id in sorted(self._locks)]
        return [holder for holder in found if holder is not None]

    async def close(self) -> None:
        """See SharedState."""
        rounds, self._rounds = self._rounds, {}
        for name, current in rounds.items():
            for place in current.waiting:
                if not place.done():
                    place.set_exception(contract.closed(undone.passing(name)))

    def _present(self, device_id: str) -> _Held | None:
        present = self._locks.get(device_id)
        if present is not None and present.until <= self._clock.monotonic():
            del self._locks[device_id]
            return None
        return present

    def _shown(self, present: _Held) -> LockHolder:
        grant = present.grant
        remaining = present.until - self._clock.monotonic()
        return LockHolder(grant.device_id, grant.owner, contract.this_process(), grant.term, remaining)
