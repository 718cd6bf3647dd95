"""Where firmware is built: a folder of our own whose path compilers can read.

Compilers and linkers stumble over paths with Chinese letters or spaces (arduino-esp32 #11163, esp-idf
#18233), so a folder in the home is used only when its path is plain ASCII.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from zeroclaw_desktop.foundation.paths import HomeFolderError, home_folder
from zeroclaw_desktop.hardware.synthesis.errors import BuildError

ENVIRONMENT_NAME = "ZEROCLAW_BUILD"
FOLDER = "zeroclaw-build"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/\\:._-~+")


def is_plain(path: Path) -> bool:
    """Whether every tool can read a path: ASCII letters, digits and a few signs, no spaces."""
    return all(character in _PLAIN for character in str(path))


def _candidates() -> Iterator[Path]:
    named = os.environ.get(ENVIRONMENT_NAME, "").strip()
    if named:
        yield Path(named)
    with contextlib.suppress(HomeFolderError):
        yield home_folder() / "build"
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"{FOLDER}-{user}"
    if sys.platform == "win32":
        yield Path(os.environ.get("PROGRAMDATA", "C:\\ProgramData")) / FOLDER
    else:
        yield Path("/var/tmp") / f"{FOLDER}-{user}"


def build_root() -> Path:
    """The folder, made private (0700) if it is new.

    Raises:
        BuildError: ``build_folder``; no place can be used.
    """
    refused: list[str] = []
    for path in _candidates():
        if not is_plain(path):
            continue
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            refused.append(f"{path}: {error.strerror}")
            continue
        if _is_ours(path):
            return path
        refused.append(f"{path}: it belongs to somebody else")
    raise BuildError(
        "There is no folder in which firmware can be built.",
        hint=f"Set {ENVIRONMENT_NAME} to a folder of yours whose path has no spaces and only ASCII letters.",
        code="build_folder",
        details={"reason": "; ".join(refused) or "no path is plain ASCII", "variable": ENVIRONMENT_NAME},
    )


def _is_ours(path: Path) -> bool:
    """Nobody else may put something there: temporary folders are shared with other people of the computer."""
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or not os.access(path, os.W_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
