"""The status shape of EX-12 as a row and as one line of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.actions import ActionResult

MAX_DEPTH = 16


def status_row(result: ActionResult) -> dict[str, Any]:
    """The status shape of EX-12."""
    return {
        "task_id": result.task_id,
        "action": result.action,
        "state": result.state.value,
        "elapsed_ms": round(result.elapsed_ms, 3),
        "error_code": result.error_code,
        "hardware_states": dict(result.hardware_states),
        "device_id": result.device_id,
        "seq": result.seq,
        "source": result.source,
    }


def report_row(result: ActionResult) -> dict[str, Any]:
    """The status shape; a dry run, which moved nothing, says so by one more field (EX-15)."""
    row = status_row(result)
    if result.dry_run:
        row["dry_run"] = True
    return row


def status_line(result: ActionResult) -> bytes:
    """One line of JSON (UTF-8, no line end) for files and wires.

    Numbers that JSON does not have (NaN, infinities) become null and other values their text: a report must
    not be lost because of one odd reading.
    """
    row = report_row(result)
    try:
        text = _dump(row)
    except (ValueError, TypeError):
        text = _dump(_plain(row, 0))
    # A lone surrogate has no UTF-8 form; its escape is valid inside a JSON string.
    return text.encode("utf-8", "backslashreplace")


def _dump(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any, depth: int) -> Any:
    """The nearest thing that JSON has."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, depth + 1) for item in value]
    return str(value)
