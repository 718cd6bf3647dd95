"""What a model is told after calls that cannot be carried out; how often is the turn's business."""

from __future__ import annotations

from collections.abc import Sequence

from zeroclaw_desktop.agent.toolcalls.model import MalformedCall

MAX_RETRIES = 2
"""Malformed answers in a row that the model may mend."""
_TOLD = 5
_REASON_CHARS = 600
_FORM = '<tool_call>\n{"name": "TOOL", "arguments": {"PARAMETER": "VALUE"}}\n</tool_call>'


def retry_message(faults: Sequence[MalformedCall], attempt: int, *, native: bool = False) -> str:
    """Words for the model, bounded.

    Args:
        faults: what was wrong, not empty.
        attempt: the how-many-eth malformed answer in a row this is, from 1.
        native: the model calls tools through its own interface, so no form is shown.
    """
    count = "call" if len(faults) == 1 else "calls"
    lines = [f"[Tool call error] {len(faults)} {count} could not be carried out. Nothing was done."]
    for fault in faults[:_TOLD]:
        name = f"{fault.name}: " if fault.name and fault.name not in fault.reason else ""
        lines.append(f"- {name}{fault.reason[:_REASON_CHARS]}")
    if len(faults) > _TOLD:
        lines.append(f"- and {len(faults) - _TOLD} more")
    if attempt > MAX_RETRIES:
        lines.append("Do not call a tool again; say in words what could not be done.")
    elif native:
        lines.append("Call again with what is named mended, or answer without a tool.")
    else:
        lines.append(f"Write each call again, whole and exactly in this form, or answer in words:\n{_FORM}")
    return "\n".join(lines)
