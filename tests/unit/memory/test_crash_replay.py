"""AG-12: writes are asynchronous, and what was taken survives kill -9 through the append log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.memories import opened_memory, texts
from zeroclaw_desktop.contracts.memory import MemoryDraft
from zeroclaw_desktop.memory.append_log import AppendLog, draft_from, draft_line, read_log, take_over

ROOT = Path(__file__).resolve().parents[3]
TAKEN = ["taken: the pump is on pin 3", "taken: 水泵接在引脚3", "taken: password=***"]


def killed_while_writing(folder: Path) -> None:
    """Run the child until it has taken its memories, then kill it."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("crash_child.py")), str(folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "taken\n"
        process.kill()


async def test_what_was_taken_before_a_kill_is_there_after_the_next_start(tmp_path: Path) -> None:
    killed_while_writing(tmp_path)
    (log,) = tmp_path.glob("*.memory-*.log")
    drafts, bad = read_log(log)
    assert ([draft.text for draft in drafts], bad) == (TAKEN, 0)

    async with opened_memory(tmp_path) as memory:
        entries = {entry.text: entry for entry in await memory.newest()}
        assert set(entries) == {"committed: the fan is on pin 7", *TAKEN}
        pump = entries[TAKEN[0]]
        assert (pump.category, pump.board, pump.count) == ("notes", "uno", 1)
        assert entries[TAKEN[2]].pinned
        assert await texts(memory, "水泵", most=1) == [TAKEN[1]]
    assert list(tmp_path.glob("*.log")) == []


async def test_a_log_that_is_read_twice_keeps_everything_once(tmp_path: Path) -> None:
    killed_while_writing(tmp_path)
    (log,) = tmp_path.glob("*.memory-*.log")
    content = log.read_bytes()
    async with opened_memory(tmp_path):
        pass
    log.write_bytes(content)
    async with opened_memory(tmp_path) as memory:
        assert sorted(entry.count for entry in await memory.newest()) == [1, 1, 1, 1]


async def test_a_torn_line_costs_that_line_only(tmp_path: Path) -> None:
    whole = draft_line(MemoryDraft("whole", key="a" * 32))
    torn = draft_line(MemoryDraft("torn 风扇", key="b" * 32))
    (tmp_path / f"memory.db.memory-{'0' * 32}.log").write_bytes(whole + b"[1, 2]\n" + torn[:-20])
    async with opened_memory(tmp_path) as memory:
        assert [entry.text for entry in await memory.newest()] == ["whole"]


async def test_the_log_of_a_living_program_is_left_alone(tmp_path: Path) -> None:
    async with opened_memory(tmp_path) as living:
        living.note([MemoryDraft("mine")])
        (log,) = tmp_path.glob("*.memory-*.log")
        assert take_over(tmp_path / "memory.db", "f" * 32) == []
        await living.settled()
        assert log.read_bytes() == b""


def test_a_disk_that_refuses_is_counted_and_stops_nothing(tmp_path: Path) -> None:
    log = AppendLog(tmp_path / "missing" / "memory.db", "0" * 32)
    log.append([MemoryDraft("one")])
    log.append([MemoryDraft("two")])
    assert log.failures == 2
    log.close(remove=True)


@pytest.mark.parametrize(
    "row",
    [
        None, [], {}, {"text": 3}, {"text": "x", "pinned": 1}, {"text": "x", "details": []},
        {"text": "x", "count": 0}, {"text": "x", "created": "now"}, {"text": "x", "created": -1},
        {"text": "x", "category": 3}, {"text": "x", "sensitivity": "top"}, {"text": "x", "count": True},
        {"text": "x", "created": float("nan")},
    ],
)  # fmt: skip
def test_what_is_no_draft_is_refused(row: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        draft_from(row)


def test_a_line_gives_the_draft_again() -> None:
    draft = MemoryDraft(
        "a\nb 风 \ud800", "notes", created=1.5, details={"exit_code": 3}, pinned=True, count=2
    )
    again = draft_from(json.loads(draft_line(draft)))
    assert again == draft
