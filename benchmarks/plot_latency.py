"""From a byte to a pixel: a board writes into a pseudo terminal until the Plots page shows it.

A stream of 1,000 lines a second whose value jumps between 0 and 1 at odd moments. The page follows
the present with a window of five seconds. The canvas paints into a picture first, whose pixels at the right
edge are looked at: the first one with ink at the new level ends the time that began before the line was
written.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import tty
from typing import Any

from benchmarks._bench import percentile, row
from benchmarks._watched_window import Bench, drive, in_window

SECONDS = 20.0
WINDOW_SECONDS = 5.0
EDGE_COLUMNS = 12
"""Pixels at the right edge, 60 ms of the window: much less than the time between two jumps."""
_SENDER = """
import json, os, random, sys, time
seconds, board = float(sys.argv[1]), int(sys.argv[2])
sys.stdin.readline()
chance = random.Random(1)
begin, level, number, jumps = time.monotonic(), 0, 0, []
next_jump = 1.0
os.write(board, b"\\n")
while number < seconds * 1000:
    while time.monotonic() < begin + number / 1000:
        time.sleep(0.0002)
    if number / 1000 >= next_jump:
        level = 1 - level
        next_jump = number / 1000 + chance.uniform(0.2, 0.35)
        jumps.append((time.monotonic(), level))
    os.write(board, b"level:%d\\n" % level)
    number += 1
print(json.dumps(jumps))
"""


class Watch:
    """Paints the canvas into a picture and notes when each level appears at its right edge.

    Args:
        canvas: the plot.
    """

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas
        self._level = -1
        self.seen: list[tuple[float, int]] = []
        canvas.paintEvent = self._paint

    def _paint(self, _event: object) -> None:
        from PySide6.QtGui import QImage, QPainter

        canvas = self._canvas
        picture = QImage(canvas.size(), QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        canvas._paint(painter)
        painter.end()
        painted = time.monotonic()
        painter = QPainter(canvas)
        painter.drawImage(0, 0, picture)
        painter.end()
        level = self._newest(picture)
        if level is not None and level != self._level:
            self._level = level
            self.seen.append((painted, level))

    def _newest(self, picture: Any) -> int | None:
        from PySide6.QtGui import QColor

        from zeroclaw_desktop.gui.theme import theme

        frames = self._canvas.frames()
        if not frames:
            return None
        axis, frame = self._canvas.axis(), frames[0]
        ink = QColor(theme().series_color(frame.panel.series[0].color_index))
        right = axis.left + axis.width - 1
        for x in range(right, right - EDGE_COLUMNS, -1):
            there = [level for level in (0, 1) if self._inked(picture, x, round(frame.y(level)), ink)]
            # A column with both is the jump itself: what was there before tells which way it went.
            if there:
                return there[0] if len(there) == 1 else 1 - self._level
        return None

    @staticmethod
    def _inked(picture: Any, x: int, y: int, ink: Any) -> bool:
        for place in (y - 1, y, y + 1):
            found = picture.pixelColor(x, place)
            distance = abs(found.red() - ink.red()) + abs(found.green() - ink.green())
            if distance + abs(found.blue() - ink.blue()) < 90:
                return True
        return False


def _start_sender(seconds: float, board: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _SENDER, str(seconds), str(board)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[board],
    )


async def see(bench: Bench) -> dict[str, Any]:
    """The scenario inside the window's process."""
    seconds = float(bench.arguments[0])
    board, host = os.openpty()
    tty.setraw(host)
    tty.setraw(board)
    port = os.ttyname(host)
    bench.window.show_page("plots")
    page = bench.window.page("plots")
    opened: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    bench.bridge.plot_sources.listen_to_port(port, 115_200, opened.set_result)
    if (fault := await opened) is not None:
        raise RuntimeError(fault.raw or fault.title)
    os.close(host)
    sender = _start_sender(seconds, board)
    assert sender.stdin is not None
    assert sender.stdout is not None
    try:
        sender.stdin.write(b"go\n")
        sender.stdin.close()
        await asyncio.sleep(0.7)
        page.canvas.set_window(WINDOW_SECONDS)
        frame = page.canvas.frames()[0]
        page.canvas._range_of(frame).set_manual(-0.5, 1.5)
        watch = Watch(page.canvas)
        bench.restart()
        jumps = json.loads(await asyncio.to_thread(sender.stdout.read))
        figures = bench.figures()
        await asyncio.sleep(0.3)
    finally:
        sender.kill()
        await asyncio.to_thread(sender.wait)
        bench.bridge.plot_sources.leave_port(port)
        await asyncio.sleep(0.3)
        os.close(board)
    return {**figures, "jumps": jumps, "seen": watch.seen}


def delays(jumps: list[list[float]], seen: list[list[float]]) -> list[float]:
    """Milliseconds from each jump to the first picture that shows it.

    Raises:
        RuntimeError: a jump was never seen.
    """
    found = []
    for (written, level), after in zip(jumps, [*jumps[1:], [float("inf"), 0]], strict=True):
        pictures = [at for at, shown in seen if shown == level and written <= at < after[0]]
        if not pictures:
            raise RuntimeError(f"the jump at {written:.3f} s to {level} was not seen before the next one")
        found.append((pictures[0] - written) * 1000)
    return found


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Return the row."""
    found = in_window("benchmarks.plot_latency", str(seconds), seconds=3 * seconds + 60)
    milliseconds = delays(found["jumps"], found["seen"])
    note = (
        f"p90 {percentile(milliseconds, 0.9):.1f}, max {max(milliseconds):.1f} ms over {len(milliseconds)}"
        f" jumps; the page paints every 16 ms; gap p99 of the loop {found['p99']:.1f} ms"
    )
    return [row("plots.latency", "byte to pixel at 1,000 lines/s", milliseconds, "ms", note=note)]


def main() -> int:
    """Print the figures, or be the window."""
    if sys.argv[1:2] == ["--inside"]:
        return drive(see, sys.argv[2:])
    for found in run():
        print(f"{found['name']}: median {found['median']} ms, p99 {found['p99']} ms, {found['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
