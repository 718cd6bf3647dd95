"""Faults of the shared state.

ZeroClawError
└── SharedStateError
    ├── SharedStateAddressError      the address of the Redis is not understood
    ├── SharedStateUnavailableError  the Redis does not answer; says what was not done
    ├── SharedStateRefusedError      the Redis answers and refuses (login, memory, read-only)
    ├── BarrierTimeoutError          not all participants came in time
    ├── BarrierMismatchError         participants disagree about how many they are
    ├── BarrierMissedError           the others were released without this participant
    ├── LockHeldError                somebody else holds the device; says who
    └── LockLostError                the device is no longer held
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class SharedStateError(ZeroClawError):
    """Something about the shared state."""

    default_code = "shared_state"


class SharedStateAddressError(SharedStateError):
    """The address of the Redis is not understood."""

    default_code = "shared_state_address"


class SharedStateUnavailableError(SharedStateError):
    """The Redis does not answer."""

    default_code = "shared_state_unavailable"


class SharedStateRefusedError(SharedStateError):
    """The Redis answers and refuses."""

    default_code = "shared_state_refused"


class BarrierTimeoutError(SharedStateError):
    """Not all participants came in time."""

    default_code = "barrier_timeout"


class BarrierMismatchError(SharedStateError):
    """Participants disagree about how many they are."""

    default_code = "barrier_mismatch"


class BarrierMissedError(SharedStateError):
    """The others were released without this participant."""

    default_code = "barrier_missed"


class LockHeldError(SharedStateError):
    """Somebody else holds the device."""

    default_code = "lock_held"


class LockLostError(SharedStateError):
    """The device is no longer held."""

    default_code = "lock_lost"
