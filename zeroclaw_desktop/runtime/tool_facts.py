"""The programs that flashing needs, as plain rows for the command line and the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroclaw_desktop.hardware.flashing.tool_list import ToolList, ToolState
from zeroclaw_desktop.sandbox.process import ChildProcesses


async def tool_rows(tools: ToolList | None = None) -> list[dict[str, Any]]:
    """Look for all of them.

    Args:
        tools: list that remembers versions; a new one when left out.
    """
    return rows_of(await (tools or ToolList(ChildProcesses())).look())


def rows_of(states: Sequence[ToolState]) -> list[dict[str, Any]]:
    """States as rows that JSON can hold."""
    return [
        {
            "name": state.spec.name,
            "found": state.path != "",
            "path": state.path,
            "version": state.version,
            "purpose": {"en": state.spec.purpose.en, "zh": state.spec.purpose.zh},
            "install": state.spec.install_command,
            "way": state.way,
            "boards": list(state.boards),
        }
        for state in states
    ]
