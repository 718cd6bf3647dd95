"""What shared state offers, whoever keeps it, and the faults that all keepers word alike."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.shared_state.errors import (
    BarrierMismatchError,
    BarrierMissedError,
    BarrierTimeoutError,
    LockHeldError,
    LockLostError,
    SharedStateUnavailableError,
)
from zeroclaw_desktop.foundation.machine import machine_name

SNAPSHOT_SECONDS = 86_400.0
"""A snapshot that nobody renews for a day is forgotten."""
LEASE_SECONDS = 10.0
PARTY_LEASE_SECONDS = 3.0
"""How long a participant in another process counts after its last sign of life."""


@dataclass(frozen=True)
class Snapshot:
    """The last known state of one device.

    Attributes:
        term: number of the reporter's turn with this device, see ``SharedState.new_term``.
        seq: number of the report within the term.
        states: JSON-shaped.
        written_at: epoch seconds by the keeper's clock.
    """

    device_id: str
    term: int
    seq: int
    states: Mapping[str, Any]
    written_at: float


@dataclass(frozen=True)
class LockHolder:
    """Who holds a device.

    Attributes:
        owner: what the holder called itself (a task id).
        process: its machine and process number.
        term: grows with every grant of this device.
        remaining: seconds until the lease ends unless it is renewed.
    """

    device_id: str
    owner: str
    process: str
    term: int
    remaining: float


@dataclass(frozen=True)
class LockGrant:
    """The right to use a device until the lease ends; ``token`` proves it."""

    device_id: str
    owner: str
    token: str
    term: int
    lease: float


class SharedState(Protocol):
    """Snapshots of devices, barriers and device locks.

    ``in_process`` says whether it ends with this process: then nobody can die and leave a lock behind.

    Every method may raise SharedStateUnavailableError or SharedStateRefusedError when the keeper is another
    process; the message says what was not done. Wrong arguments (an empty name, a lease of zero) raise
    ValueError. Belongs to one loop.
    """

    in_process: bool

    async def new_term(self, device_id: str) -> int:
        """A number higher than all former ones of this device.

        A reporter takes one when it begins with a device, since its ``seq`` begins again at 1.
        """

    async def put_snapshot(
        self,
        device_id: str,
        seq: int,
        states: Mapping[str, Any],
        *,
        term: int = 0,
        keep: float = SNAPSHOT_SECONDS,
    ) -> bool:
        """Store the state of a device unless a newer one is there.

        Args:
            seq: number of the report; together with ``term`` it decides what is newer.
            keep: seconds after which it is forgotten.

        Returns:
            False when a newer snapshot stands, which is then left alone.
        """

    async def snapshot(self, device_id: str) -> Snapshot | None:
        """The last known state of a device; None when there is none."""

    async def snapshots(self) -> Sequence[Snapshot]:
        """The last known states of all devices, by device id."""

    async def barrier(self, name: str, parties: int, timeout: float) -> float:
        """Wait until ``parties`` callers of this name are here; all go on together.

        Whether a round was released is decided in one place at one moment: either all of its participants
        go on, or all that are left fail. Who comes after a release begins the next round of that name, so a
        participant too many is never let through with a full round. A participant that dies does not count
        any longer (at once in this process, after ``PARTY_LEASE_SECONDS`` in another).

        Args:
            timeout: seconds that this participant waits.

        Returns:
            Seconds waited.

        Raises:
            BarrierTimeoutError: not all came; this participant is withdrawn.
            BarrierMismatchError: those who wait expect another number.
            BarrierMissedError: this participant was taken for dead, and the others went on without it.
        """

    async def acquire(
        self, device_id: str, owner: str, *, lease: float = LEASE_SECONDS, token: str = ""
    ) -> LockGrant:
        """Take the lock of one device (the instance, not its type); does not wait.

        Args:
            owner: who wants it, shown to others.
            lease: seconds after which it is free again unless renewed.
            token: of an earlier grant or attempt, to repeat it safely; '' for a new one.

        Raises:
            LockHeldError: somebody holds it; ``details`` say who and for how long.
        """

    async def renew(self, grant: LockGrant) -> None:
        """Let the lease begin again.

        Raises:
            LockLostError: the lease had ended, or the keeper has forgotten it.
        """

    async def release(self, grant: LockGrant) -> bool:
        """Give the lock back; returns False when it was not held any longer."""

    async def holder(self, device_id: str) -> LockHolder | None:
        """Who holds a device; None when nobody does."""

    async def holders(self) -> Sequence[LockHolder]:
        """All devices that are held, by device id."""

    async def close(self) -> None:
        """Let go of connections; waiting participants fail."""


def this_process() -> str:
    """Machine and process number, as other processes show it."""
    return f"{machine_name()}:{os.getpid()}"


def check_name(name: str, what: str) -> None:
    """Refuse an empty name (ValueError)."""
    if not name:
        raise ValueError(f"{what} must not be empty")


def check_seconds(seconds: float, what: str) -> None:
    """Refuse what is no positive time (ValueError)."""
    if not math.isfinite(seconds) or seconds <= 0:
        raise ValueError(f"{what} must be a positive number of seconds, not {seconds!r}")


def encode_states(states: Mapping[str, Any]) -> str:
    """States as JSON with sorted keys; what JSON does not have is refused (ValueError)."""
    try:
        return json.dumps(dict(states), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except TypeError as error:
        raise ValueError(f"states must be JSON-shaped: {error}") from error


def check_barrier(name: str, parties: int, timeout: float) -> None:
    """Refuse a barrier that cannot be (ValueError)."""
    check_name(name, "the name of a barrier")
    check_seconds(timeout, "the timeout of a barrier")
    if parties < 1:
        raise ValueError(f"a barrier needs at least one party, not {parties}")


def timed_out(name: str, parties: int, present: int, timeout: float) -> BarrierTimeoutError:
    """The fault of a participant that has waited long enough."""
    return BarrierTimeoutError(
        f"Only {present} of {parties} came to the barrier '{name}' within {timeout:g} s; nobody is released.",
        hint="Check that every device is ready, then start all of them again.",
        retryable=True,
        details={"name": name, "parties": parties, "present": present, "seconds": f"{timeout:g}"},
    )


def mismatched(name: str, parties: int, expected: int) -> BarrierMismatchError:
    """The fault of a participant that expects another number."""
    return BarrierMismatchError(
        f"The barrier '{name}' waits for {expected} participants, but one came that expects {parties}.",
        hint="Use the same number everywhere, or another name.",
        details={"name": name, "parties": parties, "expected": expected},
    )


def missed(name: str) -> BarrierMissedError:
    """The fault of a participant that was taken for dead."""
    return BarrierMissedError(
        f"The barrier '{name}' was passed without this participant: it was not heard of for too long.",
        hint="The others have begun; stop them, or let this one join the next round.",
        details={"name": name},
    )


def held(wanted_by: str, holder: LockHolder) -> LockHeldError:
    """The fault of somebody who wants what another has."""
    return LockHeldError(
        f"The device '{holder.device_id}' is held by '{holder.owner}' in {holder.process}, "
        f"so '{wanted_by}' does not get it.",
        hint=f"Wait for it to end; without renewal the lock ends in {holder.remaining:.1f} s.",
        retryable=True,
        details={
            "device": holder.device_id,
            "owner": holder.owner,
            "process": holder.process,
            "seconds": f"{holder.remaining:.1f}",
        },
    )


def taken_by(owner: str) -> Words:
    """The reason of a loss: somebody else has it."""
    return Words(f"'{owner}' holds it now", f"现由“{owner}”占用")


def lost(grant: LockGrant, reason: Words) -> LockLostError:
    """The fault of somebody who has lost what it had."""
    return LockLostError(
        f"'{grant.owner}' does not hold the device '{grant.device_id}' any longer: {reason.en}.",
        hint="Bring the device into its safe state before it is used again.",
        details={
            "device": grant.device_id,
            "owner": grant.owner,
            "reason": reason.en,
            "reason_zh": reason.zh,
        },
    )


def closed(not_done: Words) -> SharedStateUnavailableError:
    """The fault of a call to a state that was closed."""
    return SharedStateUnavailableError(
        f"The shared state was closed, so {not_done.en} was not done.",
        details={"not_done": not_done.en, "not_done_zh": not_done.zh},
    )
