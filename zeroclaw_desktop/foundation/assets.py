"""Finds the data that ships beside the code: ``resources/``, ``ui/`` and ``firmware/``.

The only module that builds such a path. Three layouts are known: a checkout (the folders stand next to the
package), a wheel (they stand in ``zeroclaw_desktop/_data/``) and a frozen bundle (next to ``sys._MEIPASS``).
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from zeroclaw_desktop.foundation.errors import AssetMissingError


@cache
def asset_root() -> Path:
    """Return the folder that holds ``resources/``, ``ui/`` and ``firmware/``.

    Raises:
        AssetMissingError: none of the three layouts is present.
    """
    package = Path(__file__).resolve().parent.parent
    candidates = [package / "_data", package.parent]
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        candidates.insert(0, Path(frozen))
    for candidate in candidates:
        if (candidate / "resources").is_dir():
            return candidate
    raise AssetMissingError(
        f"The program's data folder 'resources' was not found beside {package}.",
        hint="Install ZeroClaw Desktop again, or run it from a complete checkout.",
        details={"looked_in": [str(c) for c in candidates]},
    )


def _existing(path: Path) -> Path:
    if not path.exists():
        raise AssetMissingError(
            f"The program's file {path.name} is missing from {path.parent}.",
            hint="Install ZeroClaw Desktop again, or run it from a complete checkout.",
            details={"path": str(path)},
        )
    return path


def resource_path(relative: str) -> Path:
    """Return the path of ``resources/<relative>``; raises AssetMissingError when it is not there."""
    return _existing(asset_root() / "resources" / relative)


def ui_path(relative: str) -> Path:
    """Return the path of ``ui/<relative>``; raises AssetMissingError when it is not there."""
    return _existing(asset_root() / "ui" / relative)


def firmware_path(relative: str) -> Path:
    """Return the path of ``firmware/<relative>``; raises AssetMissingError when it is not there."""
    return _existing(asset_root() / "firmware" / relative)


def requirements_path(name: str) -> Path:
    """Return the path of the lock file ``requirements/<name>.txt``; raises AssetMissingError."""
    return _existing(asset_root() / "requirements" / f"{name}.txt")
