"""Where a board's buses and named motors are, from the tables ``buses`` and ``motors`` of its board file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import AssetMissingError


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
    """What is known of one kind of board.

    Attributes:
        spi: None when the board file names no SPI pins.
        motors: by name.
    """

    spi: SpiWiring | None = None
    motors: Mapping[str, MotorWiring] = field(default_factory=dict)


@cache
def wiring_of(board_key: str) -> BoardWiring:
    """Read the wiring of a kind of board; a board without a file of its own has none."""
    try:
        text = resource_path(f"boards/{board_key}.toml").read_text(encoding="utf-8")
    except AssetMissingError:
        return BoardWiring()
    return read_wiring(tomllib.loads(text))


def read_wiring(table: Mapping[str, Any]) -> BoardWiring:
    """Build the wiring from a parsed board file."""
    spi = table.get("buses", {}).get("spi")
    return BoardWiring(
        None if spi is None else SpiWiring(spi["out"], spi["in"], spi["clock"]),
        {
            name: MotorWiring(row["pwm"], row.get("direction"))
            for name, row in table.get("motors", {}).items()
        },
    )
