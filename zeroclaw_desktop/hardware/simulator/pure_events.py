"""Subscriptions of the simplified board: telemetry, changes, and whose turn it is on a full line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zeroclaw_desktop.hardware.simulator.pure_json import JsonValue
from zeroclaw_desktop.hardware.simulator.pure_line import TransmitBuffer
from zeroclaw_desktop.hardware.simulator.pure_model import PureModel
from zeroclaw_desktop.hardware.simulator.pure_protocol import event_line, letter_and_number

SUBSCRIPTIONS = 8
EVENT_ROOM = 80
"""An event is written only when the transmit buffer has room for the longest one, rounded up."""
DROPPED_MAX = 65_535
TIME_MODULUS = 2**32
UPTIME = "uptime"


def signal_by_name(value: JsonValue, model: PureModel) -> str | None:
    """Name of a signal as the board writes it: ``a0``, ``d13``, ``uptime``; None when there is no such."""
    if value.text == UPTIME:
        return UPTIME
    letter, number = letter_and_number(value.raw)
    if letter == "a" and number in model.channels:
        return f"a{number}"
    if letter == "d" and number in model.pins and number not in model.analog_only:
        return f"d{number}"
    return None


@dataclass
class _Subscription:
    """One signal; ``period`` 0 watches for changes alone. Times in milliseconds since the start."""

    signal: str
    period: int
    due: int
    level: int

    @property
    def digital(self) -> bool:
        return self.signal.startswith("d")


class Subscriptions:
    """Up to 8 of them.

    Args:
        measure: value of a signal now.
        transmit: where the events go.
    """

    def __init__(self, measure: Callable[[str], int], transmit: TransmitBuffer) -> None:
        self._measure = measure
        self._transmit = transmit
        self._entries: list[_Subscription | None] = [None] * SUBSCRIPTIONS
        self._turn = 0
        self.dropped = 0

    @property
    def active(self) -> bool:
        """Whether there is any."""
        return any(entry is not None for entry in self._entries)

    def clear(self) -> None:
        """As after a start."""
        self._entries = [None] * SUBSCRIPTIONS
        self.dropped = 0

    def subscribe(self, signal: str, period: int, now: int) -> bool:
        """Begin or replace one; False when none is free."""
        names = [entry.signal if entry is not None else "" for entry in self._entries]
        place = names.index(signal) if signal in names else names.index("") if "" in names else -1
        if place < 0:
            return False
        level = self._measure(signal) if signal.startswith("d") else 0
        self._entries[place] = _Subscription(signal, period, now, level)
        return True

    def unsubscribe(self, signal: str | None) -> int:
        """End one, or all; returns how many ended."""
        ended = 0
        for place, entry in enumerate(self._entries):
            if entry is not None and signal in (None, entry.signal):
                self._entries[place] = None
                ended += 1
        return ended

    def poll(self, now: int) -> None:
        """Send what is due in this millisecond. Who was served comes last the next time."""
        first = self._turn
        for step in range(SUBSCRIPTIONS):
            place = (first + step) % SUBSCRIPTIONS
            entry = self._entries[place]
            if entry is None:
                continue
            if entry.digital:
                self._poll_change(entry, now)
            if entry.period and self._poll_period(entry, now):
                self._turn = (place + 1) % SUBSCRIPTIONS

    def _poll_change(self, entry: _Subscription, now: int) -> None:
        level = self._measure(entry.signal)
        if level != entry.level and self._transmit.room >= EVENT_ROOM:
            entry.level = level
            self._send("change", entry.signal, level, now)

    def _poll_period(self, entry: _Subscription, now: int) -> bool:
        """Send a sample when it is due and fits; those whose time has passed are left out and counted."""
        late = now - entry.due
        if late < 0 or self._transmit.room < EVENT_ROOM:
            return False
        self._send("telemetry", entry.signal, self._measure(entry.signal), now)
        missed = late // entry.period
        self.dropped = min(DROPPED_MAX, self.dropped + missed)
        entry.due += (missed + 1) * entry.period
        return True

    def _send(self, name: str, signal: str, value: int, now: int) -> None:
        self._transmit.put(event_line(name, signal=signal, value=value, t=now % TIME_MODULUS))
