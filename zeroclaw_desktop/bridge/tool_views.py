"""What the window shows of the programs that write firmware, and of a board's ways of being written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolView:
    """A program that flashing may need."""

    name: str
    purpose: str
    found: bool
    version: str = ""
    """'' when it is missing or did not tell."""
    path: str = ""
    install: str = ""
    """The command that installs it here."""
    boards: str = ""
    """Names of the boards whose files name it."""


@dataclass(frozen=True)
class WayView:
    """One way of writing a firmware to a board."""

    key: str
    title: str
    usable: bool
    reason: str = ""
    """Why it cannot be used for this firmware; '' when it can."""
    tool: str = ""
    install: str = ""
    """Name of the missing program, and the command that installs it."""
