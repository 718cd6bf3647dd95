"""The index in memory: vectors and what is needed to rank, kept in step with the tables by revisions.

Belongs to the memory's own thread. Whether it was told of every change as it came or of all of them at once,
it gives the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.contracts.memory import CONVERSATION, CORE, MemoryQuestion
from zeroclaw_desktop.memory.looking import KeywordScores, News
from zeroclaw_desktop.memory.vector_matrix import VectorMatrix

COMPACT_FROM = 1_000
COMPACT_SHARE = 0.25
"""Tombstones from which on, in number and as a share of all places, the index is compacted."""
SPARE = 64
"""How many more than wanted are looked at first, for those that a question leaves out."""
MOST_HALVINGS = 20.0
_DAY = 86_400.0


@dataclass(frozen=True)
class Weights:
    """How entries are rated.

    Attributes:
        vector: share of the similarity; the rest is that of the keywords.
        half_life: days after which an entry counts half; core and pinned ones do not age.
    """

    vector: float = 0.7
    half_life: float = 7.0


@dataclass(frozen=True)
class Rated:
    """One entry that was found; see MemoryHit."""

    number: int
    score: float
    relevance: float
    vector: float
    keyword: float


class _Names:
    """Small numbers for names."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {"": 0}

    def code(self, name: str) -> int:
        return self._codes.setdefault(name, len(self._codes))

    def known(self, name: str) -> int:
        return self._codes.get(name, -1)


