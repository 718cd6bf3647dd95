"""The Dashboard page's bridge over a telemetry store, with orders that a test answers itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from tests.gui.plots.plot_world import BOARD, PlotWorld, StorePlots, fill_workbench
from zeroclaw_desktop.bridge.command_views import CommandView, ParamView
from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard, Place, Tile
from zeroclaw_desktop.bridge.dashboards_bridge import DashboardsBridge
from zeroclaw_desktop.bridge.tile_commands_bridge import Order, RequestView
from zeroclaw_desktop.bridge.tile_values import TileValues
from zeroclaw_desktop.bridge.views import BoardView, ErrorView
from zeroclaw_desktop.config.store import ConfigStore

PIN = ParamView("pin", "int", "Pin", True, minimum=0, maximum=255)
COMMANDS = [
    CommandView(
        "led_set",
        "Switch the LED on or off",
        "Switch an LED on (1) or off (0).",
        (ParamView("state", "int", "1 is on", True, choices=(0, 1)),),
    ),
    CommandView(
        "pwm_write",
        "Set PWM of a pin",
        "Set the duty cycle of a PWM pin.",
        (PIN, ParamView("duty", "float", "Share", True, minimum=0.0, maximum=1.0)),
    ),
    CommandView("board_info", "Look at the board", "Say what the board is."),
]


class LiveStore(StorePlots):
    """What comes now."""

    def newest(self) -> dict[tuple[str, str], tuple[float | None, float | None, int, str]]:
        return {
            (info.key.source_id, info.key.label): (info.last_time, info.last_value, info.count, info.unit)
            for info in self.store.series()
        }

    def newest_of(self, source_id: str, label: str) -> tuple[float | None, float | None, int, str] | None:
        return self.newest().get((source_id, label))

    def statistics(self, source_id: str, label: str, t0: float, t1: float) -> dict[str, float]:
        found = self.store.stats((source_id, label), t0, t1)
        return {"min": found.minimum, "max": found.maximum, "mean": found.mean}


class DemoOrders(QObject):
    """Orders are noted; the test says what became of them."""

    request_changed = Signal(str)
    commands_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[str, Order]] = []
        self.requests: dict[str, RequestView] = {}
        self.on: bool | None = False
        self.faults: list[ErrorView] = []

    def commands(self) -> list[CommandView]:
        return COMMANDS

    def sentence(self, order: Order) -> str:
        if order.command == "led_set":
            return "Switch the LED on" if order.params.get("state") else "Switch the LED off"
        return order.command

    def problems(self, order: Order) -> list[ErrorView]:
        view = next((one for one in COMMANDS if one.name == order.command), None)
        missing = [
            param.name
            for param in (view.params if view is not None else ())
            if param.required and param.name not in order.params
        ]
        found = [ErrorView(f"The parameter '{name}' is missing.") for name in missing]
        return [*found, *self.faults]

    def range_of(self, order: Order, parameter: str) -> tuple[float | None, float | None]:
        return (0.0, 1.0) if parameter == "duty" else (None, None)

    def is_on(self, on: Order, off: Order) -> bool | None:
        return self.on

    def value_of(self, order: Order, parameter: str) -> float | None:
        return None

    def leaves_pins(self, order: Order) -> bool:
        return True

    def request(self, tile_id: str) -> RequestView:
        return self.requests.get(tile_id, RequestView())

    def send(self, tile_id: str, order: Order) -> None:
        self.sent.append((tile_id, order))
        self.answer(tile_id, RequestView("sent", order))

    def answer(self, tile_id: str, view: RequestView) -> None:
        """Say what became of the order of a tile."""
        self.requests[tile_id] = view
        self.request_changed.emit(tile_id)


class DashboardWorld(PlotWorld):
    """The demo bridge with dashboards in a folder."""

    def __init__(self, folder: Path, *boards: BoardView) -> None:
        super().__init__(*boards)
        self.plots = self.live = LiveStore()
        self.orders = DemoOrders()
        core = CoreAccess(ConfigStore(folder / "config.toml"), "en")
        self.dashboards = DashboardsBridge(core, self.devices, folder / "dashboards.json")  # type: ignore[arg-type]
        self.dashboards.live = self.live  # type: ignore[assignment]
        self.dashboards.values = TileValues(self.live, self.devices)  # type: ignore[arg-type]
        self.dashboards.orders = self.orders  # type: ignore[assignment,misc]


def series(label: str) -> dict[str, Any]:
    """A series of the simulated board, as a tile names it."""
    return {"source": BOARD, "label": label}


def order(name: str, **params: Any) -> dict[str, Any]:
    """A command of the simulated board, as a tile names it."""
    return {"board": BOARD, "command": name, "params": params}


def workbench() -> Dashboard:
    """One tile of each kind, as a person may arrange them."""
    tiles = (
        Tile("plot", "plot", Place(0, 0, 6, 6), "Knob and supply", {"series": [series("a0"), series("a1")]}),
        Tile(
            "gauge",
            "gauge",
            Place(6, 0, 3, 4),
            "Knob",
            {"series": series("a0"), "low": 0, "high": 5, "warn_above": 3.5, "alarm_above": 4.5},
        ),
        Tile("number", "number", Place(9, 0, 3, 4), "", {"series": series("temp"), "decimals": 1}),
        Tile("led", "led", Place(6, 4, 3, 2), "LED", {"series": {"source": BOARD, "pin": 13}}),
        Tile(
            "bar",
            "bar",
            Place(9, 4, 3, 2),
            "Light",
            {"series": series("light"), "low": 0, "high": 1023, "decimals": 0, "warn_below": 200},
        ),
        Tile("button", "button", Place(0, 6, 3, 2), "Look", {"command": order("board_info")}),
        Tile(
            "switch",
            "switch",
            Place(3, 6, 3, 2),
            "LED",
            {"on": order("led_set", state=1), "off": order("led_set", state=0)},
        ),
        Tile(
            "slider",
            "slider",
            Place(6, 6, 3, 2),
            "Lamp on pin 9",
            {"command": order("pwm_write", pin=9), "parameter": "duty"},
        ),
        Tile(
            "text", "text", Place(9, 6, 3, 2), "", {"note": "Turn the knob before the supply is switched on."}
        ),
    )
    return Dashboard("dashboard-1", "Workbench", tiles)


def fill(world: DashboardWorld) -> None:
    """A minute of a workbench, and a dashboard of it."""
    fill_workbench(world.live)
    world.live.time = 60.0
    world.dashboards.change(Book((workbench(),), "dashboard-1"))


def with_values(world: DashboardWorld, **changes: Any) -> None:
    """Change the first dashboard."""
    book = world.dashboards.book()
    world.dashboards.change(replace(book, **changes))
