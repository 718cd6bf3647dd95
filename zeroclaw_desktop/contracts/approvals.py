"""What a person's answer covers: facts that were shown, kept so that they can be compared later (SC-11)."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import NamedPin, PinPolicy


class Risk(enum.Enum):
    """How far an action may reach (SC-1); what is not known counts as high."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True)
class BoardBinding:
    """The board that an answer is about, as it was: the device itself and not its port.

    Attributes:
        instance: name of this very device.
        kind: key of its board file.
        firmware: as the board greeted.
        policies: limits of its pins.
        named_pins: names and roles that the person gave.
    """

    instance: str
    kind: str
    firmware: str
    policies: tuple[tuple[int, PinPolicy], ...] = ()
    named_pins: tuple[NamedPin, ...] = ()


@dataclass(frozen=True)
class ShownPin:
    """One pin of the change that was shown.

    Attributes:
        mode, before: what it was; ``before`` is None for an input, whose level is not ours, and when unknown.
        new_mode, after: what it becomes; see ``PinChange`` for the units.
    """

    pin: int
    mode: str
    before: float | int | None
    new_mode: str
    after: float | int | None


@dataclass(frozen=True)
class ValueRange:
    """A parameter may have any value from what the pin was at to what was asked for, ends included."""

    param: str
    low: float
    high: float


@dataclass(frozen=True)
class ApprovalScope:
    """Everything that was shown with a question.

    Attributes:
        params: each checked parameter with its value as JSON, by name.
        source: who asked.
        level: name of the permission level that it needs.
        span: a remembered answer covers these values of one parameter; None: only the value that was shown.
    """

    action: str
    params: tuple[tuple[str, str], ...]
    source: str
    level: str
    risk: Risk
    board: BoardBinding | None
    pins: tuple[ShownPin, ...] = ()
    span: ValueRange | None = None
