"""Two bootstraps never work on one checkout at once, and a killed one leaves no lock behind."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from bootstrap_steps.single_instance import only_one

INSTALLER = Path(__file__).resolve().parents[3] / "installer"
HOLDER = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
from bootstrap_steps.single_instance import only_one
with only_one(pathlib.Path(sys.argv[2]), on_wait=lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_free_lock_is_taken_without_waiting(tmp_path: Path) -> None:
    told: list[str] = []
    for _ in range(2):
        with only_one(tmp_path / "new" / "lock", on_wait=lambda: told.append("waiting")):
            assert (tmp_path / "new" / "lock").exists()
    assert told == []


@pytest.mark.parametrize("ending", ["orderly", "killed"])
def test_the_second_waits_for_the_first(tmp_path: Path, ending: str) -> None:
    lock = tmp_path / "lock"
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(INSTALLER), str(lock)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert first.stdin is not None
    assert first.stdout is not None
    assert first.stdout.readline().strip() == b"held"
    waiting, entered = threading.Event(), threading.Event()

    def second() -> None:
        with only_one(lock, on_wait=waiting.set):
            entered.set()

    thread = threading.Thread(target=second)
    thread.start()
    assert waiting.wait(10)
    assert not entered.is_set()
    if ending == "killed":
        first.kill()
    first.stdin.close()
    thread.join(10)
    assert entered.is_set()
    first.wait()
    first.stdout.close()
