"""Writing the samples of the plots to a file while the window goes on."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from zeroclaw_desktop.hardware.telemetry.errors import TelemetryExportError
from zeroclaw_desktop.hardware.telemetry.export import ExportOptions
from zeroclaw_desktop.hardware.telemetry.store import TelemetryStore

REST_SHARE = 1.0
"""Rest after each piece, as a share of its time: pure Python would else take the lock from the window."""
MOST_REST = 0.02


@dataclass(frozen=True, slots=True)
class ExportWish:
    """What to write.

    Attributes:
        path: file; written beside it first.
        kind: of the file.
        start: seconds on the axis of the plots; samples before are left out.
        end: likewise for later ones.
        long: CSV with a row for each sample instead of a column for each series.
        delimiter: between cells of CSV.
        decimal_comma: write ``1,5`` for one and a half in CSV.
        iso_time: date and time in UTC instead of seconds in CSV.
    """

    path: Path
    kind: Literal["csv", "parquet"] = "csv"
    start: float = -math.inf
    end: float = math.inf
    long: bool = False
    delimiter: str = ","
    decimal_comma: bool = False
    iso_time: bool = False

    def options(self) -> ExportOptions:
        """How CSV is written; raises TelemetryExportError where that is not possible."""
        form: Literal["wide", "long"] = "long" if self.long else "wide"
        return ExportOptions(form, self.delimiter, self.decimal_comma, "iso" if self.iso_time else "seconds")


@dataclass(slots=True)
class ExportJob:
    """An export that goes on in a thread; any thread may look at it.

    Attributes:
        wish: what is written.
        done: samples written.
        whole: samples to write; 0 until they were copied.
    """

    wish: ExportWish
    done: int = 0
    whole: int = 0
    _cancelled: bool = field(default=False, repr=False)
    _began: float = field(default=0.0, repr=False)

    def cancel(self) -> None:
        """End it soon; no file is left."""
        self._cancelled = True

    async def run(self, store: TelemetryStore) -> int:
        """Write; returns how many rows.

        Raises:
            ExportCancelledError: ``cancel`` was called in time.
            TelemetryExportError: the file cannot be written.
        """
        return await asyncio.to_thread(self._write, store)

    def _write(self, store: TelemetryStore) -> int:
        wish = self.wish
        self._began = time.perf_counter()
        try:
            if wish.kind == "parquet":
                return store.export_parquet(wish.path, wish.start, wish.end, watch=self._note)
            options = wish.options()
            return store.export_csv(wish.path, wish.start, wish.end, options=options, watch=self._note)
        except MemoryError as error:
            raise TelemetryExportError(
                "There is not enough memory to copy all samples.", hint="Export what is visible."
            ) from error

    def _note(self, done: int, whole: int) -> bool:
        self.done, self.whole = done, whole
        time.sleep(min(MOST_REST, REST_SHARE * (time.perf_counter() - self._began)))
        self._began = time.perf_counter()
        return not self._cancelled
