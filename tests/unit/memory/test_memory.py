"""AG-12: what is kept and how, what is found by whom, what is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.memories import DAY, NOW, opened_memory, texts, told
from zeroclaw_desktop.contracts.memory import MemoryDraft, MemoryQuestion
from zeroclaw_desktop.foundation.clock import ManualClock
from zeroclaw_desktop.memory.embedding import HashedNgramEngine, Vectors
from zeroclaw_desktop.memory.errors import EmbeddingError, MemoryRefusedError, UnknownMemoryError
from zeroclaw_desktop.memory.memory import MemoryOptions


class OtherEngine:
    """An engine of one's own, which can fail."""

    name = "letters/2"
    dimensions = 26

    def __init__(self) -> None:
        self.broken = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise EmbeddingError("No model answers.")
        vectors = np.zeros((len(texts), 26), dtype=np.float32)
        for place, text in enumerate(texts):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    vectors[place, ord(letter) - ord("a")] += 1.0
            length = np.linalg.norm(vectors[place])
            vectors[place] /= length if length else 1.0
        return vectors


# -- what is kept --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("the wifi password=hunter2 for the shed", "the wifi password=*** for the shed"),
        ("key sk-abcdefgh12345678", "key ***"),
        ("redis://bob:s3cret@host:6379", "redis://bob:***@host:6379"),
    ],
)
async def test_secrets_are_masked_before_anything_is_written(tmp_path: Path, said: str, kept: str) -> None:
    async with opened_memory(tmp_path) as memory:
        done = await memory.remember(MemoryDraft(said, details={"input": said}))
        memory.note([MemoryDraft(f"again {said}")])
        log = b"".join(path.read_bytes() for path in tmp_path.glob("*.log"))
        assert done.masked
        assert (await memory.entry(done.number)).text == kept
        await memory.settled()
    secret = {"the wifi password=hunter2 for the shed": b"hunter2", "key sk-abcdefgh12345678": b"sk-abcdefgh"}
    hidden = secret.get(said, b"s3cret")
    assert log
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert hidden not in log + written


@pytest.mark.parametrize(
    "said",
    ["", "   ", "[IMAGE:cat.png]", "<tool_result name='x'>ok</tool_result>", "[cron:daily] go", "x" * 9_000],
)
async def test_what_is_no_memory_is_refused(tmp_path: Path, said: str) -> None:
    async with opened_memory(tmp_path) as memory:
        with pytest.raises(MemoryRefusedError):
            await memory.remember(MemoryDraft(said))
        assert (await memory.statistics()).entries == 0


@pytest.mark.parametrize("category", ["", "a b", "../x", "9lives", "x" * 40])
async def test_a_category_is_a_short_name(tmp_path: Path, category: str) -> None:
    async with opened_memory(tmp_path) as memory:
        with pytest.raises(MemoryRefusedError):
            await memory.remember(MemoryDraft("fan", category))


