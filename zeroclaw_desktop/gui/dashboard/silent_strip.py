"""Says which signals of the dashboard a board does not report, with the button that lets it report them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from zeroclaw_desktop.bridge.dashboard_document import Dashboard
from zeroclaw_desktop.bridge.tile_commands_bridge import Order
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.widgets.feedback import Notice

ORDER_KEY = "signals"
"""Stands for the strip among the tiles that send orders."""
MOST_SIGNALS = 8
PERIOD_S = 0.05
PATIENCE_LOOKS = 3
"""Looks in a row at which a signal must be silent before it is told."""
_SIGNAL = re.compile(r"[ad]\d{1,2}|uptime")


def _refs(dashboard: Dashboard) -> Iterator[Mapping[str, Any]]:
    for tile in dashboard.tiles:
        shown = tile.settings.get("series")
        for ref in shown if isinstance(shown, list) else [shown]:
            if isinstance(ref, Mapping) and isinstance(ref.get("label"), str):
                yield ref


class SilentStrip(Notice):
    """Hidden while all is well.

    Args:
        world: values and orders.
        parent: owner.
    """

    def __init__(self, world: TileWorld, parent: QWidget) -> None:
        super().__init__()
        self.setParent(parent)
        self._world = world
        self._orders: list[Order] = []
        self._looks = 0
        self.action_triggered.connect(self.start)
        self.hide()

    def look(self, dashboard: Dashboard | None) -> None:
        """Look for signals of connected boards that do not come; call it about once a second."""
        orders = self._silent(dashboard) if dashboard is not None else []
        self._looks = self._looks + 1 if orders else 0
        self._orders = orders
        shown = self._looks >= PATIENCE_LOOKS
        if shown:
            self._say()
        if self.isHidden() == shown:
            self.setVisible(shown)

    def start(self) -> None:
        """Let the boards report what is missing; through the door."""
        for number, order in enumerate(self._orders):
            self._world.dashboards.orders.send(f"{ORDER_KEY}{number}", order)
        self._looks = -PATIENCE_LOOKS
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange and self._orders:
            self._say()
        super().changeEvent(event)

    def _silent(self, dashboard: Dashboard) -> list[Order]:
        values = self._world.dashboards.values
        found: dict[str, list[str]] = {}
        for ref in _refs(dashboard):
            board_id, label = str(ref.get("source")), str(ref["label"])
            board = values.board(board_id)
            if board is None or board.state != "live" or not _SIGNAL.fullmatch(label):
                continue
            if values.reading(ref).state in ("missing", "stale"):
                signals = found.setdefault(board_id, [])
                if label not in signals:
                    signals.append(label)
        return [
            Order(board_id, "plot_series", {"signals": signals[:MOST_SIGNALS], "period": PERIOD_S})
            for board_id, signals in found.items()
        ]

    def _say(self) -> None:
        signals = ", ".join(signal for order in self._orders for signal in order.params["signals"])
        text = self.tr("The board does not report: {0}").format(signals)
        action = self.tr("Let it report")
        if (self.text(), self.button.text()) != (text, action):
            self.set_notice(text, "warning", action)
