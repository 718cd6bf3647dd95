"""Faults of reading that are no fault of one text.

ZeroClawError
├── ParserNotFoundError        no reader has this name or takes this kind of file; has near names
├── ParserExistsError          the name is taken
├── ParserUnfitError           what registers itself is no reader
└── NotUnderstoodError         a sentence reader stopped at a place; TextParser makes a fault of it
"""

from __future__ import annotations

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.foundation.errors import ZeroClawError


class ParserNotFoundError(ZeroClawError):
    """No reader has this name, or none reads this kind of file."""

    default_code = "unknown_parser"


class ParserExistsError(ZeroClawError):
    """A reader of this name is registered already."""

    default_code = "parser_exists"


class ParserUnfitError(ZeroClawError):
    """The object lacks what a reader must have."""

    default_code = "parser_unfit"


class NotUnderstoodError(ZeroClawError):
    """A sentence could not be read.

    Args:
        offset: where reading stopped, in characters from the start of the text.
        expected: what would have been understood there.
        got: what stands there; None for the end of the text.
    """

    default_code = "not_understood"

    def __init__(self, offset: int, expected: Words, got: str | None) -> None:
        super().__init__(f"expected {expected.en}")
        self.offset = offset
        self.expected = expected
        self.got = got
