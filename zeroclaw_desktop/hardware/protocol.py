"""The board protocol on the host side (firmware/protocol/SPEC.md): lines to messages and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile, PinState
from zeroclaw_desktop.foundation.text import visible

MAX_REQUEST_BYTES = 255
"""The firmware's line buffer, without the line end."""
MAX_STATE_NUMBER = 65_535
"""Duties, pulses and frequencies are 16 bits on the board."""
MAX_PIN_DIGITS = 3
MAX_SAID = 200
MAX_NAME = 40
"""Characters of a board's own words that are shown."""
SERVO_0_US = 544
SERVO_180_US = 2_400
"""Pulse widths at 0 and 180 degrees (SPEC.md, servo_write)."""
_MODES = {
    "-": "serial",
    "i": "input",
    "u": "input_pullup",
    "o": "output",
    "p": "pwm",
    "s": "servo",
    "t": "output",
}


@dataclass(frozen=True)
class Reply:
    """Answer to one request."""

    request_id: str
    ok: bool
    result: Any
    error: str
    code: str


@dataclass(frozen=True)
class BoardEvent:
    """An unsolicited line: ``boot``, ``change``, ``host_lost`` ..."""

    name: str
    fields: Mapping[str, Any]


def encode_request(request_id: str, command: str, args: Mapping[str, Any]) -> bytes:
    """One request line, compact, as old firmware needs it."""
    row: dict[str, Any] = {"id": request_id, "cmd": command}
    row["args"] = dict(args)
    return json.dumps(row, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def decode_line(line: bytes) -> Reply | BoardEvent | None:
    """Understand a line; None when it is neither a reply nor an event."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    if "evt" in row:
        return BoardEvent(str(row["evt"]), row)
    if "id" in row and isinstance(row.get("ok"), bool):
        return Reply(
            str(row["id"]), row["ok"], row.get("result"), _said(row.get("error")), _said(row.get("code"))
        )
    return None


def _said(value: Any, limit: int = MAX_SAID) -> str:
    """Words of the board that people will read: short, and without anything that does not show."""
    return visible(str("" if value is None else value), limit)


def decode_capabilities(result: Any) -> dict[str, Any]:
    """The capabilities object; upstream sends it as a JSON text. Empty when it is neither."""
    if isinstance(result, str):
        try:
            result = json.loads(result)
        except (ValueError, RecursionError):
            return {}
    return dict(result) if isinstance(result, Mapping) else {}


def firmware_name(capabilities: Mapping[str, Any]) -> str:
    """``zeroclaw-arduino 1.0.0``; '' when the board did not say."""
    return " ".join(_said(capabilities[key], MAX_NAME) for key in ("fw", "version") if capabilities.get(key))


def decode_state(result: Any, profile: BoardProfile) -> dict[int, PinState]:
    """Pin states from the answer to ``state``; empty when the firmware does not have it."""
    if isinstance(result, str):
        result = decode_capabilities(result)
    if not isinstance(result, Mapping):
        return {}
    modes, levels = result.get("mode"), result.get("level")
    if not isinstance(modes, str) or not isinstance(levels, str):
        return {}
    duties, pulses = _numbers(result.get("pwm")), _numbers(result.get("servo"))
    pins: dict[int, PinState] = {}
    for pin in profile.pins:
        number = pin.number
        if number >= len(modes) or number >= len(levels):
            break
        level = int(levels[number]) if levels[number] in "01" else None
        duty = duties.get(number)
        pulse = pulses.get(number)
        pins[number] = PinState(
            number,
            _MODES.get(modes[number], "unknown"),
            level,
            None if duty is None else duty / 255.0,
            None if pulse is None else servo_angle(pulse),
        )
    return pins


def changed_pin(event: BoardEvent, profile: BoardProfile) -> tuple[int, int] | None:
    """(pin, level) that a ``change`` event tells; None when it is about no digital pin of the board."""
    signal, value = str(event.fields.get("signal", "")), event.fields.get("value")
    digits = signal[1:]
    if signal[:1] != "d" or not digits.isdecimal() or len(digits) > MAX_PIN_DIGITS:
        return None
    if not isinstance(value, (int, float)) or value not in (0, 1):
        return None
    number = int(digits)
    return (number, int(value)) if any(pin.number == number for pin in profile.pins) else None


def servo_angle(pulse_us: float) -> float:
    """Angle in degrees of a pulse width in microseconds."""
    return round((pulse_us - SERVO_0_US) * 180.0 / (SERVO_180_US - SERVO_0_US), 1)


def _numbers(table: Any) -> dict[int, float]:
    """Numbers by pin; what is no number of a sensible size is left out."""
    if not isinstance(table, Mapping):
        return {}
    return {
        int(key): float(value)
        for key, value in table.items()
        if len(str(key)) <= MAX_PIN_DIGITS
        and str(key).isdecimal()
        and isinstance(value, (int, float))
        and not isinstance(value, bool)
        and 0 <= value <= MAX_STATE_NUMBER
    }
