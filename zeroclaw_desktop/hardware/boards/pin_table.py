"""Reads ``[pins]`` of a board file.

A pin is written as its number or by its port: with ``ports = { PA = 0 }`` the pin ``PA5`` is number 5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zeroclaw_desktop.contracts.boards import LocalText, PinProfile
from zeroclaw_desktop.hardware.boards.table_reader import TableReader

MAX_PINS = 1_000
FUNCTIONS = ("pwm", "servo", "i2c", "spi", "uart", "dac", "touch")
MUST = "must"
LEVELS = {"low": 0, "high": 1}
KEYS = (
    *("ports", "digital", "prefixes", "analog", "more_analog", "analog_only", "aliases"),
    *("input_only", "strapping", "reserved", "notes"),
    *FUNCTIONS,
)
_ITEM = re.compile(r"([A-Z]*)(\d{1,3})(?:-([A-Z]*)(\d{1,3}))?")


class PinTable:
    """The pins while they are being read."""

    def __init__(self, table: Mapping[str, Any], reader: TableReader) -> None:
        self._reader = reader
        self._table = table
        reader.only(reader.get(table, "pins", dict), "pins.", KEYS)
        self._ports: Mapping[str, Any] = reader.get(table, "pins.ports", dict, {})
        self.names = self._read_digital()
        self._functions: dict[int, set[str]] = {number: {"digital"} for number in self.names}
        self._aliases: dict[int, list[str]] = {number: [] for number in self.names}

    def read(self) -> tuple[PinProfile, ...]:
        """All pins in the order of the file."""
        for function in FUNCTIONS:
            self._give(function, function)
        self._read_analog()
        self._read_prefixes()
        for name, reference in self._reader.get(self._table, "pins.aliases", dict, {}).items():
            number = self.number(reference, f"pins.aliases.{name}")
            if number is not None:
                self._aliases[number].append(str(name))
        self._complain_of_shared_names()
        input_only = {self.number(item, "pins.input_only") for item in self._list("input_only")}
        boot_levels = self._boot_levels()
        strapping, reserved, notes = (self._texts(group) for group in ("strapping", "reserved", "notes"))
        pins = []
        for number, name in self.names.items():
            words = reserved.get(number) or strapping.get(number) or notes.get(number) or {}
            pins.append(
                PinProfile(
                    number,
                    name,
                    frozenset(self._functions[number]),
                    words.get("en", ""),
                    number in reserved,
                    tuple(self._aliases[number]),
                    number in input_only,
                    number in strapping,
                    words,
                    boot_levels.get(number),
                )
            )
        return tuple(pins)

    def number(self, reference: Any, path: str) -> int | None:
        """The wire number of a pin that the file refers to; None, with a problem, when there is none."""
        number = self._plain(reference)
        if number not in self.names:
            self._reader.problems.append(f"{path}: {reference!r} is not a pin of the board")
            return None
        return number

    def _plain(self, reference: Any) -> int | None:
        if isinstance(reference, int) and not isinstance(reference, bool):
            return reference
        match = re.fullmatch(r"([A-Z]*)(\d{1,3})", reference) if isinstance(reference, str) else None
        if match is None:
            return None
        base = self._ports.get(match.group(1)) if match.group(1) else 0
        return base + int(match.group(2)) if isinstance(base, int) else None

    def _read_digital(self) -> dict[int, str]:
        names: dict[int, str] = {}
        text = self._reader.get(self._table, "pins.digital", str)
        for item in re.split(r"\s*,\s*", text.strip()):
            match = _ITEM.fullmatch(item)
            port = match.group(1) if match else ""
            base = self._ports.get(port) if port else 0
            last = match.group(4) or match.group(2) if match else ""
            same_port = match is not None and (match.group(3) or port) == port
            if match is None or not same_port or not isinstance(base, int) or int(last) < int(match.group(2)):
                self._reader.problems.append(
                    f"pins.digital must be a range like 0-19 or PA0-PA15, or several; {item!r} is none"
                )
                return {}
            for index in range(int(match.group(2)), int(last) + 1):
                if base + index in names or base + index >= MAX_PINS:
                    self._reader.problems.append(f"pins.digital: {port}{index} is there twice or too large")
                    return {}
                names[base + index] = f"{port}{index}"
        return names

    def _list(self, key: str) -> list[Any]:
        found: list[Any] = self._reader.get(self._table, f"pins.{key}", list, [])
        return found

    def _give(self, function: str, key: str) -> None:
        for reference in self._list(key):
            number = self.number(reference, f"pins.{key}")
            if number is not None:
                self._functions[number].add(function)

    def _read_prefixes(self) -> None:
        """With ``prefixes = ["GPIO"]`` pin 5 is GPIO5 as well."""
        for prefix in self._list("prefixes"):
            if not isinstance(prefix, str) or not re.fullmatch(r"[A-Za-z]{1,8}", prefix):
                self._reader.problems.append(f"pins.prefixes: {prefix!r} is not a few letters")
                continue
            for number, name in self.names.items():
                if name.isdigit():
                    self._aliases[number].append(f"{prefix}{name}")

    def _complain_of_shared_names(self) -> None:
        owners: dict[str, int] = {}
        for number, name in self.names.items():
            for word in (name, *self._aliases[number]):
                if owners.setdefault(word.upper(), number) != number:
                    self._reader.problems.append(f"pins: {word} names two pins")

    def _read_analog(self) -> None:
        """What can be measured: a list of pins, or a table of the names that are printed beside them.

        Pins in ``more_analog`` can be measured too but keep their own names; those in ``analog_only`` can do
        nothing else.
        """
        self._give("analog", "more_analog")
        for reference in self._list("analog_only"):
            number = self.number(reference, "pins.analog_only")
            if number is not None:
                self._functions[number].discard("digital")
                self._functions[number].add("analog")
        section = self._table.get("pins")
        if isinstance(section, Mapping) and isinstance(section.get("analog"), list):
            self._give("analog", "analog")
            return
        for name, reference in self._reader.get(self._table, "pins.analog", dict, {}).items():
            number = self.number(reference, f"pins.analog.{name}")
            if number is not None:
                self._functions[number].add("analog")
                if self.names[number].isdigit():
                    self.names[number] = name
                else:
                    self._aliases[number].append(name)

    def _texts(self, group: str) -> dict[int, LocalText]:
        texts: dict[int, LocalText] = {}
        for reference, words in self._reader.get(self._table, f"pins.{group}", dict, {}).items():
            number = self.number(reference, f"pins.{group}")
            if number is not None:
                if group == "strapping" and isinstance(words, Mapping):
                    words = {key: value for key, value in words.items() if key != MUST}
                texts[number] = self._reader.text(words, f"pins.{group}.{reference}")
        return texts

    def _boot_levels(self) -> dict[int, int]:
        """The levels that strapping pins must have: ``must = "high"`` beside the words."""
        levels: dict[int, int] = {}
        for reference, words in self._reader.get(self._table, "pins.strapping", dict, {}).items():
            level = words.get(MUST) if isinstance(words, Mapping) else None
            number = self._plain(str(reference)) if level is not None else None
            if isinstance(level, str) and level in LEVELS and number is not None:
                levels[number] = LEVELS[level]
            elif level is not None:
                self._reader.problems.append(f"pins.strapping.{reference}.{MUST} must be high or low")
        return levels
