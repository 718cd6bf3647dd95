"""What ``zeroclaw exec`` is to do: from ``--payload``, ``--text`` or ``--file`` to payloads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from zeroclaw_desktop.cli.standard_input import InputError, read_text

if TYPE_CHECKING:
    from zeroclaw_desktop.contracts.actions import ActionPayload

MAX_FILE_BYTES = 1_048_576


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is to be done; exactly one of them must be given."""
    ways = parser.add_mutually_exclusive_group(required=True)
    ways.add_argument("--payload", metavar="JSON", help="one action as JSON, or - for standard input")
    ways.add_argument("--text", metavar="SENTENCE", help="sentences such as 'move servo to 90'")
    ways.add_argument("--file", metavar="FILE", help="a file with actions (.yaml, .json, .txt)")
    parser.add_argument("--format", metavar="NAME", default="", help="name of the reader to use for --file")


def payloads_of(options: argparse.Namespace) -> tuple[ActionPayload, ...]:
    """Read what the options name; the source is ``manual``, sentences are for the board of the options.

    Raises:
        FaultError: what was expected and where.
        InputError: the file or standard input cannot be read.
        ParserNotFoundError: no reader has that name or takes such files.
    """
    from zeroclaw_desktop.execution.parsers.registry import standard_parsers
    from zeroclaw_desktop.runtime.sentences import sentence_reader

    if options.payload is not None:
        text = read_text() if options.payload == "-" else options.payload
        return standard_parsers(plugins=False).parse("json", text, source="manual")
    reader = sentence_reader(getattr(options, "board", ""))
    if options.text is not None:
        return standard_parsers(reader, plugins=False).parse("text", options.text, source="manual")
    registry = standard_parsers(reader)
    parser = registry.resolve(options.format) if options.format else registry.for_file(options.file)
    return tuple(parser.parse(_file_text(Path(options.file)), source="manual"))


def _file_text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InputError(
                f"The file {path.name} is larger than {MAX_FILE_BYTES // 1024} KiB.",
                hint="Actions need less; is this the right file?",
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"The file {path.name} is not UTF-8 text (byte {error.start}).", hint="Save it as UTF-8."
        ) from error
    except OSError as error:
        raise InputError(f"The file {path} cannot be read: {error.strerror}.") from error
