"""Puts another board's pins, channels and names in the place of the Uno's in the protocol's test vectors.

The vectors say what any board must do, but with the numbers of an Uno. A BoardMap gives each of them the
number that plays its part on another board; everything else in a line stays as it was written, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.unit.firmware.vectors import Case, load_cases, load_optional_cases

UNO_PINS = 20
UNO_CHANNELS = 6
UNO_ADC_BITS = 10
_PIN = re.compile(r'("(?:pin|p\\u0069n|dir_pin|cs|tx|rx)"\s*:\s*)(-?\d+)(?![\d.eE])')
_NAME = re.compile(r'("(?:pin|dir_pin|cs|tx|rx|signal)"\s*:\s*")([aAdD])(\d{1,2})(?=")')
_CHANNEL = re.compile(r'("channel"\s*:\s*)(\d+)')
_ERROR_PIN = re.compile(r"\b([Pp]in )([aAdD]?)(\d+)\b")
_NO_NAME = re.compile(r'"pin"\s*:\s*"(?![aAdD]\d{1,2}")')
"""A pin in quotes that is none: the error repeats it as it was written."""
_SIGNAL = re.compile(r"([ad])(\d+)")


@dataclass(frozen=True)
class BoardMap:
    """What plays the part of the Uno's pins on a board.

    Attributes:
        pins: the board's pin for each pin of the Uno; 0 and 1 are those of the serial line.
        pin_count: pin numbers of the board; the first that it does not have stands for the Uno's 20.
        channels: the board's ADC channel for each of the Uno's.
        analog_pins: the board's pin at each of these channels, by the Uno's channel.
        channel_count: ADC channels of the board.
        adc_bits: of the ADC; values of the vectors have 10.
        firmware, version: what the board says of itself.
        capabilities: the members that the board must report.
        is_made: words of vectors/README.md that fit the board.
        skipped: (file, case, id of the request) of steps that do not fit it, with the reason.
    """

    pins: Mapping[int, int]
    pin_count: int
    channels: Mapping[int, int]
    analog_pins: Mapping[int, int]
    channel_count: int
    adc_bits: int
    firmware: str
    version: str
    capabilities: Mapping[str, Any]
    is_made: frozenset[str]
    skipped: Mapping[tuple[str, str, int], str] = field(default_factory=dict)

    def pin(self, number: int) -> int:
        """The board's number for one of the Uno's; what no board has stays as it is."""
        return self.pin_count if number == UNO_PINS else self.pins.get(number, number)

    def channel(self, number: int) -> int:
        """The same for an ADC channel."""
        return self.channel_count if number == UNO_CHANNELS else self.channels.get(number, number)

    def analog(self, value: int) -> int:
        """A reading of 10 bits as the board's ADC gives it; the highest stays the highest."""
        highest = (1 << self.adc_bits) - 1
        return highest if value == (1 << UNO_ADC_BITS) - 1 else value << (self.adc_bits - UNO_ADC_BITS)

    def name(self, letter: str, number: int) -> str:
        """``D7`` or ``a3`` with the board's number."""
        return f"{letter}{self.pin(number) if letter in 'dD' else self.channel(number)}"


def cases_for(board: BoardMap, but: Callable[[Case], bool] = lambda _case: False) -> list[Case]:
    """The vectors for a board, without those that its make excludes and those that ``but`` picks."""
    cases = load_cases() + load_optional_cases()
    fitting = [case for case in cases if case.needs <= board.is_made and not but(case)]
    return [translate(case, board) for case in fitting]


def names_of(cases: Iterable[Case]) -> list[str]:
    """Names for pytest."""
    return [f"{case.file}: {case.name}" for case in cases]


def translate(case: Case, board: BoardMap) -> Case:
    """A case with the board's numbers."""
    steps = [
        _step(step, board)
        for step in case.steps
        if (case.file, case.name, _request_number(step)) not in board.skipped
    ]
    return replace(case, steps=tuple(steps))


def _request_number(step: Mapping[str, Any]) -> int:
    match = re.search(r'"id":(\d+)', str(step.get("send", "")))
    return int(match[1]) if match else -1


def _text(text: str, board: BoardMap) -> str:
    """A line that is sent."""
    text = _PIN.sub(lambda match: f"{match[1]}{board.pin(int(match[2]))}", text)
    text = _NAME.sub(lambda match: match[1] + board.name(match[2], int(match[3])), text)
    return _CHANNEL.sub(lambda match: f"{match[1]}{board.channel(int(match[2]))}", text)


def _reply(value: dict[str, Any], request: str, board: BoardMap) -> dict[str, Any]:
    found = dict(value)
    if "error" in found:
        error = str(found["error"]).replace("from 0 to 5", f"from 0 to {board.channel_count - 1}")
        found["error"] = error if _NO_NAME.search(request) else _error(error, board)
    signal = _SIGNAL.fullmatch(str(found.get("signal", "")))
    if signal is not None:
        found["signal"] = board.name(signal[1], int(signal[2]))
        if signal[1] == "a":
            found["value"] = board.analog(found["value"])
    if '"adc_read"' in request and isinstance(found.get("result"), int):
        found["result"] = board.analog(found["result"])
    if found.get("evt") == "boot":
        found |= {"fw": board.firmware, "version": board.version}
    return found


def _error(text: str, board: BoardMap) -> str:
    def named(match: re.Match[str]) -> str:
        number = int(match[3])
        return match[1] + (board.name(match[2], number) if match[2] else str(board.pin(number)))

    return _ERROR_PIN.sub(named, text)


def _by_pin(table: Mapping[str, Any], board: BoardMap) -> dict[str, Any]:
    return {str(board.pin(int(number))): value for number, value in table.items()}


def _state(state: Mapping[str, Any], board: BoardMap) -> dict[str, Any]:
    found = dict(state)
    letters = {board.pins[number]: letter for number, letter in enumerate(found["mode"])}
    reserved = set(range(board.pin_count)) - set(board.capabilities["gpio"])
    found["mode"] = "".join(
        "-" if pin in reserved else letters.get(pin, "i") for pin in range(board.pin_count)
    )
    return found | {key: _by_pin(found[key], board) for key in ("pwm", "servo", "tone")}


def _step(step: Mapping[str, Any], board: BoardMap) -> dict[str, Any]:
    found = dict(step)
    request = str(step.get("send", step.get("send_raw", "")))
    for key in ("send", "send_raw"):
        if key in found:
            found[key] = _text(found[key], board)
    if "replies" in found:
        found["replies"] = [_reply(value, request, board) for value in found["replies"]]
    for key in ("pins", "drive"):
        if key in found:
            found[key] = _by_pin(found[key], board)
    if "analog" in found:
        found["analog"] = {str(board.channel(int(key))): value for key, value in found["analog"].items()}
    if "capabilities" in found:
        found["capabilities"] = dict(board.capabilities)
    if "state" in found:
        found["state"] = _state(found["state"], board)
    return found
