"""One line of a board's output in, samples out: the door to all line formats.

Order: Teleplot (``>``), JSON object (``{``), labelled pairs, columns. What none of them takes whole is
console text. A line that is not valid text of the chosen encoding, or that holds control characters, is
never plotted: noise from a wrong baud rate must not become a series.
"""

from __future__ import annotations

import re
from dataclasses import replace

from zeroclaw_desktop.hardware.telemetry.format_columns import ColumnsFormat
from zeroclaw_desktop.hardware.telemetry.format_json import parse_json
from zeroclaw_desktop.hardware.telemetry.format_labelled import parse_labelled
from zeroclaw_desktop.hardware.telemetry.format_teleplot import parse_teleplot
from zeroclaw_desktop.hardware.telemetry.number_text import NUMBER_PATTERN
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine

MAX_PARSED_LENGTH = 4096
ENCODINGS = ("utf-8", "gbk", "gb18030", "big5", "shift_jis", "latin-1", "cp1252")
"""What a person may choose; all hold ASCII as it is."""

_ANSI_COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd]")
_LATIN1_SIGNS = re.compile(rb"[\x20-\x7e\t]*(?:[0-9A-Za-z /*][\xa7\xb0\xb2\xb3\xb5][\x20-\x7e\t]*)+")
_CLOCK_PREFIX = re.compile(
    r"\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,6})?\]?\s*(?:->|[-|])?\s+(?=[^\W\d]|[>{])"
)
_MISSING_PREFIX = re.compile(
    rf"[^\W\d][\w.\-/]{{0,63}}:[0-9]{{5,}}(?:\.[0-9]*)?:{NUMBER_PATTERN}(?:§.*|\|.*)?"
)


class TelemetryParser:
    """Parser of one port; keeps the header row of CSV output between lines.

    Args:
        encoding: how the board encodes text: ``utf-8``, or what the person chose (``gbk``, ``latin-1``).

    Attributes:
        non_text_lines: lines that were not valid text of the encoding.
        missing_prefix_lines: lines that look like Teleplot samples with time but lack the ``>``; worth a
            hint.
    """

    def __init__(self, encoding: str = "utf-8") -> None:
        self.encoding = encoding
        self.non_text_lines = 0
        self.missing_prefix_lines = 0
        self._columns = ColumnsFormat()

    @property
    def header(self) -> list[tuple[str, str]] | None:
        """What earlier lines taught: label and unit of each column of the next row; None without a header."""
        return self._columns.header

    @header.setter
    def header(self, header: list[tuple[str, str]] | None) -> None:
        self._columns.header = header

    def reset(self) -> None:
        """Forget what earlier lines taught: the port was opened anew."""
        self._columns.reset()

    def decode(self, line: bytes) -> str | None:
        """Return the line as text, or None (and count it) when it is not valid in the encoding.

        Single Latin-1 signs for degree, micro, square, cube and section that follow a number or letter are
        accepted in an otherwise plain ASCII line: sketches saved in that encoding print them.
        """
        try:
            return line.decode(self.encoding)
        except UnicodeDecodeError:
            self.non_text_lines += 1
        if len(line) <= MAX_PARSED_LENGTH and _LATIN1_SIGNS.fullmatch(line):
            return line.decode("latin-1")
        return None

    def feed_line(self, line: bytes) -> ParsedLine | None:
        """Read one line.

        Args:
            line: the bytes of the line without its line end.

        Returns:
            What the line holds; None when it is console text only. Never raises.
        """
        if b"\x1b" in line:
            line = _ANSI_COLOUR.sub(b"", line)
        decoded = self.decode(line)
        text = decoded.strip() if decoded is not None and len(decoded) <= MAX_PARSED_LENGTH else ""
        if not text or _CONTROL.search(text):
            if line:
                self._columns.note_other_line()
            return None
        parsed = self._parse_text(text)
        if parsed is not None and parsed.number_spans and text != decoded:
            shift = decoded.index(text) if decoded is not None else 0
            spans = tuple((start + shift, end + shift) for start, end in parsed.number_spans)
            return replace(parsed, number_spans=spans)
        return parsed

    def _parse_text(self, text: str) -> ParsedLine | None:
        prefix = _CLOCK_PREFIX.match(text)
        body = text[prefix.end() :] if prefix else text
        parsed = self._parse_marked(body)
        if parsed is not None:
            self._columns.note_other_line()
            if prefix and parsed.number_spans:
                return replace(parsed, number_spans=())
            return parsed
        if body[:1] in ">{":
            self._columns.note_other_line()
            return None
        if _MISSING_PREFIX.fullmatch(body):
            self.missing_prefix_lines += 1
        return self._columns.parse(text)

    def _parse_marked(self, text: str) -> ParsedLine | None:
        if text[0] == ">":
            return parse_teleplot(text)
        if text[0] == "{":
            return parse_json(text)
        if ":" in text or "=" in text or "：" in text:
            return parse_labelled(text)
        return None
