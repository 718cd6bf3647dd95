"""The command line treated badly: signals at any moment, other encodings, no room for the log, odd words."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.cli.conftest import command
from tests.unit.hardware.far_end import FarEnd, until

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals and pseudo terminals; run it on POSIX"
)
ROOT = Path(__file__).resolve().parents[3]
MakeFarEnd = Callable[..., FarEnd]
BLINK = json.dumps({"action": "led_blink", "params": {"count": 100, "interval": 1.0}})


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "ZEROCLAW_HOME": str(home), "PYTHONPATH": str(ROOT), **more}


def simulators_of(home: Path) -> list[int]:
    """Simulator processes that were started for this home folder."""
    found = []
    for name in os.listdir("/proc"):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes()
            variables = Path(f"/proc/{name}/environ").read_bytes()
        except (OSError, ValueError):
            continue
        if b"hardware.simulator" in words and f"ZEROCLAW_HOME={home}\0".encode() in variables:
            found.append(int(name))
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_signal_in_mid_command_leaves_the_board_stopped(
    far_end: MakeFarEnd, own_state_folder: Path, number: int
) -> None:
    end = far_end()
    process = await asyncio.create_subprocess_exec(
        *command("exec", "--payload", BLINK, "--board", str(end.path)),
        env=environment(own_state_folder),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    await until(
        lambda: {"pin": 13, "value": 1} in [r.get("args") for r in end.requests], "the LED to go on", 30
    )
    process.send_signal(number)
    _, words = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 130
    assert b"Traceback" not in words
    assert "stop_all" in end.commands()
    last = end.commands()[::-1].index("stop_all")
    after = end.requests[len(end.requests) - last :]
    assert not any(request["cmd"] == "gpio_write" and request["args"]["value"] for request in after)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc; run it on Linux")
@pytest.mark.parametrize(("number", "seconds"), [(signal.SIGKILL, 1.2), (signal.SIGTERM, 2.5)])
def test_no_simulator_outlives_the_command(own_state_folder: Path, number: int, seconds: float) -> None:
    process = subprocess.Popen(
        command("exec", "--payload", BLINK),
        env=environment(own_state_folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    process.send_signal(number)
    process.wait(20)
    deadline = time.monotonic() + 10
    while simulators_of(own_state_folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert simulators_of(own_state_folder) == []


def explain(home: Path, sentence: bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    words = [os.fsencode(word) for word in command("explain", "sentence")]
    return subprocess.run(
        [*words, sentence, b"--json"],
        env=environment(home, **more),
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "more",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_other_encodings_of_the_terminal_are_no_fault(own_state_folder: Path, more: dict[str, str]) -> None:
    ended = explain(own_state_folder, "让LED闪烁3次".encode(), **more)
    assert ended.returncode == 0, ended.stderr
    assert b"led_blink" in ended.stdout


@pytest.mark.parametrize(
    "sentence", [b"\xff\xfe blink", "\u202eblink\u202c".encode(), b"\x1b]0;x\x07blink", "\U000e0041".encode()]
)
def test_words_that_are_no_words_come_back_as_harmless_json(own_state_folder: Path, sentence: bytes) -> None:
    ended = explain(own_state_folder, sentence)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.decode("utf-8").strip().isprintable()
    assert json.loads(ended.stdout)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full; run it on Linux")
@pytest.mark.parametrize("kind", ["full", "in_the_way"])
def test_a_log_that_cannot_be_written_costs_one_line_and_not_the_work(
    own_state_folder: Path, kind: str
) -> None:
    own_state_folder.mkdir()
    if kind == "full":
        (own_state_folder / "logs").mkdir()
        (own_state_folder / "logs" / "zeroclaw.log").symlink_to("/dev/full")
    else:
        (own_state_folder / "logs").write_text("a file in its place")
    payload = json.dumps({"action": "emergency_stop_nothing"})
    ended = subprocess.run(
        command("exec", "--payload", payload, "--json"),
        env=environment(own_state_folder),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["errors"][0]["symbol"] == "UNKNOWN_ACTION"
    assert b"Traceback" not in ended.stderr
    assert ended.stderr.count(b"cannot be written") == 1


def test_the_stop_works_without_a_home_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file in its place")
    ended = subprocess.run(
        command("estop", "--board", str(tmp_path / "no-port"), "--json"),
        env=environment(tmp_path / "home"),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["ok"] is False
    assert b"There is no port" in ended.stderr


async def test_the_stop_reaches_a_board_that_another_command_holds(
    far_end: MakeFarEnd, own_state_folder: Path
) -> None:
    end = far_end()
    process = await asyncio.create_subprocess_exec(
        *command("exec", "--payload", BLINK, "--board", str(end.path), "--json"),
        env=environment(own_state_folder),
        stdout=asyncio.subprocess.PIPE,
    )
    await until(
        lambda: {"pin": 13, "value": 1} in [r.get("args") for r in end.requests], "the LED to go on", 30
    )
    stop = await asyncio.create_subprocess_exec(
        *command("estop", "--json"), env=environment(own_state_folder), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await asyncio.wait_for(stop.communicate(), 30)
    report = json.loads(said)
    assert report["ok"] is True
    assert report["cancelled"] == 1
    assert [board["confirmed"] for board in report["boards"]] == [True]
    words, _ = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 1
    assert json.loads(words)["state"] == "CANCELLED"
    assert list((own_state_folder / "commands").iterdir()) == []
