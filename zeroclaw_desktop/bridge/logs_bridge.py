"""Log lines for the log page, fetched from the ring a few times a second."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from zeroclaw_desktop.bridge.views import LogRecordView
from zeroclaw_desktop.foundation.log import RingHandler, RingRecord
from zeroclaw_desktop.foundation.paths import log_folder

POLL_MILLISECONDS = 200


class LogsBridge(QObject):
    """Batches of new records while somebody listens."""

    records_added = Signal(object)

    def __init__(self, ring: RingHandler) -> None:
        super().__init__()
        self._ring = ring
        self._seen = 0
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MILLISECONDS)
        self._timer.timeout.connect(self._poll)

    def connectNotify(self, _signal: object) -> None:  # noqa: N802 - Qt's name
        """Somebody listens: begin to look."""
        if not self._timer.isActive():
            self._timer.start()

    def records(self) -> list[LogRecordView]:
        """All records that are kept, oldest first; later ones come by ``records_added``."""
        records = self._ring.since(0)
        if records:
            self._seen = records[-1].number
        return [_view(record) for record in records]

    def clear(self) -> None:
        """Forget the kept records; the file keeps them."""
        self._ring.clear()

    def folder(self) -> str:
        """Where the log files are."""
        return str(log_folder())

    def _poll(self) -> None:
        records = self._ring.since(self._seen)
        if records:
            self._seen = records[-1].number
            self.records_added.emit([_view(record) for record in records])


def _view(record: RingRecord) -> LogRecordView:
    return LogRecordView(record.number, record.time, record.level, record.subsystem, record.message)
