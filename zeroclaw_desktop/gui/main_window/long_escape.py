"""Esc held for a while stops everything (EX-16); a short Esc stays what it was.

The watch sits on the native window, before menus, sheets and fields see the key, and takes nothing away from
them. It counts only while key events come to this window: a release that another window got can therefore not
leave the count running.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QWindow

HOLD_MS = 800
FRAME_MS = 16
GRACE_MS = 50
"""Some X servers send a key that repeats as releases and presses which Qt cannot tell from real ones: a
release counts when no press has followed it for so long."""
_ENDS = (QEvent.Type.FocusOut, QEvent.Type.Close, QEvent.Type.Hide)


class LongEscape(QObject):
    """Watches one window at a time."""

    held = Signal()
    """Esc was held for ``HOLD_MS``; sent once for each time that it is held."""
    progressed = Signal(float)
    """Share 0..1 of the time while Esc is held; 0 when it was let go or the time is over."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWindow | None = None
        self._done = False
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._move_on)
        self._release = QTimer(self)
        self._release.setSingleShot(True)
        self._release.setInterval(GRACE_MS)
        self._release.timeout.connect(self._end)

    def watch(self, window: QWindow | None) -> None:
        """Watch this native window instead of the former one; the same one again changes nothing."""
        if window is self._window:
            return
        if self._window is not None:
            self._window.removeEventFilter(self)
            self._end()
        self._window = window
        if window is not None:
            window.installEventFilter(self)

    def counts(self) -> bool:
        """Return whether Esc is held now and its time is not over."""
        return self._timer.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See keys go by; never keeps one back."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self._take_key(event)
        elif event.type() in _ENDS:
            self._end()
        return False

    def _take_key(self, event: QKeyEvent) -> None:
        if event.type() == QEvent.Type.KeyPress:
            repeats = event.isAutoRepeat() or self._release.isActive()
            self._release.stop()
            if not repeats:
                self._done = False
            # A repeat alone means that Esc went down elsewhere, as in a dialog that it closed.
            if not self._timer.isActive() and not self._done and not event.modifiers():
                self._clock.start()
                self._timer.start()
        elif event.type() == QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self._release.start()

    def _move_on(self) -> None:
        if self._release.isActive():
            return
        passed = self._clock.elapsed()
        if passed < HOLD_MS:
            self.progressed.emit(passed / HOLD_MS)
            return
        self._end()
        # Until the key comes up again its repeats do not count.
        self._done = True
        self.held.emit()

    def _end(self) -> None:
        self._done = False
        self._release.stop()
        if self._timer.isActive():
            self._timer.stop()
            self.progressed.emit(0.0)
