"""Tiles that act: button, switch, slider. All go through the door, and show what the board confirmed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from zeroclaw_desktop.bridge.dashboard_document import Tile
from zeroclaw_desktop.bridge.tile_commands_bridge import Order, RequestView
from zeroclaw_desktop.bridge.tile_fields import field_value, is_command
from zeroclaw_desktop.gui.dashboard.tile_frame import TileFrame
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.dashboard.zones import number_text
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.buttons import Button
from zeroclaw_desktop.gui.widgets.labels import Text
from zeroclaw_desktop.gui.widgets.layout import STRETCH, row
from zeroclaw_desktop.gui.widgets.switch import Switch

SEND_MS = 120
"""Milliseconds between two orders of a slider that sends while it moves."""
LOOK_S = 0.1
"""Seconds between two looks at the pins of a board."""
_STEPS = 1_000
_KINDS = {
    "sent": "busy",
    "running": "busy",
    "waiting": "waits",
    "done": "live",
    "refused": "failed",
    "failed": "failed",
    "cancelled": "off",
}


def order_of(value: Any) -> Order | None:
    """A command of a tile's settings as an order; None when none is chosen."""
    if not is_command(value):
        return None
    params: Mapping[str, Any] = value.get("params", {})
    return Order(str(value["board"]), str(value["command"]), dict(params))


class ActingTile(TileFrame):
    """A tile that sends orders."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.note = Text("", "caption", "muted", wrap=True)
        self._orders = world.dashboards.orders
        self._pins_are_new = False
        self._next_look = 0.0
        self._orders.request_changed.connect(self._take_request)
        self._orders.commands_changed.connect(self.show_state)
        world.devices.boards_changed.connect(self.show_state)
        world.devices.pins_changed.connect(self._take_pins)
        world.safety.stop_changed.connect(self.show_state)

    def order(self) -> Order | None:
        """What it sends, or one of it."""
        return order_of(field_value(self.tile.kind, self.tile.settings, "command"))

    def controls(self) -> list[QWidget]:
        """What a person touches."""
        return []

    def obstacle(self) -> str:
        """Why nothing can be sent now; '' when it can."""
        order = self.order()
        if order is None:
            return self.tr("no command")
        if self.world.safety.latched():
            return self.tr("stopped")
        board = self.world.dashboards.values.board(order.board_id)
        if board is None or board.state != "live":
            return self.tr("board away")
        return ""

    def show_tile(self, tile: Tile) -> None:
        """Take over other settings."""
        super().show_tile(tile)
        self.show_state()

    def show_state(self, _news: object = None) -> None:
        """Say whether it can be used, and what became of the last order."""
        obstacle = self.obstacle()
        for control in self.controls():
            control.setEnabled(not obstacle)
        request = self._orders.request(self.tile.tile_id)
        if obstacle:
            self.show_badge(obstacle, "off" if obstacle == self.tr("no command") else "failed")
        else:
            self.show_badge(self.request_words(request), _KINDS.get(request.state, "off"))
        self.show_note(request)
        self.show_confirmed(request)

    def show_confirmed(self, request: RequestView) -> None:
        """Show what the board confirmed."""

    def request_words(self, request: RequestView) -> str:
        """The state of the last order in a word."""
        words = {
            "sent": self.tr("sent"),
            "waiting": self.tr("waits for you"),
            "running": self.tr("running"),
            "done": self.tr("dry run") if request.dry_run else self.tr("done"),
            "refused": self.tr("refused"),
            "failed": self.tr("failed"),
            "cancelled": self.tr("stopped"),
        }
        return words.get(request.state, "")

    def show_note(self, request: RequestView) -> None:
        """The reason of what went wrong, else what the order is."""
        order = self.order()
        if request.error is not None and request.state in ("refused", "failed"):
            error = request.error
            self.note.setText(error.title)
            self.note.setToolTip(
                " ".join(part for part in (error.title, error.not_done, error.next_step) if part)
            )
            self._tint("danger")
            return
        if request.state == "waiting":
            self.note.setText(self.tr("Answer the question in the chat (Ctrl+1)."))
            return
        board = self.world.dashboards.values.board(order.board_id) if order is not None else None
        name = board.name if board is not None else (order.board_id if order is not None else "")
        self.note.setText(name)
        self.note.setToolTip("")
        self._tint("muted")

    def _tint(self, tone: str) -> None:
        if self.note.property("tone") != tone:
            self.note.set_tone(tone)

    def _take_request(self, tile_id: str) -> None:
        if tile_id == self.tile.tile_id:
            self.show_state()

    def refresh(self) -> None:
        """Look at pins that were read back meanwhile: boards tell of them many times a second."""
        now = time.monotonic()
        if self._pins_are_new and now >= self._next_look:
            self._pins_are_new, self._next_look = False, now + LOOK_S
            self.show_confirmed(self._orders.request(self.tile.tile_id))

    def _take_pins(self, board_id: str) -> None:
        order = self.order()
        self._pins_are_new = self._pins_are_new or (order is not None and order.board_id == board_id)


class ButtonTile(ActingTile):
    """Sends one command with fixed parameters."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.button = Button("", "secondary")
        self.button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.press)
        self.content.addStretch(1)
        self.content.addWidget(self.button)
        self.content.addStretch(1)
        self.content.addWidget(self.note)
        self.show_tile(tile)

    def press(self) -> None:
        """Send the command."""
        order = self.order()
        if order is not None and not self.obstacle():
            self._orders.send(self.tile.tile_id, order)

    def controls(self) -> list[QWidget]:
        """The button."""
        return [self.button]

    def default_title(self) -> str:
        """What it does."""
        order = self.order()
        return self._orders.sentence(order) if order is not None else self.tr("Button")

    def show_title(self) -> None:
        """The name stands on the button; above it what the button does."""
        super().show_title()
        sentence = self.default_title()
        self.title.set_text(sentence if self.tile.title else "")
        shown = self.tile.title or sentence
        self.button.setToolTip(sentence)
        self.button.setAccessibleName(shown)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide a name that is too long for the button."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(space(8), self.button.width() - space(6))
        whole = self.button.accessibleName()
        shown = self.button.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room)
        self.button.setText(shown.replace("&", "&&"))


