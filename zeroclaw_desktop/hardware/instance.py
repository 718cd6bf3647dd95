"""What a device is called among programs and machines (EX-19): by the port that it is at.

Two boards of one type are two devices, and so are two boards with one name on two machines. A port belongs to
one device at a time, so its name on its machine tells them apart, whatever serial numbers say.
"""

from __future__ import annotations

import os
import re
import sys
from urllib.parse import urlsplit

from zeroclaw_desktop.foundation.machine import machine_name
from zeroclaw_desktop.hardware.transport.open_errors import AVRDUDE_NET
from zeroclaw_desktop.hardware.transport.port_handle import resolve_path

_LOOPBACK = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0", re.I)
_BROKERS = ("mqtt", "mqtts")


def instance_name(path: str) -> str:
    """Name of the device at a port.

    Args:
        path: as other programs open it: a path, COM name, ``socket://host:port``, ``net:host:port``,
            ``mqtt://host:port/base``; or ``sim://id`` for a board that only this process reaches.
    """
    if path.startswith("sim://"):
        return f"{machine_name()}:{os.getpid()}:{path.removeprefix('sim://')}"
    address = "socket://" + path.removeprefix(AVRDUDE_NET) if path.startswith(AVRDUDE_NET) else path
    if "://" in address:
        return _network_name(address)
    return f"{machine_name()}:{path.upper() if sys.platform == 'win32' else resolve_path(path)}"


def _network_name(address: str) -> str:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return address
    if _LOOPBACK.fullmatch(host):
        host = machine_name()
    if not host or port is None:
        return address
    base = parts.path if parts.scheme in _BROKERS else ""  # many boards are behind one broker
    return f"{host.lower()}:{port}{base}"
