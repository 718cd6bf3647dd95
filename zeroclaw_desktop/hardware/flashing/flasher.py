"""The flash flow (HW-6): check the image, find the tool, borrow the port, write, verify, greet the board."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, find_image
from zeroclaw_desktop.hardware.flashing.method import FlashJob, FlashListener, FlashMethod
from zeroclaw_desktop.hardware.flashing.methods import METHODS
from zeroclaw_desktop.hardware.flashing.tools import Tool
from zeroclaw_desktop.hardware.transport.open_errors import busy_error, port_holders

_log = logger("flash")


@dataclass(frozen=True)
class FlashReport:
    """A job that succeeded.

    Attributes:
        method: key of the way that was used.
        tool_seconds: run time of the tool alone.
        seconds: everything, from the click to the greeting.
        firmware: name and version of the firmware that greeted; '' when it speaks another language.
    """

    image: FirmwareImage
    method: str
    firmware: str
    tool_seconds: float
    seconds: float


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


def choose_method(profile: BoardProfile, image: FirmwareImage, wanted: str = "") -> tuple[FlashMethod, Tool]:
    """The best way of the board that takes the image and whose tool is there.

    Args:
        wanted: key of a method that must be used; '' for the board file's order.

    Raises:
        FlashError: ``flash_unsupported``, ``image_unfit``, or ``tool_missing`` for the best way.
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
    missing: FlashError | None = None
    for method in fitting:
        try:
            return method, method.find_tool()
        except FlashError as error:
            missing = missing or error
    assert missing is not None
    raise missing


class Flasher:
    """Flashes one board at a time each; knows the ways of writing."""

    def __init__(self, runner: ChildRunner) -> None:
        self._runner = runner

    async def flash(
        self, connection: BoardConnection, firmware_key: str, listener: FlashListener, method_key: str = ""
    ) -> FlashReport:
        """Write a firmware to a board and verify it.

        Args:
            firmware_key: ``default``, the name of a shipped image, or a path.
            method_key: way of writing; '' for the best one that works here.

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
        image = await asyncio.to_thread(find_image, firmware_key, profile)
        method, tool = choose_method(profile, image, method_key)
        method.check(image, profile)
        listener.phase("prepare", None, "")
        async with connection.lend_port() as port:
            if method.needs_port:
                await self._refuse_busy(port)
            with _job_folder() as folder:
                job = FlashJob(profile, image, port, tool, self._runner, listener, folder)
                tool_seconds = await method.write(job)
            listener.phase("reset", None, "")
        listener.phase("handshake", None, "")
        info = connection.info
        _log.info("%s flashed with %s; it greets as %s", info.name, image.key, info.firmware or "nothing")
        return FlashReport(image, method.key, info.firmware, tool_seconds, time.monotonic() - started)

    @staticmethod
    async def _refuse_busy(port: str) -> None:
        if await asyncio.to_thread(port_holders, port):
            raise busy_error(port)
