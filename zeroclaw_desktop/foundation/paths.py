"""Where the product keeps what belongs to the person: ``~/.zeroclaw`` or ``$ZEROCLAW_HOME``."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from zeroclaw_desktop.foundation.errors import ZeroClawError


class HomeFolderError(ZeroClawError):
    """The folder for settings and logs cannot be used."""

    default_code = "home_folder"


def home_folder(*, create: bool = True) -> Path:
    """Return the state folder, made private (0700) when it is created.

    Raises:
        HomeFolderError: the folder cannot be created or is not a folder.
    """
    named = os.environ.get("ZEROCLAW_HOME", "").strip()
    try:
        folder = Path(named).expanduser() if named else Path.home() / ".zeroclaw"
    except RuntimeError as error:  # neither HOME nor an entry for the user
        raise HomeFolderError(
            f"There is no home folder for settings and logs: {error}",
            hint="Set ZEROCLAW_HOME to a folder that you may write to.",
            details={"path": named or "~", "reason": str(error)},
        ) from error
    if not create:
        return folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HomeFolderError(
            f"The folder {folder} for settings and logs cannot be created: {error.strerror}.",
            hint="Check its permissions, or set ZEROCLAW_HOME to a folder that you may write to.",
            details={"path": str(folder), "reason": str(error.strerror)},
        ) from error
    return folder


def config_file() -> Path:
    """Path of the configuration file; it need not exist."""
    return home_folder(create=False) / "config.toml"


def database_file(*, create: bool = True) -> Path:
    """Path of the database; it need not exist, its folder does unless ``create`` is False."""
    return home_folder(create=create) / "zeroclaw.db"


def log_folder(*, create: bool = True) -> Path:
    """Folder of the rotating log files."""
    folder = home_folder(create=create) / "logs"
    if create:
        with contextlib.suppress(OSError):  # without a log file everything else still works
            folder.mkdir(mode=0o700, exist_ok=True)
    return folder
