"""UI-6: dashboards as a document: nothing is lost on the way to the file and back, or by a broken file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.bridge.dashboard_document import (
    GRID_COLUMNS,
    VERSION,
    Book,
    Dashboard,
    DashboardFileError,
    PinnedPlot,
    Place,
    Tile,
    book_text,
    copied,
    dashboard_text,
    read_book,
    read_dashboard,
)
from zeroclaw_desktop.bridge.dashboard_file import (
    FILE_NAME,
    DashboardFile,
    export_dashboard,
    import_dashboard,
)
from zeroclaw_desktop.bridge.error_text import error_view_of

WORDS = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-1e9, 1e9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
LATER = st.dictionaries(WORDS.map(lambda word: f"later_{word}"), JSON, max_size=2)
PLACES = st.builds(
    lambda column, columns, row, rows: Place(column, row, min(columns, GRID_COLUMNS - column), rows),
    st.integers(0, GRID_COLUMNS - 1),
    st.integers(1, GRID_COLUMNS),
    st.integers(0, 40),
    st.integers(1, 8),
)
TILES = st.builds(
    Tile, WORDS, WORDS, PLACES, WORDS | st.just(""), st.dictionaries(WORDS, JSON, max_size=3), LATER
)
NAMES = WORDS.filter(lambda name: bool(name.strip()))
DASHBOARDS = st.builds(
    Dashboard,
    WORDS,
    NAMES,
    st.lists(TILES, max_size=4, unique_by=lambda tile: tile.tile_id).map(tuple),
    LATER,
)
PLOTS = st.builds(
    PinnedPlot,
    WORDS,
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=3).map(tuple),
    st.floats(1, 3_600),
    st.floats(0, 2e9),
)
BOOKS = st.builds(
    Book,
    st.lists(DASHBOARDS, max_size=3, unique_by=lambda one: one.dashboard_id).map(tuple),
    WORDS | st.just(""),
    st.lists(PLOTS, max_size=2).map(tuple),
    LATER,
)


@given(BOOKS)
def test_a_document_comes_back_as_it_was_with_keys_of_later_versions(book: Book) -> None:
    assert read_book(book_text(book)) == book


@given(DASHBOARDS)
def test_an_exported_dashboard_comes_back_as_it_was(dashboard: Dashboard) -> None:
    assert read_dashboard(dashboard_text(dashboard)) == dashboard


def test_keys_of_a_later_version_are_still_in_the_file() -> None:
    text = json.dumps(
        {
            "version": VERSION,
            "theme": "wood",
            "dashboards": [
                {
                    "id": "a",
                    "name": "Bench",
                    "colour": "blue",
                    "tiles": [
                        {
                            "id": "t",
                            "kind": "hologram",
                            "place": [0, 0, 2, 2],
                            "depth": 3,
                            "settings": {"x": [1]},
                        }
                    ],
                }
            ],
        }
    )
    written = json.loads(book_text(read_book(text)))
    assert written["theme"] == "wood"
    assert written["dashboards"][0]["colour"] == "blue"
    tile = written["dashboards"][0]["tiles"][0]
    assert (tile["kind"], tile["depth"], tile["settings"]) == ("hologram", 3, {"x": [1]})


TILE = {"id": "t", "kind": "led", "place": [0, 0, 2, 2]}


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        "{}",
        {"version": "1"},
        {"version": VERSION + 1, "dashboards": []},
        {"version": 1, "dashboards": {}},
        {"version": 1, "dashboards": [{"id": "", "name": "x"}]},
        {"version": 1, "dashboards": [{"id": "a", "name": " "}]},
        {"version": 1, "dashboards": [{"id": "a", "name": "x"}, {"id": "a", "name": "y"}]},
        {"version": 1, "dashboards": [{"id": "a", "name": "x", "tiles": [{**TILE, "place": [0, 0, 2]}]}]},
        {"version": 1, "dashboards": [{"id": "a", "name": "x", "tiles": [{**TILE, "place": [11, 0, 2, 2]}]}]},
        {"version": 1, "dashboards": [{"id": "a", "name": "x", "tiles": [{**TILE, "place": [0, 0, 0, 2]}]}]},
        {
            "version": 1,
            "dashboards": [{"id": "a", "name": "x", "tiles": [{**TILE, "place": [0, 0, True, 2]}]}],
        },
        {"version": 1, "dashboards": [{"id": "a", "name": "x", "tiles": [TILE, TILE]}]},
        {"version": 1, "dashboards": [{"id": "a", "name": "x", "tiles": [{**TILE, "settings": 3}]}]},
    ],
)
def test_what_is_not_a_document_is_refused_with_a_reason(content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    with pytest.raises(DashboardFileError) as raised:
        read_book(text)
    assert raised.value.details["reason"]
    assert error_view_of(raised.value, "zh").title.startswith("无法读取仪表盘：")


@pytest.mark.parametrize(
    "text", ["{}", '{"version": 1}', '{"zeroclaw_dashboard": 9, "id": "a", "name": "b"}']
)
def test_a_file_that_is_no_dashboard_is_not_imported(text: str) -> None:
    with pytest.raises(DashboardFileError):
        read_dashboard(text)


def test_a_broken_file_is_set_aside_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text("{ broken", encoding="utf-8")
    file = DashboardFile(path)
    assert file.read() == Book()
    assert file.fault is not None
    aside = tmp_path / str(file.fault.details["aside"])
    assert aside.name in file.fault.message
    book = Book((Dashboard("a", "New"),), "a")
    file.write(book)
    assert aside.read_text(encoding="utf-8") == "{ broken"
    assert DashboardFile(path).read() == book


def test_two_broken_files_of_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    for content in ("one", "two", "three"):
        path.write_text(content, encoding="utf-8")
        DashboardFile(path).read()
    kept = sorted(one.read_text(encoding="utf-8") for one in tmp_path.iterdir())
    assert kept == ["one", "three", "two"]


def test_no_file_is_no_fault_and_without_a_folder_all_stays_in_memory(tmp_path: Path) -> None:
    file = DashboardFile(tmp_path / FILE_NAME)
    assert (file.read(), file.fault) == (Book(), None)
    nowhere = DashboardFile(None)
    nowhere.write(Book((Dashboard("a", "x"),)))
    assert nowhere.read() == Book()


def test_a_dashboard_goes_to_a_file_and_back(tmp_path: Path) -> None:
    dashboard = Dashboard("a", "Bench", (Tile("t", "led", Place(1, 2, 3, 4), "Lamp", {"limit": 0.5}),))
    export_dashboard(dashboard, tmp_path / "bench.json")
    assert import_dashboard(tmp_path / "bench.json") == dashboard
    with pytest.raises(DashboardFileError):
        import_dashboard(tmp_path / "missing.json")


def test_the_neighbour_is_shown_when_a_dashboard_goes() -> None:
    book = Book(tuple(Dashboard(key, key) for key in "abc"), "b")
    assert book.without_dashboard("b").current == "c"
    assert book.without_dashboard("a").current == "b"
    assert Book((Dashboard("c", "c"),), "c").without_dashboard("c") == Book()


def test_a_copy_has_ids_of_its_own() -> None:
    original = Dashboard("a", "x", (Tile("t", "led", Place(0, 0, 2, 2)),))
    copy = copied(original, "y")
    assert copy.dashboard_id != "a"
    assert copy.tiles[0].tile_id != "t"
    assert copy.tiles[0].place == original.tiles[0].place


def test_names_do_not_meet() -> None:
    book = Book((Dashboard("a", "Bench"), Dashboard("b", "bench 2")))
    assert book.free_name("  Bench ") == "Bench 3"
    assert book.free_name("Shelf") == "Shelf"
