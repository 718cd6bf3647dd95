"""One window for each home folder: a second start brings the first to the front."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.bridge.app_bridge import AppBridge
from zeroclaw_desktop.runtime.control_socket import order_running_app


def show_running_window() -> bool:
    """Ask a running window to come to the front; returns whether there was one."""
    answer = order_running_app({"cmd": "show"})
    return bool(answer and answer.get("ok"))


def follow_second_starts(bridge: AppBridge, show: Callable[[], None]) -> None:
    """Call ``show`` whenever the program is started again."""
    bridge.core.when_ready(lambda runtime: setattr(runtime.control, "on_show", show))
