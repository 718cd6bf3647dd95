"""Gaps of the window's event loop while telemetry runs and the plots page draws (UI-9: 16 ms at p99).

The real window runs offscreen with the simulated Uno sending two signals every 10 ms; a timer of 1 ms notes
how late it is called.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._bench import row

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 12.0

_PROGRAM = """
import json, sys, time
from PySide6.QtCore import QTimer, Qt
from zeroclaw_desktop.gui import app
from zeroclaw_desktop.gui.main_window import MainWindow

seconds = float(sys.argv[1])
gaps = []
show = MainWindow.show

def watched_show(window):
    show(window)
    bridge = window._bridge
    last = [0.0]

    def tick():
        now = time.perf_counter()
        if last[0]:
            gaps.append((now - last[0]) * 1000)
        last[0] = now

    timer = QTimer(window)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)

    def measure():
        timer.start(1)
        QTimer.singleShot(int(seconds * 1000), report)

    def report():
        timer.stop()
        samples = sum(view.count for view in bridge.plots.series())
        print(json.dumps({'gaps': gaps, 'samples': samples}), flush=True)
        window.close()

    def signals():
        board = bridge.devices.current_board_id()
        bridge.devices.run_command(board, 'plot_series', {'signals': ['a0', 'a1'], 'period': 0.01})
        window.show_page('plots')
        QTimer.singleShot(1500, measure)

    bridge.core_ready.connect(lambda: QTimer.singleShot(4000, signals))

MainWindow.show = watched_show
sys.exit(app.main(['--simulator']))
"""


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Return the row of the loop's gaps."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "ZEROCLAW_HOME": home}
        if "DISPLAY" not in environment:
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        ended = subprocess.run(
            [sys.executable, "-c", _PROGRAM, str(seconds)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    if ended.returncode or not ended.stdout.strip():
        raise RuntimeError(ended.stderr[-2000:])
    found = json.loads(ended.stdout.strip().splitlines()[-1])
    worst = max(found["gaps"])
    return [
        row(
            "UI-9",
            "event-loop gap with live plots",
            found["gaps"],
            "ms",
            note=f"worst {worst:.1f} ms, {found['samples']} samples drawn live; budget p99 16",
        )
    ]
