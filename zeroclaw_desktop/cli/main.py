"""Entry point of ``zeroclaw``."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from types import TracebackType

from zeroclaw_desktop import __version__
from zeroclaw_desktop.cli import (
    action_commands,
    approval_commands,
    audit_commands,
    device_commands,
    explain_commands,
    make_commands,
    memory_commands,
    model_commands,
    plot_commands,
    task_commands,
    tool_commands,
)
from zeroclaw_desktop.cli.output import BAD_USE, FAILED, INTERNAL, INTERRUPTED, print_error
from zeroclaw_desktop.foundation.errors import ZeroClawError

BAD_USE_CODES = (
    *("unknown_board", "unknown_code", "bad_input", "unknown_parser", "unknown_task"),
    *("unknown_request", "unknown_template", "unknown_dialect", "firmware_wish"),
    *("unknown_memory", "memory_refused"),
    *("model_alias_unknown", "model_provider_unknown"),
)


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print one JSON document")
    common.add_argument("-v", "--verbose", action="store_true", help="log to standard error")
    parser = argparse.ArgumentParser(
        prog="zeroclaw",
        description="Talk to your hardware. Without --board, commands use a simulated Arduino Uno.",
        epilog="Exit codes: 0 done, 1 it did not succeed, 2 bad use, 70 internal fault, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"zeroclaw {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True)
    action_commands.add_commands(subparsers, common)
    device_commands.add_commands(subparsers, common)
    explain_commands.add_commands(subparsers, common)
    make_commands.add_commands(subparsers, common)
    memory_commands.add_commands(subparsers, common)
    model_commands.add_commands(subparsers, common)
    plot_commands.add_commands(subparsers, common)
    task_commands.add_commands(subparsers, common)
    tool_commands.add_commands(subparsers, common)
    approval_commands.add_commands(subparsers, common)
    audit_commands.add_commands(subparsers, common)
    window = subparsers.add_parser("window", parents=[common], help="open the window")
    window.set_defaults(run=_open_window)
    return parser


def _drop_output() -> None:
    """Nobody reads any more: keep the interpreter from complaining about it when it ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _open_window(options: argparse.Namespace) -> int:
    from zeroclaw_desktop.gui.app import main as open_window

    return open_window(["--verbose"] if options.verbose else [])


def _as_typed(word: str) -> str:
    """A word of the command line; where the locale is not that of the terminal (LANG=C), UTF-8 is tried."""
    if word.isascii() or not any("\udc80" <= character <= "\udcff" for character in word):
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = make_parser().parse_args([_as_typed(word) for word in words])
    except SystemExit as ended:
        return int(ended.code or 0) if not isinstance(ended.code, str) else BAD_USE
    defence = LastDefence()
    with defence:
        return _run(options)
    return defence.code


def _run(options: argparse.Namespace) -> int:
    try:
        return int(options.run(options))
    except ZeroClawError as error:
        bad_use = error.code in BAD_USE_CODES
        print_error(error, as_json=options.json)
        if bad_use and options.json:
            print_error(error, as_json=False)
        return BAD_USE if bad_use else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return FAILED


class LastDefence:
    """Turns a fault of our own into a message and the exit code 70; an exit passes through."""

    def __init__(self) -> None:
        self.code = INTERNAL

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        import logging
        import traceback

        logging.getLogger("zeroclaw.cli").error("Internal fault", exc_info=error)
        traceback.print_exception(kind, error, trace)
        print(f"zeroclaw: internal fault: {error}. Please report it with the lines above.", file=sys.stderr)
        return True


if __name__ == "__main__":
    sys.exit(main())
