"""Entry of the simulator process: ``python -m zeroclaw_desktop.hardware.simulator --core CORE IMAGE ...``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from zeroclaw_desktop.hardware.simulator.host import SimulatorHost
from zeroclaw_desktop.hardware.simulator.machine import SimulatedMachine
from zeroclaw_desktop.hardware.simulator.pure_board import PureBoard
from zeroclaw_desktop.hardware.simulator.pure_model import UNO, pure_model


def make_machine(core: str, images: list[str], board: str) -> SimulatedMachine:
    """The AVR board, or the plain Python one of a kind of board, where no core can run."""
    if not core:
        return PureBoard(pure_model(board))
    try:
        from zeroclaw_desktop.hardware.simulator.avr_board import AvrBoard
    except ImportError:
        return PureBoard()
    return AvrBoard(Path(core), [Path(image) for image in images])


def main() -> int:
    """Run the board until standard input ends."""
    parser = argparse.ArgumentParser(prog="zeroclaw-simulator")
    parser.add_argument("--core", default="", help="AVR core; without it the plain Python board runs")
    parser.add_argument("--board", default=UNO, help="key of the board file for the plain Python board")
    parser.add_argument("--no-pty", action="store_true", help="offer no pseudo terminal")
    parser.add_argument("images", nargs="*", help="Intel HEX files for the flash")
    options = parser.parse_args()
    machine = make_machine(options.core, options.images, options.board)
    SimulatorHost(machine, with_pty=hasattr(os, "openpty") and not options.no_pty).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
