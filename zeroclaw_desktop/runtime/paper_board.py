"""Boards on paper: just reset, nothing connected; for explaining and for reading sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zeroclaw_desktop.contracts.boards import (
    BoardInfo,
    BoardLink,
    ExecutionGrant,
    PinState,
    StopOutcome,
)
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.hardware.boards.catalog import board_catalog

DEFAULT_BOARD = "arduino-uno"
SIMULATED_ID = "sim-uno"
SIMULATED_NAMES = ("", "sim", "simulated", SIMULATED_ID)
"""What people call the simulated board where a board is to be reached."""


class PaperBoards:
    """One board on paper. Implements BoardAccess."""

    def __init__(self, board: BoardInfo) -> None:
        self._board = board

    def boards(self) -> Sequence[BoardInfo]:
        """See BoardAccess."""
        return [self._board]

    def pin_states(self, _board_id: str) -> Mapping[int, PinState]:
        """See BoardAccess."""
        pins = self._board.profile.pins
        return {pin.number: PinState(pin.number, "input", 0) for pin in pins if not pin.reserved}

    def link(self, _board_id: str, _grant: ExecutionGrant) -> BoardLink:
        """See BoardAccess; raises always."""
        raise ZeroClawError("Nothing is done while explaining.")

    async def stop_all(self, _triggered_at: float) -> Sequence[StopOutcome]:
        """See BoardAccess."""
        return ()


def paper_board(key: str) -> BoardInfo:
    """A board of a kind, by the names that people type; '' for the Arduino Uno.

    Raises:
        ZeroClawError: there is no such kind of board.
    """
    catalog = board_catalog()
    key = key.removeprefix("simulated:")
    profile = catalog.get(key) or catalog.get(key.removeprefix("sim-")) or catalog.get(f"arduino-{key}")
    if key in (SIMULATED_ID, ""):
        profile = catalog[DEFAULT_BOARD]
    if profile is None:
        raise ZeroClawError(
            f"There is no board '{key}'.", hint=f"Known: {', '.join(catalog)}.", code="unknown_board"
        )
    return BoardInfo(key or profile.key, profile.name, profile, "", "live", simulated=key == SIMULATED_ID)
