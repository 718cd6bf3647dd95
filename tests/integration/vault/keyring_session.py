"""A session bus with a GNOME Keyring of its own, for the programs that a test starts in it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = {"dbus-run-session": "dbus", "gnome-keyring-daemon": "gnome-keyring"}
MISSING = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
needs_keyring = pytest.mark.skipif(
    bool(MISSING) or not sys.platform.startswith("linux"),
    reason=f"needs GNOME Keyring on Linux: apt install {' '.join(PROGRAMS.values())}",
)
UNLOCKED = "printf 'test\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec \"$@\""
LOCKED = (
    "printf 'test\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null; "
    "dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets "
    "org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null; "
    'exec "$@"'
)


def environment(home: Path, **more: str) -> dict[str, str]:
    """Without the session of whoever runs the tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DBUS_", "PYTHON_KEYRING", "XDG_", "GNOME_")) and name != "DISPLAY"
    }
    return {**kept, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PYTHONPATH": str(ROOT), **more}


def session(script: str) -> list[str]:
    """A command in front of another: a session bus, a keyring, then the other."""
    return ["dbus-run-session", "--", "sh", "-c", script, "sh"]
