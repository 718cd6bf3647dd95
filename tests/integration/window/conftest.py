"""A fresh screen and home folder for each test of the window."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.desk import Desk


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
