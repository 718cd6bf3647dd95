"""Asks the boot loader of a board which chip it is on: avrdude reads the signature, esptool the chip's name.

A probe resets the board and reads; nothing is written. It runs only when the person asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from zeroclaw_desktop.contracts.boards import BoardProfile
from zeroclaw_desktop.contracts.flash_options import AvrdudeOptions, EsptoolOptions
from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.hardware.errors import FlashError
from zeroclaw_desktop.hardware.flashing.methods.avrdude import AVRDUDE
from zeroclaw_desktop.hardware.flashing.methods.esptool import ESPTOOL
from zeroclaw_desktop.hardware.flashing.tools import Tool, ToolSpec, find_tool

PROBE_SECONDS = 6.0
# Data sheets of the chips, chapter "Signature Bytes"; avrdude's name of the part.
AVR_PARTS: Mapping[str, str] = {
    "1e950f": "m328p",
    "1e9514": "m328",
    "1e9516": "m328pb",
    "1e9801": "m2560",
    "1e9587": "m32u4",
    "1e9406": "m168",
}
_SIGNATURE = re.compile(r"signature = (?:0x)?([0-9a-f]{2} ?[0-9a-f]{2} ?[0-9a-f]{2})\b", re.IGNORECASE)
_ESP_CHIP = re.compile(r"(?:Chip type:|Chip is|Detecting chip type\.\.\.)\s+(ESP(?:32(?:-?[SCHP]\d+)?|8266))")


@dataclass(frozen=True)
class ChipFound:
    """What a boot loader said.

    Attributes:
        chip: as the tool names it: ``m328p``, ``esp32s3``; for a signature that is not known its hex digits.
        probe: key of the probe.
        baud: rate at which the boot loader answered; 0 when it finds the rate by itself.
    """

    chip: str
    probe: str
    baud: int = 0


@dataclass(frozen=True)
class ChipProbe:
    """One question.

    Attributes:
        title: name of the boot loader, for the person.
        arguments: of the tool, for a port.
        read: finds the chip in the output; '' when it says nothing.
    """

    key: str
    title: str
    tool: ToolSpec
    arguments: Callable[[str], list[str]]
    read: Callable[[str], str]
    baud: int = 0


def _read_signature(output: str) -> str:
    found = _SIGNATURE.search(output)
    if found is None:
        return ""
    digits = found.group(1).replace(" ", "").lower()
    return "" if digits in ("000000", "ffffff") else AVR_PARTS.get(digits, digits)


def _read_esp(output: str) -> str:
    found = _ESP_CHIP.search(output)
    return found.group(1).replace("-", "").lower() if found is not None else ""


def _avr(key: str, title: str, programmer: str, part: str, baud: int) -> ChipProbe:
    options = ["-c", programmer, "-p", part, "-b", str(baud)]
    return ChipProbe(key, title, AVRDUDE, lambda port: [*options, "-P", port], _read_signature, baud)


PROBES = (
    _avr("optiboot", "Arduino, 115200", "arduino", "m328p", 115_200),
    ChipProbe(
        "esp",
        "Espressif",
        ESPTOOL,
        lambda port: ["--port", port, "--connect-attempts", "2", "chip-id"],
        _read_esp,
    ),
    _avr("old-nano", "Arduino, 57600", "arduino", "m328p", 57_600),
    _avr("wiring", "Arduino Mega", "wiring", "m2560", 115_200),
)


async def probe_chip(
    port: str,
    runner: ChildRunner,
    on_probe: Callable[[ChipProbe], None] = lambda _probe: None,
    probes: Iterable[ChipProbe] = PROBES,
) -> ChipFound | None:
    """Ask one boot loader after the other; None when none of them answers.

    Args:
        port: a path that nobody has open.
        on_probe: told before each question.
    """
    for probe in probes:
        try:
            tool: Tool = find_tool(probe.tool)
        except FlashError:
            continue  # what cannot be asked is no reason to ask nothing
        on_probe(probe)
        ended = await runner.run([*tool.argv, *probe.arguments(port)], timeout=PROBE_SECONDS)
        chip = probe.read(ended.tail)
        if chip:
            return ChipFound(chip, probe.key, probe.baud)
    return None


def boards_with(found: ChipFound, boards: Iterable[BoardProfile]) -> list[BoardProfile]:
    """The boards that have this chip; those whose boot loader speaks at the rate that answered come first."""
    fitting = []
    for board in boards:
        for options in board.flash.options.values():
            if isinstance(options, AvrdudeOptions) and options.part == found.chip:
                fitting.append((options.baud != found.baud, board))
            elif isinstance(options, EsptoolOptions) and options.chip == found.chip:
                fitting.append((False, board))
    return [board for _, board in sorted(fitting, key=lambda pair: pair[0])]
