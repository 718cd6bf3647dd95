"""Faults of the execution layer.

ZeroClawError
├── FaultError                 carries one or more ActionFaults (EX-10)
├── CommandNotFoundError       no such command; has near names
├── CommandExistsError         the name is taken
└── IllegalTransitionError     the state machine was asked for a forbidden move
"""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.foundation.errors import ZeroClawError


class FaultError(ZeroClawError):
    """An action cannot go on; its faults say why."""

    default_code = "fault"

    def __init__(self, faults: Sequence[ActionFault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = tuple(faults)


class CommandNotFoundError(ZeroClawError):
    """No command has this name."""

    default_code = "unknown_action"


class CommandExistsError(ZeroClawError):
    """A command of this name is registered already."""

    default_code = "command_exists"


class IllegalTransitionError(ZeroClawError):
    """A state may not follow the present one."""

    default_code = "illegal_transition"
