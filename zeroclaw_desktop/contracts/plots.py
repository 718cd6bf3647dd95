"""How a person wants a series to look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeriesLook:
    """The choices for one series; what is None or '' is left to the program.

    Attributes:
        color: number of a plot colour, from 0.
        unit: of the figures that are shown; '' for the one that the board says.
        factor: shown units for one unit that the board sends, not 0.
        offset: in shown units.
        panel: name of the panel that it shares with others of the same name; '' for the one of its unit.
        visible: whether the plots show it.
    """

    color: int | None = None
    unit: str = ""
    factor: float = 1.0
    offset: float = 0.0
    panel: str = ""
    visible: bool = True
