"""EX-14 as a person meets it: the window is killed in the middle of its work and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal; run it on Linux or macOS"),
]
ROOT = Path(__file__).resolve().parents[3]
SECONDS = 90


class Window:
    """One run of the program."""

    def __init__(self, plan: str, home: Path) -> None:
        environment = {**os.environ, "ZEROCLAW_HOME": str(home), "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("window_child.py")), plan],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )

    def said(self) -> dict[str, Any]:
        """The next thing that it says; waits for it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                return dict(json.loads(line))
        raise AssertionError(f"the window ended with {self.process.wait(SECONDS)} and said no more")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)
        self.close()

    def ended(self) -> int:
        code = self.process.wait(SECONDS)
        self.close()
        return code

    def close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()


Start = Callable[[str], Window]


@pytest.fixture
def start(own_state_folder: Path) -> Iterator[Start]:
    """Starts the program with one home folder; whatever still runs is ended."""
    windows: list[Window] = []

    def started(plan: str) -> Window:
        windows.append(Window(plan, own_state_folder))
        return windows[-1]

    yield started
    for window in windows:
        if window.process.poll() is None:
            window.kill()


def tasks(home: Path) -> list[dict[str, Any]]:
    """What the command line reads from the journal."""
    listed = subprocess.run(
        [sys.executable, "-m", "zeroclaw_desktop.cli.main", "tasks", "--json"],
        env={**os.environ, "ZEROCLAW_HOME": str(home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return list(json.loads(listed.stdout)["tasks"])


def test_what_was_interrupted_is_offered_done_again_dismissed_and_gone(
    start: Start, own_state_folder: Path
) -> None:
    working = start("work")
    interrupted = set(working.said()["running"])
    assert len(interrupted) == 2
    working.kill()
    assert {row["task_id"] for row in tasks(own_state_folder) if row["state"] == "INTERRUPTED"} == interrupted

    # Killed once more before anybody has answered: both are offered all the same.
    looking = start("decide")
    assert looking.said()["strip"] == "The program ended in the middle of 2 tasks."
    looking.kill()

    deciding = start("decide")
    seen = deciding.said()
    assert seen["strip"] == "The program ended in the middle of 2 tasks."
    assert seen["page"] != "activity"
    offers = deciding.said()["offers"]
    assert {offer["title"] for offer in offers} == {"Blink the LED 4 times", "Blink the LED 9 times"}
    assert [offer["safety"] for offer in offers] == ["Board made safe"] * 2
    begun = deciding.said()["offers"]
    assert begun == offers[1:]
    again = deciding.said()["again"]
    assert again not in interrupted
    assert deciding.said()["offers"] == []
    assert deciding.ended() == 0

    third = start("look")
    last = third.said()
    assert third.ended() == 0
    assert last["offers"] == []
    assert {task_id for task_id, state in last["states"].items() if state == "interrupted"} == interrupted
    assert last["states"][again] == "completed"

    answers = {row["task_id"]: (row["answer"], row["again"]) for row in tasks(own_state_folder)}
    assert sorted(answers[task_id] for task_id in interrupted) == [("again", again), ("dismissed", "")]


def test_what_a_killed_command_left_is_offered_by_the_window(start: Start, own_state_folder: Path) -> None:
    """The command line cannot ask; the window of the same home folder does."""
    payload = {"action": "led_blink", "params": {"count": 4, "interval": 0.3}, "task_id": "from-a-command"}
    arguments = ["exec", "--payload", json.dumps(payload)]
    command = subprocess.Popen(
        [sys.executable, "-m", "zeroclaw_desktop.cli.main", *arguments],
        env={**os.environ, "ZEROCLAW_HOME": str(own_state_folder), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    while not any(row["began"] for row in tasks(own_state_folder)):
        assert command.poll() is None, "the command ended before it could be killed"
    command.send_signal(signal.SIGKILL)
    command.wait(SECONDS)

    window = start("decide")
    assert window.said()["strip"] == "The program ended in the middle of a task."
    assert [offer["title"] for offer in window.said()["offers"]] == ["Blink the LED 4 times"]
    window.kill()
