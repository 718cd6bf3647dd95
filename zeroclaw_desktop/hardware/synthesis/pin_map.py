"""The pin map of the protocol firmware: ``lamp=9, fan=5:pwm, door=2:in, light=A0:analog``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile, NamedPin
from zeroclaw_desktop.contracts.synthesis import Finding, NeedInfo, both
from zeroclaw_desktop.foundation.text import QUOTED, visible

USES: Mapping[str, tuple[str, ...]] = {
    "out": ("output",),
    "pwm": ("output", "pwm"),
    "in": ("pull_up",),
    "analog": ("analog",),
}
"""Each use with what the pin must be able to do."""
LETTERS: Mapping[str, str] = {"out": "o", "pwm": "p", "in": "i", "analog": "a"}
MOST = 16
"""Rows, so that the table and the list of capabilities fit into the memory of an Uno."""
_ROW = re.compile(
    r"\s*(?P<name>[^=:,;]{1,40}?)\s*[=:]\s*(?P<pin>[A-Za-z]{0,4}\d{1,3})\s*(?::\s*(?P<use>\w+)\s*)?"
)


@dataclass(frozen=True)
class MapRow:
    """One pin of the map."""

    name: str
    pin: str
    use: str


def named_rows(board: BoardProfile, named: Sequence[NamedPin]) -> list[MapRow]:
    """The map that the person's own names make; the LED of the board when there are none."""
    rows = []
    for row in named[:MOST]:
        pin = board.pin(row.pin)
        if pin is not None and not pin.reserved:
            use = (
                "pwm"
                if row.role == "dimmer" and "pwm" in pin.functions
                else "in"
                if pin.input_only
                else "out"
            )
            rows.append(MapRow(row.name, pin.name, use))
    led = board.pin(board.led_pin) if board.led_pin is not None else None
    if not rows and led is not None:
        rows.append(MapRow("led", led.name, "out"))
    return rows


def read_map(text: str) -> tuple[list[MapRow], list[Finding]]:
    """The rows of a map, and what could not be read of it."""
    rows: list[MapRow] = []
    findings: list[Finding] = []
    for piece in filter(str.strip, re.split(r"[,;，；\n]", text)):
        found = _ROW.fullmatch(piece)
        use = (found["use"] or "out").lower() if found else ""
        if found is None or use not in USES or len(rows) == MOST:
            shown = visible(piece.strip(), QUOTED)
            uses = ", ".join(USES)
            message = both(
                f"'{shown}' is no row of a pin map: write name=pin:use; use: {uses}; {MOST} rows at most.",
                f"“{shown}”不是引脚表的一行：请写 名称=引脚:用途（{uses}），最多 {MOST} 行。",
            )
            findings.append(Finding("error", "map_row", message))
            continue
        rows.append(MapRow(found["name"], found["pin"], use))
    return rows, findings


def needs_of(rows: Sequence[MapRow]) -> list[NeedInfo]:
    """The rows as needs, so that the planner looks at them as at any other."""
    return [
        NeedInfo(f"map{at}", {"en": row.name, "zh": row.name}, USES[row.use]) for at, row in enumerate(rows)
    ]
