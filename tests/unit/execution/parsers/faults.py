"""How the tests of the readers look at a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from zeroclaw_desktop.contracts.actions import ActionFault
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.protocol import Parser


def refusals(parser: Parser, text: str, source: Any = "manual") -> tuple[ActionFault, ...]:
    """All faults of a text."""
    with pytest.raises(FaultError) as caught:
        parser.parse(text, source=source)
    return caught.value.faults


def refusal(parser: Parser, text: str, source: Any = "manual") -> ActionFault:
    """The one fault of a text."""
    (fault,) = refusals(parser, text, source)
    return fault


def place(fault: ActionFault) -> tuple[int, int]:
    """Line and column that a fault names."""
    return fault.details["line"], fault.details["column"]
