"""Who is who among the USB ports: serial number, else place, else path (HW-2).

Two devices with one serial number are clones; their place tells them apart. A port keeps the identity that it
was given while it stays where it is, so plugging in a clone changes nothing for the board that was there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from zeroclaw_desktop.hardware.transport.discovery import PortInfo

# Serial numbers that factories leave in every device of a kind.
_MEANINGLESS = frozenset({"", "0", "00", "000", "0000", "00000000", "0001", "1", "123456", "12345678"})


def device_place(port: PortInfo) -> str:
    """Where the USB device is: Linux adds ``:configuration.interface`` to it, which belongs to the port."""
    return port.location.partition(":")[0]


class PortIdentities:
    """Gives ports their identity: ``1a86:7523:SERIAL``, ``1a86:7523@1-1.2``, ``1a86:7523#/dev/ttyUSB0``."""

    def __init__(self) -> None:
        self._given: dict[PortInfo, str] = {}

    def of(self, ports: Sequence[PortInfo]) -> dict[PortInfo, str]:
        """Identity of each port that is there now, all of them different."""
        places: dict[tuple[str, str], set[str]] = defaultdict(set)
        interfaces: dict[tuple[str, str, str], list[PortInfo]] = defaultdict(list)
        for port in ports:
            places[port.usb_id, port.serial_number].add(device_place(port))
            interfaces[port.usb_id, port.serial_number, device_place(port)].append(port)
        given = {port: self._given[port] for port in ports if port in self._given}
        taken = set(given.values())
        for port in ports:
            if port in given:
                continue
            alone = len(places[port.usb_id, port.serial_number]) == 1
            base = _base(port, alone)
            siblings = interfaces[port.usb_id, port.serial_number, device_place(port)]
            if siblings.index(port):
                base = f"{base}/{port.location.partition(':')[2] or siblings.index(port)}"
            if base in taken:  # a clone of a board that keeps the serial number as its identity
                base = _base(port, alone=False)
            if base in taken:  # no two ports share a path
                base = f"{port.usb_id}#{port.path}"
            given[port] = base
            taken.add(base)
        self._given = given
        return dict(given)


def _base(port: PortInfo, alone: bool) -> str:
    if alone and port.serial_number not in _MEANINGLESS:
        return f"{port.usb_id}:{port.serial_number}"
    place = device_place(port)
    return f"{port.usb_id}@{place}" if place else f"{port.usb_id}#{port.path}"


def short_identity(identity: str) -> str:
    """The part after the USB id, for names of boards."""
    return identity[10:]
