"""From text to vectors: what an engine is, and the built-in one, which needs no model and no download.

The built-in engine hashes features of a text into a fixed number of dimensions (Weinberger and others,
"Feature Hashing for Large Scale Multitask Learning", 2009): words, the three- and four-letter pieces of words
(so 'heating' is near 'heater'), pairs of Chinese characters and, weaker, single ones. The sign of a feature
comes from its hash too, so that collisions cancel out on average. Counts are dampened by the logarithm, and
the vector has length one. The hash is CRC-32 with the finaliser of MurmurHash3: the same on every machine and
in every version of Python. Whoever changes what comes out gives the engine a new version.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zeroclaw_desktop.memory.words import MOST_TERMS, STOP_WORDS, fold, runs

Vectors = NDArray[np.float32]
"""(texts, dimensions), each row of length one, or zero for a text without features."""

DIMENSIONS = 512
WORD, PIECE, PAIR, SINGLE, STOP = 1.0, 0.35, 1.0, 0.45, 0.1
"""Weights of the kinds of features."""
_CACHED_RUNS = 50_000
_LONGEST_CACHED = 40


class EmbeddingEngine(Protocol):
    """Makes vectors; called on the memory's own thread, so it may block."""

    @property
    def name(self) -> str:
        """Name and version, such as ``hashed-ngrams/1``: entries with another one are embedded anew."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector of length one for each text.

        Raises:
            EmbeddingError: there are none now.
        """


class HashedNgramEngine:
    """The built-in engine; deterministic."""

    @property
    def name(self) -> str:
        """See EmbeddingEngine."""
        return "hashed-ngrams/1"

    @property
    def dimensions(self) -> int:
        """See EmbeddingEngine."""
        return DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See EmbeddingEngine; never fails."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for place, text in enumerate(texts):
            vectors[place] = _embedded(text)
        return vectors


def _embedded(text: str) -> NDArray[np.float32]:
    hashes: list[int] = []
    weights: list[float] = []
    for cjk, run in runs(fold(text)):
        short = len(run) <= _LONGEST_CACHED
        found, weighed = _features_kept(cjk, run) if short else _features(cjk, run)
        hashes += found
        weights += weighed
        if len(hashes) > 8 * MOST_TERMS:
            break
    if not hashes:
        return np.zeros(DIMENSIONS, dtype=np.float32)
    distinct, first, counts = np.unique(
        np.array(hashes, dtype=np.uint32), return_index=True, return_counts=True
    )
    mixed = _mixed(distinct)
    values = np.array(weights)[first] * (1.0 + np.log(counts)) * np.where(mixed >> 31, -1.0, 1.0)
    vector = np.bincount(mixed % DIMENSIONS, weights=values, minlength=DIMENSIONS)
    length = float(np.sqrt(vector @ vector))
    return (vector / length if length > 0.0 else vector).astype(np.float32)


def _mixed(hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The finaliser of MurmurHash3 (Appleby): every bit of the input moves every bit of the output."""
    mixed = hashes.copy()
    mixed ^= mixed >> np.uint32(16)
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(0xC2B2AE35)
    mixed ^= mixed >> np.uint32(16)
    return mixed


def _features(cjk: bool, run: str) -> tuple[list[int], list[float]]:
    hashes, weights = [], []
    for feature, weight in _cjk_features(run) if cjk else _word_features(run):
        hashes.append(zlib.crc32(feature.encode("utf-8", "surrogatepass")))
        weights.append(weight)
    return hashes, weights


_features_kept = lru_cache(_CACHED_RUNS)(_features)


def _word_features(word: str) -> Iterator[tuple[str, float]]:
    if word in STOP_WORDS:
        yield f"w:{word}", STOP
        return
    yield f"w:{word}", WORD
    framed = f"^{word}$"
    for size in (3, 4):
        if len(framed) > size:
            for at in range(len(framed) - size + 1):
                yield f"p:{framed[at : at + size]}", PIECE


def _cjk_features(run: str) -> Iterator[tuple[str, float]]:
    for character in run:
        yield f"c:{character}", STOP if character in STOP_WORDS else SINGLE
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        yield f"b:{pair}", STOP if pair in STOP_WORDS else PAIR
