"""Splits Markdown into running text and fenced code, so that code gets a block of its own; Qt-free.

Fences follow CommonMark 0.31, section 4.5: three or more backticks or tildes, at most three spaces before
them, closed by at least as many of the same; a fence that is never closed reaches to the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENING = re.compile(r"^ {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<info>.*)$")


@dataclass(frozen=True)
class Block:
    """A part of a message."""

    text: str
    is_code: bool = False
    language: str = ""
    """First word behind the opening fence, lower case; '' when there is none."""


def markdown_blocks(text: str) -> list[Block]:
    """Return the parts of a message in order; blank running text is left out."""
    blocks: list[Block] = []
    prose: list[str] = []
    code: list[str] = []
    fence, language = "", ""
    for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n"):
        if fence:
            if _closes(line, fence):
                blocks.append(Block("\n".join(code), True, language))
                fence = ""
            else:
                code.append(line)
            continue
        found = _OPENING.match(line)
        if found is None:
            prose.append(line)
            continue
        _flush(prose, blocks)
        fence, code = found["fence"], []
        language = found["info"].split()[0].lower() if found["info"].split() else ""
    if fence:
        blocks.append(Block("\n".join(code), True, language))
    _flush(prose, blocks)
    return blocks


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent <= 3 and len(bare) >= len(fence) and not bare.strip(fence[0]) and bare[:1] == fence[0]


def _flush(prose: list[str], blocks: list[Block]) -> None:
    text = "\n".join(prose).strip("\n")
    if text.strip():
        blocks.append(Block(text))
    prose.clear()
