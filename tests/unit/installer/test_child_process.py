"""Tools run with a clean environment, their words are kept, an interruption ends all that they started."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from bootstrap_steps.child_process import ask, clean_environment, run_logged
from bootstrap_steps.progress import Progress


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress(tmp_path / "logs" / "bootstrap.log")


def test_exit_code_and_last_lines_come_back(progress: Progress) -> None:
    result = run_logged(
        [sys.executable, "-c", "print('one'); print('zwei \u4e09'); raise SystemExit(7)"], progress
    )
    assert result.code == 7
    assert result.tail.splitlines() == ["one", "zwei \u4e09"]
    assert "zwei \u4e09" in progress.log_path.read_text(encoding="utf-8")


def test_only_the_last_lines_are_kept(progress: Progress) -> None:
    result = run_logged([sys.executable, "-c", "for n in range(9999): print(n)"], progress)
    assert result.tail.splitlines()[-1] == "9998"
    assert len(result.tail.splitlines()) < 1000


def test_a_missing_tool_is_code_127(progress: Progress) -> None:
    assert run_logged(["no-such-tool-anywhere"], progress).code == 127
    assert ask(["no-such-tool-anywhere"]) is None


def test_ask_gives_nothing_for_a_failure_or_a_hang() -> None:
    assert ask([sys.executable, "-c", "print(3)"]) == "3\n"
    assert ask([sys.executable, "-c", "raise SystemExit(1)"]) is None
    assert ask([sys.executable, "-c", "import time; time.sleep(30)"], seconds=0.3) is None


def test_variables_that_lead_astray_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_USER", "PIP_TARGET"):
        monkeypatch.setenv(name, "astray")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    kept = clean_environment({"EXTRA": "1"})
    assert "astray" not in kept.values()
    assert kept["HTTPS_PROXY"] == "http://proxy:3128"
    assert kept["EXTRA"] == "1"


GRANDCHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX; run it on Linux or macOS")
def test_an_interruption_ends_the_tool_and_its_children(progress: Progress, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    def interrupt() -> None:
        while not pid_file.exists() or not pid_file.read_text():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        run_logged([sys.executable, "-c", GRANDCHILD, str(pid_file)], progress)
    thread.join()
    deadline = time.monotonic() + 5
    while _runs(int(pid_file.read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(int(pid_file.read_text()))


def _runs(pid: int) -> bool:
    """Whether the process is there and not a zombie that only waits for its parent."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")
