"""Mends what keeps a port closed, with the password dialog of the system; what it does is shown first."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.contracts.processes import ChildRunner
from zeroclaw_desktop.foundation.assets import resource_path
from zeroclaw_desktop.foundation.errors import ZeroClawError

RULE_NAME = "60-zeroclaw.rules"
RULES_FOLDER = Path("/etc/udev/rules.d")
PASSWORD_SECONDS = 300.0
DISMISSED, NOT_AUTHORISED = 126, 127
"""Exit codes of pkexec (its manual page)."""


class MendingError(ZeroClawError):
    """The system was not changed, or not all of it."""

    default_code = "mending_failed"


@dataclass(frozen=True)
class Mend:
    """One change of the system.

    Attributes:
        key: ``udev_rule``, ``join_group`` or ``stop_brltty``.
        commands: what runs as root, in order.
        content: text of a file that is installed; '' for none.
        login_needed: whether it holds only after the next login.
    """

    key: str
    commands: tuple[tuple[str, ...], ...]
    content: str = ""
    login_needed: bool = False

    @property
    def shell_text(self) -> str:
        """The same for a terminal, one command a line."""
        return "\n".join("sudo " + shlex.join(command) for command in self.commands)


def udev_rule(folder: Path = RULES_FOLDER) -> Mend:
    """Let whoever sits at the machine open boards' ports, and keep ModemManager away from them."""
    source = resource_path(f"udev/{RULE_NAME}")
    return Mend(
        "udev_rule",
        (
            ("install", "-D", "-m", "644", str(source), str(folder / RULE_NAME)),
            ("udevadm", "control", "--reload"),
            ("udevadm", "trigger", "--action=add", "--subsystem-match=tty", "--subsystem-match=usb"),
        ),
        source.read_text(encoding="utf-8"),
    )


def join_group(user: str, group: str) -> Mend:
    """Make the person a member of the group that owns the port."""
    return Mend("join_group", (("usermod", "-a", "-G", group, user),), login_needed=True)


def stop_brltty() -> Mend:
    """Keep brltty, which serves Braille displays, from claiming bridge chips; its package stays."""
    services = ("brltty-udev.service", "brltty.service")
    return Mend("stop_brltty", (("systemctl", "mask", "--now", *services),))


async def carry_out(mend: Mend, runner: ChildRunner) -> None:
    """Run the commands as root after the system has asked for the password; all or the first that fails.

    Raises:
        MendingError: the person said no, there is no password dialog, or a command failed; says what to type.
    """
    if shutil.which("pkexec") is None:
        raise MendingError(
            "There is no password dialog on this system (pkexec is not installed).",
            hint=f"Type in a terminal:\n{mend.shell_text}",
            code="mending_unavailable",
            details={"commands": mend.shell_text},
        )
    ended = await runner.run(["pkexec", *_one_command(mend.commands)], timeout=PASSWORD_SECONDS)
    if ended.returncode == 0 and not ended.timed_out:
        return
    details = {"commands": mend.shell_text, "output": ended.tail[-2000:], "reason": _last_line(ended.tail)}
    if ended.timed_out or ended.returncode in (DISMISSED, NOT_AUTHORISED):
        raise MendingError(
            "Nothing was changed: the system did not get the password.",
            hint=f"Try again, or type in a terminal:\n{mend.shell_text}",
            code="mending_refused",
            details=details,
        )
    raise MendingError(
        f"The system could not be changed: {details['reason']}",
        hint=f"Type in a terminal, one by one:\n{mend.shell_text}",
        details=details,
    )


def _one_command(commands: Sequence[Sequence[str]]) -> list[str]:
    """One program for one password: the shell stops at the first command that fails."""
    if len(commands) == 1:
        return list(commands[0])
    return ["/bin/sh", "-c", " && ".join(shlex.join(command) for command in commands)]


def _last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason was given"
