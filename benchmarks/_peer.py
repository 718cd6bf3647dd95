"""Peers that the app does not depend on: installed into a temporary folder for one run."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

INSTALL_SECONDS = 180
_folders: list[tempfile.TemporaryDirectory[str]] = []


def peer(module: str, requirement: str) -> ModuleType:
    """Import a package, installing it beside the environment when it is not there.

    Args:
        module: name to import.
        requirement: exact version, without its dependencies.

    Raises:
        RuntimeError: it can neither be imported nor installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        pass
    folder = tempfile.TemporaryDirectory(prefix="benchmark-peer-")
    _folders.append(folder)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    installer = (
        [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
    )
    command = [*installer, "--no-deps", "--target", folder.name, requirement]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    if ended.returncode:
        raise RuntimeError(f"the peer {requirement} could not be installed: {ended.stderr.strip()[-300:]}")
    sys.path.append(folder.name)
    importlib.invalidate_caches()
    return importlib.import_module(module)
