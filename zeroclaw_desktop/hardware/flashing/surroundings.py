"""What a way of flashing needs of the computer besides its tool: ports and drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.hardware.flashing.volumes import Volume, list_volumes
from zeroclaw_desktop.hardware.transport.discovery import PortInfo, list_serial_ports
from zeroclaw_desktop.hardware.transport.touch import touch_1200


@dataclass(frozen=True)
class Surroundings:
    """The computer as seen by the ways of flashing; each function is called on a worker thread.

    Attributes:
        find_ports: the serial ports that are there now.
        find_volumes: the removable drives that are there now.
        touch: opens a port at 1200 baud, which starts the boot loader of some boards.
    """

    find_ports: Callable[[], Sequence[PortInfo]] = list_serial_ports
    find_volumes: Callable[[], Sequence[Volume]] = list_volumes
    touch: Callable[[str], None] = touch_1200
