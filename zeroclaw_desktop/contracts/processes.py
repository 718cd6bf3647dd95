"""Child processes as seen by rooms that may not start any themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ChildExit:
    """How a child ended.

    Attributes:
        returncode: exit status; negative is the signal number.
        timed_out: True when it was ended because its time was over.
        seconds: run time.
        tail: last 64 KiB of output, decoded with replacement characters.
    """

    returncode: int
    timed_out: bool
    seconds: float
    tail: str


class ChildHandle(Protocol):
    """A running child with pipes."""

    @property
    def pid(self) -> int:
        """Process id."""

    async def write(self, data: bytes) -> None:
        """Send to its standard input; raises ConnectionError when it has gone."""

    async def read_line(self) -> bytes:
        """Next line of its standard output; b'' at the end."""

    async def end(self, grace: float = 1.0) -> ChildExit:
        """Ask it to end, then kill its whole group; bounded."""


class ChildRunner(Protocol):
    """Starts children; implemented by the sandbox room."""

    async def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        on_output: Callable[[bytes], None] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> ChildExit:
        """Run to the end, both outputs joined; cancelling the await kills the group."""

    async def spawn(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        inherit: bool = True,
        on_error_output: Callable[[bytes], None] | None = None,
    ) -> ChildHandle:
        """Start with pipes on standard input and output.

        Args:
            environment: names added to our own environment, or all there is when ``inherit`` is False.
            on_error_output: given what it writes to standard error; None drops that.
        """
