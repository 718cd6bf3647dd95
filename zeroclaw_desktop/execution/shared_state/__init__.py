"""State shared between tasks, processes and machines (EX-13, EX-19): snapshots, barriers, device locks.

One interface, two homes: this process (the default), or a Redis named by its address. What is shared is told
and counted here; nothing in this room moves a device. The Redis library is imported when an address is given,
not before.
"""

from __future__ import annotations

from zeroclaw_desktop.execution.shared_state.contract import LockGrant, LockHolder, SharedState, Snapshot
from zeroclaw_desktop.execution.shared_state.holding import DeviceHold
from zeroclaw_desktop.execution.shared_state.in_process import InProcessState
from zeroclaw_desktop.execution.shared_state.opening import open_shared_state

__all__ = [
    "DeviceHold",
    "InProcessState",
    "LockGrant",
    "LockHolder",
    "SharedState",
    "Snapshot",
    "open_shared_state",
]
