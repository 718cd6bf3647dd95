"""The real mpremote and the real MicroPython: copying programs to a board (HW-6, HW-7; AC5, AC45, AC49)."""

from __future__ import annotations

import asyncio
import importlib.util
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.flash_bench import Notes, assert_real_progress, board_with, image_of, job_for
from tests.helpers.micropython_with_files import MicroPythonBoard, missing_micropython
from zeroclaw_desktop.contracts.boards import MemoryRegion
from zeroclaw_desktop.contracts.flash_options import MicropythonOptions
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing import micropython_scripts as scripts
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.methods import mpremote
from zeroclaw_desktop.hardware.flashing.methods.mpremote import Mpremote, files_for_board
from zeroclaw_desktop.hardware.transport.open_errors import port_holders

NEEDS = missing_micropython() or (
    "" if importlib.util.find_spec("mpremote") else "needs mpremote (python -m pip install mpremote)"
)
with_board = pytest.mark.skipif(NEEDS != "", reason=NEEDS)
PICO = board_with("Pico", "RP2040", MemoryRegion(0x1000_0000, 2 << 20), {"mpremote": MicropythonOptions()})
WAY = Mpremote()
OLD = b"print('the old program')\n"
#: All bytes, line ends and quotes, over several pieces.
MAIN = b"# " + bytes(range(1, 256)).replace(b"\n", b"") * 25 + b"\nprint('''\"new\"''')\r\n"


def python_image(files: dict[str, bytes]) -> FirmwareImage:
    """Programs as they come from a file or a folder."""
    image = image_of({}, "python")
    return replace(image, files=files, size=sum(map(len, files.values())))


async def flash(folder: Path, board: MicroPythonBoard, files: dict[str, bytes]) -> Notes:
    job, notes = job_for(WAY, PICO, python_image(files), folder / "job", board.path)
    await WAY.write(job)
    return notes


async def refused(folder: Path, board: MicroPythonBoard, files: dict[str, bytes]) -> FlashError:
    with pytest.raises(FlashError) as caught:
        await flash(folder, board, files)
    return caught.value


def names_on(board: MicroPythonBoard) -> list[str]:
    """Files on the board, by their path."""
    return sorted(
        path.relative_to(board.folder).as_posix() for path in board.folder.rglob("*") if path.is_file()
    )


async def until_reset(board: MicroPythonBoard) -> None:
    async with asyncio.timeout(5):
        while board.resets == 0:
            await asyncio.sleep(0.02)


