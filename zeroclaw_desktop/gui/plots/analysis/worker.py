"""Computes beside the window's thread: one job at a time, its result by a signal."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


class AnalysisWorker(QObject):
    """Starts a thread for a job; numpy lets the window go on meanwhile. The thread ends with its job.

    It has no parent on purpose: the running thread keeps it alive when the window is gone.
    """

    finished = Signal(object)
    """What the job returned; None when it failed, which the program's hook for threads reports."""
    _ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._thread: threading.Thread | None = None
        self._ended.connect(self._finish)

    @property
    def busy(self) -> bool:
        """Whether a job runs or its result has not been told yet."""
        return self._thread is not None

    def start(self, job: Callable[[], object]) -> bool:
        """Run a job; returns False, and does nothing, while another one runs."""
        if self.busy:
            return False
        self._thread = threading.Thread(target=self._run, args=(job,), name="plot-analysis", daemon=True)
        self._thread.start()
        return True

    def _run(self, job: Callable[[], object]) -> None:
        result: object = None
        try:
            result = job()
        finally:
            # The program may be at its end, and Qt's half of this object with it.
            with contextlib.suppress(RuntimeError):
                self._ended.emit(result)

    def _finish(self, result: object) -> None:
        self._thread = None
        self.finished.emit(result)
