"""HW-13: a board prints without end into the console of the running window, against a naive text field.

The board is a process of its own on a loopback connection that also answers the heartbeat; the console is
the one of its card on the Devices page, unfolded. The peer is a thread that reads the same bytes and a
``QPlainTextEdit.appendPlainText`` for each of its reads, with the same limit of lines. Gaps are those of the
window's event loop. Sums: bytes sent = bytes read; after the flood the console shows the last lines of the
ring. ``python -m benchmarks.console_flood --seconds 120 --pattern "no line end"`` runs longer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks._bench import add_up
from benchmarks._flood_board import PATTERNS
from benchmarks._watched_window import Bench, drive, in_window

SECONDS = 6.0
MEGABYTE = 1_000_000
CASES = [(name, MEGABYTE) for name in PATTERNS] + [("lines", 0), ("no line end", 0)]


@contextmanager
def flood_board(pattern: str, rate: int) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """The board in its process; yields its port and the process."""
    command = [sys.executable, "-m", "benchmarks._flood_board", pattern, str(rate)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline()), process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


async def until(condition: Any, what: str, seconds: float = 20.0) -> None:
    """Wait for something that must happen."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not happen")
        await asyncio.sleep(0.02)


async def flood_window(bench: Bench) -> dict[str, Any]:
    """Add the board by its address, unfold its console, let it print, compare what is shown."""
    pattern, rate, seconds = bench.arguments[0], int(bench.arguments[1]), float(bench.arguments[2])
    devices = bench.bridge.devices
    bench.window.show_page("devices")
    page = bench.window.page("devices")
    with flood_board(pattern, rate) as (port, process):
        assert process.stdin is not None
        assert process.stdout is not None
        devices.added.add("tcp", {"host": "127.0.0.1", "port": str(port)}, "arduino-uno", "Flood")
        await until(lambda: any(b.state == "live" for b in bench.runtime.roster.boards()), "a live board")
        board_id = bench.runtime.roster.boards()[0].board_id
        connection = bench.runtime.roster.connection(board_id)
        await until(lambda: board_id in page.cards, "its card")
        card = page.cards[board_id]
        card.console_fold.setChecked(True)
        if pattern == "GBK":
            devices.choose_console(board_id, encoding="gbk")
        await asyncio.sleep(1.0)
        bench.restart()
        before = bench.figures()
        process.stdin.write(f"go {seconds}\n")
        process.stdin.flush()
        begin = time.monotonic()
        early = 0.0
        while time.monotonic() - begin < seconds:
            await asyncio.sleep(0.25)
            if not early and time.monotonic() - begin > min(10.0, seconds / 2):
                early = bench.figures()["resident"]
        during = bench.figures()
        printed = int(await asyncio.to_thread(process.stdout.readline))
        await until(
            lambda: last_shown(card).endswith("end of the flood"), "the end of the flood in the console"
        )
        await until(card.console.view.settled, "the ring in the console")
        sent, read = await settled_sums(connection, process)
        shown = card.console.view.toPlainText().split("\n")
        total, kept = connection.console.since(0, colours=True)
        return {
            **{name: during[name] for name in ("p50", "p99", "max")},
            "cpu": (during["cpu"] - before["cpu"]) / seconds,
            "growth": during["resident"] - early,
            "resident": during["resident"],
            "rate": printed / seconds,
            "sent": sent,
            "read": read,
            "lines": total,
            "ring": len(kept),
            "shown": len(shown),
            "state": connection.state,
            "overlong": connection.line_counters.overlong,
            "missing": missing(kept, shown),
        }


async def settled_sums(connection: Any, process: subprocess.Popen[str]) -> tuple[int, int]:
    """Bytes sent and bytes read; asked again while a reply to the heartbeat is on its way."""
    assert process.stdin is not None
    assert process.stdout is not None
    sent = read = -1
    for _ in range(5):
        process.stdin.write("sum\n")
        process.stdin.flush()
        sent = int(await asyncio.to_thread(process.stdout.readline))
        await asyncio.sleep(0.1)
        read = connection.line_counters.bytes
        if sent == read:
            break
    return sent, read


def last_shown(card: Any) -> str:
    """The last line but those of the heartbeat."""
    lines = [line for line in card.console.view.toPlainText().split("\n")[-8:] if '"ok"' not in line]
    return lines[-1] if lines else ""


def missing(kept: list[str], shown: list[str]) -> int:
    """How many of the last lines of the ring are not shown as the last lines of the console."""
    from zeroclaw_desktop.gui.devices.console_text import plain
    from zeroclaw_desktop.gui.devices.console_view import MAXIMUM_LINE_LENGTH

    def clean(line: str) -> str:
        # A text field gives its hard spaces back as plain ones.
        return plain(line[:MAXIMUM_LINE_LENGTH]).replace("\xa0", " ").rstrip("…")

    return sum(clean(line) != there.rstrip("…") for line, there in zip(kept[::-1], shown[::-1], strict=False))


