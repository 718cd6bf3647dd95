"""What the scanner cuts an answer into; the raw texts of all segments together are the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from zeroclaw_desktop.agent.toolcalls.reading import Block

SegmentKind = Literal["text", "thinking", "hidden", "block", "quoted"]


@dataclass(frozen=True)
class Segment:
    """A piece of an answer.

    Attributes:
        kind: ``text`` is shown, ``thinking`` goes to the side, ``hidden`` is a mark of the protocol,
            ``block`` may hold calls, ``quoted`` is a played tool result, which is neither shown nor read.
        raw: as written.
        shown: of thinking, without its tags.
        block: of ``block``.
    """

    kind: SegmentKind
    raw: str
    shown: str = ""
    block: Block | None = None
