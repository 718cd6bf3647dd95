"""The flash flow (HW-6): check the image, find the tool, borrow the port, write, verify, greet the board."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_request import EraseRequest, FlashRequest
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.errors import FlashError, PortMissingError
from zeroclaw_desktop.hardware.flashing.boot_messages import boot_trouble
from zeroclaw_desktop.hardware.flashing.formats.reading import ENDINGS, LIST
from zeroclaw_desktop.hardware.flashing.formats.restore_file import RestorePoint
from zeroclaw_desktop.hardware.flashing.images import NO_IMAGE, FirmwareImage, find_image
from zeroclaw_desktop.hardware.flashing.method import (
    ErasableMethod,
    FlashJob,
    FlashListener,
    FlashMethod,
    ReadableMethod,
)
from zeroclaw_desktop.hardware.flashing.methods import METHODS
from zeroclaw_desktop.hardware.flashing.restore_points import RestorePoints
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.flashing.tools import Tool
from zeroclaw_desktop.hardware.transport.open_errors import refuse_unusable

FAR_END_MISSING = frozenset(
    ("volume_missing", "volume_unmounted", "probe_missing", "dfu_missing", "core_missing", "target_unknown")
)
"""Faults of one way after which the board is as it was, and another way may do."""
_log = logger("flash")


@dataclass(frozen=True)
class FlashReport:
    """A job that succeeded.

    Attributes:
        method: key of the way that was used.
        tool_seconds: run time of the tool alone.
        seconds: everything, from the click to the greeting.
        firmware: name and version of the firmware that greeted; '' when it speaks another language.
        restore_point: where what was on the board is kept; None when nothing was saved in this job.
        warning: what the board printed after its start that does not look well; None when there was nothing.
        verified: whether what was written was compared with what the board holds.
    """

    image: FirmwareImage
    method: str
    firmware: str
    tool_seconds: float
    seconds: float
    restore_point: Path | None = None
    warning: FlashError | None = None
    verified: bool = True


@dataclass(frozen=True)
class EraseReport:
    """A chip that was erased.

    Attributes:
        method: key of the way that was used.
        seconds: everything.
        restore_point: where what was on the board is kept; None when it was not saved.
    """

    method: str
    seconds: float
    restore_point: Path | None


@dataclass(frozen=True)
class _Written:
    """A way that has done its work."""

    method: FlashMethod
    tool_seconds: float
    point: RestorePoint | None


@contextlib.contextmanager
def _job_folder() -> Iterator[Path]:
    """A folder for the files of one job.

    Raises:
        FlashError: there is no room for a file; nothing was written to the board.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="zeroclaw-flash-", ignore_cleanup_errors=True) as name:
            yield Path(name)
    except OSError as error:
        raise FlashError(
            f"The firmware could not be made ready: {error.strerror}. Nothing was written to the board.",
            hint="Check the free space of the folder for temporary files.",
            code="flash_failed",
            details={"reason": str(error.strerror), "output": "", "port": "", "holder": ""},
        ) from error


def known_methods(profile: BoardProfile) -> list[FlashMethod]:
    """The ways of the board that this version carries out, best first."""
    return [METHODS[key] for key in profile.flash.methods if key in METHODS]


def usable_methods(
    profile: BoardProfile, image: FirmwareImage, wanted: str = ""
) -> list[tuple[FlashMethod, Tool]]:
    """The ways of the board that accept the image and whose tool is there, best first.

    Args:
        wanted: key of a method that must be used; '' for the board file's order.

    Raises:
        FlashError: ``flash_unsupported``, ``image_unfit``, or ``tool_missing`` for the best way.
    """
    found: list[tuple[FlashMethod, Tool]] = []
    unfit: FlashError | None = None
    missing: FlashError | None = None
    for method in check_kind(image, profile, wanted):
        try:
            method.check(image, profile)
        except FlashError as error:
            unfit = unfit or error
            continue
        try:
            found.append((method, method.find_tool()))
        except FlashError as error:
            missing = missing or error
    if not found:
        best = missing or unfit
        assert best is not None
        raise best
    return found


def check_kind(image: FirmwareImage, profile: BoardProfile, wanted: str = "") -> list[FlashMethod]:
    """The ways of the board that take the kind of image, best first.

    Args:
        wanted: as for usable_methods.

    Raises:
        FlashError: ``flash_unsupported`` or ``image_unfit``.
    """
    ways = [method for method in known_methods(profile) if wanted in ("", method.key)]
    if not ways:
        raise FlashError(
            f"The {profile.name} cannot be flashed{f' by {wanted}' if wanted else ''}.",
            code="flash_unsupported",
            details={"reason": "its board file names no way that is known"},
        )
    fitting = [method for method in ways if image.kind in method.image_kinds]
    if not fitting:
        kinds = ", ".join(sorted({f".{kind}" for method in ways for kind in method.image_kinds}))
        raise FlashError(
            f"The {profile.name} does not take .{image.kind} firmware.",
            hint=f"Choose one of these kinds: {kinds}.",
            code="image_unfit",
            details={"file": str(image.path), "reason": f".{image.kind} is not a kind that it takes"},
        )
    return fitting


def endings_for(profile: BoardProfile) -> tuple[str, ...]:
    """Endings of files that the ways of a board take: ``.hex``, ``.bin``."""
    kinds = {kind for method in known_methods(profile) for kind in method.image_kinds}
    if "bin" in kinds and "esptool" in profile.flash.methods:
        kinds.add(LIST)
    return tuple(ending for ending, kind in ENDINGS.items() if kind in kinds)


