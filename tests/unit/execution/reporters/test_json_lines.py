"""The JSON-lines file (EX-12): private, appended line by line, rotated, whole again after a crash."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.unit.execution.reporters.reports import beginning, transition
from zeroclaw_desktop.execution.reporters.json_lines import JsonLinesFile, JsonLinesReporter

POSIX = pytest.mark.skipif(
    os.name != "posix", reason="file modes and signals are those of POSIX: run on Linux"
)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_each_finished_action_is_one_line(tmp_path: Path) -> None:
    """EX-12: ends are written, beginnings are not; the order is that of the reports."""
    path = tmp_path / "reports" / "actions.jsonl"
    reporter = JsonLinesReporter(path)
    reporter.start()
    for seq in range(200):
        reporter.report(beginning(f"task-{seq}"))
        reporter.report(transition(seq))
    await reporter.stop()
    assert [row["seq"] for row in rows(path)] == list(range(200))
    assert reporter.dropped == 0


@POSIX
def test_the_file_is_private(tmp_path: Path) -> None:
    """EX-12: mode 0600 in a folder 0700, also when a file of wider mode was there."""
    path = tmp_path / "reports" / "actions.jsonl"
    file = JsonLinesFile(path)
    file.write(b"{}")
    file.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    file.write(b"{}")
    file.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_is_rotated_by_size(tmp_path: Path) -> None:
    """EX-12: no file grows beyond its limit, the oldest goes, no line is divided."""
    path = tmp_path / "actions.jsonl"
    file = JsonLinesFile(path, max_bytes=100, keep=2)
    for number in range(50):
        file.write(json.dumps({"number": number, "fill": "x" * 20}).encode())
    file.close()
    names = sorted(entry.name for entry in tmp_path.iterdir() if entry.is_file())
    assert names == ["actions.jsonl", "actions.jsonl.1", "actions.jsonl.2"]
    kept = [row["number"] for name in reversed(names) for row in rows(tmp_path / name)]
    assert kept == list(range(50 - len(kept), 50))
    assert all((tmp_path / name).stat().st_size <= 100 for name in names)


def test_a_line_longer_than_a_file_is_written_all_the_same(tmp_path: Path) -> None:
    """EX-12: a report is not lost for its length."""
    path = tmp_path / "actions.jsonl"
    file = JsonLinesFile(path, max_bytes=10, keep=0)
    file.write(b'"' + b"a" * 100 + b'"')
    file.write(b'"' + b"b" * 100 + b'"')
    file.close()
    assert rows(path) == ["b" * 100]


def test_an_unfinished_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    """EX-12: after a power loss the next report begins on a line of its own."""
    path = tmp_path / "actions.jsonl"
    path.write_bytes(b'{"seq":1}\n{"seq":2,"act')
    file = JsonLinesFile(path)
    file.write(b'{"seq":3}')
    file.close()
    assert path.read_bytes() == b'{"seq":1}\n{"seq":2,"act\n{"seq":3}\n'


@POSIX
def test_killed_while_writing_leaves_whole_lines(tmp_path: Path) -> None:
    """EX-12: kill -9 in the middle: every line but perhaps the last is whole, and the numbers have no gap."""
    path = tmp_path / "actions.jsonl"
    program = (
        "import sys; from pathlib import Path\n"
        "from zeroclaw_desktop.execution.reporters.json_lines import JsonLinesFile\n"
        "file = JsonLinesFile(Path(sys.argv[1]), max_bytes=10**9); number = 0\n"
        "while True:\n"
        "    file.write(b'{\"number\":%d}' % number); number += 1\n"
        "    if number == 500: print('going', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        child.stdout.readline()
        child.send_signal(signal.SIGKILL)
        child.wait()
    lines = path.read_bytes().split(b"\n")
    numbers = [json.loads(line)["number"] for line in lines[:-1]]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 500


def test_two_writers_share_a_file(tmp_path: Path) -> None:
    """EX-12: the window and a command line write whole lines, and follow each other's rotation."""
    path = tmp_path / "actions.jsonl"
    first, second = (JsonLinesFile(path, max_bytes=2_000, keep=100) for _ in range(2))
    for number in range(200):
        (first if number % 2 else second).write(b'{"number":%d}' % number)
    first.close()
    second.close()
    found = [row["number"] for file in tmp_path.glob("actions.jsonl*") for row in rows(file)]
    assert sorted(found) == list(range(200))


async def test_a_folder_that_is_no_folder_is_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-12: a destination that fails is logged once; when it is repaired the waiting reports are written."""
    blocked = tmp_path / "reports"
    blocked.write_text("in the way")
    reporter = JsonLinesReporter(blocked / "actions.jsonl")
    reporter.start()
    for seq in range(3):
        reporter.report(transition(seq))
    for _ in range(2_000):
        if reporter.failures:
            break
        await _short()
    blocked.unlink()
    for _ in range(2_000):
        if not reporter.failures:
            break
        await _short()
    await reporter.stop()
    assert [row["seq"] for row in rows(blocked / "actions.jsonl")] == [0, 1, 2]
    assert sum(record.levelname == "ERROR" for record in caplog.records) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full: run on Linux")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """EX-12: a line that could not be written is not taken for written."""
    full = tmp_path / "actions.jsonl"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        JsonLinesFile(full).write(b"{}")


async def _short() -> None:
    import asyncio

    await asyncio.sleep(0.005)


async def test_stopping_a_reporter_that_never_started_is_no_fault(tmp_path: Path) -> None:
    """EX-12: nothing is left behind by a reporter that was only made."""
    await JsonLinesReporter(tmp_path / "a.jsonl").stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "reporter-jsonl"]
