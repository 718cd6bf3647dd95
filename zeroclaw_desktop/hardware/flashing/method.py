"""What every way of writing firmware has in common: the job it gets and what it promises.

What no way does: fuses, lock bits and eFuses are never written. They cannot be undone, so there is no
command, no option and no image kind for them here; what an image holds of them is left out
(FirmwareImage.left_out). Writing erases the pages or sectors that it writes and no others; a whole chip is
erased by Flasher.erase alone.
Boot loaders that lie in the same flash are kept, except where the image of an Espressif chip brings its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.flashing.images import FirmwareImage
from zeroclaw_desktop.hardware.flashing.surroundings import Surroundings
from zeroclaw_desktop.hardware.flashing.tools import Tool

WRITING_PHASES = ("write", "verify")
"""Phases in which the old firmware is gone; before them the board is as it was."""


class FlashListener(Protocol):
    """Told how a job goes on."""

    def phase(self, name: str, percent: float | None, message: str) -> None:
        """A phase began or moved on; see contracts.events.FlashProgressed for the names."""

    def line(self, text: str) -> None:
        """A line of the tool's output."""


@dataclass(frozen=True)
class ChipIdentity:
    """What a chip says of itself.

    Attributes:
        chip: its name, as the tool writes it.
        unique: number that no other chip has (a MAC address); '' when it has none.
        flash_bytes: size of its flash; 0 when that was not asked.
        known: pieces of its flash that were read on the way, by address.
        how: what it needed to answer, for the method's later steps; '' for nothing special.
    """

    chip: str
    unique: str = ""
    flash_bytes: int = 0
    known: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    how: str = ""


@dataclass(frozen=True)
class FlashJob:
    """Everything that a method needs to write one image to one board.

    Attributes:
        image: checked by the method.
        port: path that the tool may open; '' for a method that needs no port.
        tool: as the method's ``find_tool`` gave it.
        folder: empty, for files of the job; it is gone afterwards.
        by_hand: the person has put the board into its boot mode, so the tool must not reset it first.
        identity: what ``identify`` gave; None before, and for methods that cannot ask.
        surroundings: ports and drives of the computer.
    """

    profile: BoardProfile
    image: FirmwareImage
    port: str
    tool: Tool
    runner: ChildRunner
    listener: FlashListener
    folder: Path
    by_hand: bool = False
    identity: ChipIdentity | None = None
    surroundings: Surroundings = field(default_factory=Surroundings)


class FlashMethod(Protocol):
    """One way of writing firmware. Implementations have no state of their own.

    Attributes:
        key: as board files name it.
        image_kinds: kinds of images that it takes, see FirmwareImage.
        needs_port: whether it writes through the serial port of the board.
        verifies: whether what was written is compared with what the board holds.
    """

    key: str
    image_kinds: frozenset[str]
    needs_port: bool
    verifies: bool

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


@runtime_checkable
class ReadableMethod(FlashMethod, Protocol):
    """A way that can also ask the chip who it is and read what is on it, for restore points."""

    async def identify(self, job: FlashJob) -> ChipIdentity:
        """Ask the chip, compare it with the board and with the image. Nothing is written.

        Raises:
            FlashError: ``wrong_chip``, ``image_unfit``, or why it could not be asked.
        """

    async def read_back(self, job: FlashJob, file: Path) -> None:
        """Read the whole flash into a file, byte by byte from its first address. Nothing is written.

        Progress is phase ``backup``.

        Args:
            job: with ``identity``.
            file: is made or replaced; may be incomplete after an error or a cancel.

        Raises:
            FlashError: why it could not be read.
        """


@runtime_checkable
class ErasableMethod(ReadableMethod, Protocol):
    """A way that can also erase a whole chip."""

    async def erase(self, job: FlashJob) -> None:
        """Erase everything.

        Args:
            job: with ``identity`` and NO_IMAGE.

        Raises:
            FlashError: what went wrong, and whether anything was erased.
        """
