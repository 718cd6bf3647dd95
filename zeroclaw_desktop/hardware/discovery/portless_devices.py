"""Boards that are plugged in and have no port: a driver is missing, or another program has the chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.hardware.transport.discovery import BRIDGE_CHIPS

USB_DEVICES = Path("/sys/bus/usb/devices")
UDEV_RULES = (Path("/usr/lib/udev/rules.d"), Path("/lib/udev/rules.d"), Path("/etc/udev/rules.d"))


@dataclass(frozen=True)
class PortlessDevice:
    """A bridge chip that is plugged in and has no serial port.

    Attributes:
        chip: CH340, CP2102 ...
        place: USB place, ``1-1.2``.
        taken_by: ``brltty`` when that program's rules claim the chip; '' when a driver is missing.
    """

    chip: str
    usb_id: str
    place: str
    taken_by: str


def portless_devices(
    devices: Path = USB_DEVICES, rules: tuple[Path, ...] = UDEV_RULES
) -> list[PortlessDevice]:
    """Bridge chips that are plugged in and have no serial port, with who has taken them.

    Args:
        devices: folder of USB devices as sysfs has it.
        rules: folders of udev's rules.
    """
    found = []
    for device in _usb_devices(devices):
        try:
            usb_id = f"{_word(device / 'idVendor')}:{_word(device / 'idProduct')}"
        except OSError:
            continue  # just unplugged
        chip = BRIDGE_CHIPS.get(usb_id)
        if chip is not None and not any(device.glob("*:*/tty*")):
            place = device.name
            taken_by = "brltty" if _brltty_claims(usb_id, rules) else ""
            found.append(PortlessDevice(chip, usb_id, place, taken_by))
    return found


def _usb_devices(devices: Path) -> Iterator[Path]:
    try:
        yield from sorted(path for path in devices.iterdir() if ":" not in path.name)
    except OSError:
        return


def _word(file: Path) -> str:
    return file.read_text(encoding="ascii", errors="replace").strip().lower()


def _brltty_claims(usb_id: str, rules: tuple[Path, ...]) -> bool:
    """Whether a rule of brltty names the chip; it writes ids as ``1a86/7523`` without leading zeros."""
    vendor, _, product = usb_id.partition(":")
    wanted = f"{vendor.lstrip('0')}/{product.lstrip('0')}/"
    for folder in rules:
        for file in folder.glob("*brltty*.rules") if folder.is_dir() else ():
            try:
                if wanted in file.read_text(encoding="utf-8", errors="replace").lower():
                    return True
            except OSError:
                continue
    return False
