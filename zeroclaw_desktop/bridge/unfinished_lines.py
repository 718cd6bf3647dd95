"""Beginnings of lines whose end does not come: prompts, dots while a board connects, floods without ends."""

from __future__ import annotations

from collections.abc import Callable

PATIENT_PULLS = 10
"""Pulls for which no line must have ended; the beginning of every other line would flicker."""


class UnfinishedLines:
    """What of each board's unfinished line is to be shown."""

    def __init__(self) -> None:
        self._waited: dict[str, tuple[int, int]] = {}
        """Board to (lines that had come, pulls since)."""
        self._shown: dict[str, str] = {}

    def news(self, board_id: str, lines: int, unfinished: Callable[[], str]) -> str | None:
        """The text to show from now on, '' for none; None when that has not changed. Called at each pull.

        Args:
            lines: how many lines have come from that board.
            unfinished: tells its unfinished line.
        """
        before, pulls = self._waited.get(board_id, (lines, 0))
        pulls = pulls + 1 if lines == before else 0
        self._waited[board_id] = (lines, pulls)
        text = unfinished() if pulls >= PATIENT_PULLS else ""
        if text == self._shown.get(board_id, ""):
            return None
        self._shown[board_id] = text
        return text
