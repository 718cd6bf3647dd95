"""Which serial ports there are, and what is known of them without opening any."""

from __future__ import annotations

from dataclasses import dataclass

from serial.tools import list_ports

from zeroclaw_desktop.hardware.errors import PortError

# USB ids of bridge chips: the chip says nothing about the board behind it.
_BRIDGES = {
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x55D3): "CH343",
    (0x1A86, 0x55D4): "CH9102",
    (0x10C4, 0xEA60): "CP2102",
    (0x10C4, 0xEA70): "CP2102N",
    (0x0403, 0x6001): "FT232R",
    (0x0403, 0x6015): "FT231X",
    (0x067B, 0x2303): "PL2303",
}


@dataclass(frozen=True)
class PortInfo:
    """One serial port.

    Attributes:
        identity: USB serial number, else USB location, else the path: what a board is remembered by.
        vendor, product: USB ids or None.
        chip: bridge chip when it is one that sits on many boards, else ''.
    """

    path: str
    description: str
    identity: str
    vendor: int | None
    product: int | None
    serial_number: str
    location: str
    chip: str

    @property
    def usb_id(self) -> str:
        """``1a86:7523`` or ''."""
        if self.vendor is None or self.product is None:
            return ""
        return f"{self.vendor:04x}:{self.product:04x}"


def list_serial_ports() -> tuple[PortInfo, ...]:
    """USB serial ports of the machine, sorted as people count (COM2 before COM10).

    Ports without a USB id (Bluetooth, motherboard UARTs) are left out: makers' boards are on USB.

    Raises:
        PortError: the system could not be asked, as when a device vanishes while it is looked at.
    """
    try:
        found = list_ports.comports()
    except (OSError, TypeError, ValueError) as error:  # pyserial reads ids that have just gone as None
        raise PortError(f"The serial ports could not be listed: {error}", retryable=True) from error
    ports = []
    for port in found:
        if port.vid is None:
            continue
        serial_number = port.serial_number or ""
        identity = serial_number or port.location or port.device
        ports.append(
            PortInfo(
                port.device,
                port.description if port.description not in (None, "n/a") else "",
                f"{port.vid:04x}:{port.pid:04x}:{identity}",
                port.vid,
                port.pid,
                serial_number,
                port.location or "",
                _BRIDGES.get((port.vid, port.pid), ""),
            )
        )
    return tuple(sorted(ports, key=lambda port: (len(port.path), port.path)))
