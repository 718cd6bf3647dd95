"""What a person did last with recordings, exports and sources: folders, recent files, ports, ways to read."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.runtime.kept_json import KeptJson

FILE_NAME = "plot-sources.json"
VERSION = 1
MOST_RECENT = 8
_log = logger("runtime")


@dataclass(frozen=True, slots=True)
class PortWish:
    """A port that is listened to whenever it is there.

    Attributes:
        port: path or URL.
        baud: bits a second.
        encoding: of lines.
        frames: path of the description of binary frames; '' for lines.
        line_rate: lines a second, for times at equal distances; 0 for the board's clock or arrival.
    """

    port: str
    baud: int = 115_200
    encoding: str = "utf-8"
    frames: str = ""
    line_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadingWish:
    """How the lines of a source are read.

    Attributes:
        encoding: ``utf-8``, ``gbk`` ...
        time_base: ``device``, ``host`` or ``index``.
        rate: lines a second, for ``index``.
    """

    encoding: str = "utf-8"
    time_base: str = "device"
    rate: float = 1.0


class PlotHabits:
    """Kept in a file of the home folder; what cannot be written holds for this run.

    Args:
        path: the file; None keeps everything for this run only.
    """

    def __init__(self, path: Path | None) -> None:
        self._kept = KeptJson(path, VERSION)

    # -- files ----------------------------------------------------------------------------------------
    def folder(self, purpose: str) -> str:
        """Return the last folder for ``export`` or ``recording`` that is still there; '' for none."""
        found = self._kept.part("folders").get(purpose)
        return found if isinstance(found, str) and Path(found).is_dir() else ""

    def set_folder(self, purpose: str, folder: str) -> None:
        """Remember a folder."""
        self._put("folders", self._kept.part("folders") | {purpose: folder})

    def recent(self) -> list[str]:
        """Recordings that were made or opened last, newest first, as far as they are still there."""
        found = self._kept.document.get("recent")
        paths = [path for path in found if isinstance(path, str)] if isinstance(found, list) else []
        return [path for path in paths if Path(path).is_file()]

    def add_recent(self, path: str) -> None:
        """Put a recording at the head of the recent ones."""
        others = [other for other in self.recent() if other != path]
        self._put("recent", [path, *others][:MOST_RECENT])

    def csv(self) -> dict[str, Any]:
        """How CSV was written last, by the names of the export's options."""
        return dict(self._kept.part("csv"))

    def set_csv(self, form: dict[str, Any]) -> None:
        """Remember how CSV is written."""
        self._put("csv", form)

    # -- sources --------------------------------------------------------------------------------------
    def ports(self) -> list[PortWish]:
        """Ports without protocol that are listened to."""
        found = []
        for row in self._kept.rows("ports"):
            try:
                found.append(
                    PortWish(
                        str(row["port"]),
                        int(row.get("baud", 115_200)),
                        str(row.get("encoding", "utf-8")),
                        str(row.get("frames", "")),
                        float(row.get("line_rate", 0.0)),
                    )
                )
            except (KeyError, TypeError, ValueError) as error:
                _log.warning("One port of %s is left out: %s", FILE_NAME, error)
        return found

    def set_ports(self, ports: list[PortWish]) -> None:
        """Remember these ports."""
        self._put("ports", [dataclasses.asdict(port) for port in ports])

    def reading(self, source_id: str) -> ReadingWish | None:
        """How a source was read last; None where nobody chose."""
        row = self._kept.part("readings").get(source_id)
        if not isinstance(row, dict):
            return None
        try:
            return ReadingWish(
                str(row.get("encoding", "utf-8")),
                str(row.get("time_base", "device")),
                float(row.get("rate", 1.0)),
            )
        except (TypeError, ValueError) as error:
            _log.warning("How %s was read is not known any more: %s", source_id, error)
            return None

    def set_reading(self, source_id: str, reading: ReadingWish) -> None:
        """Remember how a source is read."""
        self._put("readings", self._kept.part("readings") | {source_id: dataclasses.asdict(reading)})

    def _put(self, name: str, value: Any) -> None:
        try:
            self._kept.put({name: value})
        except ZeroClawError as error:
            _log.warning("What you chose for the plots is forgotten at the end: %s", error.message)
