"""``zeroclaw plot parse [FILE]`` (RT-12): what the plots would make of a recording."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from zeroclaw_desktop.cli.output import DONE, FAILED, print_json, print_line, print_note
from zeroclaw_desktop.cli.standard_input import InputError, read_bytes

ENCODINGS = ("utf-8", "gbk", "gb18030", "big5", "shift_jis", "latin-1", "cp1252")


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``plot`` family to the parser."""
    plot = subparsers.add_parser("plot", help="live signals and recordings")
    verbs = plot.add_subparsers(dest="verb", required=True)
    parse = verbs.add_parser("parse", parents=[common], help="what the plots make of the bytes of a board")
    parse.add_argument("file", nargs="?", default="-", help="a recording (default: standard input)")
    parse.set_defaults(run=parse_recording)
    _add_record(verbs, common)
    _add_replay(verbs, common)


def _add_record(verbs: Any, common: argparse.ArgumentParser) -> None:
    record = verbs.add_parser(
        "record", parents=[common], help="record what a port or UDP brings; Ctrl+C ends"
    )
    record.add_argument("file", help="new file, .zcrec by custom")
    where = record.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", default="", help="serial port; it must be free, no reset is sent")
    where.add_argument(
        "--udp", type=int, nargs="?", const=47_269, help="UDP port of this computer (default: Teleplot's)"
    )
    record.add_argument("--baud", type=int, default=115_200)
    record.add_argument("--seconds", type=float, default=math.inf, help="how long (default: until Ctrl+C)")
    record.add_argument("--encoding", choices=ENCODINGS, default="utf-8", help="of the lines")
    record.add_argument("--frames", type=Path, help="description of binary frames (TOML)")
    record.add_argument(
        "--line-rate",
        type=float,
        default=0.0,
        help="lines a second, where the board keeps time but has no clock",
    )
    record.set_defaults(run=record_source)


def _add_replay(verbs: Any, common: argparse.ArgumentParser) -> None:
    replay = verbs.add_parser(
        "replay", parents=[common], help="read a recording as if it came now; export it"
    )
    replay.add_argument("file", type=Path)
    replay.add_argument("--speed", type=float, default=math.inf, help="1: as it was (default: at once)")
    replay.add_argument("--from", dest="start", type=float, default=0.0, help="export from this second on")
    replay.add_argument("--to", dest="stop", type=float, default=math.inf, help="up to this second")
    replay.add_argument("--console", action="store_true", help="print the lines")
    replay.add_argument("--csv", type=Path, help="write the samples there")
    replay.add_argument("--delimiter", choices=[",", ";", "tab"], default=",")
    replay.add_argument("--decimal-comma", action="store_true", help="1,5 for one and a half; with ; or tab")
    replay.add_argument("--long", action="store_true", help="a row for each sample")
    replay.add_argument("--iso-time", action="store_true", help="date and time in UTC instead of seconds")
    replay.add_argument("--parquet", type=Path, help="write the samples there")
    replay.set_defaults(run=replay_recording)


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


def record_source(options: argparse.Namespace) -> int:
    """Record and print the counters."""
    from zeroclaw_desktop.runtime.plot_recording import RecordWish, record

    wish = RecordWish(
        Path(options.file),
        options.port,
        options.baud,
        options.udp or 0,
        options.seconds,
        options.encoding,
        options.frames,
        options.line_rate,
    )
    row = record(wish)
    if options.json:
        print_json(row)
    else:
        counters = row["recording"]
        print_line(
            f"{counters['recorded_bytes']:,} bytes in {counters['reads']:,} reads recorded, "
            f"{counters['dropped_bytes']:,} dropped; {row['file']} has {counters['file_bytes']:,} bytes."
        )
        if row["ended"]:
            print_note(f"It ended early: {row['ended']}")
    return FAILED if row["ended"] or row["recording"]["dropped_bytes"] else DONE


def replay_recording(options: argparse.Namespace) -> int:
    """Replay and print what it held."""
    from zeroclaw_desktop.runtime.plot_recording import ReplayWish, replay

    wish = ReplayWish(
        options.file,
        options.speed,
        options.start,
        options.stop,
        options.csv,
        options.long,
        "\t" if options.delimiter == "tab" else options.delimiter,
        options.decimal_comma,
        options.iso_time,
        options.parquet,
    )
    row = replay(wish, print_line if options.console and not options.json else None)
    if options.json:
        print_json(row)
        return DONE
    for found in row["series"]:
        name = f"{found['source']}/{found['series']}"
        print_line(f"{name:<32} {found['samples']:>10} samples {found['unit']}".rstrip())
    print_line(f"{row['seconds']:g} s, {row['markers']} markers, {row['rows']} rows written.")
    if row["damaged_bytes"]:
        print_note(f"{row['damaged_bytes']} bytes of the file are damaged or unfinished and were left out.")
    return DONE


def _content(name: str) -> bytes:
    if name == "-":
        return read_bytes()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise InputError(f"The file {name} cannot be read: {reason}.") from error
