"""Bad firmware files and bad flashing tools: what was checked is what gets written, and the app goes on."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.integration.hostile.conftest import BOARD, Desk
from tests.unit.hardware.far_end import FarEnd
from tests.unit.sandbox.test_process import gone
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.events import FlashLogged
from zeroclaw_desktop.contracts.processes import ChildExit, ChildHandle
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.images import find_image, image_from_file
from zeroclaw_desktop.hardware.simulator.intel_hex import parse_intel_hex, to_intel_hex
from zeroclaw_desktop.sandbox.process import ChildProcesses

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="shell scripts and pseudo terminals; POSIX only"
)
UNO = board_catalog()["arduino-uno"]
GOOD = to_intel_hex({0: bytes(range(64))})
OTHER = to_intel_hex({0: b"\xff" * 64})
MakeFarEnd = Callable[..., FarEnd]


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program in the place of avrdude."""
    path = tmp_path / "avrdude-stand-in"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("ZEROCLAW_AVRDUDE", str(path))


def refused(path: Path) -> str:
    with pytest.raises(FlashError) as caught:
        image_from_file(path, UNO)
    assert caught.value.code == "image_unfit"
    return str(caught.value.details["reason"])


@pytest.mark.parametrize("make", ["pipe", "folder", "device", "link_loop", "nothing"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, make: str) -> None:
    path = tmp_path / "x.hex"
    if make == "pipe":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    elif make == "device":
        path.symlink_to("/dev/zero")
    elif make == "link_loop":
        path.symlink_to(path)
    started = time.monotonic()
    assert refused(path)
    with pytest.raises(FlashError):
        find_image(str(path), UNO)
    assert time.monotonic() - started < 5.0


def test_a_file_without_end_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "x.hex"
    with path.open("wb") as file:
        file.truncate(5_000_000_000)
    assert "larger than" in refused(path)


@pytest.mark.parametrize(
    "records",
    [
        ":020000040001F9\n:0100000000FF\n:00000001FF\n",  # beyond 64 KiB
        ":02000004FFFFFC\n:01FFFF000001\n:00000001FF\n",  # the last byte of 4 GiB
        ":02000002FFFFFE\n:0100100000EF\n:00000001FF\n",  # segment base that wraps at 1 MiB
        ":0100000000FF\n:0100000001FE\n:00000001FF\n",  # the same byte twice
        ":00000001FF\n:0100000000FF\n",  # data after the end
        ":0100000000FF\n",  # no end
        ":10000000" + "00" * 15 + "F0\n:00000001FF\n",  # a byte missing
    ],
)
def test_records_that_try_tricks_are_refused(tmp_path: Path, records: str) -> None:
    path = tmp_path / "x.hex"
    path.write_text(records, encoding="ascii")
    assert refused(path)


def test_what_gets_written_is_what_was_understood_not_what_another_reader_might_see(tmp_path: Path) -> None:
    path = tmp_path / "x.hex"
    # A form feed ends a line for Python, but not for avrdude.
    path.write_text(GOOD.replace("\n", "\x0c", 1), encoding="ascii")
    image = image_from_file(path, UNO)
    assert image.segments == {0: bytes(range(64))}
    assert parse_intel_hex(to_intel_hex(image.segments)) == image.segments
    assert "\x0c" not in to_intel_hex(image.segments)


class SwappingRunner:
    """Starts the real child, but the person's file is changed just before."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._real = ChildProcesses()

    async def spawn(
        self, argv: Sequence[str], *, environment: Mapping[str, str] | None = None
    ) -> ChildHandle:
        return await self._real.spawn(argv, environment=environment)

    async def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        on_output: Callable[[bytes], None] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> ChildExit:
        self._file.write_text(OTHER, encoding="ascii")
        return await self._real.run(argv, timeout=timeout, on_output=on_output, environment=environment)


async def flash(desk: Desk, far_end: MakeFarEnd, firmware: str) -> ActionResult:
    await desk.board(far_end()).connect()
    return await asyncio.wait_for(desk.do("flash_firmware", firmware=firmware), 30)


async def test_a_file_that_changes_after_the_check_is_not_what_gets_written(
    desk: Desk, far_end: MakeFarEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, seen = tmp_path / "my firmware: 固件.hex", tmp_path / "seen"
    source.write_text(GOOD, encoding="ascii")
    script = 'for last; do :; done; f=${last#flash:w:}; f=${f%:i}; cp "$f" ' + f"'{seen}'"
    stand_in(tmp_path, monkeypatch, script)
    desk.runtime.flashing._flasher._runner = SwappingRunner(source)
    result = await flash(desk, far_end, str(source))
    assert result.ok, result.faults
    assert source.read_text() == OTHER
    assert parse_intel_hex(seen.read_text()) == {0: bytes(range(64))}
    assert list(tmp_path.parent.glob("zeroclaw-flash-*")) == []


async def test_a_tool_that_prints_without_end_neither_fills_the_memory_nor_holds_the_loop(
    desk: Desk, far_end: MakeFarEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    desk.runtime.bus.subscribe(FlashLogged, lambda event: lines.append(event.line))
    stand_in(tmp_path, monkeypatch, "head -c 3000000 /dev/zero | tr '\\0' '#'; yes | head -c 2000000; exit 1")
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticking = asyncio.create_task(tick())
    result = await flash(desk, far_end, "default")
    ticking.cancel()
    await asyncio.wait([ticking])
    assert not result.ok
    assert len(lines) < 2_100
    assert max(map(len, lines)) < 2_000
    assert ticks > 20
    assert desk.runtime.roster.connection(BOARD).state == "live"


async def test_a_tool_whose_child_holds_the_output_is_not_waited_for(
    desk: Desk, far_end: MakeFarEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "child"
    stand_in(tmp_path, monkeypatch, f"sleep 300 & echo $! > '{note}'; echo done; exit 0")
    started = time.monotonic()
    await flash(desk, far_end, "default")
    assert time.monotonic() - started < 20
    assert await gone(int(note.read_text()))


async def test_cancelling_a_tool_that_ignores_the_signal_ends_it_and_its_family(
    desk: Desk, far_end: MakeFarEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "child"
    stand_in(
        tmp_path,
        monkeypatch,
        f"trap '' TERM INT HUP; sh -c 'trap \"\" TERM; sleep 300' & echo $! > '{note}'; wait; sleep 300",
    )
    await desk.board(far_end()).connect()
    work = asyncio.create_task(desk.do("flash_firmware", firmware="default"))
    while not note.exists() or not note.read_text().strip():
        await asyncio.sleep(0.01)
    report = await desk.runtime.stop_everything.trigger("test")
    assert report.cancelled == 1
    await asyncio.wait_for(work, 10)
    assert await gone(int(note.read_text()))
    board = desk.runtime.roster.connection(BOARD)
    assert board.state == "live"
    for _ in range(100):
        if (
            desk.runtime.stop_everything.last.outcomes
            and desk.runtime.stop_everything.last.outcomes[0].confirmed
        ):
            break
        await asyncio.sleep(0.02)
    assert desk.runtime.stop_everything.last.outcomes[0].confirmed
