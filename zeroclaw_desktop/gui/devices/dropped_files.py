"""What a file or folder that was dropped on the window means for the boards."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

SKETCH = ".ino"


def sketch_in(path: str) -> str:
    """The Arduino sketch that a path means: an .ino file, or the one of its folder's name; '' for none."""
    if path.lower().endswith(SKETCH):
        return path
    named = Path(path) / f"{Path(path).name}{SKETCH}"
    return str(named) if path and named.is_file() else ""


def takes(endings: Collection[str], path: str) -> bool:
    """Tell whether a board that takes files of these endings may take this one; a folder holds programs.

    Args:
        endings: ``.hex``, ``.py`` ...
    """
    if Path(path).is_dir():
        return ".py" in endings
    return path.lower().endswith(tuple(endings))