def naive(pattern: str, rate: int, seconds: float) -> dict[str, float]:
    """The peer, in this process."""
    from PySide6.QtCore import QObject, Qt, QTimer, Signal
    from PySide6.QtWidgets import QApplication, QPlainTextEdit

    from benchmarks._watched_window import Bench as Gaps

    class Reader(QObject):
        came = Signal(str)

    application = QApplication.instance() or QApplication([])
    field = QPlainTextEdit()
    field.setMaximumBlockCount(5000)
    field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    field.resize(1000, 300)
    field.show()
    gaps = Gaps.__new__(Gaps)
    gaps.gaps, gaps._last = [], 0.0
    reader = Reader()
    reader.came.connect(field.appendPlainText)
    with flood_board(pattern, rate) as (port, process):
        import socket

        connection = socket.create_connection(("127.0.0.1", port))
        assert process.stdin is not None

        def read() -> None:
            encoding = "gbk" if pattern == "GBK" else "utf-8"
            while data := connection.recv(65_536):
                reader.came.emit(data.decode(encoding, "replace"))

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        timer = QTimer()
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(gaps.note)
        timer.start(1)
        before = gaps.figures()["cpu"]
        process.stdin.write(f"go {seconds}\n")
        process.stdin.flush()
        QTimer.singleShot(int(seconds * 1000), application.quit)
        # A loop that is buried in events does not see its own timer: then the figures come from here.
        buried = threading.Timer(3 * seconds, _give_up, (gaps, seconds, before, process))
        buried.daemon = True
        buried.start()
        application.exec()
        buried.cancel()
        timer.stop()
        figures = gaps.figures()
        figures["cpu"] = (figures["cpu"] - before) / seconds
        connection.shutdown(socket.SHUT_RDWR)
        process.kill()
        thread.join(5.0)
        connection.close()
    return figures


def _give_up(gaps: Any, seconds: float, before: float, process: subprocess.Popen[str]) -> None:
    gaps.note()
    figures = gaps.figures()
    figures["cpu"] = (figures["cpu"] - before) / (3 * seconds)
    process.kill()
    print(json.dumps(figures), flush=True)
    os._exit(0)


def case(pattern: str, rate: int, seconds: float) -> list[dict[str, Any]]:
    """Run ours and the peer; returns two rows.

    Raises:
        RuntimeError: bytes were lost, the board was lost, or the console does not show what the ring has.
    """
    patience = 6 * seconds + 90
    ours = in_window("benchmarks.console_flood", "ours", pattern, str(rate), str(seconds), seconds=patience)
    told = add_up(ours["sent"], bytes_read=ours["read"])
    if ours["missing"] or ours["state"] != "live":
        raise RuntimeError(f"{pattern}: {ours['missing']} lines of the ring are not shown; {ours['state']}")
    try:
        peer = in_window(
            "benchmarks.console_flood", "naive", pattern, str(rate), str(seconds), seconds=patience
        )
    except (RuntimeError, subprocess.TimeoutExpired):
        peer = {"p50": float("inf"), "p99": float("inf"), "max": float("inf"), "cpu": 1.0, "resident": 0}
    speed = "1 MB/s" if rate else f"as fast as it goes, {ours['rate'] / 1e6:.1f} MB/s"
    note = (
        f"max {ours['max']:.1f} ms, {ours['cpu'] * 100:.0f}% of a core, {ours['resident'] / 1e6:.0f} MB"
        f" ({ours['growth'] / 1e6:+.1f} in the second half), {ours['lines']:,} lines,"
        f" last {ours['ring']:,} kept and shown; {told}"
    )
    peer_note = (
        f"max {peer['max']:.1f} ms, {peer['cpu'] * 100:.0f}% of a core, {peer['resident'] / 1e6:.0f} MB"
    )
    name = f"console, {pattern}, {speed}"
    return [
        _row("HW-13", name, ours, peer["p99"] / max(ours["p99"], 0.001), note),
        _row("HW-13-naive", f"appendPlainText, {pattern}", peer, None, peer_note),
    ]


def _row(number: str, name: str, figures: dict[str, Any], ratio: float | None, note: str) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "median": round(figures["p50"], 2),
        "p99": round(figures["p99"], 2),
        "ratio": ratio,
        "unit": "ms gap",
        "note": note,
    }


def run(seconds: float = SECONDS, patterns: list[str] | None = None) -> list[dict[str, Any]]:
    """Return two rows for each case."""
    return [
        row
        for pattern, rate in CASES
        if not patterns or pattern in patterns
        for row in case(pattern, rate, seconds)
    ]


def main() -> int:
    """Print the figures, or be one of the processes."""
    if sys.argv[1:2] == ["--inside"]:
        kind, *arguments = sys.argv[2:]
        if kind == "ours":
            return drive(flood_window, arguments)
        pattern, rate, seconds = arguments
        print(json.dumps(naive(pattern, int(rate), float(seconds))), flush=True)
        return 0
    parser = argparse.ArgumentParser(prog="python -m benchmarks.console_flood")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--pattern", action="append", choices=list(PATTERNS))
    options = parser.parse_args()
    for row in run(options.seconds, options.pattern):
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f} x"
        print(f"{row['name']:48} p50 {row['median']:7.2f} p99 {row['p99']:8.2f} {ratio:>8}  {row['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
