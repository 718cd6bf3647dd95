"""``zeroclaw tasks`` and ``zeroclaw tasks show``: the journal, read while other programs write it (EX-14)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.helpers.execution import Door
from tests.unit.cli.conftest import Zeroclaw, started
from zeroclaw_desktop.contracts.actions import ActionPayload
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.thread import StoreThread


class Window:
    """Another program that has the journal open."""

    def __init__(self, home: Path) -> None:
        home.mkdir(exist_ok=True)
        self.store = StoreThread(home / "zeroclaw.db", [JOURNAL_SCHEMA])
        self.door = Door("a", "b")

    async def start(self) -> Window:
        await self.store.start()
        self.journal = Journal(self.store, SystemClock())
        self.door.executor.journal = self.journal
        self.door.executor.reporters.append(self.journal)
        return self

    async def begin(self) -> ActionPayload:
        """Be in the middle of a task."""
        payload = make_payload("servo_move", {"angle": 90}, source="agent", device_id="b")
        await self.journal.before(payload, self.door.executor.prepare(payload))
        return payload

    async def stop(self) -> None:
        await self.journal.close()
        await self.store.stop()


@pytest.fixture
async def window(own_state_folder: Path) -> AsyncIterator[Window]:
    started_window = await Window(own_state_folder).start()
    yield started_window
    await started_window.stop()


async def in_thread(zeroclaw: Zeroclaw, *arguments: str) -> dict[str, object]:
    """Run a command with ``--json`` while this loop goes on; returns its document."""
    ended = await asyncio.to_thread(zeroclaw, *arguments, "--json")
    assert ended.code == 0, ended.err
    return dict(ended.row)


def ids(row: dict[str, object]) -> list[str]:
    return [task["task_id"] for task in row["tasks"]]  # type: ignore[attr-defined]


def test_before_anything_was_done_the_list_is_empty(zeroclaw: Zeroclaw, own_state_folder: Path) -> None:
    ended = zeroclaw("tasks", "--json")
    assert (ended.code, ended.row) == (0, {"tasks": []})
    assert zeroclaw("tasks").out == "No task was found.\n"
    assert not own_state_folder.exists()


async def test_the_list_is_newest_first_and_narrowed(zeroclaw: Zeroclaw, window: Window) -> None:
    read = await window.door.do("digital_read", {"pin": 7}, device_id="a")
    middle = time.time()
    failed = await window.door.do("servo_move", {"angle": 999}, device_id="b", source="agent")
    at_work = await window.begin()
    done = [at_work.task_id, failed.task_id, read.task_id]
    assert ids(await in_thread(zeroclaw, "tasks")) == done
    assert ids(await in_thread(zeroclaw, "tasks", "--limit", "2")) == done[:2]
    assert ids(await in_thread(zeroclaw, "tasks", "--state", "failed")) == [failed.task_id]
    assert ids(await in_thread(zeroclaw, "tasks", "--state", "running")) == [at_work.task_id]
    assert ids(await in_thread(zeroclaw, "tasks", "--state", "interrupted")) == []
    assert ids(await in_thread(zeroclaw, "tasks", "--board", "a")) == [read.task_id]
    since = datetime.fromtimestamp(middle).isoformat()
    assert ids(await in_thread(zeroclaw, "tasks", "--since", since)) == done[:2]
    for line, word in zip(
        (await asyncio.to_thread(zeroclaw, "tasks")).out.splitlines(),
        ("running", "failed", "completed"),
        strict=True,
    ):
        assert word in line


async def test_one_task_comes_with_its_steps_and_pins(zeroclaw: Zeroclaw, window: Window) -> None:
    """EX-7, EX-12."""
    result = await window.door.do("digital_write", {"pin": 7, "value": 1}, device_id="a")
    row = await in_thread(zeroclaw, "tasks", "show", result.task_id)
    assert (row["action"], row["params"], row["state"]) == (
        "digital_write",
        {"pin": 7, "value": 1},
        "COMPLETED",
    )
    steps: list[dict[str, str]] = row["steps"]  # type: ignore[assignment]
    assert [step["state"] for step in steps] == ["PENDING", "VALIDATED", "RUNNING", "COMPLETED"]
    assert all(datetime.fromisoformat(step["at"]).tzinfo for step in steps)
    assert row["commanded"] == [{"pin": 7, "before": None, "after": 1}]
    assert row["hardware_states"] == {"pin_7": {"mode": "output", "level": 1}}
    shown = await asyncio.to_thread(zeroclaw, "tasks", "show", result.task_id)
    assert "pin 7: None -> 1" in shown.out
    assert "read back pin_7: mode=output level=1" in shown.out


async def test_options_before_the_verb_count(zeroclaw: Zeroclaw, window: Window) -> None:
    result = await window.door.do("digital_read", {"pin": 7}, device_id="a")
    ended = await asyncio.to_thread(zeroclaw, "tasks", "--json", "show", result.task_id)
    assert ended.row["task_id"] == result.task_id


def test_bad_use_is_named(zeroclaw: Zeroclaw) -> None:
    unknown = zeroclaw("tasks", "show", "nobody", "--json")
    assert (unknown.code, unknown.row["code"]) == (2, "unknown_task")
    assert zeroclaw("tasks", "--since", "yesterday-ish").code == 2
    assert zeroclaw("tasks", "--limit", "0").code == 2
    assert zeroclaw("tasks", "--state", "tired").code == 2


async def test_a_task_of_a_dead_program_was_interrupted(zeroclaw: Zeroclaw, own_state_folder: Path) -> None:
    window = await Window(own_state_folder).start()
    left = await window.begin()
    await window.stop()
    row = await in_thread(zeroclaw, "tasks", "show", left.task_id)
    assert row["state"] == "INTERRUPTED"
    assert ids(await in_thread(zeroclaw, "tasks", "--state", "interrupted")) == [left.task_id]


# -- what commands write ----------------------------------------------------------------------------------
def test_looking_and_stopping_begin_no_journal(zeroclaw: Zeroclaw, own_state_folder: Path) -> None:
    """EX-16: neither help nor the stop waits for a database."""
    assert zeroclaw("--help").code == 0
    zeroclaw("estop")
    assert not (own_state_folder / "zeroclaw.db").exists()


@pytest.mark.slow
async def test_what_a_command_did_is_in_the_journal_beside_a_living_window(
    zeroclaw: Zeroclaw, window: Window
) -> None:
    """EX-14: the command neither claims nor closes what the window is at."""
    at_work = await window.begin()
    payload = '{"action": "led_set", "params": {"state": 1}, "task_id": "mine"}'
    ended = await asyncio.to_thread(zeroclaw, "exec", "--payload", payload)
    assert ended.code == 0, ended.err
    mine, other = await window.journal.history()
    assert (mine.task_id, mine.state, mine.device_id) == ("mine", "COMPLETED", "sim-uno")
    assert mine.session != other.session
    assert (other.task_id, other.state) == (at_work.task_id, "")
    assert await window.journal.unfinished() == []


@pytest.mark.slow
async def test_a_damaged_database_is_left_to_the_window_and_the_command_runs(
    zeroclaw: Zeroclaw, own_state_folder: Path
) -> None:
    """EX-14: moving the file away under a program that has it open would lose that one's rows."""
    own_state_folder.mkdir()
    (own_state_folder / "zeroclaw.db").write_bytes(b"no database" * 1_000)
    ended = await asyncio.to_thread(zeroclaw, "exec", "--text", "turn on the led")
    assert ended.code == 0, ended.err
    assert "not in the journal" in ended.err
    assert (own_state_folder / "zeroclaw.db").read_bytes().startswith(b"no database")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills with a signal; run it on Linux or macOS")
def test_a_killed_command_leaves_its_task_to_be_decided_about(
    zeroclaw: Zeroclaw, own_state_folder: Path
) -> None:
    """EX-14."""
    payload = json.dumps({"action": "led_blink", "params": {"count": 90, "interval": 1}, "task_id": "long"})
    process = started(["exec", "--payload", payload], own_state_folder, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        shown = zeroclaw("tasks", "--state", "running", "--json")
        if any(task["began"] for task in shown.row["tasks"]):
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    row = zeroclaw("tasks", "show", "long", "--json").row
    assert (row["state"], row["answer"]) == ("INTERRUPTED", "")
    # Another command closes nothing: that is for the window, which can ask.
    assert zeroclaw("exec", "--payload", '{"action": "digital_read", "params": {"pin": 2}}').code == 0
    row = zeroclaw("tasks", "show", "long", "--json").row
    assert (row["state"], row["ended"]) == ("INTERRUPTED", None)
