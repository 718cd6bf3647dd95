"""Which serial ports there are, and what is known of them without opening any."""

from __future__ import annotations

from dataclasses import dataclass

from serial.tools import list_ports

from zeroclaw_desktop.hardware.errors import PortError

# USB ids of bridge chips: the chip says nothing about the board behind it.
BRIDGE_CHIPS = {
    "1a86:7522": "CH340",
    "1a86:7523": "CH340",
    "1a86:5523": "CH341",
    "1a86:55d3": "CH343",
    "1a86:55d4": "CH9102",
    "10c4:ea60": "CP2102",
    "10c4:ea70": "CP2105",
    "0403:6001": "FT232R",
    "0403:6010": "FT2232",
    "0403:6014": "FT232H",
    "0403:6015": "FT231X",
    "067b:2303": "PL2303",
}


@dataclass(frozen=True)
class PortInfo:
    """One serial port.

    Attributes:
        vendor, product: USB ids or None.
        chip: bridge chip when it is one that sits on many boards, else ''.
    """

    path: str
    description: str
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
        ports.append(
            PortInfo(
                port.device,
                port.description if port.description not in (None, "n/a") else "",
                port.vid,
                port.pid,
                port.serial_number or "",
                port.location or "",
                BRIDGE_CHIPS.get(f"{port.vid:04x}:{port.pid:04x}", ""),
            )
        )
    return tuple(sorted(ports, key=lambda port: (len(port.path), port.path)))
