"""Follows brackets and texts of JSON that comes in pieces, to find where it ends."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[\"'\\{}\[\]()｛｝［］\n]|[^\s\"'\\{}\[\]()｛｝［］]+")


class JsonSpan:
    """Where in the JSON a piece ended.

    Args:
        stop_at_blank_line: an empty line ends it as well; for text that only looks like JSON.
    """

    def __init__(self, *, stop_at_blank_line: bool = False) -> None:
        self.stop_at_blank_line = stop_at_blank_line
        self._depth = 0
        self._quote = ""
        self._escaped = False
        self._line_empty = False

    def end_in(self, text: str, start: int, stop: int) -> int | None:
        """Go on through a piece.

        Args:
            text: in which the piece stands.
            start: its first character.
            stop: the place behind its last character.

        Returns:
            The place behind the last bracket (or the empty line); None when it goes on.
        """
        for found in _TOKEN.finditer(text, start, stop):
            mark = found[0]
            if mark == "\n":
                if self._line_empty and self.stop_at_blank_line:
                    return found.end()
                self._line_empty = True
                self._escaped = False
                continue
            self._line_empty = False
            if self._escaped:
                self._escaped = False
            elif self._quote:
                self._escaped = mark == "\\"
                self._quote = "" if mark == self._quote else self._quote
            elif mark in ('"', "'"):
                self._quote = mark
            elif mark in ("{", "[", "(", "｛", "［"):
                self._depth += 1
            elif mark in ("}", "]", ")", "｝", "］"):
                self._depth -= 1
                if self._depth <= 0:
                    return found.end()
        return None
