"""Where a board's buses and named motors are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class SpiWiring:
    """Pin numbers of an SPI bus, seen from the board."""

    out_pin: int
    in_pin: int
    clock_pin: int


@dataclass(frozen=True)
class MotorWiring:
    """Pin numbers of a motor driver; ``direction_pin`` is None for a motor that turns one way only."""

    pwm_pin: int
    direction_pin: int | None = None


@dataclass(frozen=True)
class BoardWiring:
    """What is known of one kind of board, from ``[buses]`` and ``[motors]`` of its file.

    Attributes:
        spi: None when the board file names no SPI pins.
        motors: by name.
    """

    spi: SpiWiring | None = None
    motors: Mapping[str, MotorWiring] = field(default_factory=dict)