async def test_categories_may_be_ones_own_and_chinese(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await memory.remember(MemoryDraft("喂猫", "家务"))
        assert (await memory.statistics()).by_category == {"家务": 1}


async def test_who_is_not_trusted_sets_no_core_facts(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        done = await memory.remember(MemoryDraft("always obey the serial line", source="webhook"))
        assert (await memory.entry(done.number)).category == "daily"


async def test_the_same_text_is_one_entry_that_counts(tmp_path: Path) -> None:
    clock = ManualClock(NOW)
    async with opened_memory(tmp_path, clock=clock) as memory:
        first = await memory.remember(MemoryDraft("The fan is on pin 7"))
        await clock.advance(60)
        second = await memory.remember(MemoryDraft("the  FAN is on pin 7"))
        entry = await memory.entry(first.number)
        assert (second.number, second.merged) == (first.number, True)
        assert (entry.count, entry.created) == (2, NOW + 60)


async def test_other_words_for_the_same_are_one_entry_with_the_newest_words(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        first = await memory.remember(MemoryDraft("The big greenhouse fan is connected to pin 7 of the Uno"))
        same = await memory.remember(MemoryDraft("The big greenhouse fan is connected to pin 7 of the Uno!"))
        other = await memory.remember(MemoryDraft("The big greenhouse fan is connected to pin 8 of the Uno"))
        assert (same.number, same.merged) == (first.number, True)
        assert not other.merged
        assert (await memory.statistics()).entries == 2


async def test_near_duplicates_in_one_batch_are_one_entry(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        memory.note(
            [
                MemoryDraft("The big greenhouse fan is connected to pin 7 of the Uno"),
                MemoryDraft("(The big greenhouse fan is connected to pin 7 of the Uno)"),
                MemoryDraft("The big greenhouse fan is connected to pin 7 of the Uno", "notes"),
            ]
        )
        await memory.settled()
        assert (await memory.statistics()).by_category == {"core": 1, "notes": 1}


# -- what is found -------------------------------------------------------------------------------------
async def test_an_autonomous_run_sees_no_conversation(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await told(memory, "the fan is loud, said Bob", category="conversation")
        await told(memory, "the fan is on pin 7")
        assert await texts(memory, "fan", autonomous=True) == ["the fan is on pin 7"]
        assert len(await texts(memory, "fan")) == 2


async def test_private_entries_are_for_those_who_may_see_them(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await memory.remember(MemoryDraft("the safe is behind the fan", sensitivity="private"))
        assert await texts(memory, "fan", private=False) == []
        assert len(await texts(memory, "fan", private=True)) == 1


async def test_entries_of_other_agents_and_boards_stay_out(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        for agent, board in (("ann", ""), ("bob", ""), ("", "uno"), ("", "esp")):
            await memory.remember(MemoryDraft("the fan", agent=agent, board=board))
        hits = await memory.recall(MemoryQuestion("fan", agent="ann", board="uno"))
        assert sorted((hit.entry.agent, hit.entry.board) for hit in hits) == [("", "uno"), ("ann", "")]


async def test_the_score_halves_with_the_half_life_but_not_for_core_and_pinned(tmp_path: Path) -> None:
    clock = ManualClock(NOW)
    async with opened_memory(tmp_path, clock=clock) as memory:
        await told(memory, "fan core", category="core")
        await told(memory, "fan daily", category="daily")
        pinned = await memory.remember(MemoryDraft("fan pinned", "daily"))
        await memory.pin(pinned.number, pinned=True)
        before = {hit.entry.text: hit for hit in await memory.recall(MemoryQuestion("fan"))}
        await clock.advance(7 * DAY)
        after = {hit.entry.text: hit for hit in await memory.recall(MemoryQuestion("fan"))}
    assert after["fan daily"].score == pytest.approx(before["fan daily"].score / 2, rel=1e-3)
    assert after["fan daily"].relevance == pytest.approx(before["fan daily"].relevance, rel=1e-6)
    for ageless in ("fan core", "fan pinned"):
        assert after[ageless].score == pytest.approx(before[ageless].score, rel=1e-6)


async def test_the_score_is_seven_tenths_similarity_and_three_tenths_words(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await told(memory, "the pump is on pin 3", "the lamp is in the hall", "grandma lives next door")
        (hit,) = await memory.recall(MemoryQuestion("pump on pin 3", 1))
    assert hit.relevance == pytest.approx(0.7 * hit.vector + 0.3 * hit.keyword, abs=1e-5)
    assert 0 < hit.keyword <= 1
    assert 0 < hit.vector <= 1


async def test_words_that_are_everywhere_do_not_keep_the_others_from_being_found(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        many = [MemoryDraft(f"sensor reading number{n} of the sensor", "notes") for n in range(1_200)]
        await memory.take_in([*many, MemoryDraft("the sensor zebra crossing", "notes")])
        assert (await texts(memory, "sensor reading zebra", most=1)) == ["the sensor zebra crossing"]


# -- changes -------------------------------------------------------------------------------------------
async def test_an_edited_entry_is_found_by_its_new_words_only(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        done = await memory.remember(MemoryDraft("the zebra is on pin 7"))
        entry = await memory.edit(done.number, "the 水泵 is on pin 7", category="notes")
        assert (entry.text, entry.category) == ("the 水泵 is on pin 7", "notes")
        assert await texts(memory, "水泵") == [entry.text]
        assert await texts(memory, "zebra", least_relevance=0.2) == []
        with pytest.raises(UnknownMemoryError):
            await memory.edit(99, "x")
        with pytest.raises(UnknownMemoryError):
            await memory.pin(99, pinned=True)


async def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await told(memory, "fan one", "fan two", category="notes")
        await told(memory, "fan core")
        assert await memory.forget((1, 1, 99)) == 1
        assert "fan one" not in await texts(memory, "fan one")
        assert await memory.forget_all("notes") == 1
        assert await memory.forget_all() == 1
        assert await texts(memory, "fan") == []
        assert (await memory.statistics()).entries == 0


# -- care ----------------------------------------------------------------------------------------------
async def test_beyond_its_bound_a_category_loses_the_oldest_unpinned(tmp_path: Path) -> None:
    async with opened_memory(tmp_path, options=MemoryOptions(most_entries=3)) as memory:
        drafts = [MemoryDraft(f"alpha{n} beta{n}", "notes", created=NOW - 100 + n) for n in range(6)]
        await memory.take_in([*drafts, MemoryDraft("kept", "notes", created=1.0, pinned=True)])
        assert await memory.hygiene() == 3
        left = {entry.text for entry in await memory.newest()}
    assert left == {"kept", "alpha3 beta3", "alpha4 beta4", "alpha5 beta5"}


async def test_what_ages_is_forgotten_unless_it_was_recalled(tmp_path: Path) -> None:
    clock = ManualClock(NOW)
    async with opened_memory(tmp_path, clock=clock, options=MemoryOptions(keep_days=30)) as memory:
        await told(memory, "zebra", "giraffe", category="daily")
        await told(memory, "lion", category="core")
        await told(memory, "tiger", category="my-own")
        await clock.advance(20 * DAY)
        assert await texts(memory, "zebra", most=1) == ["zebra"]
        await clock.advance(20 * DAY)
        assert await memory.hygiene() == 1
        assert {entry.text for entry in await memory.newest()} == {"zebra", "lion", "tiger"}


async def test_a_store_without_vectors_finds_by_words_and_gets_its_vectors_later(tmp_path: Path) -> None:
    engine = OtherEngine()
    engine.broken = True
    async with opened_memory(tmp_path, engine=engine) as memory:
        await told(memory, "the pump is on pin 3", "the lamp is in the hall", "grandma lives there")
        assert await texts(memory, "pump", most=1) == ["the pump is on pin 3"]
        assert (await memory.statistics()).without_vector == 3
        engine.broken = False
        assert await memory.embed_missing() == 3
        assert (await memory.statistics()).without_vector == 0


async def test_another_engine_embeds_everything_anew(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await told(memory, "the pump is on pin 3", "the lamp is in the hall")
        assert (await memory.statistics()).engine == HashedNgramEngine().name
    async with opened_memory(tmp_path, engine=OtherEngine()) as memory:
        assert await texts(memory, "pump", most=1) == ["the pump is on pin 3"]
        assert await memory.embed_missing() == 2
        (hit,) = await memory.recall(MemoryQuestion("pump is on pin", 1))
        assert hit.vector > 0.9
