"""HW-2: what keeps ports closed is found and comes with what mends it; nothing is changed by looking."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.hardware.discovery.ports import CH340, port
from zeroclaw_desktop.hardware.discovery.portless_devices import PortlessDevice
from zeroclaw_desktop.hardware.transport.open_errors import modem_manager_runs
from zeroclaw_desktop.hardware.transport.permissions import PermissionProblem
from zeroclaw_desktop.runtime import port_access
from zeroclaw_desktop.runtime.port_access import (
    AccessProblem,
    covered_vendors,
    look_at_access,
)
from zeroclaw_desktop.runtime.port_mending import RULE_NAME
from zeroclaw_desktop.sandbox.process import ChildProcesses

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ports of Linux; run it there")


@pytest.fixture
def pseudo_port() -> Iterator[str]:
    """A port that anybody may open and nobody has."""
    far, near = pty.openpty()
    name = os.ttyname(near)
    os.close(near)
    yield name
    os.close(far)


@pytest.fixture(autouse=True)
def calm_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither modems nor boards of the machine that runs the test."""
    monkeypatch.setattr(port_access, "modem_manager_runs", lambda: False)
    monkeypatch.setattr(port_access, "portless_devices", list)


def closed(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(
        port_access,
        "permission_problem",
        lambda path: PermissionProblem(path, kind, "dialout", "maker"),  # type: ignore[arg-type]
    )


def only(ports: dict[str, AccessProblem]) -> AccessProblem:
    (problem,) = ports.values()
    return problem


def test_an_open_port_has_no_problem(pseudo_port: str, tmp_path: Path) -> None:
    assert look_at_access([port(pseudo_port)], tmp_path).ports == {}


def test_a_board_of_a_known_maker_is_opened_by_the_rule_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed(monkeypatch, "not_in_group")
    problem = only(look_at_access([port("/dev/ttyUSB7", CH340)], tmp_path).ports)
    assert (problem.kind, problem.subject) == ("not_in_group", "dialout")
    assert problem.mend is not None
    assert (problem.mend.key, problem.mend.login_needed) == ("udev_rule", False)


def test_where_the_rule_cannot_help_the_group_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed(monkeypatch, "not_in_group")
    stranger = only(look_at_access([port("/dev/ttyUSB7", (0x1234, 0x5678))], tmp_path).ports)
    assert stranger.mend is not None
    assert "usermod -a -G dialout maker" in stranger.mend.shell_text
    (tmp_path / RULE_NAME).touch()
    installed = only(look_at_access([port("/dev/ttyUSB7", CH340)], tmp_path).ports)
    assert installed.mend is not None
    assert installed.mend.key == "join_group"


def test_who_only_has_to_log_in_again_is_not_sent_to_change_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed(monkeypatch, "login_needed")
    problem = only(look_at_access([port("/dev/ttyUSB7", (0x1234, 0x5678))], tmp_path).ports)
    assert (problem.kind, problem.mend) == ("login_needed", None)


async def test_the_holder_of_a_port_is_named(pseudo_port: str, tmp_path: Path) -> None:
    other = await ChildProcesses().spawn(
        [sys.executable, "-c", f"f = open({pseudo_port!r}); print('open', flush=True); input()"]
    )
    try:
        assert await other.read_line() == b"open\n"
        problem = only(look_at_access([port(pseudo_port)], tmp_path).ports)
    finally:
        await other.end()
    assert problem.kind == "held"
    assert str(other.pid) in problem.subject
    assert problem.mend is None


def test_modem_manager_is_told_until_the_rule_keeps_it_away(
    pseudo_port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_access, "modem_manager_runs", lambda: True)
    problem = only(look_at_access([port(pseudo_port)], tmp_path).ports)
    assert problem.kind == "modem_manager"
    assert problem.mend is not None
    assert problem.mend.key == "udev_rule"
    (tmp_path / RULE_NAME).touch()
    assert look_at_access([port(pseudo_port)], tmp_path).ports == {}


def test_a_chip_that_brltty_took_can_be_freed_and_one_without_driver_is_only_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices = [
        PortlessDevice("CH340", "1a86:7523", "1-4", "brltty"),
        PortlessDevice("CP2102", "10c4:ea60", "1-5", ""),
    ]
    monkeypatch.setattr(port_access, "portless_devices", lambda: devices)
    taken, driverless = look_at_access([], tmp_path).portless
    assert (taken.place, taken.kind, taken.subject) == ("1-4", "brltty", "CH340")
    assert taken.mend is not None
    assert taken.mend.key == "stop_brltty"
    assert (driverless.kind, driverless.mend) == ("no_driver", None)


def test_processes_are_known_by_their_names(tmp_path: Path) -> None:
    for number, name in (("12", "bash"), ("13", "ModemManager")):
        (tmp_path / number).mkdir()
        (tmp_path / number / "comm").write_text(f"{name}\n")
    (tmp_path / "14").mkdir()  # it ended while we looked
    (tmp_path / "cpuinfo").touch()
    assert modem_manager_runs(tmp_path)
    (tmp_path / "13" / "comm").write_text("bash\n")
    assert not modem_manager_runs(tmp_path)


def test_makers_are_read_from_the_rule_itself() -> None:
    assert {"2341", "1a86", "10c4"} <= covered_vendors()
    assert covered_vendors("# nothing\n") == frozenset()
