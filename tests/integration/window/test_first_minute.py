"""UI-1 on a real screen: the window under Xvfb, driven by keyboard and mouse as a person would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.helpers.desk import ROOT, Desk, needs_a_screen

pytestmark = needs_a_screen


def test_a_newcomer_blinks_the_led_stops_everything_and_closes(desk: Desk) -> None:
    desk.start("--simulator")
    desk.until(lambda: desk.said("Simulated Arduino Uno", "is live"), "a live board")
    window = desk.windows()[0]
    desk.until(lambda: desk.activated(window), "a window that the window manager knows")
    desk.do("key", "ctrl+l")
    time.sleep(1.0)
    desk.do("type", "--delay", "15", "blink the led 3 times")
    desk.do("key", "Return")
    desk.until(lambda: desk.said("led_blink", "COMPLETED"), "the blink")

    desk.do("key", "F12")
    desk.until(lambda: desk.said("Emergency stop", "confirmed"), "the stop")
    desk.do("type", "--delay", "15", "turn on the led")
    desk.do("key", "Return")
    desk.until(lambda: desk.said("led_set", "0x34"), "the refusal while stopped")

    desk.do("key", "alt+F4")
    assert desk.app is not None
    assert desk.app.wait(20) == 0
    assert desk.said("Simulated Arduino Uno", "is offline")
    assert not (desk.home / "control.json").exists()


def test_a_second_start_shows_the_first_window(desk: Desk) -> None:
    desk.start()
    desk.until(lambda: (desk.home / "control.json").exists(), "the control socket")
    second = subprocess.run(
        [sys.executable, "-m", "zeroclaw_desktop"],
        cwd=ROOT,
        env=desk.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert second.returncode == 0
    assert "running already" in second.stdout
    assert len(desk.windows()) == 1
    assert desk.end() == 0


def test_the_command_line_stops_the_window(desk: Desk) -> None:
    desk.start("--simulator")
    desk.until(lambda: desk.said("Simulated Arduino Uno", "is live"), "a live board")
    stopped = subprocess.run(
        [sys.executable, "-m", "zeroclaw_desktop.cli.main", "estop", "--json"],
        cwd=ROOT,
        env=desk.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert stopped.returncode == 0, stopped.stderr
    assert json.loads(stopped.stdout)["boards"][0]["confirmed"] is True
    assert desk.end() == 0


def test_without_a_display_one_sentence_says_so(tmp_path: Path) -> None:
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    ended = subprocess.run(
        [sys.executable, "-m", "zeroclaw_desktop"],
        cwd=ROOT,
        env={**environment, "ZEROCLAW_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1
    assert "no display" in ended.stderr
