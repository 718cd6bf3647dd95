"""The life of the provider process: crash, hang, idleness, its keys and its reach (AG-8, SC-10)."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.model_server import Answer, ModelServer, says
from tests.helpers.models_environment import (
    HELLO,
    KEY,
    collect,
    entry_for,
    installed_python,
    running_process,
    said,
)
from zeroclaw_desktop.contracts.chat import TextDelta
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.providers.errors import (
    CutOffError,
    ModelsMissingError,
    ProcessGoneError,
    UnreachableError,
)
from zeroclaw_desktop.providers.model_request import ask_model
from zeroclaw_desktop.providers.models_python import VARIABLE, models_python
from zeroclaw_desktop.providers.provider_process import ProcessLimits, ProviderProcess
from zeroclaw_desktop.sandbox.process import ChildProcesses

linux_only = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="reads /proc: run it on Linux"
)


async def gone(pid: int) -> None:
    """Return when a process has ended and been reaped; the test's time limit bounds it."""
    async with asyncio.timeout(20):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.02)


@pytest.fixture
def log_files(tmp_path: Path) -> Iterator[Path]:
    """Folder of the log of this test, with everything in it."""
    folder = tmp_path / "logs"
    folder.mkdir()
    start_logging(folder, level="DEBUG")
    yield folder
    stop_logging()


@linux_only
async def test_a_killed_process_ends_its_answers_and_the_next_request_has_a_new_one() -> None:
    async with running_process() as process, ModelServer("openai", [says("half ", ending="stall")]) as server:
        entry = entry_for("openai", server.url)
        answer = ask_model(process, entry, KEY, HELLO, ())
        assert await anext(answer) == TextDelta("half ")
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(CutOffError, match="killed") as caught:
            await anext(answer)
        assert caught.value.partial == "half "
        assert caught.value.details["cause"] == ProcessGoneError.default_code
        await gone(pid)
        server.answers = [says("whole")]
        assert said(await collect(process, entry)) == "whole"
        assert process.starts == 2
        last = process.pid
    assert last is not None
    await gone(last)


@linux_only
async def test_a_process_that_hangs_is_ended() -> None:
    limits = ProcessLimits(silence=3.0)
    async with (
        running_process(limits) as process,
        ModelServer("openai", [says("a", ending="stall")]) as server,
    ):
        answer = ask_model(process, entry_for("openai", server.url), KEY, HELLO, ())
        assert await anext(answer) == TextDelta("a")
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(CutOffError, match="no sign of life"):
            await anext(answer)
        await gone(pid)


@linux_only
async def test_an_idle_process_is_given_up() -> None:
    async with running_process(ProcessLimits(idle=0.2)) as process:
        await process.warm()
        pid = process.pid
        assert pid is not None
        await gone(pid)
        assert process.pid is None


async def test_the_key_is_in_memory_only(
    log_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "zc-key-of-another-program")
    async with running_process() as process, ModelServer("openai", [says("a", ending="stall")]) as server:
        answer = ask_model(process, entry_for("openai", server.url), KEY, HELLO, ())
        assert await anext(answer) == TextDelta("a")
        assert KEY in server.requests[0].headers["authorization"]
        pid = process.pid
        if Path(f"/proc/{pid}/environ").exists():
            shown = b"".join(Path(f"/proc/{pid}/{name}").read_bytes() for name in ("environ", "cmdline"))
            assert KEY.encode() not in shown
            assert b"zc-key-of-another-program" not in shown
        await answer.aclose()
        # A server that repeats the key in its refusal does not bring it into messages and logs.
        server.answers = [Answer(status=401, error=f"Incorrect API key provided: {KEY}")]
        with pytest.raises(Exception, match="does not accept the key") as caught:
            await collect(process, entry_for("openai", server.url))
    assert KEY not in f"{caught.value!r} {vars(caught.value)} {process.recent_errors()}"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in written] == ["zeroclaw.log"]
    assert [path for path in written if KEY.encode() in path.read_bytes()] == []


