"""What is remembered, and how it is asked for: entries, drafts, questions, hits. No logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

CORE, DAILY, CONVERSATION, EXECUTION, SOP = "core", "daily", "conversation", "execution", "sop"
CATEGORIES: tuple[str, ...] = (CORE, DAILY, CONVERSATION, EXECUTION, SOP)
"""The categories that the program knows; any other short name is a custom one."""

Sensitivity = Literal["normal", "private"]
SENSITIVITIES: tuple[Sensitivity, ...] = ("normal", "private")


@dataclass(frozen=True)
class MemoryDraft:
    """Something to be remembered.

    Attributes:
        category: one of CATEGORIES or a name of one's own.
        session: the conversation or run that it came from, ''.
        source: who said it: ``person``, ``agent``, ``execution``, ``import``, ``sop`` ...
        agent: name of the agent that keeps it, '' for all.
        board: id of the board that it is about, ''.
        sensitivity: ``private`` entries are shown to the person and to local models only.
        details: values beside the text, JSON-shaped; of an execution its action, input, result, exit code.
        created: epoch seconds; None for now.
        key: identity over exports and imports; '' for a new one.
        count: how often it was told.
    """

    text: str
    category: str = CORE
    session: str = ""
    source: str = "person"
    agent: str = ""
    board: str = ""
    pinned: bool = False
    sensitivity: Sensitivity = "normal"
    details: Mapping[str, Any] = field(default_factory=dict)
    created: float | None = None
    key: str = ""
    count: int = 1


@dataclass(frozen=True)
class MemoryEntry:
    """Something remembered; see MemoryDraft.

    Attributes:
        number: by which people and tools name it.
        used: epoch seconds of the last time that it was told or recalled.
    """

    number: int
    key: str
    text: str
    category: str
    session: str
    source: str
    agent: str
    board: str
    created: float
    used: float
    pinned: bool
    sensitivity: Sensitivity
    count: int
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class MemoryQuestion:
    """What is looked for.

    Attributes:
        most: entries that are returned at most; None for the setting.
        least_relevance: 0..1; None for the setting.
        categories: only these; empty for all.
        autonomous: asked by a run that nobody watches: conversations stay out.
        private: whether private entries may be returned.
        agent: entries kept by other agents stay out; '' for all of them.
    """

    text: str
    most: int | None = None
    least_relevance: float | None = None
    categories: tuple[str, ...] = ()
    board: str = ""
    agent: str = ""
    autonomous: bool = False
    private: bool = True


@dataclass(frozen=True)
class MemoryHit:
    """An entry that was found.

    Attributes:
        score: relevance after the decay of time; hits come in its order.
        relevance: 0..1, the weighted sum of the two below.
        vector: similarity of the texts, 0..1.
        keyword: share of the question's words, weighted by rarity, 0..1.
    """

    entry: MemoryEntry
    score: float
    relevance: float
    vector: float
    keyword: float


@dataclass(frozen=True)
class Remembered:
    """How a draft was taken.

    Attributes:
        merged: it was there already, in these words or others that say the same.
        masked: something that looked like a secret was replaced.
    """

    number: int
    merged: bool = False
    masked: bool = False


class Recollection(Protocol):
    """What tools need of the memory."""

    async def remember(self, draft: MemoryDraft) -> Remembered:
        """Keep something; returns when it is committed."""

    async def recall(self, question: MemoryQuestion) -> list[MemoryHit]:
        """What fits a question, best first."""

    async def forget(self, numbers: tuple[int, ...]) -> int:
        """Remove entries; returns how many there were."""
