"""How the lines of boards are read (encoding, time base), as the person chose it last."""

from __future__ import annotations

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.contracts.events import BoardsChanged
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.roster import BoardRoster
from zeroclaw_desktop.runtime.plot_habits import PlotHabits, ReadingWish

_log = logger("runtime")


class BoardReadings:
    """Gives each board that comes its reading of the last time.

    Args:
        bus: tells of boards.
        roster: the boards.
        habits: remembers.
    """

    def __init__(self, bus: EventBus, roster: BoardRoster, habits: PlotHabits) -> None:
        self._roster = roster
        self._habits = habits
        self._known: set[str] = set()
        bus.subscribe(BoardsChanged, lambda _event: self._look())

    def choose(self, board_id: str, reading: ReadingWish) -> None:
        """Read what a board sends from now on in this way, and remember it.

        Raises:
            ZeroClawError: no such board, or the choice is not possible.
        """
        self._roster.connection(board_id).choose_reading(reading.encoding, reading.time_base, reading.rate)
        self._habits.set_reading(board_id, reading)

    def _look(self) -> None:
        boards = {board.board_id for board in self._roster.boards()}
        for board_id in boards - self._known:
            reading = self._habits.reading(board_id)
            if reading is None:
                continue
            try:
                self._roster.connection(board_id).choose_reading(
                    reading.encoding, reading.time_base, reading.rate
                )
            except ZeroClawError as error:
                _log.warning("%s is read in the usual way: %s", board_id, error.message)
        self._known = boards
