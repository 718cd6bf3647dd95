"""B1: what is loaded before the window's first paint, and what must wait until after it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_PROGRAM = """
import json, os, sys
import PySide6.QtWidgets
before = set(sys.modules)  # json among them: only this watch needs it
from PySide6.QtCore import QEvent, QObject
from zeroclaw_desktop import __main__ as entry
from zeroclaw_desktop.gui.main_window import MainWindow

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            print(json.dumps(sorted(set(sys.modules) - before)), flush=True)
            os._exit(0)
        return False

show = MainWindow.show

def watched_show(window):
    window.watch = Watch()
    window.installEventFilter(window.watch)
    show(window)

MainWindow.show = watched_show
entry.main([])
"""
#: Each costs a millisecond or more; they were on the way once.
SLOW = {"asyncio", "concurrent.futures", "dataclasses", "numpy", "qasync", "serial", "sqlite3", "tomlkit"}
#: Rooms and packages of the window that paint nothing of the frame.
ENGINES = {"agent", "bus", "execution", "hardware", "mqtt", "providers", "sandbox", "store", "tools", "vault"}
PANELS = {"activity", "chat", "devices", "logs", "plots", "settings"}
LATE = {
    "zeroclaw_desktop.bridge.views",
    "zeroclaw_desktop.gui.main_window.shortcuts_sheet",
    "zeroclaw_desktop.gui.main_window.strips",
    "zeroclaw_desktop.gui.main_window.welcome",
    "zeroclaw_desktop.runtime.runtime",
}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Modules that the program loads before its first paint, beyond those of Qt itself."""
    environment = {**os.environ, "ZEROCLAW_HOME": str(tmp_path_factory.mktemp("home"))}
    environment["QT_QPA_PLATFORM"] = "offscreen"
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(json.loads(ended.stdout))


def test_nothing_slow_is_on_the_way(loaded: set[str]) -> None:
    assert loaded & SLOW == set()


def test_no_engine_and_no_page_is_on_the_way(loaded: set[str]) -> None:
    parts = [name.split(".") for name in loaded if name.startswith("zeroclaw_desktop.")]
    assert {part[1] for part in parts} & ENGINES == set()
    assert {part[2] for part in parts if part[1] == "gui" and len(part) > 2} & PANELS == set()
    assert loaded & LATE == set()


def test_the_frame_itself_is_there(loaded: set[str]) -> None:
    assert {"zeroclaw_desktop.gui.app", "zeroclaw_desktop.gui.main_window.window"} <= loaded
