"""What keeps a port closed is mended with the password dialog of the system (HW-2); a script plays pkexec."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.hardware.boards.catalog import board_catalog
from zeroclaw_desktop.hardware.transport.discovery import BRIDGE_CHIPS
from zeroclaw_desktop.runtime.port_mending import (
    Mend,
    MendingError,
    carry_out,
    join_group,
    stop_brltty,
    udev_rule,
)
from zeroclaw_desktop.sandbox.process import ChildProcesses


def play_pkexec(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    programs = folder / "programs"
    programs.mkdir()
    for name, text in {"pkexec": script, "udevadm": 'echo "$@" >> "$UDEVADM_LOG"'}.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("UDEVADM_LOG", str(folder / "udevadm.log"))


async def test_the_rule_is_installed_and_udev_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_pkexec(tmp_path, monkeypatch, 'exec "$@"')
    mend = udev_rule(tmp_path / "rules.d")
    await carry_out(mend, ChildProcesses())
    installed = tmp_path / "rules.d" / "60-zeroclaw.rules"
    assert installed.read_text(encoding="utf-8") == mend.content
    told = (tmp_path / "udevadm.log").read_text().splitlines()
    assert [line.split()[0] for line in told] == ["control", "trigger"]


async def test_a_person_who_says_no_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_pkexec(tmp_path, monkeypatch, "exit 126")
    with pytest.raises(MendingError) as caught:
        await carry_out(join_group("maker", "dialout"), ChildProcesses())
    assert caught.value.code == "mending_refused"
    assert "sudo usermod -a -G dialout maker" in caught.value.hint


async def test_the_first_command_that_fails_is_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_pkexec(tmp_path, monkeypatch, 'exec "$@"')
    touched = tmp_path / "touched"
    mend = Mend("x", (("ls", str(tmp_path / "missing")), ("touch", str(touched))))
    with pytest.raises(MendingError, match="missing") as caught:
        await carry_out(mend, ChildProcesses())
    assert caught.value.code == "mending_failed"
    assert not touched.exists()


async def test_without_a_password_dialog_the_commands_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MendingError) as caught:
        await carry_out(stop_brltty(), ChildProcesses())
    assert caught.value.code == "mending_unavailable"
    assert "sudo systemctl mask --now brltty-udev.service brltty.service" in caught.value.hint


class TestRule:
    text = resource_path("udev/60-zeroclaw.rules").read_text(encoding="utf-8")

    def test_every_vendor_of_boards_and_bridge_chips_is_in_it(self) -> None:
        vendors = {usb_id[:4] for usb_id in BRIDGE_CHIPS}
        vendors |= {f"{vendor:04x}" for board in board_catalog().values() for vendor, _ in board.usb_ids}
        serial_line = next(line for line in self.text.splitlines() if line.startswith('SUBSYSTEM=="tty"'))
        named = re.search(r'ATTRS\{idVendor\}=="([0-9a-f|]+)"', serial_line)
        assert named is not None
        assert vendors <= set(named.group(1).split("|"))
        assert 'TAG+="uaccess"' in serial_line
        assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in serial_line

    def test_its_number_is_below_73_where_uaccess_is_carried_out(self) -> None:
        assert int(udev_rule().commands[0][-1].rsplit("/", 1)[1][:2]) < 73

    def test_each_line_is_a_rule_or_a_comment(self) -> None:
        rule = re.compile(
            r'[A-Z]+(?:\{\w+\})?(?:==|!=|=|\+=)"[^"]*"(?:, [A-Z]+(?:\{\w+\})?(?:==|=|\+=)"[^"]*")*'
        )
        lines = [line for line in self.text.splitlines() if line and not line.startswith("#")]
        assert all(rule.fullmatch(line) for line in lines)
