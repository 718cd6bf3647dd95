"""The program that is killed and started again: the whole window as people start it, without a screen.

``python window_child.py PLAN``: a plan presses what a person would press and prints what it sees, one JSON
document on each line.

    work     starts a simulated board and two long tasks, says so, and goes on until it is killed
    decide   looks at what was interrupted, does the first task again, dismisses the second
    look     says what is offered and what the history holds
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt, QTimer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402

from zeroclaw_desktop.bridge.app_bridge import AppBridge  # noqa: E402
from zeroclaw_desktop.gui import app  # noqa: E402
from zeroclaw_desktop.gui.activity.page import ActivityPage  # noqa: E402
from zeroclaw_desktop.gui.main_window import MainWindow  # noqa: E402

BOARD = "sim-uno"
LOOK_MILLISECONDS = 30
Plan = Iterator[Callable[[], bool]]


def say(**row: Any) -> None:
    """One line in one write."""
    os.write(1, (json.dumps(row) + "\n").encode())


class Person:
    """Sits at the window.

    Args:
        window: shown already.
        bridge: whose core has not started yet.
    """

    def __init__(self, window: MainWindow, bridge: AppBridge) -> None:
        self.window = window
        self.bridge = bridge

    def activity(self) -> ActivityPage:
        self.window.show_page("activity")
        page = self.window.page("activity")
        assert isinstance(page, ActivityPage)
        return page

    def board_is_live(self) -> bool:
        return any(board.state == "live" for board in self.bridge.devices.boards())

    def running(self) -> list[str]:
        return [task.task_id for task in self.bridge.activity.running() if task.state == "running"]

    def offers(self) -> list[dict[str, Any]]:
        return [
            {"title": row.task.title, "safety": row.badge.text(), "ready": row.again_button.isEnabled()}
            for row in self.activity().interrupted.rows.values()
            if row.task is not None
        ]

    def work(self) -> Plan:
        yield lambda: self.board_is_live()
        self.bridge.chat.send("blink the led 4 times")
        self.bridge.devices.run_command(BOARD, "led_blink", {"count": 9, "pin": 12})
        yield lambda: len(self.running()) == 2
        say(running=self.running())
        yield lambda: False

    def decide(self) -> Plan:
        yield lambda: self.window.interrupted_strip.isVisible()
        say(strip=self.window.interrupted_strip.text(), page=self.window.current_page())
        QTest.mouseClick(self.window.interrupted_strip.show_button, Qt.MouseButton.LeftButton)
        page = self.activity()
        yield lambda: self.board_is_live() and all(offer["ready"] for offer in self.offers())
        say(offers=self.offers())
        first, second = page.interrupted.rows.values()
        QTest.mouseClick(first.again_button, Qt.MouseButton.LeftButton)
        yield lambda: len(page.interrupted.rows) == 1
        say(offers=self.offers())
        yield lambda: (task := page.details.task()) is not None and task.state == "completed"
        say(again=page.selected())
        QTest.mouseClick(second.dismiss_button, Qt.MouseButton.LeftButton)
        yield lambda: not page.interrupted.rows
        say(offers=self.offers())
        self.window.close()
        yield lambda: False

    def look(self) -> Plan:
        page = self.activity()
        yield lambda: page.past.model.rowCount() > 0
        model = page.past.model
        tasks = [model.task(model.index(row)) for row in range(model.rowCount())]
        say(offers=self.offers(), states={task.task_id: task.state for task in tasks if task is not None})
        self.window.close()
        yield lambda: False


def main() -> int:
    """Open the window and let the person follow the plan."""
    plan = sys.argv[1]
    run = app._run
    timers: list[QTimer] = []

    def run_with_person(application: Any, bridge: AppBridge, window: MainWindow) -> None:
        steps: Plan = getattr(Person(window, bridge), plan)()
        waits_for: list[Callable[[], bool]] = [lambda: bridge.core.runtime is not None]
        timer = QTimer()
        timer.setInterval(LOOK_MILLISECONDS)

        def go_on() -> None:
            while waits_for[0]():
                waits_for[0] = next(steps)

        timer.timeout.connect(go_on)
        timer.start()
        timers.append(timer)
        run(application, bridge, window)
        timer.stop()

    app._run = run_with_person
    return app.main(["--simulator"] if plan != "look" else [])


if __name__ == "__main__":
    sys.exit(main())
