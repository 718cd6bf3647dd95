"""Reads board files into BoardProfiles, naming file, key and reason of everything that is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from zeroclaw_desktop.contracts.boards import (
    RGB_KINDS,
    BoardProfile,
    ElectricalLimits,
    LocalText,
    MemoryRegion,
    PinPolicy,
    PinProfile,
    RgbLed,
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
PORT_LINKS = ("serial", "micropython")
"""Links of boards that are reached by a serial port."""
KEYS = (
    *("schema", "key", "name", "family", "chip", "link", "picture", "led_pin", "led_active_low", "rgb_led"),
    *("fqbn", "notes", "adc", "usb", "serial", "memory", "limits", "flash", "pins", "buses", "motors"),
    "policy",
)
_KEY = re.compile(r"[a-z0-9][a-z0-9-]*")
_PICTURE = re.compile(r"(?:boards/)?[a-z0-9][a-z0-9-]*\.svg")
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
    key = reader.get(table, "key", str)
    if key and not _KEY.fullmatch(key):
        reader.problems.append(f"key must be lower-case letters, digits and dashes, not {key!r}")
    link = reader.get(table, "link", str, "serial")
    if link not in LINKS:
        reader.problems.append(f"link must be one of {', '.join(LINKS)}, not {link!r}")
    profile = BoardProfile(
        key=key,
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
        picture=_read_picture(table, reader, f"boards/{key}.svg"),
        notes=_read_notes(table, reader),
        policies=_no_outputs(pins, read_policies(table, [pin.number for pin in pins], reader.problems)),
        wiring=read_wiring(table, pin_table, pins, reader),
        family=reader.get(table, "family", str, ""),
        led_active_low=reader.get(table, "led_active_low", bool, False),
        rgb_led=_read_rgb_led(table, pin_table, reader),
    )
    reader.finish()
    return profile


def _no_outputs(pins: tuple[PinProfile, ...], policies: dict[int, PinPolicy]) -> dict[int, PinPolicy]:
    """A pin without an output driver may be made an input only, whatever the file's policy says."""
    for pin in pins:
        if pin.input_only:
            policy = policies.get(pin.number, PinPolicy())
            policies[pin.number] = replace(policy, modes=policy.modes & {"input"})
    return policies


def _read_picture(table: Mapping[str, Any], reader: TableReader, default: str) -> str:
    picture: str = reader.get(table, "picture", str, default)
    if picture != default and not _PICTURE.fullmatch(picture):
        reader.problems.append(f"picture must be the name of an .svg file, not {picture!r}")
    return picture


def _read_rgb_led(table: Mapping[str, Any], pin_table: PinTable, reader: TableReader) -> RgbLed | None:
    if "rgb_led" not in table:
        return None
    row = reader.get(table, "rgb_led", dict)
    reader.only(row, "rgb_led.", ("pin", "kind"))
    kind = reader.get(table, "rgb_led.kind", str)
    if kind not in RGB_KINDS:
        reader.problems.append(f"rgb_led.kind must be one of {', '.join(RGB_KINDS)}, not {kind!r}")
    pin = pin_table.number(row.get("pin"), "rgb_led.pin")
    return None if pin is None else RgbLed(pin, kind)


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
    beside = path.parent / profile.picture
    if "/" not in profile.picture and beside.is_file():
        profile = replace(profile, picture=str(beside))
    if profile.key in profiles:
        raise BoardDataError(
            f"The board file {path.name} has the key '{profile.key}' of another board.",
            details={"file": path.name},
        )
    profiles[profile.key] = profile


def profiles_for_usb(vendor: int, product: int) -> list[BoardProfile]:
    """The boards that a serial port with a USB id may be; none for bridge chips, which are on many boards."""
    return [
        profile
        for profile in board_catalog().values()
        if profile.link in PORT_LINKS and (vendor, product) in profile.usb_ids
    ]


def profile_for_usb(vendor: int, product: int) -> BoardProfile | None:
    """The board that a USB id stands for; None when it may be one of several, or any."""
    found = profiles_for_usb(vendor, product)
    return found[0] if len(found) == 1 else None
