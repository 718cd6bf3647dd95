"""What the window shows of a port that nobody knows: what keeps it closed, the mend, what it answered."""

from __future__ import annotations

from dataclasses import dataclass

from zeroclaw_desktop.bridge.views import ErrorView


@dataclass(frozen=True)
class AccessView:
    """What keeps a person from a port, or from a board without one."""

    place: str
    """Path of the port, or the USB place of a board that has none."""
    kind: str
    sentence: str
    """What is wrong and what it means."""
    serious: bool = True
    """False for what may only be in the way now and then."""
    mend: str = ""
    """Text of the button that shows the mend; '' when only the person can do something."""


@dataclass(frozen=True)
class MendView:
    """What a mend will do, before anything is done."""

    key: str
    title: str
    explanation: str
    commands: str
    """The commands that run as root, as one would type them."""
    file_name: str = ""
    """Where the text below is put; '' when no file is installed."""
    content: str = ""
    afterwards: str = ""
    """What is left for the person to do; '' for nothing."""


@dataclass(frozen=True)
class MendResultView:
    """What came of a mend."""

    key: str
    sentence: str = ""
    """Said when it was done."""
    error: ErrorView | None = None


@dataclass(frozen=True)
class AskView:
    """A question to a port, running or answered."""

    path: str
    running: bool = False
    sentence: str = ""
    """Who is being asked, or what was found out."""
    kinds: tuple[tuple[str, str], ...] = ()
    """(key, name) of the kinds of boards that it may be, best first."""
    certain: bool = False
    """The firmware itself named the board."""
    error: ErrorView | None = None
