"""Why the person may not open a port. Looks only; Linux only."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from typing import Literal

PermissionKind = Literal["not_in_group", "login_needed", "closed"]


@dataclass(frozen=True)
class PermissionProblem:
    """Why the person may not open a port.

    Attributes:
        kind: ``not_in_group``: members of ``group`` may; ``login_needed``: the person is a member since the
            last login, so a new login is needed; ``closed``: no group may, only a udev rule helps.
    """

    port: str
    kind: PermissionKind
    group: str
    user: str


def permission_problem(port: str) -> PermissionProblem | None:
    """Look why a port may not be opened; None when it may, is not there, or the system is not Linux."""
    if not sys.platform.startswith("linux") or os.access(port, os.R_OK | os.W_OK):
        return None
    import grp
    import pwd

    try:
        status = os.stat(port)
    except OSError:
        return None
    try:
        account = pwd.getpwuid(os.getuid())
        group = grp.getgrgid(status.st_gid)
    except KeyError:  # a container without names
        return PermissionProblem(port, "closed", str(status.st_gid), str(os.getuid()))
    kind: PermissionKind = "not_in_group"
    if not status.st_mode & stat.S_IWGRP:
        kind = "closed"
    elif account.pw_name in group.gr_mem and status.st_gid not in os.getgroups():
        kind = "login_needed"
    return PermissionProblem(port, kind, group.gr_name, account.pw_name)
