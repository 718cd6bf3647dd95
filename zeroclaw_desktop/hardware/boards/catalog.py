"""Reads board files into BoardProfiles, naming file, key and reason of everything that is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import BoardProfile, PinProfile
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.boards.policy import read_policies
from zeroclaw_desktop.hardware.errors import BoardDataError

SCHEMA = 1
MAX_PINS = 1_000
MAX_NUMBER = 1 << 40
_FUNCTION_LISTS = ("pwm", "servo", "i2c", "spi")


class _Reader:
    """Picks typed values out of a table and collects complaints."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.problems: list[str] = []

    def get(self, table: Mapping[str, Any], path: str, kind: type, default: Any = None) -> Any:
        value: Any = table
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is None:
            if default is None:
                self.problems.append(f"{path} is missing")
                return kind()
            return default
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            self.problems.append(f"{path} must be {kind.__name__}, not {value!r}")
            return kind()
        return value

    def positive(self, table: Mapping[str, Any], path: str, kind: type, default: Any = None) -> Any:
        """A number above zero."""
        value = self.get(table, path, kind, default)
        given = any(problem.startswith(f"{path} ") for problem in self.problems)
        if not given and value is not default and not 0 < value < MAX_NUMBER:
            self.problems.append(f"{path} must be above 0, not {value!r}")
        return value

    def finish(self) -> None:
        if self.problems:
            raise BoardDataError(
                f"The board file {self._source} is wrong: " + "; ".join(self.problems) + ".",
                hint="Correct the file; the built-in files show the form.",
                details={"file": self._source, "problems": list(self.problems)},
            )


def read_board(text: str, source: str) -> BoardProfile:
    """Build a profile from the text of a board file.

    Args:
        text: TOML.
        source: name of the file, for messages.

    Raises:
        BoardDataError: with every fault that was found.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoardDataError(
            f"The board file {source} is not valid TOML: {error}", details={"file": source}
        ) from error
    reader = _Reader(source)
    if reader.get(table, "schema", int) != SCHEMA:
        reader.problems.append(f"schema must be {SCHEMA}")
    pins = _read_pins(table, reader)
    profile = BoardProfile(
        key=reader.get(table, "key", str),
        name=reader.get(table, "name", str),
        chip=reader.get(table, "chip", str),
        flash_method=reader.get(table, "flash.method", str),
        flash_bytes=reader.positive(table, "flash.bytes", int),
        baud=reader.positive(table, "baud", int, 115_200),
        pins=pins,
        led_pin=reader.get(table, "led_pin", int) if "led_pin" in table else None,
        adc_reference_volts=reader.positive(table, "adc.reference_volts", float, 5.0),
        adc_bits=reader.positive(table, "adc.bits", int, 10),
        usb_ids=_read_usb(table, reader),
        avrdude_part=reader.get(table, "flash.part", str, "none"),
        avrdude_programmer=reader.get(table, "flash.programmer", str, "none"),
        flash_baud=reader.positive(table, "flash.baud", int, 115_200),
        bootloader_bytes=reader.get(table, "flash.bootloader_bytes", int, 0),
        settle_seconds=reader.get(table, "settle_seconds", float, 2.0),
        picture=reader.get(table, "picture", str, "none"),
        policies=read_policies(table, [pin.number for pin in pins], reader.problems),
    )
    if profile.led_pin is not None and profile.pin(profile.led_pin) is None:
        reader.problems.append(f"led_pin {profile.led_pin} is not among the pins")
    reader.finish()
    return profile


def _read_usb(table: Mapping[str, Any], reader: _Reader) -> tuple[tuple[int, int], ...]:
    ids: list[tuple[int, int]] = []
    for text in reader.get(table, "usb.ids", list, ()):
        match = re.fullmatch(r"([0-9a-fA-F]{4}):([0-9a-fA-F]{4})", str(text))
        if match is None:
            reader.problems.append(f"usb.ids: {text!r} is not of the form 2341:0043")
            continue
        ids.append((int(match.group(1), 16), int(match.group(2), 16)))
    return tuple(ids)


def _read_pins(table: Mapping[str, Any], reader: _Reader) -> tuple[PinProfile, ...]:
    pins = reader.get(table, "pins", dict)
    span = re.fullmatch(r"(\d+)-(\d+)", reader.get(pins, "digital", str))
    if span is None or not int(span.group(1)) <= int(span.group(2)) < MAX_PINS:
        reader.problems.append("pins.digital must be a range like 0-19")
        return ()
    numbers = range(int(span.group(1)), int(span.group(2)) + 1)
    functions: dict[int, set[str]] = {number: {"digital"} for number in numbers}
    names = {number: str(number) for number in numbers}
    for function in _FUNCTION_LISTS:
        for number in reader.get(table, f"pins.{function}", list, ()):
            if not _is_pin(number, functions):
                reader.problems.append(f"pins.{function}: {number} is not a pin of the board")
                continue
            functions[number].add(function)
    for name, number in reader.get(table, "pins.analog", dict, {}).items():
        if not _is_pin(number, functions):
            reader.problems.append(f"pins.analog.{name}: {number} is not a pin of the board")
            continue
        functions[number].add("analog")
        names[number] = name
    reserved = reader.get(table, "pins.reserved", dict, {})
    notes = reader.get(table, "pins.notes", dict, {})
    for group, texts in (("reserved", reserved), ("notes", notes)):
        for key in texts:
            if key not in map(str, numbers):
                reader.problems.append(f"pins.{group}: {key} is not a pin of the board")
    return tuple(
        PinProfile(
            number,
            names[number],
            frozenset(functions[number]),
            str(reserved.get(str(number), notes.get(str(number), ""))),
            str(number) in reserved,
        )
        for number in numbers
    )


def _is_pin(number: Any, pins: Mapping[int, Any]) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number in pins


@cache
def board_catalog() -> Mapping[str, BoardProfile]:
    """All shipped boards by key; raises BoardDataError when one of the files is wrong."""
    profiles: dict[str, BoardProfile] = {}
    for path in sorted(Path(resource_path("boards")).glob("*.toml")):
        profile = read_board(path.read_text(encoding="utf-8"), path.name)
        if profile.key in profiles:
            raise BoardDataError(
                f"The board file {path.name} has the key '{profile.key}' of another board.",
                details={"file": path.name},
            )
        profiles[profile.key] = profile
    return profiles


def profile_for_usb(vendor: int, product: int) -> BoardProfile | None:
    """The board that a USB id stands for; None for bridge chips, which are on many boards."""
    return next(
        (profile for profile in board_catalog().values() if (vendor, product) in profile.usb_ids), None
    )
