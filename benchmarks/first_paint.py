"""B1: process start to the first paint of the real app, against a bare Qt window with tabs in the same run.

Each figure is taken in processes of their own, started in turns so that both see the same machine, after one
start each that leaves compiled modules behind. The clock runs from just before the process is started to the
first paint event of the window.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
ROOT = Path(__file__).resolve().parents[1]

_WATCH = """
import os, sys, time
from PySide6.QtCore import QEvent, QObject

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.report()
        return False
    def report(self):
        resident = 0
        if os.path.exists('/proc/self/statm'):
            with open('/proc/self/statm') as file:
                resident = int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')
        print(time.time(), resident, flush=True)
        os._exit(0)
"""

BARE = (
    _WATCH
    + """
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QTabWidget
application = QApplication(sys.argv)
window = QMainWindow()
tabs = QTabWidget()
for name in ('Chat', 'Devices', 'Plots', 'Logs', 'Settings'):
    tabs.addTab(QLabel(name), name)
window.setCentralWidget(tabs)
window.resize(1280, 800)
watch = Watch()
window.installEventFilter(watch)
window.show()
application.exec()
"""
)

OURS = (
    _WATCH
    + """
import gc
gc.disable()
from zeroclaw_desktop import __main__ as entry
from zeroclaw_desktop.gui.main_window import MainWindow

show = MainWindow.show

def watched_show(window):
    window.watch = Watch()
    window.installEventFilter(window.watch)
    show(window)

MainWindow.show = watched_show
entry.main([])
"""
)


def run(rounds: int = ROUNDS) -> list[dict[str, object]]:
    """Return the rows of B1: milliseconds and, where the system tells it, resident memory.

    Args:
        rounds: processes started for each side.
    """
    bare: list[tuple[float, int]] = []
    ours: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as compiled:
        for program in (BARE, OURS):
            _first_paint(program, compiled)
        for _ in range(rounds):
            bare.append(_first_paint(BARE, compiled))
            ours.append(_first_paint(OURS, compiled))
    ratio = statistics.median(t for t, _ in ours) / statistics.median(t for t, _ in bare)
    return [
        _row("B1", "first paint of the window", ours, round(ratio, 2), "at most 1.5 x and 350 ms"),
        _row("B1-bare", "first paint of a bare window with tabs", bare, 1.0, "the yardstick"),
    ]


def _first_paint(program: str, compiled: str) -> tuple[float, int]:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["ZEROCLAW_HOME"] = os.path.join(compiled, "home")
    if "DISPLAY" not in environment:
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    started = time.time()
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    painted, resident = result.stdout.split()
    return (float(painted) - started) * 1000, int(resident)


def _row(
    number: str, name: str, samples: list[tuple[float, int]], ratio: float, note: str
) -> dict[str, object]:
    times = sorted(milliseconds for milliseconds, _ in samples)
    megabytes = statistics.median(resident for _, resident in samples) / 1e6
    return {
        "id": number,
        "name": name,
        "median": round(statistics.median(times), 1),
        "p99": round(times[-1], 1),
        "ratio": ratio,
        "unit": "ms",
        "note": f"{note}; {megabytes:.0f} MB resident; {len(times)} starts",
    }


if __name__ == "__main__":
    for row in run():
        print("  ".join(f"{key}={value}" for key, value in row.items()))
