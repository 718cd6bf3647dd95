"""What a tile shows of a series or a pin now, and how old it is. No Qt beyond the signals of its sources."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zeroclaw_desktop.bridge.devices_bridge import DevicesBridge
    from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
    from zeroclaw_desktop.bridge.views import BoardView, PinView

LEAST_SILENCE_S = 2.0
SILENT_PERIODS = 3.0
"""A source is silent when nothing came for so many of its own periods."""


@dataclass(frozen=True)
class Reading:
    """A value with its age.

    Attributes:
        state: ``live``; ``stale`` (its source has fallen silent), ``missing`` (nothing ever came) or ``away``
            (its board is not connected).
        value: None where there is none, or in a gap.
        age_s: seconds since it came; None where nothing came or nobody can know.
        source: name of the board or source, for people.
    """

    state: str
    value: float | None = None
    unit: str = ""
    age_s: float | None = None
    source: str = ""

    @property
    def fresh(self) -> bool:
        """Whether the value is what is there now."""
        return self.state == "live"


class _Pace:
    """How often a series brings values: the seconds between two of them, from its running number."""

    def __init__(self, count: int, time: float) -> None:
        self._count, self._time = count, time
        self.period: float | None = None

    def see(self, count: int, time: float) -> None:
        if count > self._count and time > self._time:
            self.period = (time - self._time) / (count - self._count)
        if count != self._count:
            self._count, self._time = count, time


def is_silent(age_s: float, period_s: float | None) -> bool:
    """Whether a source is silent that has brought nothing for ``age_s`` seconds.

    Args:
        period_s: seconds between two of its values; None while nobody knows.
    """
    return age_s > max(LEAST_SILENCE_S, SILENT_PERIODS * (period_s or 0.0))


class TileValues:
    """Readings for tiles; made to be asked many times a second.

    Args:
        plots: series as they come now, never a replay.
        devices: boards and their pins.
    """

    def __init__(self, plots: PlotsBridge, devices: DevicesBridge) -> None:
        self._plots, self._devices = plots, devices
        self._paces: dict[tuple[str, str], _Pace] = {}
        self._boards: dict[str, BoardView] | None = None
        self._pins: dict[str, dict[int, PinView]] = {}
        devices.boards_changed.connect(self._forget_boards)
        devices.pins_changed.connect(lambda board_id: self._pins.pop(board_id, None))

    def board(self, board_id: str) -> BoardView | None:
        """A board as it is now; None when it is not there."""
        if self._boards is None:
            self._boards = {board.board_id: board for board in self._devices.boards()}
        return self._boards.get(board_id)

    def reading(self, ref: Mapping[str, Any] | None) -> Reading:
        """The newest value of a series or of a pin.

        Args:
            ref: {"source", "label"} or {"source", "pin"}; see ``tile_fields``.
        """
        source = str((ref or {}).get("source", ""))
        board = self.board(source)
        name = board.name if board is not None else source
        pin = (ref or {}).get("pin")
        if type(pin) is int:
            return self._pin_reading(source, pin, name)
        return self._series_reading((source, str((ref or {}).get("label", ""))), board, name)

    def _series_reading(self, key: tuple[str, str], board: BoardView | None, name: str) -> Reading:
        found = self._plots.newest_of(*key)
        away = board is not None and board.state != "live"
        if found is None or found[0] is None:
            return Reading("away" if away else "missing", source=name)
        _time, value, count, unit = found
        age = max(0.0, self._plots.now() - found[0])
        pace = self._paces.get(key)
        if pace is None:
            pace = self._paces[key] = _Pace(count, found[0])
        pace.see(count, found[0])
        quiet = "stale" if is_silent(age, pace.period) else "live"
        state = "away" if away else quiet
        gap = value is None or not math.isfinite(value)
        return Reading(state, None if gap else value, unit, age, name)

    def _pin_reading(self, board_id: str, pin: int, name: str) -> Reading:
        board = self.board(board_id)
        if board is None or board.state != "live":
            return Reading("away", source=name)
        if board_id not in self._pins:
            self._pins[board_id] = {view.number: view for view in self._devices.pins(board_id)}
        view = self._pins[board_id].get(pin)
        if view is None:
            return Reading("missing", source=name)
        if view.mode == "analog":
            return Reading("live" if view.volts is not None else "missing", view.volts, "V", None, name)
        value = view.duty if view.duty is not None else view.level
        return Reading("live" if value is not None else "missing", value, "", None, name)

    def _forget_boards(self) -> None:
        self._boards = None
        self._pins.clear()
