"""The flash flow (HW-6): check the image, find the tool, borrow the port, write, verify, greet the board."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.hardware.connection import BoardConnection
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.avrdude import (
    AvrdudeOutput,
    Progress,
    avrdude_arguments,
    explain_failure,
    find_avrdude,
)
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage, find_image
from zeroclaw_desktop.hardware.transport.open_errors import busy_error, port_holders

FLASH_SECONDS = 120.0
_log = logger("flash")


class FlashListener(Protocol):
    """Told how a job goes on."""

    def phase(self, name: str, percent: float | None, message: str) -> None:
        """A phase began or moved on."""

    def line(self, text: str) -> None:
        """A line of the tool's output."""


@dataclass(frozen=True)
class FlashReport:
    """A job that succeeded.

    Attributes:
        tool_seconds: run time of the tool alone.
        seconds: everything, from the click to the greeting.
        firmware: name and version of the firmware that greeted; '' when it speaks another language.
    """

    image: FirmwareImage
    firmware: str
    tool_seconds: float
    seconds: float


@contextlib.contextmanager
def _checked_copy(image: FirmwareImage) -> Iterator[Path]:
    """What was checked as a file of our own: the person's file may change, and its name may hold anything.

    Raises:
        FlashError: there is no room for it; nothing was written to the board.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="zeroclaw-flash-", ignore_cleanup_errors=True)
        file = Path(folder.name) / "firmware.hex"
        file.write_bytes(image.content)
    except OSError as error:
        raise FlashError(
            f"The firmware could not be made ready: {error.strerror}. Nothing was written to the board.",
            hint="Check the free space of the folder for temporary files.",
            code="flash_failed",
            details={"reason": str(error.strerror), "output": "", "port": "", "holder": ""},
        ) from error
    with folder:
        yield file


class Flasher:
    """Flashes one board at a time each; knows the tools."""

    def __init__(self, runner: ChildRunner) -> None:
        self._runner = runner

    async def flash(
        self, connection: BoardConnection, firmware_key: str, listener: FlashListener
    ) -> FlashReport:
        """Write a firmware to a board and verify it.

        Args:
            firmware_key: ``default``, the name of a shipped image, or a path.

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
        if profile.flash_method != "avrdude":
            raise FlashError(f"The {profile.name} cannot be flashed yet.", code="flash_unsupported")
        image = await asyncio.to_thread(find_image, firmware_key, profile)
        tool = find_avrdude()
        listener.phase("prepare", None, "")
        async with connection.lend_port() as port:
            await self._refuse_busy(port)
            tool_seconds = await self._write(connection, tool, port, image, listener)
            listener.phase("reset", None, "")
        listener.phase("handshake", None, "")
        info = connection.info
        _log.info("%s flashed with %s; it greets as %s", info.name, image.key, info.firmware or "nothing")
        return FlashReport(image, info.firmware, tool_seconds, time.monotonic() - started)

    @staticmethod
    async def _refuse_busy(port: str) -> None:
        if await asyncio.to_thread(port_holders, port):
            raise busy_error(port)

    async def _write(
        self,
        connection: BoardConnection,
        tool: str,
        port: str,
        image: FirmwareImage,
        listener: FlashListener,
    ) -> float:
        wrote = False

        def on_progress(progress: Progress) -> None:
            nonlocal wrote
            wrote = True
            listener.phase(progress.phase, progress.percent, "")

        output = AvrdudeOutput(on_progress, listener.line)
        with _checked_copy(image) as file:
            arguments = avrdude_arguments(tool, connection.profile, port, file)
            listener.line("$ " + " ".join(arguments))
            ended = await self._runner.run(arguments, timeout=FLASH_SECONDS, on_output=output.feed)
        output.finish()
        if ended.returncode != 0 or ended.timed_out:
            raise explain_failure(ended.tail, ended.returncode, timed_out=ended.timed_out, wrote=wrote)
        return ended.seconds
