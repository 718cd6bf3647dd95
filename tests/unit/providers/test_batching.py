"""Pieces of a stream are joined, and none is lost or out of order (B11)."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.providers.model_process.batching import BATCH_SECONDS, Batch
from zeroclaw_desktop.providers.wire import LINE_BYTES, PIECE_CHARACTERS, pack, unpack

EVENTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["text", "think"]), st.text(min_size=1, max_size=5)).map(list),
        st.tuples(
            st.just("call"),
            st.integers(0, 1),
            st.sampled_from(["", "a", "b"]),
            st.just(""),
            st.text(max_size=4),
        ).map(list),
    ),
    max_size=12,
)


def merged(events: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Each character with what it belongs to: what is the same however the pieces were cut."""
    return [
        (*event[:-1], sign) if event[0] != "call" else ("call", event[1], sign)
        for event in events
        for sign in event[-1]
    ]


@given(EVENTS)
def test_joined_pieces_say_the_same_in_the_same_order(events: list[list[Any]]) -> None:
    sent: list[list[Any]] = []

    async def feed() -> None:
        batch = Batch(sent.extend)
        for event in events:
            batch.add(list(event))
        batch.flush()

    asyncio.run(feed())
    assert merged(sent) == merged(events)
    assert [event[2] for event in sent if event[0] == "call" and event[2]] == [
        event[2] for event in events if event[0] == "call" and event[2]
    ]


async def test_the_first_piece_goes_at_once_and_the_others_together() -> None:
    sent: list[list[list[Any]]] = []
    batch = Batch(sent.append)
    for piece in "abcd":
        batch.add(["text", piece])
    assert sent == [[["text", "a"]]]
    await asyncio.sleep(BATCH_SECONDS * 2)
    assert sent == [[["text", "a"]], [["text", "bcd"]]]


async def test_what_nobody_wants_is_dropped() -> None:
    sent: list[list[list[Any]]] = []
    batch = Batch(sent.append)
    batch.add(["text", "a"])
    batch.add(["text", "b"])
    batch.drop()
    await asyncio.sleep(BATCH_SECONDS * 2)
    assert sent == [[["text", "a"]]]


async def test_no_line_is_longer_than_the_program_reads() -> None:
    sent: list[list[list[Any]]] = []
    batch = Batch(sent.append)
    long = "\U0001f525\n\x01" * PIECE_CHARACTERS
    batch.add(["text", long])
    for number in range(5_000):
        batch.add(["call", number % 2, "", "", "x"])
    batch.flush()
    lines = [pack({"id": 1, "events": events}) for events in sent]
    events = [event for line in lines for event in unpack(line)["events"]]
    assert "".join(event[1] for event in events if event[0] == "text") == long
    assert sum(len(event[-1]) for event in events if event[0] == "call") == 5_000
    assert max(len(line) for line in lines) < LINE_BYTES
    assert all(line.count(b"\n") == 1 for line in lines)
