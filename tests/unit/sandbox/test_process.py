"""Real children: output, time limit, cancelling, and that no member of the family is left (SC-2, HW-6)."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from zeroclaw_desktop.sandbox.process import TAIL_BYTES, ChildProcesses, ChildStartError

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="uses sh and POSIX process groups; run it on Linux or macOS"
)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie that nobody has collected yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return Path("/proc").is_dir() is False


async def gone(pid: int, seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    return not alive(pid)


async def written(path: Path, seconds: float = 10.0) -> int:
    """The number that a child writes into a file once it runs."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text()).endswith("\n"):
            return int(text)
        await asyncio.sleep(0.02)
    pytest.fail(f"{path.name} was never written")


class TestRun:
    async def test_both_outputs_come_joined_and_in_order(self) -> None:
        pieces: list[bytes] = []
        ended = await ChildProcesses().run(
            ["sh", "-c", "echo one; echo two >&2; echo three; exit 7"], timeout=20, on_output=pieces.append
        )
        assert ended.returncode == 7
        assert ended.timed_out is False
        assert ended.tail == "one\ntwo\nthree\n"
        assert b"".join(pieces) == b"one\ntwo\nthree\n"

    async def test_a_child_that_a_signal_ended_has_the_negative_number(self) -> None:
        ended = await ChildProcesses().run(["sh", "-c", "kill -9 $$"], timeout=20)
        assert ended.returncode == -signal.SIGKILL

    async def test_standard_input_is_at_its_end_at_once(self) -> None:
        ended = await ChildProcesses().run(["sh", "-c", "cat; echo end"], timeout=20)
        assert (ended.returncode, ended.timed_out, ended.tail) == (0, False, "end\n")

    async def test_bytes_that_are_no_text_are_kept_as_replacement_characters(self) -> None:
        ended = await ChildProcesses().run(["sh", "-c", r"printf 'a\377\376b'"], timeout=20)
        assert ended.tail == "a\ufffd\ufffdb"

    async def test_of_huge_output_all_goes_to_the_listener_and_the_last_part_is_kept(self) -> None:
        total = 0

        def count(piece: bytes) -> None:
            nonlocal total
            total += len(piece)

        code = "import sys\nfor n in range(3000): sys.stdout.write('x' * 1000)\nsys.stdout.write('THE END')"
        ended = await ChildProcesses().run(python(code), timeout=60, on_output=count)
        assert total == 3_000_007
        assert len(ended.tail) == TAIL_BYTES == 64 * 1024
        assert ended.tail.endswith("xTHE END")

    async def test_names_are_added_to_our_own_environment(self) -> None:
        ended = await ChildProcesses().run(
            ["sh", "-c", 'echo "$BOARD:${PATH:+path}"'], timeout=20, environment={"BOARD": "uno"}
        )
        assert ended.tail == "uno:path\n"

    async def test_no_shell_reads_the_arguments(self) -> None:
        ended = await ChildProcesses().run(["printf", "%s", "$HOME; echo `id`"], timeout=20)
        assert ended.tail == "$HOME; echo `id`"

    async def test_a_listener_that_fails_ends_the_child(self, tmp_path: Path) -> None:
        def fail(_piece: bytes) -> None:
            raise LookupError("the window is gone")

        note = tmp_path / "pid"
        with pytest.raises(LookupError):
            await ChildProcesses().run(
                ["sh", "-c", f"echo $$ > {note}; echo hello; sleep 60"], timeout=60, on_output=fail
            )
        assert await gone(await written(note))


class TestStarting:
    async def test_a_program_that_is_not_there_is_named(self) -> None:
        with pytest.raises(ChildStartError) as caught:
            await ChildProcesses().run(["no-such-flasher"], timeout=5)
        assert caught.value.code == "tool_missing"
        assert caught.value.details["tool"] == "no-such-flasher"
        assert "no-such-flasher" in caught.value.message
        assert caught.value.hint

    @pytest.mark.parametrize("mode", [0o600, 0o700])
    async def test_a_file_that_is_no_program_is_told_too(self, tmp_path: Path, mode: int) -> None:
        """Not executable, and executable but of an unknown format."""
        tool = tmp_path / "flasher"
        tool.write_bytes(b"\x00\x01 this is no program")
        tool.chmod(mode)
        with pytest.raises(ChildStartError):
            await ChildProcesses().run([str(tool)], timeout=5)

    @pytest.mark.parametrize("name", ["file/under-a-file", "null\0byte", "x" * 5000])
    async def test_impossible_names_are_told_too(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ChildStartError):
            await ChildProcesses().spawn([f"{tmp_path}/{name}"])


