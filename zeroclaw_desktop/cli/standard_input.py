"""What comes over standard input; a missing one counts as bad use, not as a fault."""

from __future__ import annotations

import sys

from zeroclaw_desktop.foundation.errors import ZeroClawError


class InputError(ZeroClawError):
    """There is nothing to read from."""

    default_code = "bad_input"


def read_bytes() -> bytes:
    """Everything on standard input.

    Raises:
        InputError: there is no standard input.
    """
    if sys.stdin is None:
        raise InputError("There is no standard input.", hint="Give the text as an argument or in a file.")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"Standard input cannot be read: {error.strerror}.") from error


def read_text() -> str:
    """The same as UTF-8 text, with replacement characters for what is none; raises InputError."""
    return read_bytes().decode("utf-8-sig", errors="replace")
