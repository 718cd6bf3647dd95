"""Export and import (AG-12): what is written and read again is the same; a bad line costs that line only."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.memories import opened_memory
from zeroclaw_desktop.contracts.memory import MemoryDraft
from zeroclaw_desktop.memory.cleaning import clean
from zeroclaw_desktop.memory.errors import MemoryFileError, MemoryRefusedError
from zeroclaw_desktop.memory.exchange import entry_row, export, import_file
from zeroclaw_desktop.memory.rows import digest_of


def keepable(draft: MemoryDraft) -> bool:
    try:
        clean(draft)
    except MemoryRefusedError:
        return False
    return True


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60),
    st.lists(
        st.sampled_from(
            ["## 3 · core", "> quoted", "-->", "<!-- {} -->", "---", "", "### `key`", "风扇 7", "*Created:"]
        ),
        min_size=1,
        max_size=5,
    ).map("\n".join),
)
DRAFTS = st.builds(
    MemoryDraft,
    text=TEXTS,
    category=st.sampled_from(["core", "daily", "家务", "my-notes"]),
    session=st.sampled_from(["", "s1"]),
    source=st.sampled_from(["person", "agent", "import"]),
    agent=st.sampled_from(["", "ann"]),
    board=st.sampled_from(["", "uno"]),
    pinned=st.booleans(),
    sensitivity=st.sampled_from(["normal", "private"]),
    details=st.dictionaries(
        st.text("abc>-", max_size=5), st.one_of(st.integers(), st.text("<>-!", max_size=9))
    ),
    created=st.floats(0, 2e9),
    count=st.integers(1, 1_000),
).filter(keepable)


async def rows_of(folder: Path, name: str, *, taken: list[MemoryDraft] | None = None) -> list[dict[str, Any]]:
    """What a memory holds after taking drafts, or after importing the file; then the file is written."""
    async with opened_memory(folder) as memory:
        if taken is not None:
            await memory.take_in(taken)
            await export(memory, folder.parent / name)
        else:
            report = await import_file(memory, folder.parent / name)
            assert (report.left_out, report.merged) == (0, 0)
        return [entry_row(entry) for entry in await memory.newest(most=1_000)]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(DRAFTS, max_size=6, unique_by=lambda draft: digest_of(clean(draft).draft)),
    st.sampled_from(["m.jsonl", "m.md"]),
)
def test_what_is_exported_and_imported_is_the_same(drafts: list[MemoryDraft], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for side in ("one", "two"):
            (Path(folder) / side).mkdir()
        before = asyncio.run(rows_of(Path(folder) / "one", name, taken=drafts))
        after = asyncio.run(rows_of(Path(folder) / "two", name))
    assert after == before
    assert len(before) == len(drafts)


async def test_bad_lines_are_told_and_the_others_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    good = json.dumps({"text": "the fan is on pin 7"})
    file.write_text(
        f"{good}\nnonsense\n{json.dumps({'text': ''})}\n{json.dumps({'text': 'x', 'category': '../'})}\n"
        + "[" * 100_000
        + "\n",
        encoding="utf-8",
    )
    async with opened_memory(tmp_path) as memory:
        report = await import_file(memory, file)
    assert (report.taken, report.left_out) == (1, 4)
    assert [line for line, _ in report.bad] == [2, 3, 4, 5]


async def test_a_file_that_was_imported_once_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await memory.take_in([MemoryDraft("fan"), MemoryDraft("pump")])
        await export(memory, tmp_path / "m.jsonl")
        before = await memory.newest()
        report = await import_file(memory, tmp_path / "m.jsonl")
        assert (report.taken, report.merged) == (2, 2)
        assert await memory.newest() == before


async def test_an_export_is_private_and_whole_or_not_there(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as memory:
        await memory.take_in([MemoryDraft("fan"), MemoryDraft("pump", "notes")])
        assert await export(memory, tmp_path / "m.jsonl", category="notes") == 1
        assert (tmp_path / "m.jsonl").stat().st_mode & 0o077 == 0
        with pytest.raises(MemoryFileError):
            await export(memory, tmp_path / "missing" / "m.jsonl")


async def test_secrets_in_a_file_are_masked(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text(json.dumps({"text": "token=abcdef"}), encoding="utf-8")
    async with opened_memory(tmp_path) as memory:
        await import_file(memory, tmp_path / "m.jsonl")
        assert [entry.text for entry in await memory.newest()] == ["token=***"]


async def test_a_snapshot_of_zeroclaw_is_read(tmp_path: Path) -> None:
    snapshot = (
        "# Memory Snapshot\n\n### 🔑 `user_name`\n\nThe user is called Wang Lei.\n\n"
        "*Created: 2026-01-01 | Updated: 2026-01-02*\n\n---\n\n### 🔑 `fan`\n\nThe fan is on pin 7.\n\n---\n"
    )
    (tmp_path / "MEMORY_SNAPSHOT.md").write_text(snapshot, encoding="utf-8")
    async with opened_memory(tmp_path) as memory:
        report = await import_file(memory, tmp_path / "MEMORY_SNAPSHOT.md")
        assert (report.taken, report.left_out) == (2, 0)
        found = {entry.text for entry in await memory.newest()}
    assert found == {"The user is called Wang Lei.", "The fan is on pin 7."}


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
async def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "m.jsonl").write_bytes(content)
    async with opened_memory(tmp_path) as memory:
        with pytest.raises(MemoryFileError):
            await import_file(memory, tmp_path / "m.jsonl")
