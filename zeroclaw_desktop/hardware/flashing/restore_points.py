"""Keeps what was on a board before it is flashed for the first time, in ``backups`` of the home folder.

A flash may hold what is private, such as the password of a network, so nobody else may read the files.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import tomlkit

from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.formats.restore_file import (
    FORMAT,
    RestorePoint,
    find_restore_point,
    table_beside,
)
from zeroclaw_desktop.hardware.flashing.method import FlashJob, ReadableMethod

FOLDER = "backups"
SPARE_BYTES = 4 << 20
MAX_LISTED = 200
_FAULTS_OF_READING = frozenset({"flash_failed", "flash_timeout", "serial_noise", "verify_failed"})
_PIECE = 1 << 20
_log = logger("flash")


def backups_folder() -> Path:
    """Where the restore points of all boards are; it need not exist."""
    return home_folder(create=False) / FOLDER


class RestorePoints:
    """Makes and finds restore points.

    Args:
        folder: where they are.
        now: local time with its offset.
    """

    def __init__(
        self,
        folder: Callable[[], Path] = backups_folder,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._folder = folder
        self._now = now

    def of_board(self, board_id: str) -> list[RestorePoint]:
        """Restore points of a board, newest first."""
        try:
            tables = sorted(self._folder().glob("*/*.toml"), key=lambda path: path.name, reverse=True)
        except (OSError, HomeFolderError):
            return []
        found = [find_restore_point(table.with_suffix(".bin")) for table in tables[:MAX_LISTED]]
        return [point for point in found if point is not None and point.board_id == board_id]

    def is_first(self, owner: str) -> bool:
        """Whether nothing was kept of a board yet.

        Args:
            owner: number of its chip, else the board's id.
        """
        return next(iter(self._folder().joinpath(folder_name(owner)).glob("*.toml")), None) is None

    async def keep(
        self,
        method: ReadableMethod,
        job: FlashJob,
        board_id: str,
        skip: asyncio.Event,
        *,
        again: bool = False,
    ) -> RestorePoint | None:
        """Read what is on the board into a new restore point, unless there is one.

        Args:
            job: with the identity of the chip.
            skip: set when the person does not want to wait for it.
            again: also when there is one already.

        Returns:
            The restore point; None when there was one already or it was skipped.

        Raises:
            FlashError: the board could not be read: a code of the method, or ``restore_point_failed``.
                Nothing was written to it.
        """
        assert job.identity is not None
        owner = job.identity.unique or board_id
        try:
            if not again and not await asyncio.to_thread(self.is_first, owner):
                return None
            part = await asyncio.to_thread(self._new_file, owner, job)
        except (OSError, HomeFolderError) as error:
            raise _not_kept(str(getattr(error, "strerror", "") or error)) from error
        job.listener.phase("backup", 0.0, "")
        try:
            if not await _read_unless(skip, method, job, part):
                job.listener.line("What is on the board is not saved.")
                return None
            point = await asyncio.to_thread(self._seal, part, method.key, job, board_id)
        except FlashError as error:
            if error.code not in _FAULTS_OF_READING:
                raise
            raise _not_kept(str(error.details.get("reason", error.message)), error) from error
        except OSError as error:
            raise _not_kept(str(error.strerror)) from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        job.listener.line(f"What was on the board is saved in {point.path}.")
        _log.info("Restore point of %s: %s", board_id, point.path)
        return point

    def _new_file(self, owner: str, job: FlashJob) -> Path:
        assert job.identity is not None
        folder = self._folder() / folder_name(owner)
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        size = job.identity.flash_bytes or job.profile.flash_bytes
        if shutil.disk_usage(folder).free < size + SPARE_BYTES:
            raise OSError(28, f"there are less than {(size + SPARE_BYTES) >> 20} MB free in {folder}")
        part = folder / f"{self._now():%Y-%m-%d-%H%M%S}.part"
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        return part

    def _seal(self, part: Path, tool: str, job: FlashJob, board_id: str) -> RestorePoint:
        """Write the table, then give the content its name: without a table it is no restore point."""
        assert job.identity is not None
        digest, size = hashlib.sha256(), 0
        with part.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                size += len(piece)
            os.fsync(file.fileno())
        if size == 0:
            raise _not_kept("nothing was read")
        point = RestorePoint(
            part.with_suffix(".bin"),
            board_id,
            job.profile.key,
            job.profile.name,
            job.identity.chip,
            job.identity.unique,
            size,
            digest.hexdigest(),
            self._now().isoformat(timespec="seconds"),
            tool,
        )
        row = {name: value for name, value in dataclasses.asdict(point).items() if name != "path"}
        part.replace(point.path)
        table = tomlkit.dumps({"restore_point": FORMAT, **row})
        table_beside(point.path).write_text(table, encoding="utf-8")
        return point


def folder_name(owner: str) -> str:
    """A name that every file system takes; owners that differ give names that differ."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "-", owner).strip(".")[:60]
    if plain == owner:
        return plain
    return f"{plain}-{hashlib.sha256(owner.encode()).hexdigest()[:8]}"


async def _read_unless(skip: asyncio.Event, method: ReadableMethod, job: FlashJob, file: Path) -> bool:
    """Read; False when the person skipped it. The tool has ended in every case."""
    reading = asyncio.ensure_future(method.read_back(job, file))
    skipping = asyncio.ensure_future(skip.wait())
    try:
        await asyncio.wait({reading, skipping}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done():
            await reading
            return True
        return False
    finally:
        for task in (reading, skipping):
            task.cancel()
        await asyncio.wait({reading, skipping})


def _not_kept(reason: str, error: FlashError | None = None) -> FlashError:
    return FlashError(
        f"What is on the board could not be saved: {reason}. Nothing was written.",
        hint="Try again, or flash without saving it first.",
        code="restore_point_failed",
        retryable=True,
        details={
            "reason": reason,
            "output": str(error.details.get("output", "")) if error is not None else "",
        },
    )
