"""Ranks passages for a question by BM25, in English and Chinese.

Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

TERM_SATURATION = 1.2
LENGTH_WEIGHT = 0.75
"""k1 and b of the formula, at their usual values."""
HEADING_WEIGHT = 2
_WORD = re.compile(r"[a-z0-9_]+|[\u4e00-\u9fff]+")


def terms(text: str) -> list[str]:
    """Words in small letters; Chinese as pairs of signs, which need no dictionary."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word[0] < "\u4e00" or len(word) == 1:
            found.append(word)
        else:
            found += [word[index : index + 2] for index in range(len(word) - 1)]
    return found


class PassageIndex:
    """Counts of the terms of some texts.

    Args:
        texts: (heading, body) of each; a term in a heading counts as HEADING_WEIGHT.
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._counts = [Counter(terms(heading) * HEADING_WEIGHT + terms(body)) for heading, body in texts]
        self._lengths = [sum(count.values()) for count in self._counts]
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0
        self._holders = Counter(term for count in self._counts for term in count)

    def scores(self, question: str) -> list[float]:
        """Score of each text, 0 where no term of the question occurs."""
        wanted = set(terms(question))
        return [
            self._score(wanted, count, length)
            for count, length in zip(self._counts, self._lengths, strict=True)
        ]

    def _score(self, wanted: set[str], count: Counter[str], length: int) -> float:
        total = len(self._counts)
        score = 0.0
        for term in wanted:
            often = count.get(term, 0)
            if often:
                rarity = math.log(1 + (total - self._holders[term] + 0.5) / (self._holders[term] + 0.5))
                norm = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / self._mean
                score += rarity * often * (TERM_SATURATION + 1) / (often + TERM_SATURATION * norm)
        return score