class TestEnding:
    async def test_time_out_ends_child_and_grandchild(self, tmp_path: Path) -> None:
        note = tmp_path / "grandchild"
        ended = await ChildProcesses().run(
            ["sh", "-c", f"echo before; sleep 60 & echo $! > {note}; wait"], timeout=0.7
        )
        assert ended.timed_out is True
        assert ended.tail == "before\n"
        assert await gone(await written(note))

    async def test_a_grandchild_that_outlives_the_child_is_ended_and_not_waited_for(
        self, tmp_path: Path
    ) -> None:
        """The child has ended, but what it started holds the output open."""
        note = tmp_path / "grandchild"
        ended = await ChildProcesses().run(["sh", "-c", f"sleep 60 & echo $! > {note}; exit 3"], timeout=30)
        assert (ended.timed_out, ended.returncode) == (False, 3)
        assert ended.seconds < 20
        assert await gone(await written(note))

    async def test_members_that_ignore_the_wish_to_end_are_killed(self, tmp_path: Path) -> None:
        """The child ends on SIGTERM, its own child ignores it."""
        note = tmp_path / "stubborn"
        stubborn = f"(trap '' TERM; sh -c 'echo $PPID > {note}'; sleep 60) &"
        ended = await ChildProcesses().run(["sh", "-c", f"{stubborn} sleep 60"], timeout=0.7)
        assert ended.timed_out is True
        assert await gone(await written(note))

    async def test_a_child_that_ignores_the_wish_to_end_is_killed(self) -> None:
        ended = await ChildProcesses().run(["sh", "-c", "trap '' TERM; sleep 60; sleep 60"], timeout=0.5)
        assert ended.timed_out is True
        assert ended.returncode == -signal.SIGKILL

    async def test_cancelling_ends_the_whole_family(self, tmp_path: Path) -> None:
        child, grandchild = tmp_path / "child", tmp_path / "grandchild"
        script = f"echo $$ > {child}; sleep 60 & echo $! > {grandchild}; wait"
        task = asyncio.create_task(ChildProcesses().run(["sh", "-c", script], timeout=60))
        pids = [await written(child), await written(grandchild)]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        for pid in pids:
            assert await gone(pid)

    async def test_an_interrupt_at_the_terminal_does_not_reach_the_children(self, tmp_path: Path) -> None:
        """Ctrl+C goes to the group in front; a flash in progress must not be torn off by it."""
        note = tmp_path / "pid"
        task = asyncio.create_task(
            ChildProcesses().run(["sh", "-c", f"echo $$ > {note}; sleep 1"], timeout=20)
        )
        pid = await written(note)
        assert os.getsid(pid) == pid
        assert os.getpgid(pid) != os.getpgrp()
        assert (await task).returncode == 0


class TestSpawn:
    async def test_lines_go_in_and_out(self) -> None:
        child = await ChildProcesses().spawn(["cat"])
        await child.write(b"one\ntwo\n")
        assert [await child.read_line(), await child.read_line()] == [b"one\n", b"two\n"]
        ended = await child.end()
        assert ended.returncode == 0
        assert await child.read_line() == b""

    async def test_closed_input_is_the_wish_to_end(self) -> None:
        """A child that saves its state when its input ends gets the time to do so."""
        child = await ChildProcesses().spawn(["sh", "-c", "cat > /dev/null; exit 5"])
        assert (await child.end(grace=10)).returncode == 5

    async def test_writing_to_a_child_that_has_gone_is_a_connection_error(self) -> None:
        child = await ChildProcesses().spawn(["true"])
        assert await child.read_line() == b""

        async def keep_writing() -> None:
            for _ in range(100):
                await child.write(b"x" * 70_000)

        with pytest.raises(ConnectionError):
            await keep_writing()
        await child.end()

    async def test_ending_kills_a_child_that_does_not_listen(self) -> None:
        child = await ChildProcesses().spawn(["sh", "-c", "trap '' TERM; echo up; sleep 60; sleep 60"])
        assert await child.read_line() == b"up\n"
        ended = await child.end(grace=0.2)
        assert ended.returncode == -signal.SIGKILL
        assert not alive(child.pid)

    async def test_ending_takes_along_what_a_child_left_running(self, tmp_path: Path) -> None:
        note = tmp_path / "left"
        child = await ChildProcesses().spawn(
            ["sh", "-c", f"sleep 60 > /dev/null & echo $! > {note}; echo up; cat"]
        )
        assert await child.read_line() == b"up\n"
        left = await written(note)
        await child.end()
        assert await gone(left)

    async def test_ending_twice_does_no_harm(self) -> None:
        child = await ChildProcesses().spawn(["cat"])
        first = await child.end()
        assert (await child.end()).returncode == first.returncode == 0


async def test_a_child_may_have_an_environment_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "1")
    script = "import os; print('SECRET_OF_OURS' in os.environ, os.environ.get('GIVEN'))"
    for inherit, expected in ((True, b"True x"), (False, b"False x")):
        child = await ChildProcesses().spawn(
            [sys.executable, "-c", script], environment={"GIVEN": "x"}, inherit=inherit
        )
        assert (await child.read_line()).strip() == expected
        await child.end()


async def test_what_a_child_says_on_standard_error_can_be_heard() -> None:
    heard: list[bytes] = []
    child = await ChildProcesses().spawn(
        [sys.executable, "-c", "import sys; sys.stderr.write('trouble'); print('done')"],
        on_error_output=heard.append,
    )
    assert (await child.read_line()).strip() == b"done"
    await child.end()
    assert b"".join(heard) == b"trouble"
