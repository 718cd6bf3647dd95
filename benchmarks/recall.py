"""B10: hybrid recall at 1,000, 10,000 and 100,000 memories, the question's embedding included.

Beside it, over the same memories in the same run: FTS5 with all words of the question joined by OR, the best
50, as the database is asked without pruning; and brute force in numpy over a float32 matrix, the embedding of
the question left out. The memories are sentences in English and Chinese whose words have the frequencies of
Zipf's law, so that some of them are in a large share of all entries.
"""

from __future__ import annotations

import asyncio
import math
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._bench import add_up, row
from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryQuestion
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.memory.embedding import HashedNgramEngine
from zeroclaw_desktop.memory.memory import Memory, MemoryOptions
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.memory.words import fold, terms
from zeroclaw_desktop.store.thread import StoreThread

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 60
WORDS = 5
ENGLISH, CHINESE = 20_000, 3_000
BUDGET_MS = {10_000: 2.0, 100_000: 15.0}
PIECE = 2_000
_SYLLABLES = [first + second for first in "bdfghklmnprstvz" for second in "aeiou"]


def _vocabulary(count: int, chinese: bool, seed: int) -> list[str]:
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        if chinese:
            found["".join(chr(chance.randrange(0x4E00, 0x5E00)) for _ in range(2))] = None
        else:
            found["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4)))] = None
    return list(found)


class _Speaker:
    """Makes sentences."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._english = _vocabulary(ENGLISH, False, 1)
        self._chinese = _vocabulary(CHINESE, True, 2)
        self._weights = [1.0 / (rank + 2.0) for rank in range(ENGLISH)]

    def sentence(self, words: int) -> str:
        if self._chance.random() < 0.3:
            return "".join(self._chance.choices(self._chinese, self._weights[:CHINESE], k=words))
        return " ".join(self._chance.choices(self._english, self._weights, k=words))


async def _filled(memory: Memory, speaker: _Speaker, size: int) -> float:
    """Remember sentences; returns seconds."""
    took = 0.0
    for start in range(0, size, PIECE):
        drafts = [MemoryDraft(speaker.sentence(12), "notes") for _ in range(min(PIECE, size - start))]
        began = time.perf_counter()
        await memory.take_in(drafts)
        took += time.perf_counter() - began
    return took


async def _longest_gap(stop: asyncio.Event) -> float:
    """The longest time that the loop did not turn, in milliseconds."""
    longest, last = 0.0, time.perf_counter()
    while not stop.is_set():
        await asyncio.sleep(0)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest * 1e3


async def _recall_times(memory: Memory, questions: list[str]) -> list[float]:
    took = []
    for text in questions:
        began = time.perf_counter()
        await memory.recall(MemoryQuestion(text))
        took.append((time.perf_counter() - began) * 1e3)
    return took


async def _plain_times(store: StoreThread, questions: list[str]) -> list[float]:
    took = []
    for text in questions:
        asked = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms(fold(text))))
        began = time.perf_counter()
        await store.read(
            lambda connection: connection.execute(
                "SELECT rowid, bm25(memory_words) FROM memory_words WHERE memory_words MATCH ? "
                "ORDER BY rank LIMIT 50",
                (asked,),  # noqa: B023
            ).fetchall()
        )
        took.append((time.perf_counter() - began) * 1e3)
    return took


def _brute_times(size: int, questions: list[str]) -> list[float]:
    engine = HashedNgramEngine()
    matrix = np.random.default_rng(1).standard_normal((size, engine.dimensions), dtype=np.float32)
    took = []
    for vector in engine.embed(questions):
        began = time.perf_counter()
        scores = matrix @ vector
        best = np.argpartition(scores, size - 50)[-50:]
        best[np.argsort(-scores[best])].tolist()
        took.append((time.perf_counter() - began) * 1e3)
    return took


async def _of_size(size: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        store = StoreThread(Path(folder) / "memory.db", [MEMORY_SCHEMA])
        await store.start()
        options = MemoryOptions(most_entries=10 * size, keep_days=0)
        memory = Memory(store, SystemClock(), options)
        try:
            await memory.open(care=False)
            speaker = _Speaker(3)
            filling = await _filled(memory, speaker, size)
            questions = [speaker.sentence(WORDS) for _ in range(QUESTIONS)]
            began = time.perf_counter()
            await memory.recall(MemoryQuestion(questions[0]))
            loading = time.perf_counter() - began
            await _recall_times(memory, questions[:5])
            stop = asyncio.Event()
            recalled = await _recall_times(memory, questions)
            watch = asyncio.ensure_future(_longest_gap(stop))
            await _recall_times(memory, questions)
            stop.set()
            gap = await watch
            plain = await _plain_times(store, questions)
            counted = (await memory.statistics()).entries
            merged = size - counted
        finally:
            await memory.close()
            await store.stop()
    sums = add_up(size, entries_and_merged=counted + merged)
    brute = _brute_times(size, questions)
    middle = statistics.median(recalled)
    budget = f"budget {BUDGET_MS[size]:g}; " if size in BUDGET_MS else ""
    label = f"{size // 1_000}k"
    return [
        row(f"B10-{label}", f"hybrid recall, {size:,} memories", recalled, "ms",
            ratio=middle / statistics.median(plain),
            note=f"{budget}longest gap of the loop {gap:.1f} ms; first question {loading * 1e3:.0f} ms; "
            f"kept at {size / filling:,.0f}/s; {sums}"),
        row(f"B10-{label}-fts", "FTS5 OR of all words, best 50", plain, "ms"),
        row(f"B10-{label}-brute", "numpy brute force, float32, 512 dimensions", brute, "ms"),
    ]  # fmt: skip


def run() -> list[dict[str, Any]]:
    """Return the rows of B10, with the exponent of growth."""
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        rows += asyncio.run(_of_size(size))
    medians = [found["median"] for found in rows[::3]]
    growth = math.log10(medians[-1] / medians[-2])
    rows.append(row("B10-growth", "exponent of recall from 10,000 to 100,000", [growth], ""))
    return rows
