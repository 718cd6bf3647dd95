"""Tiles that show: live plot, gauge, bar, number, LED, text."""

from __future__ import annotations

import math
import time
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent

from zeroclaw_desktop.bridge.dashboard_document import Tile
from zeroclaw_desktop.bridge.tile_fields import field_value
from zeroclaw_desktop.bridge.tile_values import Reading
from zeroclaw_desktop.gui.actions import actions
from zeroclaw_desktop.gui.dashboard.faces import (
    BarFace,
    GaugeFace,
    LampFace,
    LampState,
    NumberFace,
    NumberState,
    ScaleState,
)
from zeroclaw_desktop.gui.dashboard.tile_frame import TileFrame, grow, seconds_text
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.dashboard.zones import GOOD, number_text, zone_of, zones
from zeroclaw_desktop.gui.widgets.labels import Text

VALUE_S = 0.2
"""Seconds between two changes of digits: faster ones cannot be read."""
FIGURES_S = 0.5
"""Seconds between two looks at the whole window of a number."""
_COLUMNS = 60


class _SeriesTile(TileFrame):
    """A tile about one series or pin."""

    def setting(self, name: str) -> Any:
        """A setting or its default."""
        return field_value(self.tile.kind, self.tile.settings, name)

    def reading(self) -> Reading:
        """The newest value."""
        return self.world.dashboards.values.reading(self.setting("series"))

    def default_title(self) -> str:
        """The name of the series or the pin."""
        ref = self.setting("series") or {}
        pin = ref.get("pin")
        return self.tr("pin {0}").format(pin) if type(pin) is int else str(ref.get("label", ""))

    def unit(self, reading: Reading) -> str:
        """The unit that the person chose, else the one that the board printed."""
        return str(self.setting("unit") or reading.unit)


class PlotTile(TileFrame):
    """Curves of one or more series; a double click opens the Plots page."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.setProperty("kind", "plain")
        self.plot = world.make_plot()
        grow(self.plot.widget, self.content)
        self.show_tile(tile)

    def show_tile(self, tile: Tile) -> None:
        """Take over series and window."""
        super().show_tile(tile)
        self.plot.show_series(self.series(), self.window_s())

    def window_s(self) -> float:
        """Seconds of the past that it shows."""
        return float(field_value("plot", self.tile.settings, "window_s"))

    def series(self) -> list[tuple[str, str]]:
        """The (source, label) of each series; pins have no curve."""
        refs = field_value("plot", self.tile.settings, "series") or []
        return [(str(ref["source"]), str(ref["label"])) for ref in refs if "label" in ref]

    def default_title(self) -> str:
        """The names of the series."""
        return ", ".join(label for _, label in self.series())

    def refresh(self) -> None:
        """Draw what is new, and say when all of it is old."""
        self.plot.refresh()
        values = self.world.dashboards.values
        readings = [values.reading({"source": source, "label": label}) for source, label in self.series()]
        fresh = any(reading.fresh for reading in readings)
        worst = readings[0] if readings and not fresh else Reading("live")
        self.show_reading_state(worst)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the big plot."""
        actions().open_page("plots")


class _ScaleTile(_SeriesTile):
    face: GaugeFace | BarFace

    def refresh(self) -> None:
        """Show value, zone and age."""
        reading = self.reading()
        low, high = float(self.setting("low")), float(self.setting("high"))
        decimals = int(self.setting("decimals"))
        settings = self.tile.settings
        zone = GOOD if reading.value is None else zone_of(reading.value, settings)
        text = number_text(reading.value, decimals)
        outside = reading.value is not None and not low <= reading.value <= high
        words = self.zone_words(zone)
        if outside and reading.value is not None and zone in (GOOD, "low", "high"):
            words, zone = (
                (self.tr("above the scale"), "high")
                if reading.value > high
                else (self.tr("below the scale"), "low")
            )
        self.face.set_state(
            ScaleState(
                None if reading.state == "missing" else _stepped(reading.value, low, high),
                text,
                self.unit(reading),
                low,
                high,
                _plain(low),
                _plain(high),
                tuple(zones(low, high, settings)),
                zone,
                words,
                reading.fresh,
            )
        )
        stale = self.show_reading_state(reading)
        self.face.setAccessibleName(
            " ".join(part for part in (text, self.unit(reading), words, stale) if part)
        )

    def zone_words(self, zone: str) -> str:
        """The name of a zone; '' while all is well."""
        return {
            "very_low": self.tr("too low"),
            "low": self.tr("low"),
            "high": self.tr("high"),
            "very_high": self.tr("too high"),
        }.get(zone, "")


class GaugeTile(_ScaleTile):
    """A dial."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.face = GaugeFace()
        grow(self.face, self.content)
        self.show_tile(tile)


class BarTile(_ScaleTile):
    """A level."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.face = BarFace()
        grow(self.face, self.content)
        self.show_tile(tile)


def _stepped(value: float | None, low: float, high: float) -> float | None:
    """A value to the step that can be seen: what moves less is not painted."""
    if value is None or high <= low:
        return value
    step = (high - low) / 400
    return round(value / step) * step


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", "−")


