"""UI-6: tiles never lie over one another, whatever is moved, and none leaves the grid."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.bridge.dashboard_document import GRID_COLUMNS, Place, Tile
from zeroclaw_desktop.gui.dashboard.grid_places import (
    LEAST,
    cells_for,
    clamped,
    flowed,
    free_place,
    least_size,
    overlap,
    settled,
)
from zeroclaw_desktop.gui.dashboard.zones import number_text, share, zone_of, zones

KINDS = st.sampled_from(sorted(LEAST))
SOME_PLACES = st.builds(
    Place, st.integers(-5, 15), st.integers(-5, 30), st.integers(-2, 15), st.integers(-2, 9)
)


@st.composite
def grids(draw: st.DrawFn) -> tuple[Tile, ...]:
    """Tiles that lie beside one another, as a person left them."""
    tiles: tuple[Tile, ...] = ()
    for number in range(draw(st.integers(1, 7))):
        kind = draw(KINDS)
        tile = Tile(f"t{number}", kind, Place(0, 100, *least_size(kind)))
        tiles = settled((*tiles, tile), tile.tile_id, draw(SOME_PLACES))
    return tiles


@given(grids(), st.data())
def test_moving_a_tile_makes_room_and_nothing_overlaps(tiles: tuple[Tile, ...], data: st.DataObject) -> None:
    tile = data.draw(st.sampled_from(tiles))
    wanted = data.draw(SOME_PLACES)
    after = settled(tiles, tile.tile_id, wanted)
    assert [one.tile_id for one in after] == [one.tile_id for one in tiles]
    for one, other in combinations(after, 2):
        assert not overlap(one.place, other.place)
    for one in after:
        assert one.place.column >= 0
        assert one.place.column + one.place.columns <= GRID_COLUMNS
        assert one.place.row >= 0
    moved = next(one for one in after if one.tile_id == tile.tile_id)
    assert moved.place == clamped(wanted, tile.kind)


@given(grids())
def test_what_is_not_in_the_way_stays(tiles: tuple[Tile, ...]) -> None:
    for tile in tiles:
        assert settled(tiles, tile.tile_id, tile.place) == tiles


@given(grids(), st.integers(3, GRID_COLUMNS))
def test_fewer_columns_cut_nothing(tiles: tuple[Tile, ...], columns: int) -> None:
    places = flowed(tiles, columns)
    assert set(places) == {tile.tile_id for tile in tiles}
    for tile in tiles:
        place = places[tile.tile_id]
        assert place.column + place.columns <= columns
        assert place.columns >= least_size(tile.kind)[0]
    for one, other in combinations(places.values(), 2):
        assert not overlap(one, other)


@given(grids(), KINDS)
def test_a_new_tile_takes_a_free_place(tiles: tuple[Tile, ...], kind: str) -> None:
    columns, rows = least_size(kind)
    place = free_place(tiles, columns, rows)
    assert (place.columns, place.rows) == (columns, rows)
    assert not any(overlap(place, tile.place) for tile in tiles)


def test_cells_fill_the_width_without_a_rest() -> None:
    for width in (300, 800, 920, 1176, 1800, 3700):
        cells = cells_for(width, 64, 56, 96, 10)
        left, _, wide, _ = cells.box(Place(0, 0, cells.columns, 1))
        assert (left, wide) == (0, width)
        assert 56 <= cells.height <= 96
    assert cells_for(1176, 64, 56, 96, 10).columns == GRID_COLUMNS
    assert cells_for(300, 64, 56, 96, 10).columns == 4


def test_a_way_of_half_a_cell_snaps() -> None:
    cells = cells_for(1190, 64, 56, 56, 10)
    assert cells.width == 90
    assert cells.steps(49, 32) == (0, 0)
    assert cells.steps(51, 34) == (1, 1)
    assert cells.steps(-151, -34) == (-2, -1)


LIMITS = {"alarm_below": 1, "warn_below": 2, "warn_above": 8, "alarm_above": 9}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0.5, "very_low"),
        (1, "low"),
        (1.9, "low"),
        (2, "good"),
        (8, "good"),
        (8.1, "high"),
        (9.1, "very_high"),
    ],
)
def test_a_value_is_in_one_zone(value: float, kind: str) -> None:
    assert zone_of(value, LIMITS) == kind
    assert zone_of(value, {}) == "good"


def test_zones_cover_the_scale() -> None:
    assert [zone.kind for zone in zones(0, 10, LIMITS)] == ["very_low", "low", "good", "high", "very_high"]
    for settings in ({}, {"warn_above": 8}, {"alarm_above": 12}, {"warn_below": -3}, LIMITS):
        found = zones(0, 10, settings)
        assert (found[0].start, found[-1].end) == (0, 10)
        assert all(one.end == other.start for one, other in pairwise(found))
    assert [zone.kind for zone in zones(0, 10, {"alarm_above": 8})] == ["good", "very_high"]


def test_numbers_are_written_for_people() -> None:
    assert number_text(None, 2) == "–"
    assert number_text(-1.005, 1) == "−1.0"
    assert number_text(23.456, 0) == "23"
    assert number_text(1.5e12, 2) == "1.500e+12"
    assert (share(-1, 0, 5), share(2.5, 0, 5), share(9, 0, 5)) == (0, 0.5, 1)
