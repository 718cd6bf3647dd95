"""Where tiles stand: moving, resizing, making room, flowing into fewer columns. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from zeroclaw_desktop.bridge.dashboard_document import GRID_COLUMNS, MOST_ROWS, Place, Tile

LEAST: Mapping[str, tuple[int, int]] = {
    "plot": (3, 3),
    "gauge": (2, 3),
    "bar": (2, 2),
    "number": (2, 2),
    "led": (2, 2),
    "text": (2, 2),
    "button": (2, 2),
    "switch": (2, 2),
    "slider": (3, 2),
}
"""Columns and rows below which a tile of a kind would cut its text."""
NEW: Mapping[str, tuple[int, int]] = {
    "plot": (6, 5),
    "gauge": (3, 4),
    "bar": (3, 2),
    "number": (3, 3),
    "led": (3, 2),
    "text": (3, 2),
    "button": (3, 2),
    "switch": (3, 2),
    "slider": (4, 2),
}
"""Columns and rows of a new tile."""
_ELSE = (2, 2)


def least_size(kind: str) -> tuple[int, int]:
    """Smallest columns and rows of a tile of a kind."""
    return LEAST.get(kind, _ELSE)


def new_size(kind: str) -> tuple[int, int]:
    """Columns and rows of a new tile of a kind."""
    return NEW.get(kind, _ELSE)


def overlap(one: Place, other: Place) -> bool:
    """Whether two places share a cell."""
    return (
        one.column < other.column + other.columns
        and other.column < one.column + one.columns
        and one.row < other.row + other.rows
        and other.row < one.row + one.rows
    )


def clamped(place: Place, kind: str) -> Place:
    """The nearest place inside the grid that is large enough for a tile of a kind."""
    least_columns, least_rows = least_size(kind)
    columns = max(least_columns, min(place.columns, GRID_COLUMNS))
    rows = max(least_rows, min(place.rows, MOST_ROWS))
    column = max(0, min(place.column, GRID_COLUMNS - columns))
    row = max(0, min(place.row, MOST_ROWS - rows))
    return Place(column, row, columns, rows)


def settled(tiles: Sequence[Tile], tile_id: str, place: Place) -> tuple[Tile, ...]:
    """Put a tile somewhere; those that are in its way move down, and no more than they must.

    Args:
        tiles: all tiles of the dashboard.
        tile_id: the one that is moved or resized.
        place: where it shall be; it is clamped.
    """
    moved = next(tile for tile in tiles if tile.tile_id == tile_id)
    chosen = {tile_id: clamped(place, moved.kind)}
    others = sorted((tile for tile in tiles if tile.tile_id != tile_id), key=_reading_order)
    for tile in others:
        chosen[tile.tile_id] = _first_free_below(tile.place, list(chosen.values()))
    return tuple(replace(tile, place=chosen[tile.tile_id]) for tile in tiles)


def _reading_order(tile: Tile) -> tuple[int, int]:
    return tile.place.row, tile.place.column


def _first_free_below(place: Place, taken: Sequence[Place]) -> Place:
    row = place.row
    while True:
        tried = replace(place, row=row)
        in_the_way = [one for one in taken if overlap(tried, one)]
        if not in_the_way:
            return tried
        row = max(one.row + one.rows for one in in_the_way)


def free_place(tiles: Sequence[Tile], columns: int, rows: int) -> Place:
    """The first place of this size where nothing stands, row by row."""
    taken = [tile.place for tile in tiles]
    row = 0
    while True:
        for column in range(GRID_COLUMNS - columns + 1):
            tried = Place(column, row, columns, rows)
            if not any(overlap(tried, one) for one in taken):
                return tried
        row += 1


def flowed(tiles: Sequence[Tile], columns: int) -> dict[str, Place]:
    """Places in a grid of ``columns`` columns: as they are when it has all, else one after the other.

    Where there is less room, tiles keep their order and their rows, and none is wider than the grid.
    """
    if columns >= GRID_COLUMNS:
        return {tile.tile_id: tile.place for tile in tiles}
    found: dict[str, Place] = {}
    column = row = line_rows = 0
    for tile in sorted(tiles, key=_reading_order):
        width = min(columns, max(least_size(tile.kind)[0], tile.place.columns))
        if column + width > columns:
            column, row, line_rows = 0, row + line_rows, 0
        found[tile.tile_id] = Place(column, row, width, tile.place.rows)
        column += width
        line_rows = max(line_rows, tile.place.rows)
    return found


class Cells(NamedTuple):
    """Size of the grid's cells in logical pixels.

    Attributes:
        columns: how many there are.
        width, height: of a cell.
        gap: between cells.
    """

    columns: int
    width: float
    height: float
    gap: int

    def box(self, place: Place) -> tuple[int, int, int, int]:
        """(left, top, width, height) of a place."""
        left = round(place.column * (self.width + self.gap))
        top = round(place.row * (self.height + self.gap))
        right = round((place.column + place.columns) * (self.width + self.gap)) - self.gap
        bottom = round((place.row + place.rows) * (self.height + self.gap)) - self.gap
        return left, top, right - left, bottom - top

    def steps(self, across: float, down: float) -> tuple[int, int]:
        """How many whole cells a way in pixels is, rounded to the nearest."""
        return round(across / (self.width + self.gap)), round(down / (self.height + self.gap))


def cells_for(width: int, least_width: int, least_height: int, most_height: int, gap: int) -> Cells:
    """Cells for a width: all columns when each is wide enough, else as many as fit.

    Args:
        width: room in pixels.
        least_width: of a column; least_height, most_height: limits of a row, which follows the columns.
        gap: between cells.
    """
    columns = max(3, min(GRID_COLUMNS, int((width + gap) // (least_width + gap))))
    cell = (width + gap) / columns - gap
    height = max(least_height, min(most_height, cell * 0.62))
    return Cells(columns, cell, height, gap)
