"""One window for each home folder: a second start brings the first to the front."""

from __future__ import annotations

from zeroclaw_desktop.runtime.control_client import order_running_app


def show_running_window() -> bool:
    """Ask a running window to come to the front; returns whether there was one."""
    answer = order_running_app({"cmd": "show"})
    return bool(answer and answer.get("ok"))