@with_board
class TestCopying:
    async def test_a_single_program_becomes_main_and_starts(self, tmp_path: Path) -> None:
        with MicroPythonBoard(tmp_path / "flash") as board:
            (board.folder / "main.py").write_bytes(OLD)
            notes = await flash(tmp_path, board, {"blink.py": MAIN})
            await until_reset(board)
            assert (board.folder / "main.py").read_bytes() == MAIN
            assert names_on(board) == ["main.py"]
            assert port_holders(board.path) == []
        assert notes.phases == ["copy", "write"]
        assert_real_progress(notes, "copy", len(MAIN) // scripts.PIECE_BYTES)
        assert any("runs micropython" in line for line in notes.lines)
        assert any("read back 1 files" in line for line in notes.lines)

    async def test_a_folder_keeps_its_names_and_folders(self, tmp_path: Path) -> None:
        files = {
            "main.py": b"import lib.deep.one\n",
            "lib/deep/one.py": MAIN,
            "lib/two.mpy": b"M\x06\x00\x1f" + random.Random(3).randbytes(5_000),
            "lib/empty.py": b"",
            'it\'s "odd".py': b"pass\n",
        }
        with MicroPythonBoard(tmp_path / "flash") as board:
            await flash(tmp_path, board, files)
            for name, content in files.items():
                assert (board.folder / name).read_bytes() == content
            assert names_on(board) == sorted(files)

    async def test_many_pieces_go_in_several_runs(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(mpremote, "STEPS_A_RUN", 3)
        with MicroPythonBoard(tmp_path / "flash") as board:
            notes = await flash(tmp_path, board, {"main.py": MAIN})
            assert (board.folder / "main.py").read_bytes() == MAIN
        runs = [line for line in notes.lines if line.startswith("$ ")]
        assert len(runs) == 3
        assert [" resume " in line for line in runs] == [False, True, True]
        assert [line.endswith(" reset") for line in runs] == [False, False, True]
        assert_real_progress(notes, "copy", 3)


@with_board
class TestFaults:
    async def test_where_a_soft_reset_hangs_it_goes_without_one(self, tmp_path: Path) -> None:
        """AC45; mpremote itself waits 10 s."""
        with MicroPythonBoard(tmp_path / "flash", hangs_in_soft_reset=True) as board:
            notes = await flash(tmp_path, board, {"main.py": MAIN})
            assert (board.folder / "main.py").read_bytes() == MAIN
        runs = [line for line in notes.lines if line.startswith("$ ")]
        assert [" resume " in line for line in runs] == [False, True, True]

    @pytest.mark.slow
    async def test_a_board_that_does_not_listen_is_told_with_what_to_press(self, tmp_path: Path) -> None:
        with MicroPythonBoard(tmp_path / "flash", stubborn=True) as board:
            (board.folder / "main.py").write_bytes(OLD)
            error = await refused(tmp_path, board, {"main.py": MAIN})
            assert (board.folder / "main.py").read_bytes() == OLD
        assert error.code == "raw_repl"
        assert "reset button" in error.hint
        assert "Nothing was changed" in error.message

    async def test_a_board_without_room_keeps_what_it_has(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(mpremote, "SPARE_BYTES", 1 << 60)
        with MicroPythonBoard(tmp_path / "flash") as board:
            (board.folder / "main.py").write_bytes(OLD)
            error = await refused(tmp_path, board, {"main.py": MAIN})
            assert names_on(board) == ["main.py"]
            assert (board.folder / "main.py").read_bytes() == OLD
        assert error.code == "board_full"

    async def test_a_copy_that_differs_never_takes_the_old_ones_place(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def damaged(files: dict[str, bytes]) -> list[str]:
            return [program.replace("'wb'", "'wb');f.write(b'#'") for program in really_copying(files)]

        really_copying = scripts.copying
        monkeypatch.setattr(scripts, "copying", damaged)
        with MicroPythonBoard(tmp_path / "flash") as board:
            (board.folder / "main.py").write_bytes(OLD)
            error = await refused(tmp_path, board, {"main.py": MAIN})
            assert names_on(board) == ["main.py"]
            assert (board.folder / "main.py").read_bytes() == OLD
        assert error.code == "verify_failed"
        assert "old program is still there" in error.message
        assert error.details["wrote"] is False

    async def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        with MicroPythonBoard(tmp_path / "flash") as board:
            (board.folder / "lib").write_bytes(b"a file where a folder should be")
            error = await refused(tmp_path, board, {"main.py": MAIN, "lib/one.py": MAIN})
        assert error.code == "flash_failed"
        assert error.details["wrote"] is False

    async def test_cancelling_leaves_the_old_program_and_the_port(self, tmp_path: Path) -> None:
        with MicroPythonBoard(tmp_path / "flash", bytes_a_second=8_000) as board:
            (board.folder / "main.py").write_bytes(OLD)
            job, notes = job_for(WAY, PICO, python_image({"main.py": MAIN * 3}), tmp_path / "job", board.path)
            work = asyncio.create_task(WAY.write(job))
            async with asyncio.timeout(20):
                while not any(percent > 20 for percent in notes.percents("copy")):
                    await asyncio.sleep(0.01)
            work.cancel()
            async with asyncio.timeout(2):
                with pytest.raises(asyncio.CancelledError):
                    await work
            assert port_holders(board.path) == []
            assert (board.folder / "main.py").read_bytes() == OLD
            assert "write" not in notes.phases


class TestBefore:
    def test_a_single_program_takes_the_name_that_runs(self) -> None:
        options = MicropythonOptions()
        assert files_for_board(python_image({"blink.py": b"x"}), options) == {"main.py": b"x"}
        assert files_for_board(python_image({"lib/blink.py": b"x"}), options) == {"lib/blink.py": b"x"}

    @pytest.mark.parametrize(
        ("files", "words"),
        [
            ({"blink.mpy": b"x"}, "does not start by itself"),
            ({"main.py": b"x", "../evil.py": b"x"}, "no name for a file"),
            ({"main.py": b"x", "/boot.py": b"x"}, "no name for a file"),
            ({"main.py": b"x" * (3 << 20)}, "bytes are more than"),
        ],
    )
    def test_what_cannot_work_is_refused(self, files: dict[str, bytes], words: str) -> None:
        with pytest.raises(FlashError, match=words) as caught:
            WAY.check(python_image(files), PICO)
        assert caught.value.code == "image_unfit"

    def test_folders_come_before_what_is_in_them(self) -> None:
        assert scripts.folders_of({"a/b/c.py": b"", "a/d.py": b"", "e.py": b""}) == ["a", "a/b"]

    def test_no_program_for_the_board_is_too_long_for_a_small_one(self) -> None:
        for program in scripts.copying({"main.py": bytes(range(256)) * 100}):
            assert len(program) < 4_000
