"""Why a port could not be opened, and who has it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path

from zeroclaw_desktop.hardware.errors import (
    PortBusyError,
    PortError,
    PortMissingError,
    PortPermissionError,
)
from zeroclaw_desktop.hardware.transport.permissions import permission_problem

AVRDUDE_NET = "net:"
"""How avrdude names a port of the network: ``net:host:port``."""
MODEM_MANAGER = "ModemManager"
PROCESSES = Path("/proc")
_OURSELVES = Path("/proc/self")
_BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)


def port_holders(port: str) -> list[str]:
    """Names of other processes that have a port open, as ``name (pid)``; Linux only, best effort.

    Processes of other users cannot be looked into and are left out.
    """
    return holders_of([port]).get(port, [])


def holders_of(ports: Iterable[str]) -> dict[str, list[str]]:
    """The same for several ports in one pass over the processes; ports that nobody has are left out."""
    targets = {os.path.realpath(port): port for port in ports if "://" not in port}
    if not sys.platform.startswith("linux") or not targets:
        return {}
    holders: dict[str, list[str]] = {}
    for process in PROCESSES.iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            for target in _held_by(process, targets):
                name = f"{(process / 'comm').read_text().strip()} ({process.name})"
                holders.setdefault(targets[target], []).append(name)
        except OSError:
            continue
    return holders


def _held_by(process: Path, targets: Collection[str]) -> set[str]:
    """Which of these files a process has open; raises OSError where that cannot be seen."""
    return {led for link in (process / "fd").iterdir() if (led := _leads_to(link)) in targets}


def _leads_to(link: Path) -> str:
    try:
        return os.readlink(link)
    except OSError:
        return ""  # closed while we looked


def explain_open_failure(port: str, error: BaseException) -> PortError:
    """Turn a failed opening into an error that says what to do."""
    number = getattr(error, "errno", None)
    text = str(error).lower()
    details = {"port": port, "reason": str(error)}
    if number in _BUSY or "exclusively lock" in text or "access is denied" in text or "in use" in text:
        return busy_error(port)
    if number in (errno.EACCES, errno.EPERM) or "permission denied" in text:
        return _permission_error(port, details)
    unknown = "cannot find" in text or "could not find" in text
    if unknown or number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return PortMissingError(
            f"There is no port {port}.",
            hint="Plug the board in again, or choose another port.",
            retryable=True,
            details=details,
        )
    return PortError(f"The port {port} could not be opened: {error}", code="port_failed", details=details)


def refuse_unusable(port: str) -> None:
    """Refuse a port that a program which is started for it could not open; it is not opened for that.

    Some programs go on without an end where a port is missing (avrdude 7.1 with ``-c wiring``).

    Raises:
        PortError: it is not there, may not be opened, or another process has it.
    """
    is_file = "://" not in port and not port.startswith(AVRDUDE_NET)
    if is_file and sys.platform != "win32":
        if not os.path.exists(port):
            raise explain_open_failure(port, OSError(errno.ENOENT, os.strerror(errno.ENOENT)))
        if not os.access(port, os.R_OK | os.W_OK):
            raise explain_open_failure(port, OSError(errno.EACCES, os.strerror(errno.EACCES)))
    if port_holders(port):
        raise busy_error(port)


_PERMISSION_HINTS = {
    "not_in_group": "Join the group that owns it (sudo usermod -aG {group} {user}), then log in again.",
    "login_needed": "You are a member of the group {group} by now: log out and in again.",
    "closed": "Install the udev rule for boards (Allow access on the Devices page).",
}


def _permission_error(port: str, details: dict[str, str]) -> PortPermissionError:
    problem = permission_problem(port)
    kind = problem.kind if problem is not None else "not_in_group"
    names = {
        "group": problem.group if problem is not None else "dialout",
        "user": problem.user if problem is not None else "$USER",
    }
    return PortPermissionError(
        f"You may not open the port {port}.",
        hint=_PERMISSION_HINTS[kind].format(**names),
        details={**details, **names, "kind": kind},
    )


def busy_error(port: str) -> PortBusyError:
    """The error for a port that somebody else has, naming who if the system tells."""
    holders = port_holders(port)
    by = f" by {', '.join(holders)}" if holders else ""
    details = {"port": port, "holder": by, "holders": holders}
    ours = sys.platform.startswith("linux") and bool(_held_by(_OURSELVES, {os.path.realpath(port)}))
    unseen = sys.platform.startswith("linux") and not holders and not ours
    if any(name.startswith(MODEM_MANAGER) for name in holders) or (unseen and modem_manager_runs()):
        return PortBusyError(
            f"The port {port} is in use, as it seems by ModemManager, which asks new ports for modems.",
            hint="Try again in half a minute, or keep it away for good: Allow access on the Devices page.",
            code="port_busy_modem",
            retryable=True,
            details=details,
        )
    return PortBusyError(
        f"The port {port} is in use{by}.",
        hint="Close the other program and try again.",
        retryable=True,
        details=details,
    )


def modem_manager_runs(processes: Path = PROCESSES) -> bool:
    """Whether ModemManager runs; it may be the holder that cannot be seen, as it belongs to root. Linux only.

    Args:
        processes: where the system lists its processes.
    """
    for name in processes.glob("[0-9]*/comm"):
        try:
            if name.read_text(encoding="utf-8", errors="replace").strip() == MODEM_MANAGER:
                return True
        except OSError:
            continue  # ended while we looked
    return False
