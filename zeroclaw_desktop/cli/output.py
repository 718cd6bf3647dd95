"""How commands print: text for people, one JSON document with ``--json``; errors to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError

DONE, FAILED, BAD_USE, INTERNAL, INTERRUPTED = 0, 1, 2, 70, 130


def print_json(row: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(row, ensure_ascii=False, default=str), flush=True)


def print_line(text: str) -> None:
    """Print a line for people."""
    print(text, flush=True)


def print_error(error: ZeroClawError, *, as_json: bool) -> None:
    """Print an error with its hint; as JSON on standard output when that was asked for."""
    if as_json:
        print_json({"ok": False, "error": error.message, "hint": error.hint, "code": error.code})
        return
    print(f"zeroclaw: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"  {error.hint}", file=sys.stderr)
