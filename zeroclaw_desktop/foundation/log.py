"""Logging: every subsystem's logger is named here; a ring in memory feeds the log page.

A record goes to the ring, to a rotating file (JSON lines) and, with ``--verbose``, to standard error. Secrets
are masked before any of them sees the text.
"""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import threading
import time
from collections import deque
from functools import cache
from pathlib import Path
from typing import NamedTuple

from zeroclaw_desktop.foundation.text import visible, visible_json

SUBSYSTEMS = (
    "agent", "bridge", "bus", "cli", "config", "execution", "flash", "gui", "memory", "provider", "runtime",
    "serial", "simulator", "store", "tasks", "telemetry",
)  # fmt: skip
RING_RECORDS = 5_000
MAX_MESSAGE = 10_000
"""Characters of a message that are kept in the ring; 5,000 endless ones would fill the memory."""
FILE_BYTES = 2_000_000
FILE_COUNT = 5


@cache
def _secrets() -> re.Pattern[str]:
    """Compiled at the first record, as that takes 2 ms and the first paint waits for it otherwise.

    The name of a secret may be part of a longer one (OPENAI_API_KEY) and quoted (JSON); a plural is a count.
    """
    return re.compile(
        r"""(?ix)
        (?P<name>
            (?:api[_-]?key|access[_-]?key|token|password|passwd|passphrase|secret) ["']? \s* [=:] \s*
            | \b(?:bearer|basic) \s+ (?=[A-Za-z0-9+/._~-]{8})
        )
        (?P<value> (?:(?:bearer|basic)\s+)? (?: "[^"]*" | '[^']*' | [^\s"',;}\]&]+ ) )
        | \b(?P<key> sk-[A-Za-z0-9_-]{8,} | gh[pousr]_[A-Za-z0-9]{20,} | xox[abprs]-[A-Za-z0-9-]{10,} )
        """
    )


@cache
def _address_password() -> re.Pattern[str]:
    """The password of an address: ``redis://user:password@host``."""
    return re.compile(r"(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s:/?#@]*:)[^\s/?#]+(?=@)")


def mask_secrets(text: str) -> str:
    """Replace what looks like a key, token or password by ``***``; its name stays readable."""

    def masked(match: re.Match[str]) -> str:
        value = match.group("value") or ""
        quote = value[0] if value[:1] in ("'", '"') else ""
        return f"{match.group('name') or ''}{quote}***{quote}"

    if "://" in text:
        text = _address_password().sub(r"\1***", text)
    return _secrets().sub(masked, text)


_pinned_level: list[str] = []


class RingRecord(NamedTuple):
    """One remembered log line. ``number`` grows by one for each record, so gaps can be seen."""

    number: int
    time: float
    level: str
    subsystem: str
    message: str


class RingHandler(logging.Handler):
    """Keeps the last records in memory; safe to read from another thread."""

    def __init__(self, capacity: int = RING_RECORDS) -> None:
        super().__init__(logging.DEBUG)
        self._records: deque[RingRecord] = deque(maxlen=capacity)
        self._number = 0
        self._guard = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Remember one record."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            self.handleError(record)
            return
        if record.exc_info and record.exc_info[1] is not None:
            message = f"{message} [{type(record.exc_info[1]).__name__}: {record.exc_info[1]}]"
        subsystem = record.name.removeprefix("zeroclaw.").split(".")[0]
        shown = visible(mask_secrets(message), MAX_MESSAGE, keep="\n\t")
        with self._guard:
            self._number += 1
            self._records.append(RingRecord(self._number, record.created, record.levelname, subsystem, shown))

    def since(self, number: int) -> list[RingRecord]:
        """Records newer than ``number``, oldest first."""
        with self._guard:
            return [record for record in self._records if record.number > number]

    def clear(self) -> None:
        """Forget what was kept; numbers go on."""
        with self._guard:
            self._records.clear()


class _ScreenFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible(mask_secrets(super().format(record)), keep="\n\t")


class _JsonLineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        import json

        row = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(record.created))
            + f".{int(record.msecs):03d}",
            "level": record.levelname,
            "logger": record.name,
            "message": mask_secrets(record.getMessage()),
        }
        if record.exc_info:
            row["exception"] = mask_secrets(self.formatException(record.exc_info))
        return visible_json(json.dumps(row, ensure_ascii=False))


_unwritable: list[str] = []


def _file_handler(folder: Path) -> logging.Handler:
    """A rotating file; a full disk or a folder that may not be written to costs the file, not the work."""
    from logging.handlers import RotatingFileHandler

    class QuietFile(RotatingFileHandler):
        def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
            if not _unwritable and sys.stderr is not None:
                _unwritable.append(self.baseFilename)
                sys.stderr.write(f"zeroclaw: the log file {visible(self.baseFilename)} cannot be written.\n")

    return QuietFile(
        folder / "zeroclaw.log", maxBytes=FILE_BYTES, backupCount=FILE_COUNT, encoding="utf-8", delay=True
    )


def logger(subsystem: str) -> logging.Logger:
    """Return the logger of a subsystem named in SUBSYSTEMS; an unknown name is a programming error."""
    if subsystem not in SUBSYSTEMS:
        raise ValueError(f"{subsystem!r} is not a subsystem; add it to foundation/log.py")
    return logging.getLogger(f"zeroclaw.{subsystem}")


def start_logging(folder: Path | None, *, verbose: bool = False, level: str = "INFO") -> RingHandler:
    """Attach the handlers to the product's root logger; called once by each entry point.

    Args:
        folder: where the rotating file goes; None for no file.
        verbose: whether records also go to standard error.
        level: lowest level that is kept.
    """
    root = logging.getLogger("zeroclaw")
    stop_logging()
    _unwritable.clear()
    root.setLevel("DEBUG" if verbose else level)
    _pinned_level[:] = ["DEBUG"] if verbose else []
    root.propagate = False
    ring = RingHandler()
    root.addHandler(ring)
    if folder is not None:
        add_log_file(folder)
    if verbose:
        screen = logging.StreamHandler(sys.stderr)
        screen.setFormatter(_ScreenFormatter("%(levelname).1s %(name)s: %(message)s"))
        root.addHandler(screen)
    return ring


def add_log_file(folder: Path) -> None:
    """Write records to a rotating file as well; the window does this after its first paint."""
    file = _file_handler(folder)
    file.setFormatter(_JsonLineFormatter())
    logging.getLogger("zeroclaw").addHandler(file)


def set_level(level: str) -> None:
    """Keep records from this level on; ``--verbose`` keeps all of them whatever is set."""
    logging.getLogger("zeroclaw").setLevel(_pinned_level[0] if _pinned_level else level)


def stop_logging() -> None:
    """Detach and close what start_logging attached."""
    root = logging.getLogger("zeroclaw")
    for handler in list(root.handlers):
        root.removeHandler(handler)
        with contextlib.suppress(OSError):  # what was left to write has no room
            handler.close()
