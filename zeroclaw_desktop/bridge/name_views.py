"""What the window shows of names: pins with names and roles, boards that are away."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PinNameView:
    """A pin that can be named."""

    number: int
    printed: str
    """Name on the board, with its other names: ``A4 (SDA)``."""
    name: str = ""
    """The person's name for it; '' for none."""
    role: str = ""
    """Key of the person's role for it; '' for a name alone."""
    sheet_names: tuple[str, ...] = ()
    """What data sheets call it."""
    note: str = ""
    """What to be careful of."""


@dataclass(frozen=True)
class RoleView:
    """What a pin can be for."""

    key: str
    title: str


@dataclass(frozen=True)
class AwayBoardView:
    """A board that the person has named and that is not plugged in."""

    identity: str
    name: str
    facts: str
    """Its kind, how many of its pins have names, how it is known again."""
