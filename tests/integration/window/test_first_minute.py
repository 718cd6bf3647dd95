"""UI-1 on a real screen: the window under Xvfb, driven by keyboard and mouse as a person would."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TOOLS = ("Xvfb", "xdotool", "openbox")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"needs {', '.join(MISSING)}: apt install xvfb xdotool openbox"
)


class Desk:
    """A screen with the app on it."""

    def __init__(self, display: str, home: Path) -> None:
        self.display = display
        self.home = home
        self.environment = {
            **os.environ,
            "DISPLAY": display,
            "ZEROCLAW_HOME": str(home),
            "QT_QPA_PLATFORM": "xcb",
        }
        self.app: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> None:
        self.app = subprocess.Popen(
            [sys.executable, "-m", "zeroclaw_desktop", *arguments], cwd=ROOT, env=self.environment
        )
        self.until(lambda: bool(self.windows()), "the window", 30)

    def windows(self) -> list[str]:
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", "ZeroClaw Desktop"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return found.stdout.split()

    def activated(self, window: str) -> bool:
        """Try to give a window the focus; a window manager refuses one that it has not taken up yet."""
        try:
            self.do("windowactivate", "--sync", window)
        except subprocess.CalledProcessError:
            return False
        return True

    def do(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self.environment, check=True, capture_output=True)

    def log(self) -> list[str]:
        path = self.home / "logs" / "zeroclaw.log"
        if not path.exists():
            return []
        return [json.loads(line)["message"] for line in path.read_text(encoding="utf-8").splitlines()]

    def until(self, condition: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"{what} did not happen within {seconds:g} s; log: {self.log()[-5:]}")
            time.sleep(0.1)

    def said(self, *words: str) -> bool:
        return any(all(word in line for word in words) for line in self.log())

    def end(self) -> int:
        assert self.app is not None
        if self.app.poll() is None:
            self.app.send_signal(signal.SIGTERM)
        return self.app.wait(20)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A fresh screen and home folder."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    number = b""
    while not number.endswith(b"\n"):
        number += os.read(read, 16)
    os.close(read)
    display = f":{int(number)}"
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": display}, stderr=subprocess.DEVNULL)
    desk = Desk(display, tmp_path / "home")
    try:
        yield desk
    finally:
        if desk.app is not None and desk.app.poll() is None:
            desk.app.kill()
            desk.app.wait()
        for process in (manager, screen):
            process.terminate()
            process.wait()


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
