"""``zeroclaw plot parse [FILE]`` (RT-12): what the plots would make of a recording."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.cli.standard_input import InputError, read_bytes


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``plot`` family to the parser."""
    plot = subparsers.add_parser("plot", help="live signals and recordings")
    verbs = plot.add_subparsers(dest="verb", required=True)
    parse = verbs.add_parser("parse", parents=[common], help="what the plots make of the bytes of a board")
    parse.add_argument("file", nargs="?", default="-", help="a recording (default: standard input)")
    parse.set_defaults(run=parse_recording)


def parse_recording(options: argparse.Namespace) -> int:
    """Print series, units, console lines and counters."""
    from zeroclaw_desktop.runtime.plot_parse import parse_plot_bytes

    row = parse_plot_bytes(_content(options.file))
    if options.json:
        print_json(row)
        return DONE
    for label, values in row["series"].items():
        numbers = [value for value in values if value is not None]
        span = f"{min(numbers):g} to {max(numbers):g}" if numbers else "only gaps"
        print_line(f"{label:<24} {len(values):>8} samples  {span} {row['units'].get(label, '')}".rstrip())
    print_line(f"{len(row['console'])} lines of text, {row['counters']['lines']} lines in all.")
    return DONE


def _content(name: str) -> bytes:
    if name == "-":
        return read_bytes()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise InputError(f"The file {name} cannot be read: {reason}.") from error