async def test_what_the_process_says_on_standard_error_is_kept_without_keys(tmp_path: Path) -> None:
    script = tmp_path / "talks.py"
    script.write_text(
        "import sys, time\n"
        "sys.stdout.write('{\"hello\":1}\\n'); sys.stdout.flush()\n"
        "line = sys.stdin.readline()\n"
        f"key = {KEY!r}\n"
        "sys.stderr.write('trouble with ' + key[:8]); sys.stderr.flush(); time.sleep(0.1)\n"
        "sys.stderr.write(key[8:] + ' and api_key=abc\\n'); sys.stderr.flush()\n"
    )
    process = ProviderProcess(Scripted(script), lambda: sys.executable, SystemClock())
    with pytest.raises(ProcessGoneError):
        await collect(process, entry_for("openai", "http://127.0.0.1:9/v1"))
    await process.stop()
    assert process.recent_errors() == ["trouble with *** and api_key=***"]


class Scripted(ChildProcesses):
    """Starts a script of the test instead of the real program."""

    def __init__(self, script: Path) -> None:
        self._script = script

    async def spawn(self, argv, **more):  # type: ignore[no-untyped-def]
        return await super().spawn([argv[0], str(self._script)], **more)


@pytest.mark.parametrize("first", ["", "not json\n", '{"hello": 99}\n', "[1]\n"])
async def test_a_process_that_does_not_greet_is_not_used(tmp_path: Path, first: str) -> None:
    script = tmp_path / "greets.py"
    script.write_text(f"import sys\nsys.stdout.write({first!r})\nsys.stdout.flush()\nsys.stdin.read()\n")
    if not first:
        script.write_text("raise SystemExit(3)\n")
    process = ProviderProcess(Scripted(script), lambda: sys.executable, SystemClock())
    with pytest.raises(ProcessGoneError, match="does not start"):
        await collect(process, entry_for("openai", "http://127.0.0.1:9/v1"))
    await process.stop()


async def test_nonsense_in_mid_stream_ends_the_answer(tmp_path: Path) -> None:
    script = tmp_path / "babbles.py"
    script.write_text(
        "import sys\nsys.stdout.write('{\"hello\":1}\\n'); sys.stdout.flush()\n"
        "sys.stdin.readline()\nsys.stdout.write('garbage\\n'); sys.stdout.flush(); sys.stdin.read()\n"
    )
    process = ProviderProcess(Scripted(script), lambda: sys.executable, SystemClock())
    with pytest.raises(ProcessGoneError, match="no frame"):
        await collect(process, entry_for("openai", "http://127.0.0.1:9/v1"))
    await process.stop()


async def test_the_process_connects_to_nobody_but_the_server_it_was_asked_for() -> None:
    async with ModelServer("openai", [says("secret")]) as other:
        script = (
            "import socket\n"
            "from zeroclaw_desktop.providers.model_process.egress import EgressGuard\n"
            "guard = EgressGuard({}); guard.install(); guard.allow(['http://localhost:1/v1'])\n"
            f"socket.create_connection(('localhost', {other.port})).close()\n"
            "for host in ('127.0.0.2', 'example.org', '10.0.0.1'):\n"
            "    try:\n"
            f"        socket.create_connection((host, {other.port}), 1)\n"
            "        print('reached', host)\n"
            "    except OSError as error:\n"
            "        print(type(error).__name__)\n"
        )
        done = await ChildProcesses().run([sys.executable, "-c", script], timeout=20)
    assert done.tail.split() == ["ForbiddenHostError"] * 3, done.tail


async def test_an_answer_that_leads_elsewhere_is_not_followed() -> None:
    moved = Answer(status=307, headers={"Location": "http://127.0.0.2:9/v1/chat/completions"}, error="moved")
    async with running_process() as process, ModelServer("openai", [moved]) as server:
        with pytest.raises(UnreachableError):
            await collect(process, entry_for("openai", server.url))


def test_without_the_library_the_person_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(Path("/nowhere")))
    with pytest.raises(ModelsMissingError) as caught:
        models_python({})
    assert "zeroclaw models install" in caught.value.hint
    assert models_python({VARIABLE: "/opt/python"}) == "/opt/python"


async def test_a_python_without_the_library_says_that_it_is_missing() -> None:
    process = ProviderProcess(ChildProcesses(), lambda: sys.executable, SystemClock())
    with pytest.raises(ModelsMissingError):
        await collect(process, entry_for("openai", "http://127.0.0.1:9/v1"))
    await process.stop()


def test_the_models_environment_is_not_that_of_the_window() -> None:
    assert Path(installed_python()).parent != Path(sys.executable).parent
