"""ZeroClaw protocol firmware for boards with MicroPython: copy all files of this folder to the board.

Ctrl-C (a byte 03h on the line) puts the board into the safe state and gives the prompt back, so that mpremote
can always reach the files; a reset starts the firmware again.
"""

import gc
import select
import sys
import time

import machine
import zc_board
from zc_commands import Board


class Clock:
    """Milliseconds since the start, without the wrap of ticks_ms()."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._total = 0

    def __call__(self):
        now = time.ticks_ms()
        self._total += time.ticks_diff(now, self._last)
        self._last = now
        return self._total


def reset_cause():
    """The protocol's word for machine.reset_cause(). No port tells a brown-out."""
    cause = machine.reset_cause()
    by_program = [getattr(machine, name, None) for name in ("SOFT_RESET",)]
    if (
        sys.platform == "rp2"
    ):  # machine.reset() is done by the watchdog, which this firmware does not use itself
        by_program.append(machine.WDT_RESET)
    if cause in by_program:
        return "command"
    for name, word in (("PWRON_RESET", "power"), ("HARD_RESET", "external"), ("WDT_RESET", "watchdog")):
        if cause == getattr(machine, name, None):
            return word
    return "unknown"


def run():
    """Serve the line until Ctrl-C."""
    line_in = getattr(sys.stdin, "buffer", sys.stdin)
    line_out = getattr(sys.stdout, "buffer", sys.stdout)
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    board = Board(line_out.write, zc_board, Clock(), machine.reset)
    try:
        board.start(reset_cause())
        while True:
            idle = True
            while poller.poll(0):
                byte = line_in.read(1)
                if not byte:
                    return  # the other end is gone (only where stdin is a file)
                board.receive(byte[0])
                board.poll()
                idle = False
            board.poll()
            if idle:
                if gc.mem_free() < 8192:
                    gc.collect()
                time.sleep_ms(1)
    finally:
        board.pins.stop_all()


try:
    run()
except KeyboardInterrupt:
    print("ZeroClaw has stopped; outputs are low. Ctrl-D starts it again.")
