"""How fast answers of models go through the stream guard, and that time grows with the length and no faster.

Each kind of text is parsed whole (MB/s of UTF-8) and in pieces of five characters (a token is about that;
time per piece). ``ratio`` of the pieces is the guard's time over the cheapest thing one could do with them:
keeping them in a list and joining them. ``growth`` is the exponent of time over length between the shortest
and the longest of three lengths: 1 is linear. The hostile texts would be slow in a careless parser.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks._bench import row
from zeroclaw_desktop.agent.stream_guard.guard import StreamGuard, parse_answer
from zeroclaw_desktop.agent.toolcalls.tool_table import ToolTable
from zeroclaw_desktop.contracts.chat import ToolSpec

CHARACTERS = 400_000
LENGTHS = (50_000, 100_000, 200_000)
PIECE = 5
ROUNDS = 5
TOOLS = ToolTable.of(
    [
        ToolSpec(
            "file_write",
            "writes a file",
            {
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path", "content"],
                "additionalProperties": False,
            },
        )
    ]
)
_PROSE = (
    "The fan is on pin 9, so I set it to half speed and read the thermometer again. 温度是 25.5 度。"
    "It fell from 27.1 to 25.5 within a minute; that is what the data sheet promises.\n\n"
)
_CODE = (
    "Here is the sketch:\n```cpp\nvoid loop() {\n  if (analogRead(A0) < 512 && x[i] > 3) {\n"
    '    Serial.println("a<b>");\n  }\n}\n```\nand `write(13, HIGH)` sets it; {"a": [1, 2]} is JSON.\n'
)
_CALL = (
    'I write it.\n<tool_call>\n{"name": "file_write", "arguments": {"path": "a.txt", "content": "'
    + "line of text\\n" * 20
    + '"}}\n</tool_call>\n'
)
TEXTS = {"prose": _PROSE, "code-heavy": _CODE, "tagged calls": _CALL}
HOSTILE: dict[str, Callable[[int], str]] = {
    "open tags": lambda n: "<tool_call>" * (n // 11),
    "tags named in words": lambda n: "the <tool_call> tag and " * (n // 24),
    "quotes never closed": lambda n: '<tool_call>{"</tool_call>' + '<tool_call>{\\"</tool_call>' * (n // 26),
    "brackets": lambda n: '{"name": ' + "[" * n,
    "backticks": lambda n: "`" * n,
    "half tags": lambda n: "<tool_cal " * (n // 10),
    "one long call": lambda n: (
        '<tool_call>{"name": "file_write", "arguments": {"content": "' + "x\\n" * (n // 3)
    ),
    "parameters without end": lambda n: (
        "<invoke name='file_write'>" + "<parameter name='a'>" * (n // 20) + "</invoke>"
    ),
    "Mistral names": lambda n: "[TOOL_CALLS]" + "a{}[TOOL_CALLS]" * (n // 15),
    "spaces": lambda n: _CALL + " " * n,
}


def run() -> list[dict[str, Any]]:
    """Return the rows of the table."""
    rows = []
    for name, piece in TEXTS.items():
        text = piece * (CHARACTERS // len(piece))
        rows.append(_whole_row(name, text))
        rows.append(_pieces_row(name, text))
    rows += [_growth_row(name, make) for name, make in HOSTILE.items()]
    return rows


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _whole_row(name: str, text: str) -> dict[str, Any]:
    size = len(text.encode()) / 1e6
    speeds = [size / _seconds(lambda: parse_answer(text, TOOLS)) for _ in range(ROUNDS)]
    return row("toolcall.whole", f"{name}, {size:.1f} MB at once", speeds, "MB/s")


def _through_guard(text: str) -> None:
    guard = StreamGuard(TOOLS)
    for start in range(0, len(text), PIECE):
        guard.feed(text[start : start + PIECE])
    guard.close()


def _joined(text: str) -> None:
    pieces: list[str] = []
    for start in range(0, len(text), PIECE):
        pieces.append(text[start : start + PIECE])
    "".join(pieces)


def _pieces_row(name: str, text: str) -> dict[str, Any]:
    count = math.ceil(len(text) / PIECE)
    ours = [_seconds(lambda: _through_guard(text)) / count * 1e6 for _ in range(ROUNDS)]
    bare = [_seconds(lambda: _joined(text)) / count * 1e6 for _ in range(ROUNDS)]
    ratio = statistics.median(ours) / statistics.median(bare)
    return row("toolcall.piece", f"{name}, pieces of {PIECE} characters", ours, "us/piece", ratio=ratio)


def _growth_row(name: str, make: Callable[[int], str]) -> dict[str, Any]:
    texts = [make(length) for length in LENGTHS]
    times = [min(_seconds(lambda text=text: _through_guard(text)) for _ in range(2)) for text in texts]  # type: ignore[misc]
    exponent = math.log(times[-1] / times[0]) / math.log(len(texts[-1]) / len(texts[0]))
    note = f"growth {exponent:.2f}, {len(texts[-1]) / times[-1] / 1e6:.1f} million characters/s"
    return row("toolcall.growth", f"hostile: {name}", [times[-1] * 1e3], "ms", note=note)
