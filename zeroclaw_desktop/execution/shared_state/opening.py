"""The shared state that the settings name: in this process, or in a Redis."""

from __future__ import annotations

from zeroclaw_desktop.execution.shared_state.contract import SharedState
from zeroclaw_desktop.execution.shared_state.in_process import InProcessState
from zeroclaw_desktop.foundation.clock import Clock


def load_library(url: str) -> None:
    """Import what ``open_shared_state`` needs for an address, most of a second: for a thread of its own."""
    if url.strip():
        import zeroclaw_desktop.execution.shared_state.redis_state  # noqa: F401


def open_shared_state(url: str, clock: Clock | None = None) -> SharedState:
    """Make the shared state for the setting ``shared.redis_url``; connects only when it is used.

    Args:
        url: address of a Redis; '' keeps everything in this process.

    Raises:
        SharedStateAddressError: the address is not understood.
    """
    if not url.strip():
        return InProcessState(clock)
    # The Redis library takes most of a second to import; who has no Redis does not pay for it.
    from zeroclaw_desktop.execution.shared_state.redis_state import RedisState

    return RedisState(url, clock=clock)
