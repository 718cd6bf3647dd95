"""Dashboards as a document: what they are made of, and how they stand in a file. No Qt, no disk.

Everything is frozen: a change makes a new document, so that undo only has to keep the old one. What a later
version wrote and this one does not know is kept and written back as it was.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError

VERSION = 1
GRID_COLUMNS = 12
"""Columns of the grid that places are counted in."""
MOST_ROWS = 500
MOST_TILES = 200
MOST_DASHBOARDS = 100
MOST_NAME = 60
_NAME = "zeroclaw_dashboard"


class DashboardFileError(ZeroClawError):
    """A file holds no dashboards that can be read."""

    default_code = "dashboard_file"


@dataclass(frozen=True)
class Place:
    """Where a tile stands, in cells of the grid.

    Attributes:
        column, row: of its upper left cell, from 0.
        columns, rows: its size, at least 1.
    """

    column: int
    row: int
    columns: int
    rows: int


@dataclass(frozen=True)
class Tile:
    """One tile.

    Attributes:
        tile_id: unique in its dashboard.
        kind: see ``tile_fields.FIELDS``; one that is not known is kept and shown as such.
        title: '' for the one that follows from its settings.
        settings: by name of the field, JSON-shaped.
        extra: what a later version wrote beside these.
    """

    tile_id: str
    kind: str
    place: Place
    title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Dashboard:
    """A named grid of tiles."""

    dashboard_id: str
    name: str
    tiles: tuple[Tile, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def tile(self, tile_id: str) -> Tile | None:
        """The tile with this id; None when there is none."""
        return next((tile for tile in self.tiles if tile.tile_id == tile_id), None)

    def with_tile(self, tile: Tile) -> Dashboard:
        """The dashboard with a tile added, or put in the place of the one with its id."""
        if self.tile(tile.tile_id) is None:
            return replace(self, tiles=(*self.tiles, tile))
        return replace(self, tiles=tuple(tile if one.tile_id == tile.tile_id else one for one in self.tiles))

    def without_tile(self, tile_id: str) -> Dashboard:
        """The dashboard without a tile."""
        return replace(self, tiles=tuple(tile for tile in self.tiles if tile.tile_id != tile_id))


@dataclass(frozen=True)
class PinnedPlot:
    """Series that were put into the chat as a small plot.

    Attributes:
        plot_id: unique.
        series: (source, label) of each.
        window_s: seconds of the past that it shows.
        at: epoch seconds when it was pinned.
    """

    plot_id: str
    series: tuple[tuple[str, str], ...]
    window_s: float
    at: float


@dataclass(frozen=True)
class Book:
    """All dashboards of a person, the one that is shown, and the plots in the chat."""

    dashboards: tuple[Dashboard, ...] = ()
    current: str = ""
    chat_plots: tuple[PinnedPlot, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def dashboard(self, dashboard_id: str) -> Dashboard | None:
        """The dashboard with this id; None when there is none."""
        return next((one for one in self.dashboards if one.dashboard_id == dashboard_id), None)

    def shown(self) -> Dashboard | None:
        """The dashboard that is shown: the chosen one, else the first; None without any."""
        return self.dashboard(self.current) or next(iter(self.dashboards), None)

    def with_dashboard(self, dashboard: Dashboard) -> Book:
        """The book with a dashboard added, or put in the place of the one with its id."""
        if self.dashboard(dashboard.dashboard_id) is None:
            return replace(self, dashboards=(*self.dashboards, dashboard))
        changed = tuple(
            dashboard if one.dashboard_id == dashboard.dashboard_id else one for one in self.dashboards
        )
        return replace(self, dashboards=changed)

    def without_dashboard(self, dashboard_id: str) -> Book:
        """The book without a dashboard; its neighbour is shown instead."""
        ids = [one.dashboard_id for one in self.dashboards]
        kept = tuple(one for one in self.dashboards if one.dashboard_id != dashboard_id)
        current = self.current
        if current == dashboard_id and kept:
            current = kept[min(ids.index(dashboard_id), len(kept) - 1)].dashboard_id
        return replace(self, dashboards=kept, current=current if kept else "")

    def free_name(self, name: str) -> str:
        """The name, with a number behind it when it is taken."""
        plain = " ".join(name.split())[:MOST_NAME] or "Dashboard"
        taken = {one.name.casefold() for one in self.dashboards}
        number, chosen = 1, plain
        while chosen.casefold() in taken:
            number += 1
            chosen = f"{plain} {number}"
        return chosen


def new_id(kind: str) -> str:
    """A unique id, e.g. ``tile-1f0c9a27``."""
    return f"{kind}-{uuid.uuid4().hex[:8]}"


def copied(dashboard: Dashboard, name: str) -> Dashboard:
    """A dashboard of the same tiles with ids of its own."""
    tiles = tuple(replace(tile, tile_id=new_id("tile")) for tile in dashboard.tiles)
    return replace(dashboard, dashboard_id=new_id("dashboard"), name=name, tiles=tiles)


# -- writing ------------------------------------------------------------------------------------------


def _place_row(place: Place) -> list[int]:
    return [place.column, place.row, place.columns, place.rows]


def _tile_row(tile: Tile) -> dict[str, Any]:
    return {
        **tile.extra,
        "id": tile.tile_id,
        "kind": tile.kind,
        "title": tile.title,
        "place": _place_row(tile.place),
        "settings": dict(tile.settings),
    }


def _dashboard_row(dashboard: Dashboard) -> dict[str, Any]:
    tiles = [_tile_row(tile) for tile in dashboard.tiles]
    return {**dashboard.extra, "id": dashboard.dashboard_id, "name": dashboard.name, "tiles": tiles}


def _plot_row(plot: PinnedPlot) -> dict[str, Any]:
    series = [list(one) for one in plot.series]
    return {"id": plot.plot_id, "series": series, "window_s": plot.window_s, "at": plot.at}


def book_text(book: Book) -> str:
    """The whole document as JSON."""
    rows = {
        **book.extra,
        "version": VERSION,
        "current": book.current,
        "dashboards": [_dashboard_row(one) for one in book.dashboards],
        "chat_plots": [_plot_row(plot) for plot in book.chat_plots],
    }
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def dashboard_text(dashboard: Dashboard) -> str:
    """One dashboard as JSON, to be given to others."""
    row = {_NAME: VERSION, **_dashboard_row(dashboard)}
    return json.dumps(row, indent=1, ensure_ascii=False) + "\n"


# -- reading ------------------------------------------------------------------------------------------


def read_book(text: str) -> Book:
    """Read the whole document.

    Raises:
        DashboardFileError: it is not JSON, not of this form, or of a later version.
    """
    content = _object(text)
    _check_version(content.get("version"))
    rows = content.get("dashboards", [])
    if not isinstance(rows, list):
        raise _unreadable("'dashboards' is no list")
    dashboards = tuple(_dashboard(row, f"dashboards[{number}]") for number, row in enumerate(rows))
    _check_unique([one.dashboard_id for one in dashboards], "dashboards")
    if len(dashboards) > MOST_DASHBOARDS:
        raise _unreadable(f"it has more than {MOST_DASHBOARDS} dashboards")
    current = content.get("current", "")
    plots = content.get("chat_plots", [])
    return Book(
        dashboards,
        current if isinstance(current, str) else "",
        tuple(plot for row in plots if (plot := _plot(row)) is not None) if isinstance(plots, list) else (),
        _rest(content, ("version", "current", "dashboards", "chat_plots")),
    )


def read_dashboard(text: str) -> Dashboard:
    """Read one dashboard that was exported.

    Raises:
        DashboardFileError: it is not JSON, no dashboard, or of a later version.
    """
    content = _object(text)
    if _NAME not in content:
        raise _unreadable(f"'{_NAME}' is missing, so it is no dashboard")
    _check_version(content[_NAME])
    found = _dashboard(content, "dashboard")
    return replace(found, extra=_rest(found.extra, (_NAME,)))


def _unreadable(reason: str) -> DashboardFileError:
    return DashboardFileError(
        f"The dashboards cannot be read: {reason}.",
        hint="Choose a file that ZeroClaw Desktop has exported.",
        details={"reason": reason},
    )


def _object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"it is not JSON ({error})") from error
    if not isinstance(content, dict):
        raise _unreadable("it is no JSON object")
    return content


def _check_version(version: Any) -> None:
    if type(version) is not int or version < 1:
        raise _unreadable("'version' is missing")
    if version > VERSION:
        raise _unreadable(f"version {version} is of a later ZeroClaw Desktop, this one reads {VERSION}")


def _check_unique(ids: Sequence[str], where: str) -> None:
    if len(set(ids)) != len(ids):
        raise _unreadable(f"{where}: an id occurs twice")


def _rest(row: Mapping[str, Any], known: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in known}


def _dashboard(row: Any, where: str) -> Dashboard:
    if not isinstance(row, dict):
        raise _unreadable(f"{where} is no object")
    dashboard_id, name, tiles = row.get("id"), row.get("name"), row.get("tiles", [])
    if not (isinstance(dashboard_id, str) and dashboard_id and isinstance(name, str) and name.strip()):
        raise _unreadable(f"{where} has no id or no name")
    if not isinstance(tiles, list) or len(tiles) > MOST_TILES:
        raise _unreadable(f"{where}: 'tiles' is no list of at most {MOST_TILES}")
    read = tuple(_tile(tile, f"{where}.tiles[{number}]") for number, tile in enumerate(tiles))
    _check_unique([tile.tile_id for tile in read], where)
    return Dashboard(dashboard_id, name, read, _rest(row, ("id", "name", "tiles")))


def _tile(row: Any, where: str) -> Tile:
    if not isinstance(row, dict):
        raise _unreadable(f"{where} is no object")
    tile_id, kind, title = row.get("id"), row.get("kind"), row.get("title", "")
    settings = row.get("settings", {})
    if not (isinstance(tile_id, str) and tile_id and isinstance(kind, str) and kind):
        raise _unreadable(f"{where} has no id or no kind")
    if not isinstance(title, str) or not isinstance(settings, dict):
        raise _unreadable(f"{where}: title or settings are of the wrong kind")
    extra = _rest(row, ("id", "kind", "title", "place", "settings"))
    return Tile(tile_id, kind, _place(row.get("place"), where), title, settings, extra)


def _place(row: Any, where: str) -> Place:
    whole = isinstance(row, list) and len(row) == 4 and all(type(number) is int for number in row)
    if not whole:
        raise _unreadable(f"{where}: 'place' is not four whole numbers")
    column, at_row, columns, rows = row
    inside = column >= 0 and columns >= 1 and column + columns <= GRID_COLUMNS
    if not (inside and at_row >= 0 and rows >= 1 and at_row + rows <= MOST_ROWS):
        raise _unreadable(f"{where}: the place is outside the grid")
    return Place(column, at_row, columns, rows)


def _plot(row: Any) -> PinnedPlot | None:
    if not isinstance(row, dict):
        return None
    plot_id, series, window, at = (row.get(key) for key in ("id", "series", "window_s", "at"))
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (window, at))
    if not (isinstance(plot_id, str) and plot_id and isinstance(series, list) and numbers):
        return None
    pairs = tuple((str(one[0]), str(one[1])) for one in series if isinstance(one, list) and len(one) == 2)
    return PinnedPlot(plot_id, pairs, float(window), float(at)) if pairs else None  # type: ignore[arg-type]
