"""What the window shows of a board in detail, and of the data sheets about it."""

from __future__ import annotations

from dataclasses import dataclass

Rows = tuple[tuple[str, str], ...]
"""(name, value) rows for a list."""


@dataclass(frozen=True)
class BoardDetailsView:
    """Everything that is known of one board."""

    board_id: str
    identity: Rows
    """Kind, chip, USB id, serial number, place, what it is known again by."""
    firmware: Rows
    """Name, version, protocol."""
    health: Rows
    """State, last answer, what came over the line and could not be used."""
    wiring: Rows
    """Buses and motors of the board file, its own lamp, what the pins bear."""
    names: Rows
    """Names of pins: the person's, then those of data sheets."""
    capabilities: tuple[str, ...] = ()
    """Commands that the firmware knows."""
    note: str = ""
    """What to know of this kind of board."""


@dataclass(frozen=True)
class SheetView:
    """One data sheet."""

    path: str
    name: str
    facts: str
    """About which board, how many passages and names of pins it has."""
    fault: str = ""
    """Why it cannot be read; '' when it can."""


@dataclass(frozen=True)
class FoundView:
    """A passage that fits a question."""

    document: str
    place: str
    """Headings above it and where it is: ``Pins > PWM · line 12``."""
    excerpt: str
    path: str = ""
