"""Where the models' environment is: the one with litellm, apart from the program's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from zeroclaw_desktop.foundation.paths import home_folder
from zeroclaw_desktop.providers.errors import ModelsMissingError

VARIABLE = "ZEROCLAW_MODELS_PYTHON"
FOLDER = "models-environment"
COMPLETE = "zeroclaw-complete"
"""Written last into an environment that ``zeroclaw models install`` makes; holds the lock's SHA-256."""


def own_folder() -> Path:
    """The environment that ``zeroclaw models install`` makes; it need not exist."""
    return home_folder(create=False) / FOLDER


def python_in(folder: Path) -> Path:
    """The interpreter of an environment; it need not exist."""
    inside = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return folder.joinpath(*inside)


def models_python(environment: Mapping[str, str] | None = None) -> str:
    """The interpreter to use: the named one, the person's, or that beside the program (a checkout's).

    Args:
        environment: variables; None for those of the process.

    Raises:
        ModelsMissingError: there is none.
    """
    named = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if named:
        return named
    for folder in (own_folder(), Path(sys.prefix) / FOLDER):
        if (folder / COMPLETE).exists() and python_in(folder).exists():
            return str(python_in(folder))
    raise ModelsMissingError(
        "The model library is not installed.", hint="Install it: zeroclaw models install"
    )
