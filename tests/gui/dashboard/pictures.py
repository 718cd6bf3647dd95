"""Scenes of the Dashboard page for ``tests/gui/screenshots.py``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.gui.dashboard.dashboard_world import DashboardWorld, fill, workbench
from tests.gui.demo_bridge import simulated_board
from tests.gui.staging import Scene, Staged, window_with
from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard, Tile
from zeroclaw_desktop.bridge.tile_commands_bridge import Order, RequestView
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.gui.dashboard.grid_places import free_place, least_size
from zeroclaw_desktop.gui.dashboard.page import DashboardPage
from zeroclaw_desktop.gui.plots.small_plot import SmallPlot

Act = Callable[[DashboardPage], None]


def dashboard_empty(world: DashboardWorld) -> Act:
    """No dashboard yet."""
    return lambda page: None


def dashboard_live(world: DashboardWorld) -> Act:
    """One tile of each kind, in use."""
    fill(world)
    world.orders.on = True
    world.orders.requests["switch"] = RequestView("done")
    moved = Order("sim-uno", "pwm_write", {"pin": 9, "duty": 0.62})
    world.orders.requests["slider"] = RequestView("done", moved, number=1)
    lit = replace(world.devices.pin_states["sim-uno"][13], level=1)
    world.devices.set_pin("sim-uno", lit)
    return lambda page: page.grid.refresh()


def dashboard_edit(world: DashboardWorld) -> Act:
    """Being edited, a tile has the keyboard."""
    fill(world)

    def act(page: DashboardPage) -> None:
        page.set_editing(True)
        page.grid.select("gauge")

    return act


def dashboard_trouble(world: DashboardWorld) -> Act:
    """A silent source, a refusal, an order that waits for a person."""
    fill(world)
    world.live.time = 72.0
    refused = ErrorView(
        "Pin 9 is in use by led_breath.", "Nothing was changed.", "Wait for it, or stop it first."
    )
    world.orders.requests["slider"] = RequestView("refused", error=refused)
    world.orders.requests["switch"] = RequestView("waiting")
    world.orders.on = None
    return lambda page: page.grid.refresh()


def dashboard_away(world: DashboardWorld) -> Act:
    """The board is not connected."""
    fill(world)
    world.devices.add_board(simulated_board("offline"))
    return lambda page: page.grid.refresh()


def dashboard_add(world: DashboardWorld) -> Act:
    """The list of what can become a tile."""
    fill(world)
    return lambda page: page.add_sheet.open_add()


def dashboard_properties(world: DashboardWorld) -> Act:
    """The properties of a gauge, one of them wrong."""
    fill(world)

    def act(page: DashboardPage) -> None:
        page.open_tile("gauge")
        page.property_sheet.editors["high"].set_value(-1)
        page.property_sheet.check()

    return act


def dashboard_switch_properties(world: DashboardWorld) -> Act:
    """The properties of a switch: two commands."""
    fill(world)
    return lambda page: page.open_tile("switch")


def dashboard_small(world: DashboardWorld) -> Act:
    """Every tile as small as it may be, with long words."""
    fill(world)
    tiles: tuple[Tile, ...] = ()
    for tile in workbench().tiles:
        columns, rows = least_size(tile.kind)
        place = free_place(tiles, columns, rows)
        tiles = (
            *tiles,
            replace(tile, place=place, title=f"{tile.title} of the greenhouse"),
        )
    world.dashboards.change(Book((Dashboard("d", "Small", tiles),), "d"))
    world.orders.requests["switch"] = RequestView("waiting")
    world.live.time = 72.0
    return lambda page: page.grid.refresh()


def _stage(scene: Callable[[DashboardWorld], Act]) -> Staged:
    world = DashboardWorld(Path(tempfile.mkdtemp()), simulated_board())
    act = scene(world)
    page = DashboardPage(world, lambda: SmallPlot(world.live))  # type: ignore[arg-type]
    return Staged(window_with(world, "dashboard", page), lambda: act(page))


SCENES: dict[str, Scene] = {
    scene.__name__: lambda scene=scene: _stage(scene)  # type: ignore[misc]
    for scene in (
        dashboard_empty,
        dashboard_live,
        dashboard_edit,
        dashboard_trouble,
        dashboard_away,
        dashboard_add,
        dashboard_properties,
        dashboard_switch_properties,
        dashboard_small,
    )
}
