"""The protocol between the program and its provider process: one JSON document a line, UTF-8.

Both sides import this module, so it must stay within the standard library. To the process go requests with a
number (``id``); from it come frames that carry the same number, in any order for several requests at once.

| to the process | means |
| --- | --- |
| ``{"id": 1, "do": "stream", "request": {...}}`` | ask a model; the request holds the key |
| ``{"id": 1, "do": "cancel"}`` | stop that stream and close its connection |
| ``{"id": 2, "do": "catalogue", "request": {"provider": "openai"}}`` | models of the bundled map |

| from the process | means |
| --- | --- |
| ``{"hello": 1, "pid": 7}`` | first frame; the number is VERSION |
| ``{"beat": 3}`` | it is alive, every BEAT_SECONDS |
| ``{"id": 1, "begun": true}`` | the request goes out to the model now |
| ``{"id": 1, "events": [["text", "Hel"], ...]}`` | pieces of the answer, several at once |
| ``{"id": 1, "done": {...}}`` | the stream's end with reason, usage and prices |
| ``{"id": 1, "error": {...}}`` | the stream's end by a fault |
| ``{"id": 2, "result": [...]}`` | the answer to anything else |

Events are ``["text", piece]``, ``["think", piece]`` and ``["call", index, id, name, piece of arguments]``.
"""

from __future__ import annotations

import json
from typing import Any

VERSION = 1
BEAT_SECONDS = 2.0
LINE_BYTES = 1 << 20
"""The longest line from the process; longer pieces are cut before they are sent."""
PIECE_CHARACTERS = 50_000

TEXT, THINK, CALL = "text", "think", "call"
#: Kinds of faults that a frame ``error`` may name.
FAULTS = (
    "auth", "rate_limited", "context_too_long", "bad_request", "model_unknown", "unreachable", "server",
    "cut_off", "timed_out", "forbidden_host", "library_missing", "other",
)  # fmt: skip


def pack(frame: dict[str, Any]) -> bytes:
    """One line; JSON escapes every line end within."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def unpack(line: bytes) -> dict[str, Any]:
    """The frame of a line.

    Raises:
        ValueError: it is no JSON object.
    """
    frame = json.loads(line)
    if not isinstance(frame, dict):
        raise ValueError("a frame is a JSON object")
    return frame
