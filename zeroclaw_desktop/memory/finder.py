"""Finds entries: keeps the index in step with the tables and brings words and vectors together.

Full-text search runs on the store's thread, embedding and ranking on the memory's own; the loop only waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.contracts.memory import EXECUTION, MemoryDraft, MemoryHit, MemoryQuestion
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.memory import looking
from zeroclaw_desktop.memory.embedding import EmbeddingEngine
from zeroclaw_desktop.memory.errors import EmbeddingError
from zeroclaw_desktop.memory.index import MemoryIndex, Rated, Weights
from zeroclaw_desktop.memory.looking import KeywordScores, News
from zeroclaw_desktop.memory.rows import Prepared
from zeroclaw_desktop.memory.vector_matrix import pack
from zeroclaw_desktop.memory.words import fold, question_terms, says_the_same
from zeroclaw_desktop.memory.writing import Wish
from zeroclaw_desktop.store.thread import Connection, StoreThread

MOST_QUESTION = 2_000
"""Characters of a question that are looked at."""
MOST_HITS = 200
SAME_COSINE = 0.95
"""From this cosine on two texts may be one entry."""
_Given = TypeVar("_Given")
_log = logger("memory")


@dataclass
class RecallOptions:
    """What a question leaves open.

    Attributes:
        most: entries.
        least_relevance: 0..1.
    """

    weights: Weights
    most: int = 5
    least_relevance: float = 0.1


class MemoryFinder:
    """Answers questions.

    Args:
        store: started, with MEMORY_SCHEMA among its schemas.
        worker: one thread; the index belongs to it.
    """

    def __init__(self, store: StoreThread, worker: Executor, engine: EmbeddingEngine) -> None:
        self.engine = engine
        self.index = MemoryIndex(engine.dimensions, engine.name)
        self._store = store
        self._worker = worker
        self._complained = False

    async def on_worker(self, work: Callable[[], _Given]) -> _Given:
        """Run something on the memory's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    async def catch_up(self) -> None:
        """Tell the index everything that is committed."""
        while True:
            since = self.index.revision
            told = await self._store.read(lambda connection: looking.news(connection, since))  # noqa: B023
            if told.rows or told.forgotten or told.lost or told.revision != since:
                await self.on_worker(lambda: self.index.learn(told))  # noqa: B023
            if not told.more:
                return

    async def recall(self, question: MemoryQuestion, options: RecallOptions, now: float) -> list[MemoryHit]:
        """What fits a question, best first."""
        text = question.text[:MOST_QUESTION]
        most = options.most if question.most is None else question.most
        least = options.least_relevance if question.least_relevance is None else question.least_relevance
        terms = question_terms(text)
        embedding = asyncio.ensure_future(self.on_worker(lambda: self._embedded(text)))
        try:
            told, keywords = await self._look(terms)
            while told.more:
                await self.on_worker(lambda: self.index.learn(told))  # noqa: B023
                await self.catch_up()
                told, keywords = await self._look(terms)
        finally:
            vector = await embedding

        def rank() -> list[Rated]:
            self.index.learn(told)
            return self.index.rank(
                question,
                vector,
                keywords,
                options.weights,
                now=now,
                most=min(MOST_HITS, most),
                least=least,
            )

        rated = await self.on_worker(rank)
        if not rated:
            return []
        numbers = [found.number for found in rated]
        entries = await self._store.read(lambda connection: looking.entries(connection, numbers))
        return [
            MemoryHit(entries[found.number], found.score, found.relevance, found.vector, found.keyword)
            for found in rated
            if found.number in entries  # forgotten meanwhile
        ]

    async def _look(self, terms: Sequence[str]) -> tuple[News, KeywordScores]:
        since = self.index.revision

        def look(connection: Connection) -> tuple[News, KeywordScores]:
            return looking.news(connection, since), looking.keyword_scores(connection, terms)

        return await self._store.read(look)

    def _embedded(self, text: str) -> NDArray[np.float32] | None:
        vectors = self.embed([text])
        return None if vectors is None else vectors[0]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """Vectors of texts, None when the engine gives none now; on the memory's thread."""
        try:
            vectors = self.engine.embed(texts)
        except EmbeddingError as error:
            if not self._complained:
                self._complained = True
                _log.warning("%s gives no vectors: %s %s", self.engine.name, error.message, error.hint)
            return None
        self._complained = False
        return vectors

    async def wishes(self, drafts: Sequence[Prepared], *, exact: Sequence[bool]) -> list[Wish]:
        """Give drafts their vectors, and find which of them say what an entry says already.

        Args:
            exact: for each, whether only the same words are the same.
        """
        vectors = await self.on_worker(lambda: self.embed([draft.draft.text for draft in drafts]))
        if vectors is None:
            return [Wish(draft) for draft in drafts]
        name = self.engine.name
        full = [_with_vector(draft, vector, name) for draft, vector in zip(drafts, vectors, strict=True)]
        loose = [at for at, draft in enumerate(full) if not exact[at] and draft.draft.category != EXECUTION]
        if not loose:
            return [Wish(draft) for draft in full]
        await self.catch_up()
        near = await self.on_worker(lambda: {at: self.index.like(vectors[at], SAME_COSINE) for at in loose})
        numbers = sorted({number for found in near.values() for number in found})
        entries = (
            await self._store.read(lambda connection: looking.entries(connection, numbers)) if numbers else {}
        )
        wishes = [Wish(draft) for draft in full]
        for at in loose:
            draft = full[at].draft
            like = next(
                (
                    number
                    for number in near[at]
                    if number in entries and _one_thing(draft, entries[number].text, _place(entries[number]))
                ),
                None,
            )
            if like is not None:
                wishes[at] = Wish(full[at], like=like)
                continue
            earlier = _earlier(at, loose, vectors, full)
            if earlier is not None:
                wishes[at] = Wish(full[at], like_wish=earlier)
        return wishes


def _with_vector(draft: Prepared, vector: NDArray[np.float32], engine: str) -> Prepared:
    return Prepared(draft.draft, draft.key, draft.created, draft.words, draft.digest, engine, pack(vector))


def _place(entry: object) -> tuple[str, ...]:
    """What must be equal besides the meaning: the kind of an entry, whose it is and what it is about."""
    return tuple(str(getattr(entry, name)) for name in ("category", "agent", "board", "sensitivity"))


def _one_thing(draft: MemoryDraft, text: str, place: tuple[str, ...]) -> bool:
    return _place(draft) == place and says_the_same(fold(draft.text), fold(text))


def _earlier(
    at: int, loose: Sequence[int], vectors: NDArray[np.float32], drafts: Sequence[Prepared]
) -> int | None:
    """An earlier draft of the same batch that says the same."""
    before = [place for place in loose if place < at]
    if not before:
        return None
    cosines = vectors[before] @ vectors[at]
    for place, cosine in zip(before, cosines, strict=True):
        other = drafts[place].draft
        if cosine >= SAME_COSINE and _one_thing(drafts[at].draft, other.text, _place(other)):
            return place
    return None
