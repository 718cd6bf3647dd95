"""A stand-in of the logs bridge: real signal, records made on demand."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from tests.gui.demo_bridge import DemoBridge
from zeroclaw_desktop.bridge.views import BoardView, LogRecordView

START = 1_767_360_000.25
SAMPLES = (
    ("INFO", "hardware.session", "Simulated Arduino Uno said hello: zeroclaw-arduino 1.0.0"),
    ("DEBUG", "hardware.session", '-> {"id":17,"cmd":"gpio_write","pin":13,"value":1}'),
    ("DEBUG", "hardware.session", '<- {"id":17,"ok":true}'),
    ("INFO", "execution", "led_blink on pin 13: completed in 1,812 ms"),
    ("WARNING", "hardware.telemetry", "Line of 1,048,576 characters cut after 65,536"),
    ("INFO", "agent", "Answered in 2 steps, 1 command"),
    ("ERROR", "hardware.flashing", "avrdude ended with 1: programmer is not responding"),
    ("DEBUG", "store", "Checkpoint written, 14 pages"),
)


def records(count: int, first: int = 1) -> list[LogRecordView]:
    """Return this many believable records, ten a second."""
    return [
        LogRecordView(number, START + number / 10, *SAMPLES[number % len(SAMPLES)])
        for number in range(first, first + count)
    ]


class DemoLogs(QObject):
    """``LogsBridge`` without a ring."""

    records_added = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[LogRecordView] = []
        self.calls: list[tuple[Any, ...]] = []
        self.place = ""

    def write(self, *new: LogRecordView) -> None:
        """Add records and tell, as a batch."""
        self.kept.extend(new)
        self.records_added.emit(list(new))

    def records(self) -> list[LogRecordView]:
        return list(self.kept)

    def clear(self) -> None:
        self.calls.append(("clear",))
        self.kept.clear()

    def folder(self) -> str:
        return self.place


class LogWorld(DemoBridge):
    """The demo bridge with logs."""

    def __init__(self, *boards: BoardView) -> None:
        super().__init__(*boards)
        self.logs = DemoLogs()
