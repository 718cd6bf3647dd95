"""Events on the bus: past-tense nouns, frozen, small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zeroclaw_desktop.contracts.actions import ApprovalOutcome, ApprovalRequest
from zeroclaw_desktop.contracts.boards import StopOutcome
from zeroclaw_desktop.foundation.errors import ZeroClawError


@dataclass(frozen=True)
class BoardsChanged:
    """A board appeared, vanished or changed its state; ``board_id`` is '' for several."""

    board_id: str = ""


@dataclass(frozen=True)
class SharedStateChanged:
    """Where the state shared with other programs is kept (EX-13).

    Attributes:
        wanted: the Redis that the settings name, without user and password; '' for none: this program only.
        shared: whether it is in use; False for this program only.
        fault: why it is not in use, or, while it is, why it does not work now; None when all is well.
    """

    wanted: str = ""
    shared: bool = False
    fault: ZeroClawError | None = None


@dataclass(frozen=True)
class PortsChanged:
    """The list of serial ports changed."""


@dataclass(frozen=True)
class PinsObserved:
    """The board told its pin states (snapshot or change event)."""

    board_id: str


@dataclass(frozen=True)
class BoardSignalChanged:
    """A board reported that a digital input changed.

    Attributes:
        signal: ``d2`` ...
        value: 0 or 1.
    """

    board_id: str
    signal: str
    value: int


@dataclass(frozen=True)
class ThresholdCrossed:
    """A series went beyond a limit, or came back by its hysteresis (HW-12).

    Attributes:
        name: of the threshold.
        source_id: board or other source.
        label: of the series.
        alarm: True when the alarm began, False when it ended.
        value: of the sample that crossed.
        limit: of the threshold, in the same unit.
        unit: of the series, '' where it has none.
        time: of that sample in seconds on the axis of the plots.
    """

    name: str
    source_id: str
    label: str
    alarm: bool
    value: float
    limit: float
    unit: str
    time: float


@dataclass(frozen=True)
class FlashProgressed:
    """A flash job moved on.

    Attributes:
        phase: ``check``, ``prepare``, ``backup``, ``copy`` (beside the old firmware), ``erase``, ``write``,
            ``verify``, ``reset``, ``handshake``, ``done``, ``failed``, ``cancelled``.
        percent: 0..100 of the phase, or None.
    """

    board_id: str
    phase: str
    percent: float | None = None
    message: str = ""
    firmware: str = ""
    seconds: float = 0.0
    fault_code: str = ""
    fault_message: str = ""
    fault_hint: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FlashLogged:
    """One line of the flashing tool's own output."""

    board_id: str
    line: str


@dataclass(frozen=True)
class EmergencyStopChanged:
    """The emergency stop was triggered or released."""

    latched: bool
    source: str
    cancelled: int = 0
    outcomes: tuple[StopOutcome, ...] = ()


@dataclass(frozen=True)
class TaskInterrupted:
    """A task was unfinished when the program ended last time.

    Attributes:
        policy: ``rerun``, ``ask``, ``resume`` or ``none`` (execution/recovery.py).
        reason: key of the reason.
    """

    task_id: str
    action: str
    params: Mapping[str, Any]
    board_id: str
    source: str
    policy: str
    reason: str


@dataclass(frozen=True)
class InterruptedTasksChanged:
    """Which interrupted tasks wait for a person's decision, or what is known of their boards, changed."""


@dataclass(frozen=True)
class ApprovalOpened:
    """A person is asked."""

    request: ApprovalRequest


@dataclass(frozen=True)
class ApprovalClosed:
    """A question has ended."""

    approval_id: str
    outcome: ApprovalOutcome


@dataclass(frozen=True)
class MemoryChanged:
    """Something was remembered, changed or forgotten by this program."""


@dataclass(frozen=True)
class ApprovalRulesChanged:
    """A remembered answer was made, used or ended."""
