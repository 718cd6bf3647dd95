"""The index in memory: told piece by piece or at once it gives the same answers, and nothing forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.memories import NOW, opened_memory, texts, told
from zeroclaw_desktop.contracts.memory import MemoryQuestion
from zeroclaw_desktop.memory.embedding import HashedNgramEngine
from zeroclaw_desktop.memory.index import MemoryIndex, Weights
from zeroclaw_desktop.memory.looking import KeywordScores, News
from zeroclaw_desktop.memory.vector_matrix import pack

ENGINE = HashedNgramEngine()
WORDS = ["fan", "pump", "温度", "风扇", "motor", "servo", "门", "light"]
CATEGORIES = ["core", "daily", "conversation", "notes"]


@dataclass
class Table:
    """What the tables would tell: rows by number, and the revision of each change."""

    revision: int = 0
    rows: dict[int, tuple[object, ...]] = field(default_factory=dict)
    forgotten: dict[int, int] = field(default_factory=dict)

    def put(self, number: int, text: str, category: str, age: float) -> None:
        self.revision += 1
        data, factor = pack(ENGINE.embed([text])[0])
        self.rows[number] = (
            number, self.revision, NOW - age, 0, category, "", "", "normal", ENGINE.name, data, factor
        )  # fmt: skip

    def drop(self, number: int) -> None:
        if self.rows.pop(number, None) is not None:
            self.revision += 1
            self.forgotten[number] = self.revision

    def news(self, since: int) -> News:
        fresh = sorted((row for row in self.rows.values() if row[1] > since), key=lambda row: row[1])
        gone = [number for number, revision in self.forgotten.items() if revision > since]
        return News(fresh, gone if since else [], self.revision)


def ask(index: MemoryIndex, text: str, **how: object) -> list[tuple[int, float]]:
    """Numbers and scores, best first."""
    vector = ENGINE.embed([text])[0]
    question = MemoryQuestion(text, **how)  # type: ignore[arg-type]
    rated = index.rank(question, vector, KeywordScores(), Weights(), now=NOW, most=5, least=0.0)
    return [(found.number, round(found.score, 4)) for found in rated]


CHANGES = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.integers(1, 12),
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            st.sampled_from(CATEGORIES),
            st.floats(0, 5e6),
        ),
        st.tuples(st.just("drop"), st.integers(1, 12)),
        st.tuples(st.just("told")),
        st.tuples(st.just("compact")),
    ),
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(CHANGES, st.sampled_from(WORDS))
def test_an_index_kept_in_step_equals_one_made_anew(changes: list[tuple[object, ...]], asked: str) -> None:
    table, kept = Table(), MemoryIndex(ENGINE.dimensions, ENGINE.name)
    for kind, *rest in changes:
        if kind == "put":
            table.put(*rest)  # type: ignore[arg-type]
        elif kind == "drop":
            table.drop(*rest)  # type: ignore[arg-type]
        elif kind == "told":
            kept.learn(table.news(kept.revision))
        else:
            kept.compact()
    kept.learn(table.news(kept.revision))
    anew = MemoryIndex(ENGINE.dimensions, ENGINE.name)
    anew.learn(table.news(0))

    assert kept.size == anew.size == len(table.rows)
    assert ask(kept, asked) == ask(anew, asked)
    assert ask(kept, asked, autonomous=True) == ask(anew, asked, autonomous=True)
    assert {number for number, _ in ask(kept, asked)} <= set(table.rows)


def test_tombstones_are_given_up_when_there_are_many() -> None:
    table, index = Table(), MemoryIndex(ENGINE.dimensions, ENGINE.name)
    for number in range(1, 2_101):
        table.put(number, f"fan {number}", "daily", 0.0)
    index.learn(table.news(0))
    for number in range(1, 1_101):
        table.drop(number)
    index.learn(table.news(index.revision))
    assert index.size == 1_000
    assert index.tombstones == 0
    assert ask(index, "fan 2000")[0][0] == 2_000


def test_the_best_are_those_that_sorting_all_of_them_gives() -> None:
    table, index = Table(), MemoryIndex(ENGINE.dimensions, ENGINE.name)
    chance = np.random.default_rng(3)
    for number in range(1, 401):
        words = " ".join(chance.choice(WORDS, 3))
        table.put(number, words, str(chance.choice(CATEGORIES)), float(chance.integers(0, 3_000_000)))
    index.learn(table.news(0))
    vector = ENGINE.embed(["pump 温度"])[0]
    expected = []
    for row in table.rows.values():
        bytes_, factor = row[9], row[10]
        assert isinstance(bytes_, bytes)
        assert isinstance(factor, float)
        assert isinstance(row[2], float)
        similar = max(0.0, float(np.frombuffer(bytes_, np.int8) @ vector) * factor)
        decay = 1.0 if row[4] == "core" else 0.5 ** ((NOW - row[2]) / 86_400 / 7)
        if row[4] != "conversation" and similar > 0:
            expected.append(similar * decay)
    found = ask(index, "pump 温度", autonomous=True)
    assert [score for _, score in found] == pytest.approx(sorted(expected, reverse=True)[:5], abs=2e-4)


def test_an_index_that_is_too_old_begins_anew() -> None:
    table, index = Table(), MemoryIndex(ENGINE.dimensions, ENGINE.name)
    table.put(1, "fan", "core", 0.0)
    index.learn(table.news(0))
    index.learn(News([], [], 0, more=True, lost=True))
    assert (index.size, index.revision) == (0, 0)
    index.learn(table.news(index.revision))
    assert ask(index, "fan")[0][0] == 1


async def test_what_another_program_remembers_is_found_and_what_it_forgets_is_not(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as window, opened_memory(tmp_path) as command:
        await told(window, "the pump is on pin 3")
        assert await texts(command, "pump") == ["the pump is on pin 3"]
        await told(command, "the lamp is on pin 4")
        assert await texts(window, "lamp") == ["the lamp is on pin 4"]
        (pump,) = await command.recall(MemoryQuestion("pump", 1))
        await command.forget((pump.entry.number,))
        assert "the pump is on pin 3" not in await texts(window, "pump")