class SwitchTile(ActingTile):
    """Two commands; the knob stands where the board says, not where it was pushed."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.switch = _AskingSwitch()
        self.switch.clicked.connect(self.press)
        self.words = Text("", "lead")
        self._remembered: bool | None = None
        self.on: bool | None = None
        """What the board confirmed; None when nobody knows."""
        self.content.addStretch(1)
        self.content.addLayout(row(self.switch, self.words, STRETCH, gap=2))
        self.content.addStretch(1)
        self.content.addWidget(self.note)
        self.show_tile(tile)

    def order(self) -> Order | None:
        """The command that switches on."""
        return order_of(field_value("switch", self.tile.settings, "on"))

    def off_order(self) -> Order | None:
        """The command that switches off."""
        return order_of(field_value("switch", self.tile.settings, "off"))

    def press(self) -> None:
        """Ask for the other state; an unknown one is switched off first, as that is the safe one."""
        on, off = self.order(), self.off_order()
        if on is None or off is None or self.obstacle():
            return
        wanted = on if self.on is False else off
        self._orders.send(self.tile.tile_id, wanted)

    def controls(self) -> list[QWidget]:
        """The switch."""
        return [self.switch]

    def default_title(self) -> str:
        """What it switches on."""
        order = self.order()
        return self._orders.sentence(order) if order is not None else self.tr("Switch")

    def obstacle(self) -> str:
        """Both commands are needed."""
        return super().obstacle() or ("" if self.off_order() is not None else self.tr("no command"))

    def show_confirmed(self, request: RequestView) -> None:
        """Take the state from pins that were read back, else from the order that completed last."""
        on, off = self.order(), self.off_order()
        known: bool | None = None
        if on is not None and off is not None and not self.obstacle_of_board():
            if request.state == "done" and not request.dry_run:
                self._remembered = request.order == on
            known = self._orders.is_on(on, off)
            if known is None and not (self._orders.leaves_pins(on) or self._orders.leaves_pins(off)):
                known = self._remembered
        self.on = known
        self.switch.setChecked(bool(known))
        words = {True: self.tr("on"), False: self.tr("off"), None: self.tr("unknown")}
        self.words.setText(words[known])
        self.words.setEnabled(known is not None)
        self.switch.setAccessibleName(f"{self.tile.title or self.default_title()}: {words[known]}")

    def obstacle_of_board(self) -> bool:
        """Whether the board is not there, so that nothing is known of it."""
        order = self.order()
        board = self.world.dashboards.values.board(order.board_id) if order is not None else None
        return board is None or board.state != "live"


class _AskingSwitch(Switch):
    """A switch that a click does not move; whoever hears of the click does."""

    def nextCheckState(self) -> None:
        """Stay."""


class SliderTile(ActingTile):
    """One number of a command; sends on release, or while it moves, the latest value only."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setMinimumHeight(size("control"))
        self.value = Text("", "mono")
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.value.setMinimumWidth(space(16))
        self.confirmed: float | None = None
        """What the board took last; None when nobody knows."""
        self._range = (0.0, 1.0)
        self._touched = False
        self._whole = False
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.setInterval(SEND_MS)
        self._pace.timeout.connect(self.send)
        self.slider.valueChanged.connect(self._moved)
        self.slider.sliderReleased.connect(self.send)
        self.content.addStretch(1)
        line = row(self.slider, self.value, gap=2)
        line.setStretch(0, 1)
        self.content.addLayout(line)
        self.content.addStretch(1)
        self.content.addWidget(self.note)
        self.show_tile(tile)

    def controls(self) -> list[QWidget]:
        """The slider."""
        return [self.slider]

    def parameter(self) -> str:
        """Name of the parameter that it moves."""
        return str(field_value("slider", self.tile.settings, "parameter") or "")

    def default_title(self) -> str:
        """The command and its parameter."""
        order = self.order()
        return f"{order.command} {self.parameter()}" if order is not None else self.tr("Slider")

    def show_tile(self, tile: Tile) -> None:
        """Take over command and range."""
        self.tile = tile
        self.show_title()
        self._take_range()
        self.show_state()

    def wanted(self) -> float:
        """The value at which the knob stands, to a step that can be read."""
        low, high = self._range
        exact = low + (high - low) * self.slider.value() / _STEPS
        return round(exact) if self._whole else round(exact, _decimals(high - low))

    def send(self) -> None:
        """Send the value at which the knob stands."""
        self._pace.stop()
        order = self.order()
        if order is None or self.obstacle() or not self._touched:
            return
        self._touched = False
        params = {**order.params, self.parameter(): self.wanted()}
        self._orders.send(self.tile.tile_id, Order(order.board_id, order.command, params))

    def show_state(self, _news: object = None) -> None:
        """The range comes with the command, which comes with the board."""
        self._take_range()
        super().show_state()

    def show_confirmed(self, request: RequestView) -> None:
        """Put the knob where the board is, unless a person holds it or an order is on its way."""
        if request.state == "done" and request.order is not None and not request.dry_run:
            taken = request.order.params.get(self.parameter())
            self.confirmed = float(taken) if isinstance(taken, int | float) else None
        read_back = self._read_back()
        if read_back is not None:
            self.confirmed = read_back
        if self.obstacle() and not self.world.safety.latched():
            self.confirmed = None
        if not request.busy and not self.slider.isSliderDown() and not self._touched:
            self._place(self.confirmed)
        self._show_value(request.busy or self._touched)

    def _read_back(self) -> float | None:
        order = self.order()
        if order is None:
            return None
        params = {**order.params, self.parameter(): self._range[0]}
        return self._orders.value_of(Order(order.board_id, order.command, params), self.parameter())

    def _take_range(self) -> None:
        order = self.order()
        low = high = None
        self._whole = False
        if order is not None:
            low, high = self._orders.range_of(order, self.parameter())
            view = next((one for one in self._orders.commands() if one.name == order.command), None)
            param = view.param(self.parameter()) if view is not None else None
            self._whole = param is not None and param.type == "int"
        own_low = field_value("slider", self.tile.settings, "low")
        own_high = field_value("slider", self.tile.settings, "high")
        low = own_low if own_low is not None and (low is None or own_low > low) else low
        high = own_high if own_high is not None and (high is None or own_high < high) else high
        chosen = (float(low if low is not None else 0.0), float(high if high is not None else 100.0))
        if chosen != self._range:
            self._range = chosen
            self._place(self.confirmed)

    def _place(self, value: float | None) -> None:
        low, high = self._range
        share = 0.0 if value is None or high <= low else (value - low) / (high - low)
        self.slider.blockSignals(True)
        self.slider.setValue(round(min(1.0, max(0.0, share)) * _STEPS))
        self.slider.blockSignals(False)

    def _moved(self) -> None:
        self._touched = True
        live = bool(field_value("slider", self.tile.settings, "live"))
        if (live or not self.slider.isSliderDown()) and not self._pace.isActive():
            self._pace.start()
        self._show_value(asked=True)

    def _show_value(self, asked: bool) -> None:
        low, high = self._range
        decimals = 0 if self._whole else _decimals(high - low)
        value = number_text(self.wanted() if asked else self.confirmed, decimals)
        text = f"→ {value}" if asked else value
        self.value.setText(text)
        self.value.setEnabled(asked or self.confirmed is not None)
        self.slider.setAccessibleName(f"{self.tile.title or self.default_title()}: {text}")


def _decimals(span: float) -> int:
    """Decimals with which a thousandth of a range can be told from the next."""
    return 2 if span <= 10 else (1 if span <= 100 else 0)
