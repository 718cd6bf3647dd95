"""Results and turns as the command line shows them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from zeroclaw_desktop.agent.turn import TurnState
from zeroclaw_desktop.contracts.actions import ActionFault, ActionResult, PinChange
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall
from zeroclaw_desktop.execution.error_table import next_step
from zeroclaw_desktop.execution.reporters import status_row
from zeroclaw_desktop.foundation.text import visible


def result_row(result: ActionResult) -> dict[str, Any]:
    """A report as JSON: the status shape of EX-12 and what the command answered."""
    return {
        "ok": result.ok,
        **status_row(result),
        "value": dict(result.value),
        "commanded": change_rows(result.commanded),
        "dry_run": result.dry_run,
        "errors": [fault_row(fault) for fault in result.faults],
    }


def change_rows(changes: Sequence[PinChange]) -> list[dict[str, Any]]:
    """Pin changes as JSON."""
    return [{"pin": change.pin, "before": change.before, "after": change.after} for change in changes]


def fault_row(fault: ActionFault) -> dict[str, Any]:
    """A fault as JSON."""
    return {"code": fault.code, "symbol": fault.symbol, "message": fault.message, "param": fault.param}


def fault_lines(result: ActionResult) -> list[str]:
    """What went wrong and what to do, one line each."""
    lines = []
    for fault in result.faults:
        lines.append(f"0x{fault.code:02X} {fault.symbol}: {fault.message}")
        advice = next_step(fault.code, "en", fault.details)
        if advice:
            lines.append(f"  {advice}")
    return lines


class StreamingObserver:
    """Prints the answer as it comes and the calls between; implements agent.turn.TurnObserver."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def state_changed(self, turn_id: str, state: TurnState) -> None:
        """See TurnObserver."""

    def text_came(self, turn_id: str, text: str) -> None:
        """See TurnObserver."""
        if not self._quiet:
            sys.stdout.write(visible(text, keep="\n\t"))
            sys.stdout.flush()

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """See TurnObserver."""
        if not self._quiet:
            sys.stdout.write(f"\n  > {visible(call.name)} {dict(call.arguments)}\n")
            sys.stdout.flush()

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        """See TurnObserver."""
        if not self._quiet:
            sys.stdout.write(f"  < {answer.data.get('status')}\n")
