"""B14: everything at once in the running window: 16 simulated boards, plots, a console, commands, chat.

Sixteen boards (four with the real firmware) send telemetry; another board prints 100 kB a second into its
unfolded console; eight series at 1,000 samples/s come besides. The pages change every five seconds, a command
goes to one board after the other every half second, a sentence into the chat every ten. Told are the gaps of
the event loop, and how much the memory grew between the second minute (or the middle of a short run) and the
end. ``python -m benchmarks.everything --seconds 600`` is the long form.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
import threading
import time
from typing import Any

import numpy as np

from benchmarks._watched_window import Bench, drive, in_window
from benchmarks.console_flood import flood_board, until
from benchmarks.simulated_boards import KINDS

SECONDS = 60.0
SETTLING_SECONDS = 120.0
CONSOLE_RATE = 100_000
SERIES_RATE = 1_000
SERIES = 8
COMMAND_SECONDS = 0.5
PAGES = ("plots", "devices", "plots", "chat", "activity", "logs")
PAGE_SECONDS = 5.0
CHAT_SECONDS = 10.0
SENTENCES = ("blink the led 2 times", "turn on the led", "turn off the led", "what is the temperature?")


async def all_at_once(bench: Bench) -> dict[str, Any]:
    """The scenario inside the window's process."""
    seconds = float(bench.arguments[0])
    devices = bench.bridge.devices
    bench.window.show_page("devices")
    devices.simulator.add_boards(KINDS)
    roster = bench.runtime.roster
    await until(
        lambda: [b.state for b in roster.boards()].count("live") == len(KINDS), "sixteen live boards", 180.0
    )
    ids = [board.board_id for board in roster.boards()]
    for board_id in ids:
        devices.run_command(board_id, "plot_series", {"signals": ["uptime"], "period": 0.05})
    ended = threading.Event()
    series = threading.Thread(target=make_series, args=(bench.runtime.store, ended))
    with flood_board("lines", CONSOLE_RATE) as (port, process):
        assert process.stdin is not None
        devices.added.add("tcp", {"host": "127.0.0.1", "port": str(port)}, "arduino-uno", "Flood")
        await until(lambda: len(roster.boards()) == len(ids) + 1, "the board that prints")
        flood = next(board.board_id for board in roster.boards() if board.board_id not in ids)
        page = bench.window.page("devices")
        await until(
            lambda: flood in page.cards and roster.connection(flood).state == "live", "its card", 30.0
        )
        page.cards[flood].console_fold.setChecked(True)
        process.stdin.write(f"go {seconds + 30}\n")
        process.stdin.flush()
        series.start()
        try:
            for name in dict.fromkeys(PAGES):
                bench.window.show_page(name)
                await asyncio.sleep(0.5)
            return await _measure(bench, seconds, ids)
        finally:
            ended.set()
            await asyncio.to_thread(series.join)


async def _measure(bench: Bench, seconds: float, ids: list[str]) -> dict[str, Any]:
    devices, chat = bench.bridge.devices, bench.bridge.chat
    boards, pages, words = itertools.cycle(ids), itertools.cycle(PAGES), itertools.cycle(SENTENCES)
    bench.restart()
    before, begin, early = bench.figures()["cpu"], time.monotonic(), 0.0
    next_page = next_word = begin
    commands = 0
    settled = min(SETTLING_SECONDS, seconds / 2)
    while (now := time.monotonic()) < begin + seconds:
        await asyncio.sleep(COMMAND_SECONDS)
        devices.run_command(next(boards), "led_set", {"value": commands % 2})
        commands += 1
        if now >= next_page:
            bench.window.show_page(next(pages))
            next_page += PAGE_SECONDS
        if now >= next_word:
            chat.send(next(words))
            next_word += CHAT_SECONDS
        if not early and now > begin + settled:
            early = bench.figures()["resident"]
    figures: dict[str, Any] = bench.figures()
    states = [board.state for board in bench.runtime.roster.boards()]
    return {
        **figures,
        "cpu": (figures["cpu"] - before) / seconds,
        "growth": figures["resident"] / early - 1,
        "live": states.count("live"),
        "boards": len(states),
        "commands": commands,
        "samples": sum(info.count for info in bench.runtime.store.series()),
    }


def make_series(store: Any, ended: threading.Event) -> None:
    """Append to eight series every 10 ms, as a port's thread does."""
    made, begin = 0, store.now()
    while not ended.wait(0.01):
        count = int((store.now() - begin) * SERIES_RATE) - made
        times = begin + np.arange(made, made + count) / SERIES_RATE
        for number in range(SERIES):
            store.append("series", f"s{number}", times, np.sin(times * (number + 1)))
        made += count


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Return the row of B14.

    Raises:
        RuntimeError: a board was lost.
    """
    # A fixed number of samples, so that what grows after two minutes is not the series filling up.
    settings = {"plots.max_samples": 50_000, "flashing.save_first": False}
    found = in_window("benchmarks.everything", str(seconds), settings=settings, seconds=2 * seconds + 300)
    if found["live"] != found["boards"]:
        raise RuntimeError(f"only {found['live']} of {found['boards']} boards are live at the end")
    note = (
        f"max {found['max']:.0f} ms, {found['cpu']:.0%} of a core, {found['resident'] / 1e6:.0f} MB, "
        f"{found['growth']:+.1%} since the second minute or the middle; {found['boards']} boards live, "
        f"{found['commands']} commands, {found['samples']:,} samples; budget p99 16, max 60 ms, 5%"
    )
    name = f"everything at once for {seconds:g} s"
    return [
        {"id": "B14", "name": name, "median": found["p50"], "p99": found["p99"], "ratio": None}
        | {"unit": "ms gap", "note": note}
    ]


def main() -> int:
    """Print the figures, or be the window."""
    if sys.argv[1:2] == ["--inside"]:
        return drive(all_at_once, sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks.everything")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    for row in run(parser.parse_args().seconds):
        print(f"{row['name']}: gap p50 {row['median']:.2f} ms, p99 {row['p99']:.2f} ms, {row['note']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