class NumberTile(_SeriesTile):
    """A large number with figures of its window."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.face = NumberFace()
        grow(self.face, self.content)
        self._next_value = self._next_figures = 0.0
        self._figures: tuple[str, ...] = ()
        self._points: tuple[tuple[float, float], ...] = ()
        self.show_tile(tile)

    def show_tile(self, tile: Tile) -> None:
        """Take over settings, and look anew."""
        super().show_tile(tile)
        self._next_value = self._next_figures = 0.0

    def refresh(self) -> None:
        """Show value, figures, line and age."""
        now = time.monotonic()
        if now < self._next_value:
            return
        self._next_value = now + VALUE_S
        reading = self.reading()
        if now >= self._next_figures:
            self._next_figures = now + FIGURES_S
            self._look_at_window(reading)
        text = number_text(reading.value, int(self.setting("decimals")))
        unit = self.unit(reading)
        self.face.set_state(NumberState(text, unit, self._figures, self._points, reading.fresh))
        stale = self.show_reading_state(reading)
        self.face.setAccessibleName(" ".join(part for part in (text, unit, stale) if part))

    def _look_at_window(self, reading: Reading) -> None:
        ref = self.setting("series") or {}
        label = ref.get("label")
        self._figures, self._points = (), ()
        if not isinstance(label, str) or reading.age_s is None:
            return
        live = self.world.dashboards.live
        end = live.now()
        start = end - float(self.setting("window_s"))
        source = str(ref["source"])
        if self.setting("figures"):
            found = live.statistics(source, label, start, end)
            decimals = int(self.setting("decimals"))
            if math.isfinite(found["mean"]):
                texts = {key: number_text(found[key], decimals) for key in ("min", "mean", "max")}
                names = {"min": self.tr("min"), "mean": self.tr("mean"), "max": self.tr("max")}
                self._figures = (
                    "  ".join(f"{names[key]} {text}" for key, text in texts.items()),
                    f"{texts['min']} … {texts['max']}",
                )
        if self.setting("sparkline"):
            self._points = _line_points(live.columns(source, label, start, end, _COLUMNS), start, end)


def _line_points(columns: tuple[Any, Any, Any], start: float, end: float) -> tuple[tuple[float, float], ...]:
    """Columns as points between 0 and 1; the line of a value that does not move lies in the middle."""
    rows = [
        (at, low, high)
        for at, low, high in zip(*(one.tolist() for one in columns), strict=True)
        if math.isfinite(low) and math.isfinite(high)
    ]
    if len(rows) < 2 or end <= start:
        return ()
    least = min(low for _, low, _ in rows)
    room = max(high for _, _, high in rows) - least

    def up(value: float) -> float:
        return (value - least) / room if room else 0.5

    points: list[tuple[float, float]] = []
    for at, low, high in rows:
        x = min(1.0, max(0.0, (at - start) / (end - start)))
        points += [(x, up(low))] if low == high else [(x, up(low)), (x, up(high))]
    return tuple(points)


class LedTile(_SeriesTile):
    """A lamp that is on above or below a limit."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.face = LampFace()
        grow(self.face, self.content)
        self.show_tile(tile)

    def is_on(self, reading: Reading) -> bool | None:
        """Whether the lamp is on; None when nobody knows."""
        if reading.value is None:
            return None
        limit = float(self.setting("limit"))
        return reading.value > limit if self.setting("rule") == "above" else reading.value < limit

    def refresh(self) -> None:
        """Show the lamp and its word."""
        reading = self.reading()
        on = self.is_on(reading)
        words = {
            True: str(self.setting("on_text")) or self.tr("on"),
            False: str(self.setting("off_text")) or self.tr("off"),
            None: "–",
        }
        self.face.set_state(LampState(on, words[on], reading.fresh))
        stale = self.show_reading_state(reading)
        self.face.setAccessibleName(" ".join(part for part in (words[on], stale) if part))


class TextTile(TileFrame):
    """A note, or the line that a board sent last."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.words = Text("", "body", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        grow(self.words, self.content)
        self._shown = ""
        self.show_tile(tile)

    def default_title(self) -> str:
        """What stands there."""
        return self.tr("Last line") if self._board() else self.tr("Note")

    def refresh(self) -> None:
        """Show the line and its age."""
        note, board_id = str(field_value("text", self.tile.settings, "note")), self._board()
        if not board_id:
            self._show(note)
            self.show_badge("", "off")
            return
        board = self.world.dashboards.values.board(board_id)
        line = self.world.dashboards.last_line(board_id)
        away = board is None or board.state != "live"
        if line is None:
            self._show(note or "–")
            self.show_reading_state(Reading("away" if away else "missing"))
            return
        self._show("\n".join(part for part in (note, line[0]) if part))
        self.words.setEnabled(not away)
        if away:
            self.show_reading_state(Reading("away"))
        else:
            old = line[1] >= 2.0
            self.show_badge(self.tr("{0} ago").format(seconds_text(line[1])) if old else "", "off")

    def _board(self) -> str:
        return str(field_value("text", self.tile.settings, "board"))

    def _show(self, text: str) -> None:
        if text != self._shown:
            self._shown = text
            self.words.setText(text)
