"""Why a port may not be opened (HW-2): the group, a new login, or nothing but a rule."""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from zeroclaw_desktop.hardware.errors import PortPermissionError
from zeroclaw_desktop.hardware.transport import permissions
from zeroclaw_desktop.hardware.transport.open_errors import explain_open_failure
from zeroclaw_desktop.hardware.transport.permissions import permission_problem

DIALOUT = 20


@pytest.fixture
def closed_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A port of root and dialout that the person 'maker' may not open."""
    port = tmp_path / "ttyUSB0"
    port.touch()
    real = os.stat(port)
    fields = {"st_mode": stat.S_IFCHR | 0o660, "st_gid": DIALOUT}
    monkeypatch.setattr(permissions.os, "access", lambda *_args: False)
    monkeypatch.setattr(
        permissions.os,
        "stat",
        lambda path, **_options: SimpleNamespace(**fields) if path == str(port) else real,
    )
    monkeypatch.setattr(pwd, "getpwuid", lambda _uid: SimpleNamespace(pw_name="maker"))
    monkeypatch.setattr(permissions.os, "getgroups", lambda: [1000])
    return port


def as_group(monkeypatch: pytest.MonkeyPatch, *members: str) -> None:
    monkeypatch.setattr(
        grp, "getgrgid", lambda _gid: SimpleNamespace(gr_name="dialout", gr_mem=list(members))
    )


def test_a_person_outside_the_group(closed_port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_group(monkeypatch)
    problem = permission_problem(str(closed_port))
    assert problem is not None
    assert (problem.kind, problem.group, problem.user) == ("not_in_group", "dialout", "maker")
    error = explain_open_failure(str(closed_port), OSError(errno.EACCES, "Permission denied"))
    assert isinstance(error, PortPermissionError)
    assert "sudo usermod -aG dialout maker" in error.hint


def test_a_member_whose_login_is_older(closed_port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_group(monkeypatch, "maker")
    problem = permission_problem(str(closed_port))
    assert problem is not None
    assert problem.kind == "login_needed"
    error = explain_open_failure(str(closed_port), OSError(errno.EACCES, "Permission denied"))
    assert "log out and in again" in error.hint


def test_a_port_that_no_group_may_open(closed_port: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_group(monkeypatch)
    monkeypatch.setattr(
        permissions.os, "stat", lambda *_args: SimpleNamespace(st_mode=stat.S_IFCHR | 0o600, st_gid=0)
    )
    problem = permission_problem(str(closed_port))
    assert problem is not None
    assert problem.kind == "closed"


def test_a_port_that_may_be_opened_or_is_not_there_is_no_problem(tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    port.touch()
    assert permission_problem(str(port)) is None
    assert permission_problem(str(tmp_path / "nothing")) is None
