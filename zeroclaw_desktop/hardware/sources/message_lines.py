"""Datagrams and MQTT messages become lines that the reader of serial lines understands."""

from __future__ import annotations

import json

from zeroclaw_desktop.hardware.telemetry.format_teleplot import parse_teleplot
from zeroclaw_desktop.hardware.telemetry.number_text import parse_cell

MAX_TEXT = 4000
_PROTOCOL_KEYS = ("id", "evt")
_TELEPLOT_SIGNS = frozenset(":;|§<>,")


def lines_of_datagram(data: bytes) -> bytes:
    """Return the lines of a datagram, each with its end.

    Teleplot's senders leave out the ``>`` over UDP (README of github.com/nesnes/teleplot), so a line that is
    a sample with it gets it. Everything else stays as it is.
    """
    lines = [_with_mark(line) for line in data.replace(b"\r", b"\n").split(b"\n") if line.strip()]
    return b"".join(line + b"\n" for line in lines)


def _with_mark(line: bytes) -> bytes:
    if line[:1] in (b">", b"{"):
        return line
    try:
        marked = ">" + line.decode("utf-8").strip()
    except UnicodeDecodeError:
        return line
    return marked.encode() if parse_teleplot(marked) is not None else line


def line_of_message(topic: str, payload: bytes) -> bytes:
    """Return a line, with its end, that says what a message on a topic says.

    A number makes a series with the topic's name, a JSON object or list one series for each of its numbers
    with the topic's name in front, a number with a unit keeps it. Other text is for reading only.
    """
    try:
        text = payload.decode("utf-8").strip()
    except UnicodeDecodeError:
        return f"{_one_line(topic)} sent {len(payload)} bytes that are no text\n".encode()
    cell = parse_cell(text)
    if cell is not None and cell.unit and not _TELEPLOT_SIGNS.intersection(topic) and len(topic) <= 64:
        return f">{topic}:{text[: cell.end]}§{cell.unit}\n".encode()
    if cell is not None:
        text = "null" if cell.value != cell.value else repr(cell.value)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if cell is None and not isinstance(document, dict | list):
        return f"{_one_line(topic)} says {_one_line(text)}"[:MAX_TEXT].encode() + b"\n"
    name = f"{topic}/" if topic in _PROTOCOL_KEYS else topic
    return json.dumps({name: document}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())