def erasable_way(profile: BoardProfile) -> ErasableMethod:
    """The way by which a whole chip can be erased.

    Raises:
        FlashError: ``flash_unsupported``, none of the board's ways does it.
    """
    for method in known_methods(profile):
        if isinstance(method, ErasableMethod):
            return method
    raise FlashError(
        f"The {profile.name} cannot be erased as a whole.",
        hint="Write another firmware; it takes the place of what is there.",
        code="flash_unsupported",
        details={"reason": "none of its ways of flashing erases a whole chip"},
    )


def can_read_back(profile: BoardProfile) -> bool:
    """Whether the way that a board is flashed by can read what is on it."""
    return isinstance(next(iter(known_methods(profile)), None), ReadableMethod)


class Flasher:
    """Flashes one board at a time each; knows the ways of writing.

    Args:
        surroundings: ports and drives of the computer.

    Attributes:
        restore_points: what was on boards before their first flash.
    """

    def __init__(
        self,
        runner: ChildRunner,
        restore_points: RestorePoints | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        self.restore_points = restore_points or RestorePoints()
        self._runner = runner
        self._surroundings = surroundings or Surroundings()
        self._skips: dict[str, asyncio.Event] = {}

    def skip_saving(self, board_id: str) -> None:
        """Stop reading what is on a board, if that is going on, and write at once."""
        event = self._skips.get(board_id)
        if event is not None:
            event.set()

    async def flash(
        self, connection: BoardConnection, request: FlashRequest, listener: FlashListener
    ) -> FlashReport:
        """Write a firmware to a board and verify it.

        Raises:
            FlashError, PortError: nothing was written, or the message says that the board needs flashing.
        """
        started = time.monotonic()
        profile = connection.profile
        listener.phase("check", None, "")
        if connection.simplified:
            raise FlashError(
                "The simplified simulated board has no flash memory.",
                hint="Install the simulator package (wasmtime) to flash the simulated board.",
                code="flash_unsupported",
                details={"reason": "the simplified simulated board has no flash memory"},
            )
        image = await asyncio.to_thread(find_image, request.firmware, profile)
        tools = usable_methods(profile, image, request.method)
        for part in image.left_out:
            listener.line(f"Not written: {part}.")
        listener.phase("prepare", None, "")
        async with connection.lend_port(needed=all(method.needs_port for method, _ in tools)) as port:
            done = await self._write(connection, image, port, tools, request, listener)
            heard = connection.console.total
            listener.phase("reset", None, "")
        listener.phase("handshake", None, "")
        info = connection.info
        warning = None if info.firmware else boot_trouble(connection.console.since(heard)[1])
        _log.info("%s flashed with %s; it greets as %s", info.name, image.key, info.firmware or "nothing")
        return FlashReport(
            image,
            done.method.key,
            info.firmware,
            done.tool_seconds,
            time.monotonic() - started,
            done.point.path if done.point is not None else None,
            warning,
            done.method.verifies,
        )

    async def erase(
        self, connection: BoardConnection, request: EraseRequest, listener: FlashListener
    ) -> EraseReport:
        """Erase the whole chip of a board, after it was asked who it is and what is on it was kept.

        Raises:
            FlashError, PortError: as the message says, nothing was erased or not all of it.
        """
        started = time.monotonic()
        listener.phase("check", None, "")
        way = erasable_way(connection.profile)
        tool = way.find_tool()
        listener.phase("prepare", None, "")
        async with connection.lend_port() as port:
            await asyncio.to_thread(refuse_unusable, port)
            with self._job(connection.profile, NO_IMAGE, port, tool, listener, request.by_hand) as job:
                known, point = await self._prepare(
                    way, job, connection.board_id, request.save_first, again=True
                )
                await way.erase(known)
            listener.phase("reset", None, "")
        _log.info("%s was erased", connection.info.name)
        return EraseReport(way.key, time.monotonic() - started, point.path if point is not None else None)

    @contextlib.contextmanager
    def _job(
        self,
        profile: BoardProfile,
        image: FirmwareImage,
        port: str,
        tool: Tool,
        listener: FlashListener,
        by_hand: bool,
    ) -> Iterator[FlashJob]:
        with _job_folder() as folder:
            yield FlashJob(
                profile, image, port, tool, self._runner, listener, folder, by_hand,
                surroundings=self._surroundings,
            )  # fmt: skip

    async def _write(
        self,
        connection: BoardConnection,
        image: FirmwareImage,
        port: str,
        tools: Sequence[tuple[FlashMethod, Tool]],
        request: FlashRequest,
        listener: FlashListener,
    ) -> _Written:
        """Write by the best way whose far end is there: drive, probe or boot loader."""
        first: FlashError | PortMissingError | None = None
        for method, tool in tools:
            if method.needs_port:
                try:
                    await asyncio.to_thread(refuse_unusable, port)
                except PortMissingError as error:
                    first = first or error
                    continue
            try:
                with self._job(connection.profile, image, port, tool, listener, request.by_hand) as job:
                    known, point = await self._prepare(
                        method, job, connection.board_id, bool(request.save_first)
                    )
                    return _Written(method, await method.write(known), point)
            except FlashError as error:
                if error.code not in FAR_END_MISSING:
                    raise
                listener.line(f"{method.key}: {error.message}")
                first = first or error
        assert first is not None
        raise first

    async def _prepare(
        self, method: FlashMethod, job: FlashJob, board_id: str, save: bool, *, again: bool = False
    ) -> tuple[FlashJob, RestorePoint | None]:
        """Ask the chip who it is, and keep what is on it if that is wanted and it is the first time."""
        if not isinstance(method, ReadableMethod):
            return job, None
        job = replace(job, identity=await method.identify(job))
        if not save:
            return job, None
        skip = self._skips[board_id] = asyncio.Event()
        try:
            return job, await self.restore_points.keep(method, job, board_id, skip, again=again)
        finally:
            del self._skips[board_id]
