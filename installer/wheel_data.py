"""Puts the data folders into a wheel as ``zeroclaw_desktop/_data/``; an editable install has none.

A hook of hatchling instead of its ``force-include`` table, which would copy the folders into an editable
install as well, where the copies grow stale.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA_FOLDERS = ("resources", "ui", "firmware")
#: What ``zeroclaw models install`` installs.
DATA_FILES = ("requirements/models.txt",)
#: Left by builds of the firmware and by Python, never part of the product.
LEFT_OUT = {"build", "__pycache__"}
LEFT_OUT_SUFFIXES = {".pyc", ".o", ".elf", ".map"}


def data_files(root: Path) -> dict[str, str]:
    """Return each data file of the checkout ``root`` with its place in the wheel."""
    files = [path for name in DATA_FOLDERS for path in sorted((root / name).rglob("*")) if path.is_file()]
    shipped = [
        path.relative_to(root)
        for path in files
        if path.suffix not in LEFT_OUT_SUFFIXES and not LEFT_OUT.intersection(path.relative_to(root).parts)
    ]
    shipped += [Path(name) for name in DATA_FILES if (root / name).is_file()]
    return {str(path): f"zeroclaw_desktop/_data/{path.as_posix()}" for path in shipped}


class WheelDataHook(BuildHookInterface[Any]):
    """Called by hatchling before it collects the files of a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the data files to ``build_data``; ``version`` is ``standard`` or ``editable``."""
        if version == "standard":
            build_data["force_include"].update(data_files(Path(self.root)))
