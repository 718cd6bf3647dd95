"""Reads board files into BoardProfiles, naming file, key and reason of everything that is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import (
    BoardProfile,
    ElectricalLimits,
    LocalText,
    MemoryRegion,
    SerialLine,
)
from zeroclaw_desktop.contracts.flash_options import (
    OPTIONS_OF_METHOD,
    STM32_TABLE,
    FlashOptions,
    FlashProfile,
    Stm32Options,
    UsbId,
)
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder
from zeroclaw_desktop.hardware.boards.pin_table import PinTable
from zeroclaw_desktop.hardware.boards.policy import read_policies
from zeroclaw_desktop.hardware.boards.table_reader import TableReader
from zeroclaw_desktop.hardware.boards.wiring import read_wiring
from zeroclaw_desktop.hardware.errors import BoardDataError

SCHEMA = 2
LINKS = ("serial", "micropython", "gpio", "tcp")
KEYS = (
    *("schema", "key", "name", "chip", "link", "picture", "led_pin", "fqbn", "notes", "adc", "usb"),
    *("serial", "memory", "limits", "flash", "pins", "buses", "motors", "policy"),
)
FLASH_KEYS = ("methods", "bootloader_bytes", STM32_TABLE, *OPTIONS_OF_METHOD)
_log = logger("serial")


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
    reader = TableReader(source)
    if reader.get(table, "schema", int) != SCHEMA:
        reader.problems.append(f"schema must be {SCHEMA}")
    reader.only(table, "", KEYS)
    pin_table = PinTable(table, reader)
    pins = pin_table.read()
    memory = _read_memory(table, reader)
    link = reader.get(table, "link", str, "serial")
    if link not in LINKS:
        reader.problems.append(f"link must be one of {', '.join(LINKS)}, not {link!r}")
    profile = BoardProfile(
        key=reader.get(table, "key", str),
        name=reader.get(table, "name", str),
        chip=reader.get(table, "chip", str),
        pins=pins,
        led_pin=pin_table.number(table["led_pin"], "led_pin") if "led_pin" in table else None,
        adc_reference_volts=reader.positive(table, "adc.reference_volts", float, 5.0),
        adc_bits=reader.positive(table, "adc.bits", int, 10),
        flash=_read_flash(table, memory, reader),
        memory=memory,
        serial=reader.record(SerialLine, table.get("serial", {}), "serial") or SerialLine(),
        limits=reader.record(ElectricalLimits, table["limits"], "limits") if "limits" in table else None,
        link=link,
        usb_ids=_read_usb(table, reader),
        fqbn=reader.get(table, "fqbn", str, "none").replace("none", ""),
        picture=reader.get(table, "picture", str, "none").replace("none", ""),
        notes=_read_notes(table, reader),
        policies=read_policies(table, [pin.number for pin in pins], reader.problems),
        wiring=read_wiring(table, pin_table, pins, reader),
    )
    reader.finish()
    return profile


def _read_notes(table: Mapping[str, Any], reader: TableReader) -> LocalText:
    return reader.text(table["notes"], "notes") if "notes" in table else {}


def _read_memory(table: Mapping[str, Any], reader: TableReader) -> dict[str, MemoryRegion]:
    regions = {}
    for name, row in reader.get(table, "memory", dict, {}).items():
        region = reader.record(MemoryRegion, row, f"memory.{name}")
        if region is not None and region.bytes == 0:
            reader.problems.append(f"memory.{name}.bytes must be above 0")
        elif region is not None:
            regions[name] = region
    return regions


def _read_flash(
    table: Mapping[str, Any], memory: Mapping[str, MemoryRegion], reader: TableReader
) -> FlashProfile:
    section = reader.get(table, "flash", dict, {})
    reader.only(section, "flash.", FLASH_KEYS)
    methods = [str(method) for method in reader.get(section, "methods", list, [])]
    options: dict[str, FlashOptions] = {}
    for method in methods:
        kind = OPTIONS_OF_METHOD.get(method)
        if kind is None:
            known = ", ".join(OPTIONS_OF_METHOD)
            reader.problems.append(f"flash.methods: {method!r} is none of {known}")
            continue
        name = STM32_TABLE if kind is Stm32Options else method
        read: FlashOptions | None = reader.record(kind, section.get(name, {}), f"flash.{name}")
        if read is not None:
            options[method] = read
    if methods and "flash" not in memory:
        reader.problems.append("memory.flash is missing")
    if "arduino-cli" in methods and not table.get("fqbn"):
        reader.problems.append("fqbn is missing, which arduino-cli needs")
    bootloader_bytes = reader.get(section, "bootloader_bytes", int, 0)
    return FlashProfile(tuple(methods), bootloader_bytes, options)


def _read_usb(table: Mapping[str, Any], reader: TableReader) -> tuple[UsbId, ...]:
    reader.only(table.get("usb", {}), "usb.", ("ids",))
    return tuple(reader.usb_id(text, "usb.ids") for text in reader.get(table, "usb.ids", list, []))


def user_boards_folder() -> Path | None:
    """Where a person's own board files are: ``boards`` in the home folder; None when there is none."""
    try:
        folder = home_folder(create=False) / "boards"
    except HomeFolderError:
        return None
    return folder if folder.is_dir() else None


@cache
def board_catalog() -> Mapping[str, BoardProfile]:
    """All boards by key: the shipped ones, then the person's own.

    A file of the person's that is wrong is logged with everything that is wrong, and left out.

    Raises:
        BoardDataError: one of the shipped files is wrong.
    """
    profiles: dict[str, BoardProfile] = {}
    for path in sorted(Path(resource_path("boards")).glob("*.toml")):
        _add(profiles, path)
    own = user_boards_folder()
    for path in sorted(own.glob("*.toml")) if own is not None else ():
        try:
            _add(profiles, path)
        except BoardDataError as error:
            _log.error("%s %s", error.message, error.hint)
    return profiles


def _add(profiles: dict[str, BoardProfile], path: Path) -> None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BoardDataError(
            f"The board file {path.name} cannot be read: {error}", details={"file": path.name}
        ) from error
    profile = read_board(text, path.name)
    if profile.key in profiles:
        raise BoardDataError(
            f"The board file {path.name} has the key '{profile.key}' of another board.",
            details={"file": path.name},
        )
    profiles[profile.key] = profile


def profiles_for_usb(vendor: int, product: int) -> list[BoardProfile]:
    """The boards that a USB id may stand for; none for bridge chips, which are on many boards."""
    return [profile for profile in board_catalog().values() if (vendor, product) in profile.usb_ids]


def profile_for_usb(vendor: int, product: int) -> BoardProfile | None:
    """The board that a USB id stands for; None when it may be one of several, or any."""
    found = profiles_for_usb(vendor, product)
    return found[0] if len(found) == 1 else None
