"""``zeroclaw plot record`` and ``replay`` (HW-12) over a real pseudo terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zeroclaw_desktop.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals: run it on POSIX")


class Board:
    """A pseudo terminal that the test writes to."""

    def __init__(self) -> None:
        import tty

        self.number, other = os.openpty()
        tty.setraw(other)
        self.port = os.ttyname(other)
        os.close(other)

    def say(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.number, data) :]


def run(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "zeroclaw_desktop.cli.main", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def until_recorded(file: Path, text: bytes) -> None:
    deadline = time.monotonic() + 20
    while not file.exists() or text not in file.read_bytes():
        assert time.monotonic() < deadline, "nothing was recorded"
        time.sleep(0.02)


def test_record_until_interrupted_then_replay_and_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, file = Board(), tmp_path / "a.zcrec"
    child = run("plot", "record", str(file), "--port", board.port, "--json")
    deadline = time.monotonic() + 20
    while not file.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.3)
    sent = b"half\n" + b"".join(b"t:%d.5 h:%d\n" % (n, n * 2) for n in range(2000)) + b"the end\n"
    board.say(sent)
    until_recorded(file, b"the end")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert child.returncode == 0, err
    row = json.loads(out)
    counters = row["sources"][board.port]
    assert row["recording"]["bytes"] == row["recording"]["recorded_bytes"] == counters["bytes"] == len(sent)
    assert counters["samples"] == 4000
    csv = tmp_path / "a.csv"
    words = ["--csv", str(csv), "--delimiter", ";", "--decimal-comma", "--json"]
    assert main(["plot", "replay", str(file), *words]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert [(found["series"], found["samples"]) for found in replayed["series"]] == [("t", 2000), ("h", 2000)]
    assert replayed["sources"][board.port] == counters
    assert (replayed["dropped_bytes"], replayed["damaged_bytes"]) == (0, 0)
    lines = csv.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "time_s;t;h"
    assert lines[-1].split(";")[1:] == ["1999,5", "3998"]
    os.close(board.number)


def test_a_port_that_is_not_there_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.zcrec"
    assert main(["plot", "record", str(file), "--port", str(tmp_path / "none"), "--json"]) != 0
    assert json.loads(capsys.readouterr().out)["ok"] is False
    assert not file.exists()


def test_what_is_no_recording_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a:1\n")
    assert main(["plot", "replay", str(file)]) == 1
    assert "no recording" in capsys.readouterr().err


def test_a_comma_in_both_places_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.txt"
    assert main(["plot", "replay", str(file), "--decimal-comma"]) == 1
    assert "semicolon" in capsys.readouterr().err
