"""Puts the data folders into a wheel as ``zeroclaw_desktop/_data/``; an editable install has none.

A hook of hatchling instead of its ``force-include`` table, which would copy the folders into an editable
install as well, where the copies grow stale.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATA_FOLDERS = ("resources", "ui", "firmware")


class WheelDataHook(BuildHookInterface[Any]):
    """Called by hatchling before it collects the files of a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the data folders to ``build_data``; ``version`` is ``standard`` or ``editable``."""
        if version == "standard":
            build_data["force_include"].update(
                {name: f"zeroclaw_desktop/_data/{name}" for name in DATA_FOLDERS}
            )
