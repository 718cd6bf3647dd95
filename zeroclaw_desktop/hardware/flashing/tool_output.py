"""A tool's output as lines: bounded, decoded, safe to show."""

from __future__ import annotations

from collections.abc import Callable

from zeroclaw_desktop.foundation.text import visible

MAX_LINE_BYTES = 1_000
MAX_LINES = 2_000
"""The tools print some 40 to 400 lines; one that prints without end must not fill the memory."""


class ToolOutput:
    """Follows the output of a tool.

    Args:
        on_line: told of each complete line; of a line or a log without end only the beginning is kept.
        on_growth: told of the unfinished line after each byte, for tools that draw bars.
        take: True for a line that was taken as progress; it is neither told nor counted.
    """

    def __init__(
        self,
        on_line: Callable[[str], None],
        on_growth: Callable[[bytearray], None] = lambda _line: None,
        take: Callable[[str], bool] = lambda _line: False,
    ) -> None:
        self._on_line = on_line
        self._on_growth = on_growth
        self._take = take
        self._line = bytearray()
        self._lines = 0

    def feed(self, data: bytes) -> None:
        """Take a piece of output."""
        if self._lines > MAX_LINES:
            return
        for byte in data:
            if byte in b"\r\n":
                self.finish()
                continue
            if len(self._line) >= MAX_LINE_BYTES:
                continue
            self._line.append(byte)
            self._on_growth(self._line)

    def finish(self) -> None:
        """The line or the output has ended: what stands without a line end is a line too."""
        text = self._line.decode(errors="replace").strip()
        self._line.clear()
        if not text or self._take(text):
            return
        self._lines += 1
        if self._lines <= MAX_LINES:
            self._on_line(visible(text))
        elif self._lines == MAX_LINES + 1:
            self._on_line(f"(more than {MAX_LINES} lines; the rest is left out)")
