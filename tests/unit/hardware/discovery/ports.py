"""Made-up ports as Linux lists them: the place is bus-port.port:configuration.interface."""

from __future__ import annotations

from zeroclaw_desktop.hardware.transport.discovery import PortInfo

UNO = (0x2341, 0x0043)
CH340 = (0x1A86, 0x7523)


def port(path: str, usb: tuple[int, int] = UNO, serial_number: str = "", location: str = "") -> PortInfo:
    chip = "CH340" if usb == CH340 else ""
    return PortInfo(path, "", *usb, serial_number, location, chip)
