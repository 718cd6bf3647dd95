"""What keeps a person from ports, and from boards that have none; with what mends it (HW-2).

Looks only. Linux only: elsewhere there is nothing of the kind to find.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.hardware.discovery.portless_devices import portless_devices
from zeroclaw_desktop.hardware.transport.discovery import PortInfo
from zeroclaw_desktop.hardware.transport.open_errors import (
    MODEM_MANAGER,
    holders_of,
    modem_manager_runs,
)
from zeroclaw_desktop.hardware.transport.permissions import PermissionProblem, permission_problem
from zeroclaw_desktop.runtime.port_mending import (
    RULE_NAME,
    RULES_FOLDER,
    Mend,
    join_group,
    stop_brltty,
    udev_rule,
)

_TTY_VENDORS = re.compile(r'SUBSYSTEM=="tty", ATTRS\{idVendor\}=="([0-9a-f|]+)"')


@dataclass(frozen=True)
class AccessProblem:
    """One obstacle.

    Attributes:
        place: path of the port, or the USB place of a board without a port.
        kind: ``not_in_group``, ``login_needed``, ``closed`` (see PermissionProblem), ``held`` by another
            program, ``modem_manager`` asks new ports, ``brltty`` has taken the chip, ``no_driver``.
        subject: the group, the holders or the chip.
        usb_id: of a board without a port.
        mend: what helps; None when only the person can do something.
    """

    place: str
    kind: str
    subject: str = ""
    usb_id: str = ""
    mend: Mend | None = None


@dataclass(frozen=True)
class Access:
    """What was found in one look.

    Attributes:
        ports: obstacles by the path of the port.
        portless: boards that are plugged in and have no port.
    """

    ports: dict[str, AccessProblem]
    portless: tuple[AccessProblem, ...] = ()


def look_at_access(ports: Sequence[PortInfo], rules: Path = RULES_FOLDER) -> Access:
    """Look at these ports, and for boards without one; reads /proc and /sys, so call it on a worker thread.

    Args:
        rules: folder in which our udev rule would be installed.
    """
    if not sys.platform.startswith("linux"):
        return Access({})
    installed = (rules / RULE_NAME).exists()
    modem_manager = not installed and any(port.vendor is not None for port in ports) and modem_manager_runs()
    found: dict[str, AccessProblem] = {}
    holders = holders_of(port.path for port in ports)
    for port in ports:
        problem = _port_problem(port, installed, modem_manager, holders.get(port.path, ()))
        if problem is not None:
            found[port.path] = problem
    portless = []
    for device in portless_devices():
        brltty = device.taken_by == "brltty"
        mend = stop_brltty() if brltty else None
        kind = "brltty" if brltty else "no_driver"
        portless.append(AccessProblem(device.place, kind, device.chip, device.usb_id, mend))
    return Access(found, tuple(portless))


def _port_problem(
    port: PortInfo, installed: bool, modem_manager: bool, holders: Sequence[str]
) -> AccessProblem | None:
    covered = not installed and port.vendor is not None and f"{port.vendor:04x}" in covered_vendors()
    permission = permission_problem(port.path)
    if permission is not None:
        return AccessProblem(port.path, permission.kind, permission.group, mend=_mend(permission, covered))
    if holders:
        return AccessProblem(port.path, "held", ", ".join(holders))
    if modem_manager and covered:
        return AccessProblem(port.path, "modem_manager", MODEM_MANAGER, mend=udev_rule())
    return None


def _mend(problem: PermissionProblem, covered: bool) -> Mend | None:
    """The rule helps at once and only where it names the maker; a group helps after the next login."""
    if covered:
        return udev_rule()
    return join_group(problem.user, problem.group) if problem.kind == "not_in_group" else None


def covered_vendors(rule: str = "") -> frozenset[str]:
    """USB ids of the makers whose serial ports our rule opens: ``2341``, ``1a86``.

    Args:
        rule: text of the rule; '' for the shipped one.
    """
    found = _TTY_VENDORS.search(rule or udev_rule().content)
    return frozenset(found[1].split("|")) if found else frozenset()
