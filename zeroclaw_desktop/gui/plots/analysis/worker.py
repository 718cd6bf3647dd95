"""Computes beside the window's thread: one job at a time, its result by a signal."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

_LOOK_MS = 8
"""How often a running job is looked at: a result waits for half a frame at most."""


class AnalysisWorker(QObject):
    """Starts a thread for a job; numpy lets the window go on meanwhile. The thread ends with its job.

    The thread knows nothing of Qt, so that it may go on when the window is gone: this object looks whether
    it has ended.
    """

    finished = Signal(object)
    """What the job returned; None when it failed, which the program's hook for threads reports."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def busy(self) -> bool:
        """Whether a job runs or its result has not been told yet."""
        return self._job is not None

    def start(self, job: Callable[[], object]) -> bool:
        """Run a job; returns False, and does nothing, while another one runs."""
        if self.busy:
            return False
        self._job = _Job(job)
        self._job.start()
        self._timer.start()
        return True

    def _look(self) -> None:
        job = self._job
        if job is None or job.is_alive():
            return
        self._timer.stop()
        self._job = None
        self.finished.emit(job.result)


class _Job(threading.Thread):
    """Runs a function and keeps what it returned."""

    def __init__(self, job: Callable[[], object]) -> None:
        super().__init__(name="plot-analysis", daemon=True)
        self._function = job
        self.result: object = None

    def run(self) -> None:
        self.result = self._function()
