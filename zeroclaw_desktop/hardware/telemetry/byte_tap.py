"""What a recorder hears of all sources: bytes as they came, and how they are read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class SourceReading:
    """How the bytes of a source are read, and where the reader stands: enough to read on elsewhere.

    Attributes:
        source_id: port, board, or what else sends.
        kind: ``lines`` or ``frames``.
        encoding: of lines.
        time_base: ``device``, ``host`` or ``index``.
        rate: lines per second, for ``index``.
        description: TOML text of binary frames.
        pending: bytes of the unfinished line or frame.
        synchronised: False while the first line after an opening is still to be dropped.
        header: label and unit of each column, as the last header row of CSV named them.
    """

    source_id: str
    kind: str = "lines"
    encoding: str = "utf-8"
    time_base: str = "device"
    rate: float = 1.0
    description: str = ""
    pending: bytes = b""
    synchronised: bool = True
    header: tuple[tuple[str, str], ...] | None = None

    def to_row(self) -> dict[str, Any]:
        """Return a row for JSON."""
        return {**asdict(self), "pending": self.pending.hex()}

    @staticmethod
    def from_row(row: dict[str, Any]) -> SourceReading:
        """Return what ``to_row`` was made of; raises ValueError, TypeError or KeyError for anything else."""
        header = row.get("header")
        columns = None if header is None else tuple((str(label), str(unit)) for label, unit in header)
        return SourceReading(**{**row, "pending": bytes.fromhex(row["pending"]), "header": columns})


class ByteTap(Protocol):
    """Receives everything that comes; any thread; never raises and never waits for a disk."""

    def source_changed(self, reading: SourceReading) -> None:
        """A source is read in this way from now on."""

    def knows(self, source_id: str) -> bool:
        """Whether ``source_changed`` told of it."""

    def bytes_came(self, source_id: str, data: bytes, host_time: float) -> None:
        """Bytes of one read with their monotonic arrival time in seconds."""

    def reopened(self, source_id: str) -> None:
        """The port was opened anew."""

    def marker_set(self, row: dict[str, Any]) -> None:
        """A marker was set: ``time`` in seconds on the store's axis, ``text``, ``kind``, ``source_id``."""
