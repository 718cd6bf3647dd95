"""Missing system packages: what is said, what is installed, what is left alone.

apt and dpkg are small programs here, put on PATH, that keep their state in files.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from bootstrap_steps import system_packages
from bootstrap_steps.progress import Progress
from bootstrap_steps.system_packages import Purpose, SystemChoices, ensure_system_packages

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="apt is a matter of Debian and Ubuntu; run it there"
)

WINDOW = Purpose("showing the window", "the window may not open", (("libold", "libnew"), "libxcb"))
FONTS = Purpose("showing text", "boxes instead of letters", ("fonts-cjk",))
ROOT_YES = SystemChoices(allowed=True, assume_yes=True, again=False)

PROGRAM = """#!{python}
import pathlib, sys
state = pathlib.Path({state!r})
read = lambda name: (state / name).read_text().split() if (state / name).exists() else []
tool, words = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
names = [word for word in words if word.startswith(("lib", "fonts"))]
with (state / "calls").open("a") as file:
    file.write(" ".join([tool, *words]) + "\\n")
if tool == "dpkg-query":
    known = [name for name in names if name in read("installed")]
    print("\\n".join(name + " installed" for name in known))
    sys.exit(len(known) != len(names))
if tool == "apt-cache":
    for name in names:
        if name in read("available"):
            print(name + ":\\n  Installed: (none)\\n  Candidate: 1.0")
        elif name in read("virtual"):
            print(name + ":\\n  Installed: (none)\\n  Candidate: (none)")
if tool == "apt-get" and "install" in words:
    if not set(names) <= set(read("available")) - set(read("broken")):
        print("E: Unable to fetch some archives")
        sys.exit(100)
    (state / "installed").write_text(" ".join(read("installed") + names))
"""


class Machine:
    """A system with apt: its state, and what was said to the person."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = io.StringIO()
        self.progress = Progress(folder / "log", stream=self.said)
        self.state = folder / "state.json"

    def has(self, **lists: str) -> None:
        """Set the names that are ``installed``, ``available``, ``virtual`` or ``broken``."""
        for name, value in lists.items():
            (self.folder / name).write_text(value, encoding="utf-8")

    def calls(self, start: str) -> list[str]:
        """Return the commands so far that begin with ``start``."""
        path = self.folder / "calls"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if line.startswith(start)]

    def ensure(self, choices: SystemChoices = ROOT_YES) -> list[str]:
        """Run the step for both groups."""
        return ensure_system_packages([WINDOW, FONTS], choices, self.state, self.progress)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("apt-get", "apt-cache", "dpkg-query"):
        (tools / name).write_text(
            PROGRAM.format(python=sys.executable, state=str(tmp_path)), encoding="utf-8"
        )
        (tools / name).chmod(0o755)
    (tools / "env").symlink_to("/usr/bin/env")
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(system_packages, "_lists_are_stale", lambda: False)
    made = Machine(tmp_path)
    made.has(available="libold libxcb fonts-cjk")
    return made


def test_it_is_silent_when_nothing_is_missing(machine: Machine) -> None:
    machine.has(installed="libnew libxcb fonts-cjk")
    assert machine.ensure() == []
    assert machine.said.getvalue() == ""
    assert machine.calls("apt-get") == []


def test_root_installs_and_says_what_and_why(machine: Machine) -> None:
    machine.has(installed="libxcb")
    assert machine.ensure() == []
    said = machine.said.getvalue()
    assert "for showing the window: libold" in said
    assert "for showing text: fonts-cjk" in said
    assert [line.split()[-2:] for line in machine.calls("apt-get install")] == [["libold", "fonts-cjk"]]


def test_the_name_that_this_release_knows_is_taken(machine: Machine) -> None:
    machine.has(available="libnew libxcb fonts-cjk", virtual="libold")
    assert machine.ensure() == []
    assert "libnew" in machine.calls("apt-get install")[0]


def test_one_that_cannot_be_had_does_not_keep_the_others_out(machine: Machine) -> None:
    machine.has(broken="fonts-cjk")
    assert machine.ensure() == ["fonts-cjk"]
    assert "Not installed: fonts-cjk. Without: boxes instead of letters." in machine.said.getvalue()
    assert (machine.folder / "installed").read_text().split() == ["libold", "libxcb"]


def test_a_failure_is_not_tried_again_at_every_start_but_by_setup(machine: Machine) -> None:
    machine.has(broken="fonts-cjk")
    machine.ensure()
    tried = len(machine.calls("apt-get install"))
    assert machine.ensure() == ["fonts-cjk"]
    assert len(machine.calls("apt-get install")) == tried
    machine.ensure(SystemChoices(allowed=True, assume_yes=True, again=True))
    assert len(machine.calls("apt-get install")) > tried


def test_no_system_installs_nothing_and_says_nothing(machine: Machine) -> None:
    assert machine.ensure(SystemChoices(allowed=False, assume_yes=True, again=False)) == [
        "libold",
        "libxcb",
        "fonts-cjk",
    ]
    assert machine.calls("apt-get") == []
    assert machine.said.getvalue() == ""


def test_an_ordinary_user_without_a_terminal_gets_the_command_to_type(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert machine.ensure() == ["libold", "libxcb", "fonts-cjk"]
    assert "sudo apt-get install libold libxcb fonts-cjk" in machine.said.getvalue()
    assert machine.calls("apt-get") == []


def test_without_apt_the_names_for_the_systems_own_tool_are_told_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = machine.folder / "fedora"
    tools.mkdir()
    (tools / "dnf").write_text("#!/bin/sh\n", encoding="utf-8")
    (tools / "dnf").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    assert machine.ensure() == []
    assert "with dnf: avrdude" in machine.said.getvalue()
    told = machine.said.getvalue()
    machine.ensure()
    assert machine.said.getvalue() == told
