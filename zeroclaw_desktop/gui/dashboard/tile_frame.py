"""What all tiles share: a card with a title, a line that says what is wrong, and a body."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from zeroclaw_desktop.bridge.dashboard_document import Tile
from zeroclaw_desktop.bridge.tile_fields import tile_problems
from zeroclaw_desktop.bridge.tile_values import Reading
from zeroclaw_desktop.gui.dashboard.world import TileWorld
from zeroclaw_desktop.gui.theme import size, space
from zeroclaw_desktop.gui.widgets.badges import Badge
from zeroclaw_desktop.gui.widgets.labels import ElidedText, Text
from zeroclaw_desktop.gui.widgets.layout import column, row
from zeroclaw_desktop.gui.widgets.surfaces import Card

_LEAST_TITLE = 8
"""Grid steps below which a title says nothing."""


class TileFrame(Card):
    """One tile.

    Args:
        tile: what it shows.
        world: where it comes from.
    """

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(padding=2.5, gap=1)
        self.setObjectName("tile")
        self.tile = tile
        self.world = world
        self.title = ElidedText("", "label", "muted")
        self.badge = Badge()
        self.badge.hide()
        head = row(self.title, self.badge, gap=1)
        head.addStrut(size("badge"))
        self.body.addLayout(head)
        self.content: QVBoxLayout = column(gap=1)
        self.body.addLayout(self.content, 1)

    def show_tile(self, tile: Tile) -> None:
        """Take over other settings."""
        self.tile = tile
        self.show_title()

    def refresh(self) -> None:
        """Show what is new; called many times a second while the tile can be seen."""

    def default_title(self) -> str:
        """What the tile is called when the person gave it no name."""
        return ""

    def show_title(self) -> None:
        """Show the name, and tell it to screen readers."""
        shown = self.tile.title or self.default_title()
        self.title.set_text(shown)
        self.setAccessibleName(shown)

    def show_reading_state(self, reading: Reading) -> str:
        """Say in the corner how old a value is that is not fresh; returns the words, '' for a fresh one."""
        words = self.reading_words(reading)
        kind = {"stale": "waits", "away": "failed", "missing": "off"}.get(reading.state, "off")
        self.show_badge(words, kind)
        return words

    def reading_words(self, reading: Reading) -> str:
        """Why a value is not fresh, in words."""
        if reading.state == "away":
            return self.tr("board away")
        if reading.state == "missing":
            return self.tr("no data yet")
        if reading.state == "stale":
            return self.tr("no data for {0}").format(seconds_text(reading.age_s or 0.0))
        return ""

    def show_badge(self, words: str, kind: str) -> None:
        """Show words in the corner; '' hides them."""
        if words == (self.badge.text() if not self.badge.isHidden() else "") and kind == self.badge.kind():
            return
        if words:
            self.badge.set_state(words, kind)
            self.badge.setToolTip(words)
        self.badge.setVisible(bool(words))
        self._fit_head()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the state in the corner have the room of the title where both do not fit."""
        super().resizeEvent(event)
        self._fit_head()

    def _fit_head(self) -> None:
        margins = self.body.contentsMargins()
        room = max(space(8), self.width() - margins.left() - margins.right())
        self.badge.setMaximumWidth(room)
        wanted = 0 if self.badge.isHidden() else self.badge.sizeHint().width() + space(1)
        self.title.setVisible(room - wanted >= space(_LEAST_TITLE) or not wanted)

    def minimumSizeHint(self) -> QSize:
        """The grid decides; the least sizes of the kinds see to it that no text is cut."""
        return QSize(space(10), space(8))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.show_tile(self.tile)
        super().changeEvent(event)


class StrangeTile(TileFrame):
    """A tile of a kind that this version does not know; it is kept as it is."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.words = ElidedText("", "body", "muted")
        self.content.addWidget(self.words)
        self.show_tile(tile)

    def show_tile(self, tile: Tile) -> None:
        """Say what it would be."""
        super().show_tile(tile)
        self.words.set_text(self.tr("A newer version shows this: {0}").format(tile.kind))


class UnfitTile(TileFrame):
    """A tile whose settings cannot be shown, as a file that was written by hand may have them."""

    def __init__(self, tile: Tile, world: TileWorld) -> None:
        super().__init__(tile, world)
        self.words = Text("", "body", "muted", wrap=True)
        self.content.addWidget(self.words)
        self.content.addStretch(1)
        self.show_tile(tile)

    def show_tile(self, tile: Tile) -> None:
        """Say which settings are meant."""
        super().show_tile(tile)
        fields = ", ".join(problem.field for problem in tile_problems(tile.kind, tile.settings))
        self.words.setText(self.tr("The properties of this tile need a look: {0}").format(fields))
        self.show_badge(self.tr("not set"), "waits")


def seconds_text(seconds: float) -> str:
    """An age for people: ``12 s``, ``3 min``, ``2 h``."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.0f} h"


def grow(widget: QWidget, layout: QVBoxLayout) -> None:
    """Add a widget that takes the room that is left."""
    layout.addWidget(widget, 1)
