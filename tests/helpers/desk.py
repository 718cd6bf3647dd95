"""A screen of its own with the app on it, driven by keyboard and mouse as a person would."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

TOOLS = ("Xvfb", "xdotool", "openbox")
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]
ROOT = Path(__file__).resolve().parents[2]

needs_a_screen = pytest.mark.skipif(
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
