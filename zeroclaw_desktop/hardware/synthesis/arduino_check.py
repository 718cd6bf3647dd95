"""Finds what an Arduino sketch does with pins and which libraries it wants (reference: docs.arduino.cc)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.synthesis import Finding, both
from zeroclaw_desktop.foundation.text import QUOTED, visible
from zeroclaw_desktop.hardware.synthesis.cpp_text import Call, CppText, preprocessed_lines
from zeroclaw_desktop.hardware.synthesis.pin_spelling import find_pin
from zeroclaw_desktop.hardware.synthesis.pin_uses import PinUse

_MODES = {"OUTPUT": "output", "INPUT": "input", "INPUT_PULLUP": "pull_up"}
_FIRST_ARGUMENT: Mapping[str, tuple[str, ...]] = {
    "digitalWrite": ("output",),
    "digitalRead": ("input",),
    "analogWrite": ("pwm",),
    "tone": ("output",),
    "pulseIn": ("input",),
    "pulseInLong": ("input",),
    "shiftOut": ("output", "output"),
    "shiftIn": ("input", "output"),
}
"""Functions whose first arguments are pins, with what is asked of each."""
_OBJECTS: Mapping[str, tuple[str, ...]] = {
    "Adafruit_NeoPixel": ("", "output"),
    "DHT": ("pull_up",),
    "OneWire": ("output",),
    "SoftwareSerial": ("input", "output"),
    "LiquidCrystal": ("output",) * 6,
    "Stepper": ("", "output", "output", "output", "output"),
}
"""Classes of well-known libraries whose constructors take pins."""
_BUSES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Wire": ("I2C", ("SDA", "SCL")),
    "SPI": ("SPI", ("MOSI", "MISO", "SCK")),
}
_NAMES = {"LED_BUILTIN", "SDA", "SCL", "MOSI", "MISO", "SCK", "SS"}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b[ \t]*(.*)$", re.MULTILINE)
_OUTSIDE = re.compile(r"^[/\\~]|\.\.|:")
_INCBIN = re.compile(r"\.\s*inc(?:bin|lude)\b")


class ArduinoSketch:
    """One sketch and the board that it is for."""

    def __init__(self, text: str, board: BoardProfile) -> None:
        self._source = text
        self._cpp = CppText(text)
        self._board = board
        self.computed_lines: list[int] = []
        """Lines whose pin is known only when the sketch runs."""

    def includes(self) -> list[tuple[str, int]]:
        """Headers with their lines."""
        return [
            (match[2].strip(), self._cpp.line_of(match.start()))
            for match in _INCLUDE.finditer(self._visible())
        ]

    def _visible(self) -> str:
        """The source with comments blanked but names of headers kept."""
        lines = self._source.splitlines()
        blank = self._cpp.text.splitlines()
        return "\n".join(
            line if seen.lstrip().startswith("#") else seen for line, seen in zip(lines, blank, strict=False)
        )

    def foreign_files(self) -> Iterator[Finding]:
        """What would read files of this computer into the firmware.

        A sketch may come from a model, so nothing is left to how it is written: directives are looked at as
        the preprocessor sees them, and assembler text without the quotes between its pieces.
        """
        text = preprocessed_lines(self._source)
        for match in _DIRECTIVE.finditer(text):
            name = match[1].strip()
            header = re.fullmatch(r'[<"]([^>"]*)[>"].*', name)
            if header is None or _OUTSIDE.search(header[1]):
                shown = visible(name, QUOTED)
                yield Finding(
                    "error",
                    "include_path",
                    both(
                        f"The sketch includes a file that is not named plainly beside it: {shown}.",
                        f"程序包含的文件不在其文件夹中或未直接写明：{shown}。",
                    ),
                    line=text.count("\n", 0, match.start()) + 1,
                )
        pieces = re.sub(r'"\s*"', "", text)
        for match in _INCBIN.finditer(pieces):
            yield Finding(
                "error",
                "include_path",
                both(
                    "The sketch takes a file of this computer into the firmware.",
                    "程序会把本机文件写入固件。",
                ),
                line=pieces.count("\n", 0, match.start()) + 1,
            )

    def uses(self) -> list[PinUse]:
        """Every use of a pin that can be told without running it."""
        found: list[PinUse] = []
        servos = set(re.findall(r"\bServo[ \t]+(\w+)", self._cpp.text))
        for call in self._cpp.calls():
            found += self._of_call(call, servos)
        return found

    def _of_call(self, call: Call, servos: set[str]) -> Iterator[PinUse]:
        name, _, method = call.name.rpartition(".")
        before = self._cpp.text[: call.at].rstrip()
        kind = re.search(r"(\w+)$", before)
        if call.name == "pinMode" and len(call.arguments) == 2:
            capability = _MODES.get(call.arguments[1].strip(), "")
            yield from self._pin(call, 0, capability)
        elif call.name in _FIRST_ARGUMENT and not (kind and kind[1] in ("void", "int", "bool")):
            timer = "tone" if call.name == "tone" else ""
            for at, capability in enumerate(_FIRST_ARGUMENT[call.name]):
                yield from self._pin(call, at, capability, timer)
        elif call.name == "analogRead":
            yield from self._analog(call)
        elif call.name == "attachInterrupt":
            yield from self._interrupt(call)
        elif method == "attach" and name in servos:
            yield from self._pin(call, 0, "output", "servo")
        elif method == "begin" and name in _BUSES:
            yield from self._bus(call, *_BUSES[name])
        elif kind and kind[1] in _OBJECTS:
            for at, capability in enumerate(_OBJECTS[kind[1]]):
                if capability:
                    yield from self._pin(call, at, capability)

    def _pin(self, call: Call, at: int, capability: str, timer: str = "") -> Iterator[PinUse]:
        if not capability or at >= len(call.arguments):
            return
        values = self._cpp.values(call.arguments[at])
        if not values:
            self.computed_lines.append(call.line)
        for value, name in values:
            said = self._known_name(value)
            if said is not None:
                yield PinUse(said, capability, call.line, name, timer=timer)

    def _known_name(self, value: str) -> str | None:
        """The pin as the board file has it; None for a name that means nothing here, such as a parameter."""
        if value == "LED_BUILTIN":
            return str(self._board.led_pin) if self._board.led_pin is not None else None
        if value.isdigit() or value in _NAMES or find_pin(self._board, value) is not None:
            return value
        return value if re.fullmatch(r"(?:A|D)\d{1,2}|P[A-K]_?\d{1,2}", value) else None

    def _analog(self, call: Call) -> Iterator[PinUse]:
        """On AVR a small number is a channel: analogRead(0) is A0 (Arduino core, wiring_analog.c)."""
        if not call.arguments:
            return
        values = self._cpp.values(call.arguments[0])
        if not values:
            self.computed_lines.append(call.line)
        for value, name in values:
            said = self._known_name(value)
            channel = said is not None and said.isdigit() and ":avr:" in self._board.fqbn
            if channel and self._board.pin_named(f"A{said}") is not None:
                said = f"A{said}"
            if said is not None:
                yield PinUse(said, "analog", call.line, name)

    def _interrupt(self, call: Call) -> Iterator[PinUse]:
        inner = (
            re.fullmatch(r"digitalPinToInterrupt\s*\((.*)\)", call.arguments[0]) if call.arguments else None
        )
        if inner:
            for value, name in self._cpp.values(inner[1]):
                said = self._known_name(value)
                if said is not None:
                    yield PinUse(said, "interrupt", call.line, name)

    def _bus(self, call: Call, bus: str, names: tuple[str, ...]) -> Iterator[PinUse]:
        own = [self._cpp.values(argument) for argument in call.arguments[:2]]
        if bus == "I2C" and len(own) == 2 and all(own) and not self._board.fqbn.startswith("arduino:avr"):
            for values in own:
                yield from (PinUse(value, "output", call.line, "", bus) for value, _ in values)
            return
        wired = self._board.wiring.spi if bus == "SPI" else None
        if wired is not None:
            for number in (wired.out_pin, wired.in_pin, wired.clock_pin):
                yield PinUse(str(number), "input", call.line, "", bus)
            return
        for name in names:
            if self._board.pin_named(name) is not None:
                yield PinUse(name, "input", call.line, "", bus)
