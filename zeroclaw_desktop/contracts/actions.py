"""What the execution layer takes in and gives back (EX-1, EX-7, EX-12)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from zeroclaw_desktop.contracts.approvals import ApprovalScope, Risk
from zeroclaw_desktop.contracts.language import Language as Language

Source = Literal["agent", "manual", "schedule", "sop", "webhook", "channel"]
SOURCES: tuple[Source, ...] = ("agent", "manual", "schedule", "sop", "webhook", "channel")


class Permission(enum.IntEnum):
    """Permission levels in order (EX-6)."""

    OBSERVER = 0
    SKILL = 1
    OPERATOR = 2
    ROOT = 3

    @property
    def label(self) -> str:
        """Name as written in files and shown to people."""
        return self.name.lower()


class ActionState(enum.Enum):
    """Life of one action (EX-7)."""

    PENDING = "PENDING"
    VALIDATED = "VALIDATED"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True)
class Constraints:
    """Limits that come with a payload.

    Attributes:
        timeout: seconds for the handler; None takes the command's own.
        retries: how often an idempotent command may be tried again after a bus fault.
        dry_run: everything but the wire happens.
    """

    timeout: float | None = None
    retries: int = 0
    dry_run: bool = False


@dataclass(frozen=True)
class ActionPayload:
    """One request to move or read hardware; immutable.

    Attributes:
        action: registered command name, never code.
        params: parameters as given, not yet checked.
        source: who asks; decides the permission ceiling.
        task_id: unique id that threads through log, reports and results.
        device_id: the board meant; '' when there is only one to mean.
        created_at: epoch seconds.
    """

    action: str
    params: Mapping[str, Any]
    source: Source
    task_id: str
    device_id: str = ""
    constraints: Constraints = field(default_factory=Constraints)
    created_at: float = 0.0


@dataclass(frozen=True)
class ActionFault:
    """Why an action did not complete.

    Attributes:
        code: number from the error table (EX-10).
        symbol: its stable name.
        message: what was wrong, English.
        param: offending parameter or ''.
        details: values for the translated text.
    """

    code: int
    symbol: str
    message: str
    param: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PinChange:
    """A pin that an action will change or has changed.

    ``before`` and ``after`` are levels 0/1, a PWM duty 0..1, an angle in degrees, or None when unknown.
    """

    pin: int
    before: float | int | None
    after: float | int | None
    mode: str = "output"


@dataclass(frozen=True)
class ActionResult:
    """The report of one action (EX-12).

    Attributes:
        value: what the command answers (a level, a voltage, a text ...), JSON-shaped.
        hardware_states: what the handler read back from the device; never invented.
        commanded: what was asked of the pins.
        seq: number of this report among those of the same device; 0 for a device that was never there.
    """

    task_id: str
    action: str
    state: ActionState
    device_id: str
    source: Source
    elapsed_ms: float
    faults: tuple[ActionFault, ...] = ()
    value: Mapping[str, Any] = field(default_factory=dict)
    hardware_states: Mapping[str, Any] = field(default_factory=dict)
    commanded: tuple[PinChange, ...] = ()
    dry_run: bool = False
    seq: int = 0

    @property
    def ok(self) -> bool:
        """Whether the action completed."""
        return self.state is ActionState.COMPLETED

    @property
    def error_code(self) -> int:
        """Code of the first fault, 0 when there is none."""
        return self.faults[0].code if self.faults else 0


@dataclass(frozen=True)
class ActionTransition:
    """One step of an action's life, as sent to reporters and the bus."""

    payload: ActionPayload
    state: ActionState
    monotonic: float
    wall: float
    note: str = ""
    result: ActionResult | None = None
    """Present on the last transition."""


@dataclass(frozen=True)
class ApprovalRequest:
    """A question to a person: may this payload run although it is above its source's ceiling?

    Attributes:
        timeout: seconds until no answer counts as no.
        scope: what is shown; None for a question that no state is known of.
        risk: how far the action may reach.
        rememberable: whether an answer may hold for longer than this once.
        again: the board or a pin changed after the last question, whose answer was not used.
    """

    approval_id: str
    payload: ActionPayload
    permission: Permission
    ceiling: Permission
    changes: tuple[PinChange, ...]
    timeout: float
    device_id: str = ""
    scope: ApprovalScope | None = None
    risk: Risk = Risk.HIGH
    rememberable: bool = False
    again: bool = False


class ApprovalOutcome(enum.Enum):
    """How a question ended: yes once, yes with a rule that is remembered, yes by such a rule, or no."""

    ONCE = "once"
    HOUR = "hour"
    SESSION = "session"
    RULE = "rule"
    DENIED = "denied"
    TIMED_OUT = "timed_out"
    NOBODY = "nobody"

    @property
    def allows(self) -> bool:
        """Whether the action may run."""
        return self in (self.ONCE, self.HOUR, self.SESSION, self.RULE)

    @property
    def remembers(self) -> bool:
        """Whether a rule is made of the answer."""
        return self in (self.HOUR, self.SESSION)
