"""A JSON object in a file of the home folder that is read at the start and written after each change.

Keys that this version does not know are kept as they are; a file that cannot be read is set aside under
another name, never overwritten.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.foundation.log import logger

_log = logger("runtime")


class KeptJson:
    """The object and its file.

    Args:
        path: the file; None keeps everything for this run only.
        version: written into the file.

    Attributes:
        document: what is in it.
        set_aside: where a file went that could not be read; None when all was well.
    """

    def __init__(self, path: Path | None, version: int) -> None:
        self.set_aside: Path | None = None
        self._path = path
        self._version = version
        self.document = self._read()

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the objects of a list; [] where there is none."""
        rows = self.document.get(name)
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    def part(self, name: str) -> dict[str, Any]:
        """Return an object of the object; {} where there is none."""
        found = self.document.get(name)
        return found if isinstance(found, dict) else {}

    def put(self, changes: Mapping[str, Any]) -> None:
        """Replace parts and write the file; raises ZeroClawError when it could not be written."""
        self.document |= changes
        if self._path is not None:
            text = json.dumps(self.document | {"version": self._version}, ensure_ascii=False, indent=1)
            write_atomically(self._path, text + "\n")

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            document = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            return self._give_up(str(error))
        if not isinstance(document, dict):
            return self._give_up("it holds no object")
        return document

    def _give_up(self, reason: str) -> dict[str, Any]:
        assert self._path is not None
        aside = self._path.with_name(f"{self._path.name}.{time.strftime('%Y%m%d-%H%M%S')}.unreadable")
        try:
            os.replace(self._path, aside)
        except OSError:
            # It can be neither read nor moved: what is chosen in this run must not overwrite it.
            self._path = None
        else:
            self.set_aside = aside
        _log.error("What you chose for the plots could not be read (%s); set aside as %s.", reason, aside)
        return {}
