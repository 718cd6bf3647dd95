"""The views that the frame of the window needs before any page is made; the others are in ``views.py``.

Named tuples: the module ``dataclasses`` and each class made with it would delay the first paint.
"""

from __future__ import annotations

from typing import NamedTuple


class StopReportView(NamedTuple):
    """What the emergency stop did."""

    latched: bool
    source: str = ""
    cancelled: int = 0
    """Commands that were cancelled."""
    boards: tuple[tuple[str, str, float | None], ...] = ()
    """(board name, outcome text, milliseconds from press to stop bytes on the wire or None)."""


class StatusView(NamedTuple):
    """What the status bar shows."""

    board_text: str
    board_state: str
    model_text: str
    telemetry_text: str = ""
    live_board: str = ""
    """Name of the current board while it is live, else ''."""
    shared_text: str = ""
    """Whether boards are shared with other programs; '' when that is not wanted."""
    shared_alarm: bool = False
    recording_text: str = ""
    """How long the plots have been recorded; '' when they are not."""
    recording_alarm: bool = False
    """The recording ended early or lost bytes."""
    alarm_text: str = ""
    """Limits of the plots that are crossed now; '' when there are none."""
