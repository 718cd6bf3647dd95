"""What live signals (``a0``, ``d2``) say of pins: they are measured more often than snapshots are read."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from zeroclaw_desktop.contracts.boards import BoardInfo

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.plot_analysis import TelemetryStore

FRESH_SECONDS = 2.0
"""An older sample says nothing about now."""
_SIGNAL = re.compile(r"([ad])([0-9]{1,3})")


class PinReading(NamedTuple):
    """The newest sample of a pin; None for what the signal does not tell.

    Attributes:
        level: 0 or 1 of a digital signal.
        volts: of an analog signal.
    """

    level: int | None
    volts: float | None


def telemetry_pins(store: TelemetryStore, board: BoardInfo) -> dict[int, PinReading]:
    """Return the fresh readings of a board's pins by wire number.

    Args:
        store: series of all sources.
        board: whose firmware names its signals ``aN`` (ADC counts) and ``dN`` (levels), see
            ``firmware/protocol/SPEC.md``.
    """
    found: dict[int, PinReading] = {}
    oldest = store.now() - FRESH_SECONDS
    for info in store.series(board.board_id):
        signal = _SIGNAL.fullmatch(info.key.label)
        if signal is None or info.last_time is None or info.last_time < oldest:
            continue
        # As it was sent: a person's scale is for the plots only.
        last = store.ring(info.key).last()
        if last is None or not math.isfinite(last[1]):
            continue
        kind, number = signal.groups()
        if kind == "d":
            pin, reading = board.profile.pin(int(number)), PinReading(int(last[1] != 0), None)
        else:
            highest = (1 << board.profile.adc_bits) - 1
            volts = last[1] * board.profile.adc_reference_volts / highest
            pin, reading = board.profile.pin_named(f"A{number}"), PinReading(None, round(volts, 4))
        if pin is not None and not pin.reserved:
            found[pin.number] = reading
    return found
