"""The system packages of Debian and Ubuntu: what is missing, why it is wanted, and its installation.

The lists of the window were checked with ``ldd`` against Qt's xcb plugin and modules on a bare Debian 12. On
other systems nothing is installed: the names to look for are printed once.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bootstrap_steps.child_process import ask, run_logged
from bootstrap_steps.progress import Progress

RETRY_AFTER_S = 24 * 3600
STALE_LISTS_S = 24 * 3600


@dataclass(frozen=True)
class Purpose:
    """A group of packages that serve one end.

    Args:
        reason: what they are for, as the person reads it.
        without: what will be missing without them.
        packages: each a name, or several that do the same, the best first.
    """

    reason: str
    without: str
    packages: tuple[str | tuple[str, ...], ...]


VENV = Purpose("making the environment", "nothing can be installed", ("python3-venv",))
WINDOW = Purpose(
    "showing the window",
    "the window may not open",
    (
        ("libglib2.0-0", "libglib2.0-0t64"),
        "libegl1",
        "libgl1",
        "libdbus-1-3",
        "libfontconfig1",
        "libxkbcommon0",
        "libxcb-cursor0",
        "libxcb-icccm4",
        "libxcb-keysyms1",
        "libxcb-shape0",
        "libxkbcommon-x11-0",
    ),
)
FLASHING = Purpose("flashing boards", "boards cannot be flashed", ("avrdude",))
MAKING = Purpose("making firmware", "no program can be compiled for Arduino boards", ("arduino-core-avr",))
FACES = Purpose(
    "the window's typefaces",
    "the system's own typefaces are used",
    ("fonts-inter", "fonts-jetbrains-mono"),
)
CHINESE = Purpose(
    "showing Chinese",
    "Chinese text shows as boxes",
    (("fonts-noto-cjk", "fonts-wqy-microhei", "fonts-wqy-zenhei", "fonts-droid-fallback"),),
)
TESTING = Purpose(
    "the tests: compilers (AVR, ARM, RISC-V, C++), simulators, flashing tools, a display without a screen, "
    "servers, keyring",
    "the tests that need them fail",
    (
        "gcc-avr",
        "avr-libc",
        "binutils-avr",
        "simavr",
        "libsimavr-dev",
        "libelf-dev",
        "gcc-arm-none-eabi",
        "libnewlib-arm-none-eabi",
        "qemu-system-arm",
        "gcc-riscv64-unknown-elf",
        "picolibc-riscv64-unknown-elf",
        "gcc",
        "g++",
        "libc6-dev",
        "make",
        "xvfb",
        "xdotool",
        "openbox",
        "imagemagick",
        "x11-utils",
        "git",
        "mosquitto",
        "mosquitto-clients",
        "redis-server",
        "gnome-keyring",
        "openssl",
        "dbus",
        "stlink-tools",
        "openocd",
        "stm32flash",
        "dfu-util",
    ),
)
ELSEWHERE = {
    "dnf": "avrdude xcb-util-cursor xcb-util-wm xcb-util-keysyms libxkbcommon-x11 mesa-libEGL "
    "google-noto-sans-cjk-fonts",
    "pacman": "avrdude xcb-util-cursor xcb-util-wm xcb-util-keysyms libxkbcommon-x11 noto-fonts-cjk",
    "zypper": "avrdude libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxkbcommon-x11-0 noto-sans-cjk-fonts",
    "brew": "avrdude",
    "winget": "AVRDudes.AVRDUDE",
}


@dataclass(frozen=True)
class SystemChoices:
    """What the person allows.

    Args:
        allowed: packages may be installed (no ``--no-system``).
        assume_yes: without asking.
        again: even if it was refused or failed lately.
    """

    allowed: bool
    assume_yes: bool
    again: bool


def wanted_purposes(*, testing: bool, pip_missing: bool) -> list[Purpose]:
    """Return the groups for this start, the most needed first."""
    wanted = [VENV] if pip_missing else []
    wanted += [WINDOW, FLASHING, MAKING, FACES]
    if not has_cjk_font():
        wanted.append(CHINESE)
    return [*wanted, TESTING] if testing else wanted


def has_cjk_font() -> bool:
    """Return whether fontconfig knows a font with Chinese; no when fontconfig is not there."""
    listing = ask(["fc-list", ":lang=zh-cn", "family"])
    return bool(listing and listing.strip())


def missing_packages(purpose: Purpose) -> list[tuple[str, ...]]:
    """Return the packages of ``purpose`` that are not installed, each with the names that do as well."""
    groups = [(entry,) if isinstance(entry, str) else entry for entry in purpose.packages]
    names = [name for group in groups for name in group]
    installed = _installed(names)
    return [group for group in groups if not installed.intersection(group)]


def ensure_system_packages(
    purposes: list[Purpose], choices: SystemChoices, state_path: Path, progress: Progress
) -> list[str]:
    """Install what is missing where that is possible and allowed; says what is done and why.

    Never raises for a package that could not be installed: it says what will be missing.

    Args:
        purposes: the groups, in order of need.
        choices: what the person allows.
        state_path: file that remembers a refusal or a failure, so that not every start asks again.
        progress: tells the person.

    Returns:
        The names that are still missing.
    """
    if not is_debian_like():
        _point_elsewhere(state_path, progress)
        return []
    lacking = {purpose.reason: missing_packages(purpose) for purpose in purposes}
    names = [group[0] for groups in lacking.values() for group in groups]
    if not names or not choices.allowed:
        return names
    if _was_tried(state_path, names) and not choices.again:
        return names
    _explain(purposes, lacking, progress)
    prefix = _permission(names, choices, progress)
    if prefix is not None:
        _install(purposes, prefix, progress)
    still = [group[0] for purpose in purposes for group in missing_packages(purpose)]
    for purpose in purposes:
        if missing_packages(purpose):
            missing = " ".join(group[0] for group in missing_packages(purpose))
            progress.say(f"  Not installed: {missing}. Without: {purpose.without}.")
    _remember(state_path, still)
    return still


def is_debian_like() -> bool:
    """Return whether apt and dpkg manage this system."""
    return sys.platform == "linux" and bool(shutil.which("apt-get") and shutil.which("dpkg-query"))


def _installed(names: list[str]) -> set[str]:
    command = ["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\\n", *names]
    # dpkg-query fails as a whole when one name is unknown, yet prints the others: so no ask() here.
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[0] for row in rows if len(row) == 2 and row[1] == "installed"}


def _pick_names(groups: list[tuple[str, ...]], progress: Progress) -> list[str]:
    """Return for each group the first name that this release of the system knows."""
    known = _candidates([name for group in groups for name in group])
    chosen = []
    for group in groups:
        available = [name for name in group if name in known]
        if available:
            chosen.append(available[0])
        else:
            progress.log(f"No package named {' or '.join(group)} is known to apt.")
    return chosen


def _candidates(names: list[str]) -> set[str]:
    known: set[str] = set()
    current = ""
    for line in (ask(["apt-cache", "policy", *names]) or "").splitlines():
        if line and not line.startswith(" "):
            current = line.rstrip(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            known.add(current)
    return known


def _explain(purposes: list[Purpose], lacking: dict[str, list[tuple[str, ...]]], progress: Progress) -> None:
    progress.say("System packages that are missing:")
    for purpose in purposes:
        if lacking[purpose.reason]:
            names = " ".join(group[0] for group in lacking[purpose.reason])
            progress.say(f"  for {purpose.reason}: {names}")


def _permission(names: list[str], choices: SystemChoices, progress: Progress) -> list[str] | None:
    """Return what to put before apt-get (nothing as root, sudo, pkexec), or None when it may not be done."""
    if sys.platform == "win32":
        return None
    if os.geteuid() == 0:
        return []
    terminal = sys.stdin.isatty()
    sudo, pkexec = shutil.which("sudo"), shutil.which("pkexec")
    graphical = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if choices.assume_yes and sudo and (terminal or ask([sudo, "-n", "true"]) is not None):
        return [sudo]
    if terminal and sudo and _agrees("Install them with sudo apt-get?", choices):
        # The password is asked here, before the moving line would write over the prompt.
        return [sudo] if os.spawnv(os.P_WAIT, sudo, [sudo, "-v"]) == 0 else None
    if not terminal and graphical and pkexec:
        return [pkexec]
    progress.say("  They are left out, since that needs root. By hand:")
    progress.say(f"  sudo apt-get install {' '.join(names)}")
    return None


def _agrees(question: str, choices: SystemChoices) -> bool:
    if choices.assume_yes:
        return True
    try:
        return input(f"{question} [Y/n] ").strip().lower() in ("", "y", "yes", "j", "是", "好")
    except EOFError:
        return False


def _install(purposes: list[Purpose], prefix: list[str], progress: Progress) -> None:
    """Install what ``purposes`` lack: all at once, and where that fails, group by group."""
    fresh = _lists_are_stale() and _update(prefix, progress)
    groups = [group for purpose in purposes for group in missing_packages(purpose)]
    names = _pick_names(groups, progress)
    if len(names) < len(groups) and not fresh:
        fresh = _update(prefix, progress)
        names = _pick_names(groups, progress)
    with progress.step(f"Installing {len(names)} system packages by apt"):
        done = _apt_install(names, prefix, progress)
    if done:
        return
    if not fresh:
        _update(prefix, progress)
    for purpose in purposes:
        names = _pick_names(missing_packages(purpose), progress)
        if names:
            with progress.step(f"Trying again those for {purpose.reason}"):
                _apt_install(names, prefix, progress)


def _apt_install(names: list[str], prefix: list[str], progress: Progress) -> bool:
    if not names:
        return False
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes"]
    command += ["--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", *names]
    return run_logged(command, progress).code == 0


def _update(prefix: list[str], progress: Progress) -> bool:
    with progress.step("Reading the package lists (apt-get update)"):
        return run_logged([*prefix, "apt-get", "update", "-o", "Acquire::Retries=1"], progress).code == 0


def _lists_are_stale() -> bool:
    lists = Path("/var/lib/apt/lists")
    files = [entry for entry in lists.glob("*_Packages*")] if lists.is_dir() else []
    return not files or time.time() - max(entry.stat().st_mtime for entry in lists.iterdir()) > STALE_LISTS_S


def _was_tried(state_path: Path, names: list[str]) -> bool:
    try:
        state = json.loads(state_path.read_text(encoding="utf-8"))
        return set(names) <= set(state["missing"]) and time.time() - state["time"] < RETRY_AFTER_S
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _remember(state_path: Path, missing: list[str]) -> None:
    state_path.parent.mkdir(parents=True, exist_ok=True)
    state_path.write_text(json.dumps({"missing": missing, "time": time.time()}), encoding="utf-8")


def _point_elsewhere(state_path: Path, progress: Progress) -> None:
    """Say once what to install by hand on a system without apt, when avrdude is not there."""
    if shutil.which("avrdude") or _was_tried(state_path, ["avrdude"]):
        return
    for tool, names in ELSEWHERE.items():
        if shutil.which(tool):
            what = "flash boards" if tool in ("brew", "winget") else "show the window and flash boards"
            progress.say(f"To {what}, install with {tool}: {names}")
            break
    _remember(state_path, ["avrdude"])
