"""What 20 live tiles of a dashboard cost: time of the processor, and gaps of the event loop.

The page runs offscreen, or on DISPLAY, over a store that gets 8 series of 1,000 samples a second; a timer of
1 ms notes how late it is called. The same seconds without any tile are measured beside it.
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
SECONDS = 8.0

_PROGRAM = """
import json, sys, time
from pathlib import Path
import numpy as np
from PySide6.QtCore import QTimer, Qt
from PySide6.QtWidgets import QApplication
from zeroclaw_desktop.gui.theme import install_theme
app = QApplication(sys.argv[:1])
install_theme(app, "light")
from tests.gui.dashboard.dashboard_world import DashboardWorld, order, series
from tests.gui.demo_bridge import simulated_board
from zeroclaw_desktop.bridge.dashboard_document import Book, Dashboard, Place, Tile
from zeroclaw_desktop.gui.dashboard.page import DashboardPage
from zeroclaw_desktop.gui.plots.small_plot import SmallPlot

folder, seconds, tiles = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
world = DashboardWorld(folder, simulated_board())
begin = time.perf_counter()
world.live.time = 0.0
kinds = ["plot", "gauge", "number", "bar", "led"]
made = []
for number in range(tiles):
    kind = kinds[number % 5]
    ref = series(f"s{number % 8}")
    settings = {"series": [ref, series("s1")], "window_s": 30.0} if kind == "plot" else {"series": ref}
    if kind in ("gauge", "bar"):
        settings.update(low=-1.5, high=1.5, warn_above=1.0)
    made.append(Tile(f"t{number}", kind, Place(number % 5 * 2, number // 5 * 3, 2, 3), "", settings))
world.dashboards.change(Book((Dashboard("d", "x", tuple(made)),), "d"))
page = DashboardPage(world, lambda: SmallPlot(world.live))
page.resize(1860, 900)
page.show()
sent = [0.0]

def feed():
    now = time.perf_counter() - begin
    times = np.arange(sent[0], now, 0.001)
    sent[0] = float(times[-1]) + 0.001 if len(times) else sent[0]
    for number in range(8):
        world.live.feed(f"s{number}", times, np.sin(times * (number + 1)))
    world.live.time = now

feeder = QTimer(); feeder.timeout.connect(feed); feeder.start(16)
gaps, last = [], [0.0]

def tick():
    now = time.perf_counter()
    if last[0]:
        gaps.append((now - last[0]) * 1000)
    last[0] = now

watch = QTimer(); watch.setTimerType(Qt.TimerType.PreciseTimer); watch.timeout.connect(tick)
spent = [0.0]
def measure():
    watch.start(1); spent[0] = time.process_time()
    QTimer.singleShot(int(seconds * 1000), report)
def report():
    watch.stop()
    paints = [one.face.paints for one in page.grid.widgets.values() if hasattr(one, "face")]
    used = (time.process_time() - spent[0]) / seconds
    print(json.dumps({"gaps": gaps, "used": used, "paints": paints}), flush=True)
    app.quit()
QTimer.singleShot(2000, measure)
app.exec()
"""


def _measured(seconds: float, tiles: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "ZEROCLAW_HOME": home, "PYTHONPATH": str(ROOT)}
        if "DISPLAY" not in environment:
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
        ended = subprocess.run(
            [sys.executable, "-c", _PROGRAM, home, str(seconds), str(tiles)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    if ended.returncode or not ended.stdout.strip():
        raise RuntimeError(ended.stderr[-2000:])
    found: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return found


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Return the rows of the tiles' cost."""
    without, found = _measured(seconds, 0), _measured(seconds, 20)
    share = [(found["used"] - without["used"]) * 100]
    most = max(found["paints"], default=0) / (seconds + 2)
    return [
        row("UI-6", "20 live tiles, share of one core", share, "%", note=f"without: {without['used']:.0%}"),
        row(
            "UI-9",
            "event-loop gap with 20 live tiles",
            found["gaps"],
            "ms",
            note=f"worst {max(found['gaps']):.1f} ms; a face was painted at most {most:.1f} times a second",
        ),
    ]
