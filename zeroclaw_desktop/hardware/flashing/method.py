"""What every way of writing firmware has in common: the job it gets and what it promises."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.tools import Tool


class FlashListener(Protocol):
    """Told how a job goes on."""

    def phase(self, name: str, percent: float | None, message: str) -> None:
        """A phase began or moved on."""

    def line(self, text: str) -> None:
        """A line of the tool's output."""


@dataclass(frozen=True)
class FlashJob:
    """Everything that a method needs to write one image to one board.

    Attributes:
        image: checked by the method.
        port: path that the tool may open; '' for a method that needs no port.
        tool: as the method's ``find_tool`` gave it.
        folder: empty, for files of the job; it is gone afterwards.
    """

    profile: BoardProfile
    image: FirmwareImage
    port: str
    tool: Tool
    runner: ChildRunner
    listener: FlashListener
    folder: Path


class FlashMethod(Protocol):
    """One way of writing firmware. Implementations have no state of their own.

    Attributes:
        key: as board files name it.
        image_kinds: kinds of images that it takes, see FirmwareImage.
        needs_port: whether it writes through the serial port of the board.
    """

    key: str
    image_kinds: frozenset[str]
    needs_port: bool

    def find_tool(self) -> Tool:
        """The program that does it.

        Raises:
            FlashError: code ``tool_missing``, with the command that installs it.
        """

    def check(self, image: FirmwareImage, profile: BoardProfile) -> None:
        """Compare an image with the board: target, place, size. Nothing is touched.

        Raises:
            FlashError: code ``image_unfit`` and the reason.
        """

    async def write(self, job: FlashJob) -> float:
        """Put the board into its boot mode, write, verify, start the new program.

        Returns:
            Run time of the tool alone in seconds.

        Raises:
            FlashError: what went wrong, and whether the old firmware is still there.
        """
