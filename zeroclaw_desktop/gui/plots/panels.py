"""Which series share a panel, and where the panels stand. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

OVERLAY = "overlay"
STACK = "stack"
TOGETHER = "together"
MODES = (OVERLAY, STACK, TOGETHER)


class SeriesId(NamedTuple):
    """Name of a series: the port or board it came from, and its label."""

    source_id: str
    label: str


class PlotSeries(NamedTuple):
    """A series as the canvas draws it; ``panel`` names one that it shares with others, '' for none."""

    series_id: SeriesId
    unit: str
    color_index: int
    panel: str = ""


class Panel(NamedTuple):
    """A panel: one value axis, one or more series.

    Attributes:
        key: stays the same while the panel means the same thing.
        unit: of its axis.
        series: what it shows, in order of appearance.
    """

    key: tuple[str, ...]
    unit: str
    series: tuple[PlotSeries, ...]


def plan_panels(series: Sequence[PlotSeries], mode: str) -> list[Panel]:
    """Distribute series to panels; those that name a panel share it whatever the mode.

    Args:
        series: the visible ones in order of appearance.
        mode: ``overlay`` (one panel for each unit), ``stack`` (one for each series) or ``together`` (one).
    """
    members: dict[tuple[str, ...], list[PlotSeries]] = {}
    for one in series:
        members.setdefault(_key_of(one, mode), []).append(one)
    return [Panel(key, _common_unit(shared), tuple(shared)) for key, shared in members.items()]


def _key_of(series: PlotSeries, mode: str) -> tuple[str, ...]:
    if series.panel:
        return "named", series.panel
    if mode == STACK:
        return "series", *series.series_id
    return ("unit", series.unit) if mode == OVERLAY else ("all",)


def _common_unit(series: Sequence[PlotSeries]) -> str:
    units = {one.unit for one in series}
    return units.pop() if len(units) == 1 else ""


class Strip(NamedTuple):
    """Vertical place of a panel in logical pixels."""

    top: int
    height: int


def place_panels(count: int, room: int, least: int, gap: int) -> list[Strip]:
    """Return the place of each panel below each other.

    Args:
        count: how many.
        room: height that is there.
        least: smallest height of a panel; when the room is too small for it, the panels take more than the
            room and the person scrolls.
        gap: between panels.
    """
    if count < 1:
        return []
    height = max(least, (room - gap * (count - 1)) // count)
    strips = [Strip(number * (height + gap), height) for number in range(count)]
    rest = room - (strips[-1].top + height)
    if 0 < rest < count + gap:
        strips[-1] = Strip(strips[-1].top, height + rest)
    return strips


def total_height(strips: Sequence[Strip]) -> int:
    """Return the height that all panels take together."""
    return strips[-1].top + strips[-1].height if strips else 0
