"""What the simulator process needs of a simulated board, whichever way it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

PIN_COUNT = 20
"""Pins of an Arduino Uno: 0 to 19, A0 being 14."""


@dataclass(frozen=True)
class Snapshot:
    """Electrical state of all pins; a place in the tuples is the number of the pin.

    Attributes:
        levels: 0 or 1 for each pin, as a probe would see it.
        modes: ``input``, ``input_pullup`` or ``output`` for each pin.
        pwm: pin -> (frequency in Hz, duty 0..1) where a timer drives the pin.
        waves: pin -> (frequency in Hz, duty 0..1) of every square wave, as measured at the pin.
    """

    levels: tuple[int, ...]
    modes: tuple[str, ...]
    pwm: dict[int, tuple[float, float]] = field(default_factory=dict)
    waves: dict[int, tuple[float, float]] = field(default_factory=dict)


class SimulatedMachine(Protocol):
    """A board with time of its own."""

    kind: str
    """``avr`` or ``pure``."""

    def advance(self, seconds: float) -> None:
        """Let the board live for so long."""

    def reset(self, cause: str) -> None:
        """Reset: ``power``, ``external`` or ``brownout``."""

    def receive(self, data: bytes) -> None:
        """Bytes for its serial input; paced by the baud rate inside."""

    def transmitted(self) -> bytes:
        """Bytes that it sent since the last call."""

    def drive_pin(self, pin: int, level: int | None) -> None:
        """An external part drives a pin; None lets go."""

    def short_pin(self, pin: int, level: int | None) -> None:
        """Tie a pin to ground (0) or supply (1), whatever the board does with it; None ends that."""

    def set_volts(self, channel: int, volts: float | None) -> None:
        """Voltage at an analog input; None: nothing is connected."""

    def set_room(self, celsius: float) -> None:
        """Temperature of the room in which the thermometer on the I2C bus is."""

    def snapshot(self) -> Snapshot:
        """Pins now."""

    def take_edges(self) -> tuple[list[tuple[float, int, int]], int]:
        """Changes of driven pins since the last call.

        Returns:
            (board time in seconds, pin, new level) in order, and how many were lost.
        """
