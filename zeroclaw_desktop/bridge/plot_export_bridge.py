"""Exports of the plots: written in a thread, with progress, one at a time."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from zeroclaw_desktop.bridge.core_access import CoreAccess
from zeroclaw_desktop.bridge.error_text import error_view_of
from zeroclaw_desktop.bridge.plots_bridge import PlotsBridge
from zeroclaw_desktop.bridge.views import ErrorView
from zeroclaw_desktop.foundation.errors import ZeroClawError

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_export import ExportJob, ExportWish

CANCELLED = "telemetry_export_cancelled"


@dataclass(frozen=True)
class CsvForm:
    """How CSV is written.

    Attributes:
        long: a row for each sample instead of a column for each series.
        delimiter: ``,`` ``;`` or a tab.
        decimal_comma: ``1,5`` for one and a half.
        iso_time: date and time in UTC instead of seconds.
    """

    long: bool = False
    delimiter: str = ","
    decimal_comma: bool = False
    iso_time: bool = False


class PlotExportBridge(QObject):
    """Writes samples of what the plots show, live or replayed."""

    changed = Signal()
    """An export began or ended."""
    finished = Signal(str, object)
    """Path, and an ``ErrorView`` (its ``code`` is ``CANCELLED`` after a cancel), None when it is written."""

    def __init__(self, core: CoreAccess, plots: PlotsBridge) -> None:
        super().__init__()
        self._core = core
        self._plots = plots
        self._job: ExportJob | None = None

    @staticmethod
    def has_parquet() -> bool:
        """Whether the extra that writes Parquet is installed; without it the export says how to get it."""
        return find_spec("arro3") is not None and find_spec("arro3.io") is not None

    def running(self) -> str:
        """Path that is being written; '' when none is."""
        return "" if self._job is None else str(self._job.wish.path)

    def percent(self) -> float | None:
        """How much of it is done, 0 to 100; None while nobody knows."""
        job = self._job
        return None if job is None or not job.whole else 100.0 * job.done / job.whole

    def cancel(self) -> None:
        """End it; no file is left."""
        if self._job is not None:
            self._job.cancel()

    def export_csv(self, path: str, t0: float | None, t1: float | None, form: CsvForm) -> None:
        """Begin to write; nothing happens while another export goes on.

        Args:
            path: of the file.
            t0: seconds from which on; None for everything that is kept.
            t1: seconds up to which.
            form: separators and so on.
        """
        from zeroclaw_desktop.runtime.plot_export import ExportWish

        self._begin(ExportWish(Path(path), "csv", *_window(t0, t1), **dataclasses.asdict(form)))

    def export_parquet(self, path: str, t0: float | None, t1: float | None) -> None:
        """Begin to write; arguments as for ``export_csv``."""
        from zeroclaw_desktop.runtime.plot_export import ExportWish

        self._begin(ExportWish(Path(path), "parquet", *_window(t0, t1)))

    def _begin(self, wish: ExportWish) -> None:
        from zeroclaw_desktop.runtime.plot_export import ExportJob

        store = self._plots.store
        if store is None or self._job is not None:
            return
        self._job = ExportJob(wish)
        self.changed.emit()
        self._core.start(self._run(self._job, store), "export")

    async def _run(self, job: ExportJob, store: Any) -> None:
        fault: ErrorView | None = None
        try:
            await job.run(store)
        except ZeroClawError as error:
            fault = error_view_of(error, self._core.language)
        finally:
            # The end of the program cancels this task; the thread must not write on.
            job.cancel()
            self._job = None
        self.changed.emit()
        self.finished.emit(str(job.wish.path), fault)


def _window(t0: float | None, t1: float | None) -> tuple[float, float]:
    return -math.inf if t0 is None else t0, math.inf if t1 is None else t1