class MemoryIndex:
    """Ranks entries.

    Args:
        dimensions: of the engine's vectors.
        engine: its name; vectors of other engines are left out.
    """

    def __init__(self, dimensions: int, engine: str) -> None:
        self._engine = engine
        self._dimensions = dimensions
        self.revision = 0
        """Everything up to here is known."""
        self._kept: tuple[NDArray[np.float32], float, float] | None = None
        """What ``_standing`` gave last, and for when."""
        self._start()

    def _start(self) -> None:
        self._matrix = VectorMatrix(self._dimensions)
        self._kept = None
        self._place: dict[int, int] = {}
        self._categories, self._agents, self._boards = _Names(), _Names(), _Names()
        self._numbers = np.zeros(0, dtype=np.int64)
        self._created = np.zeros(0, dtype=np.float64)
        self._ageless = np.zeros(0, dtype=np.bool_)
        self._codes = np.zeros((0, 3), dtype=np.int32)
        self._private = np.zeros(0, dtype=np.bool_)
        self._alive = np.zeros(0, dtype=np.bool_)

    @property
    def size(self) -> int:
        """Entries."""
        return len(self._place)

    @property
    def tombstones(self) -> int:
        """Places that are given up at the next compaction."""
        return self._matrix.places - len(self._place)

    def learn(self, told: News) -> None:
        """Take what has changed; what is known already changes nothing."""
        if told.lost:
            self._start()
            self.revision = 0
            return
        if told.revision <= self.revision and not told.rows:
            return
        fresh = [row for row in told.rows if row[1] > self.revision]
        for number in (*told.forgotten, *(row[0] for row in fresh)):
            place = self._place.pop(number, None)
            if place is not None:
                self._alive[place] = False
        self._append(fresh)
        self._kept = None
        self.revision = max(self.revision, told.revision)
        if self.tombstones > max(COMPACT_FROM, COMPACT_SHARE * self._matrix.places):
            self.compact()

    def _append(self, rows: Sequence[tuple[object, ...]]) -> None:
        if not rows:
            return
        start = self._matrix.places
        ids, _, created, pinned, categories, agents, boards, secrecy, engines, vectors, factors = zip(
            *rows, strict=True
        )
        self._matrix.append(
            [
                (data, factor) if engine == self._engine and isinstance(data, bytes) else (b"", 0.0)
                for data, factor, engine in zip(vectors, factors, engines, strict=True)
            ]
        )
        codes = [
            (self._categories.code(category), self._agents.code(agent), self._boards.code(board))
            for category, agent, board in zip(categories, agents, boards, strict=True)
        ]
        ageless = [bool(held) or category == CORE for held, category in zip(pinned, categories, strict=True)]
        self._ensure(self._matrix.places)
        here = slice(start, self._matrix.places)
        self._numbers[here] = ids
        self._created[here] = created
        self._ageless[here] = ageless
        self._codes[here] = codes
        self._private[here] = [word == "private" for word in secrecy]
        self._alive[here] = True
        self._place.update({number: start + at for at, number in enumerate(ids)})

    def _ensure(self, places: int) -> None:
        """Room in every column; what lies beyond the matrix's places is not alive."""
        if places <= self._numbers.size:
            return
        room = max(places, self._numbers.size * 3 // 2, 1_024)

        def larger(column: NDArray[np.generic]) -> NDArray[np.generic]:
            grown = np.zeros((room, *column.shape[1:]), dtype=column.dtype)
            grown[: len(column)] = column
            return grown

        self._map_columns(larger)

    def _map_columns(self, change: object) -> None:
        for name in ("_numbers", "_created", "_ageless", "_codes", "_private", "_alive"):
            setattr(self, name, change(getattr(self, name)))  # type: ignore[operator]

    def compact(self) -> None:
        """Give up the tombstones."""
        alive = self._alive[: self._matrix.places].copy()
        self._matrix.compact(alive)
        self._kept = None
        places = np.flatnonzero(alive)
        self._map_columns(lambda column: column[places])
        self._place = {int(number): at for at, number in enumerate(self._numbers)}

    def rank(
        self,
        question: MemoryQuestion,
        vector: NDArray[np.float32] | None,
        keywords: KeywordScores,
        weights: Weights,
        *,
        now: float,
        most: int,
        least: float,
    ) -> list[Rated]:
        """The best entries, best first; of equal ones the newest.

        Args:
            vector: of the question, of length one; None when there is none.
            now: epoch seconds.
            most: entries returned at most.
            least: relevance from which on an entry is returned, before its age counts.
        """
        places = self._matrix.places
        if not places or most <= 0:
            return []
        if vector is not None and vector.any():
            share = weights.vector if keywords.asked else 1.0
            similar = self._matrix.similarities(vector)
            np.clip(similar, 0.0, 1.0, out=similar)
        else:
            share, similar = 0.0, np.zeros(places, dtype=np.float32)
        relevance = similar * np.float32(share)
        for number, score in keywords.by_number.items():
            place = self._place.get(number)
            if place is not None:
                relevance[place] += (1.0 - share) * score
        scores = relevance * self._standing(weights.half_life, now)
        best = self._best(question, scores, relevance, most, least)
        return [
            Rated(
                int(self._numbers[place]),
                float(scores[place]),
                min(1.0, float(relevance[place])),
                float(similar[place]),
                float(keywords.by_number.get(int(self._numbers[place]), 0.0)),
            )
            for place in best
        ]

    def _best(
        self,
        question: MemoryQuestion,
        scores: NDArray[np.float32],
        relevance: NDArray[np.float32],
        most: int,
        least: float,
    ) -> list[int]:
        """Places of the best that are wanted; the few best of all are looked at first, then the others."""
        places = int(scores.size)
        border = 0.0
        if places > most + SPARE:
            border = float(np.partition(scores, places - most - SPARE)[places - most - SPARE])
        while True:
            # What is like nothing at all is no answer, even where everything is let pass.
            candidates = np.flatnonzero(scores >= border if border > 0.0 else scores > 0.0)
            passing = candidates[self._wanted(question, candidates) & (relevance[candidates] >= least)]
            if passing.size >= most or border <= 0.0:
                break
            border = 0.0
        order = np.lexsort((-self._numbers[passing], -self._created[passing], -scores[passing]))
        return [int(passing[at]) for at in order[:most]]

    def _standing(self, half_life: float, now: float) -> NDArray[np.float32]:
        """What a place's relevance counts: 1 if told now, a half after the half-life, 0 for a tombstone.

        It is kept while so little time goes by that nothing changes noticeably (a ten-thousandth of the
        half-life), and what was told very long ago still counts a little.
        """
        days = now / _DAY
        if self._kept is not None:
            factors, kept_days, kept_half_life = self._kept
            fresh = factors.size == self._matrix.places and abs(days - kept_days) <= half_life * 1e-4
            if fresh and kept_half_life == half_life:
                return factors
        places = self._matrix.places
        halvings = (days - self._created[:places] / _DAY) / half_life
        factors = np.exp2(-np.clip(halvings, 0.0, MOST_HALVINGS)).astype(np.float32)
        factors[self._ageless[:places]] = 1.0
        factors[~self._alive[:places]] = 0.0
        self._kept = (factors, days, half_life)
        return factors

    def _wanted(self, question: MemoryQuestion, places: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some places a question is about."""
        wanted: NDArray[np.bool_] = self._alive[places]
        codes = self._codes[places]
        if question.categories:
            kinds = [self._categories.known(name) for name in question.categories]
            wanted &= np.isin(codes[:, 0], kinds)
        if question.autonomous:
            wanted &= codes[:, 0] != self._categories.known(CONVERSATION)
        if question.agent:
            wanted &= (codes[:, 1] == 0) | (codes[:, 1] == self._agents.known(question.agent))
        if question.board:
            wanted &= (codes[:, 2] == 0) | (codes[:, 2] == self._boards.known(question.board))
        if not question.private:
            wanted &= ~self._private[places]
        return wanted

    def like(self, vector: NDArray[np.float32], least: float, most: int = 3) -> list[int]:
        """Numbers of the entries whose cosine with a vector is at least ``least``, nearest first."""
        if not self._place or not vector.any():
            return []
        scores = self._matrix.similarities(vector)
        near = np.flatnonzero((scores >= least) & self._alive[: scores.size])
        order = np.argsort(-scores[near], kind="stable")[:most]
        return [int(self._numbers[near[at]]) for at in order]
