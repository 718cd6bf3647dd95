"""How commands print: text for people, one JSON document with ``--json``; errors to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.text import visible, visible_json

DONE, FAILED, BAD_USE, INTERNAL, INTERRUPTED = 0, 1, 2, 70, 130


def print_json(row: Any) -> None:
    """Print one JSON document."""
    print(visible_json(json.dumps(row, ensure_ascii=False, default=str)), flush=True)


def print_line(text: str) -> None:
    """Print a line for people; what a board or a file put into it cannot work the terminal."""
    print(visible(text, keep="\n\t"), flush=True)


def print_note(text: str) -> None:
    """Print a line for people to standard error."""
    print(visible(text, keep="\n\t"), file=sys.stderr, flush=True)


def print_error(error: ZeroClawError, *, as_json: bool) -> None:
    """Print an error with its hint; as JSON on standard output when that was asked for."""
    if as_json:
        print_json({"ok": False, "error": error.message, "hint": error.hint, "code": error.code})
        return
    print_note(f"zeroclaw: {error.message}")
    if error.hint:
        print_note(f"  {error.hint}")
