"""The other end of the control socket: sends one order to the app that runs in the same home folder.

Imported before the first paint, so it brings in nothing that it does not need.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zeroclaw_desktop.foundation.paths import home_folder

FILE_NAME = "control.json"
ANSWER_SECONDS = 5.0
CONNECT_SECONDS = 2.0


def control_file() -> Path:
    """Where the address and token of the running app are."""
    return home_folder(create=False) / FILE_NAME


def order_running_app(order: dict[str, Any]) -> dict[str, Any] | None:
    """Send an order to the running app and return its answer; None when no app runs (blocking)."""
    try:
        text = control_file().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    import json
    import socket

    try:
        found = json.loads(text)
        with socket.create_connection(("127.0.0.1", found["port"]), CONNECT_SECONDS) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.sendall(json.dumps({**order, "token": found["token"]}).encode() + b"\n")
            answer = connection.makefile("rb").readline()
        parsed = json.loads(answer)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
