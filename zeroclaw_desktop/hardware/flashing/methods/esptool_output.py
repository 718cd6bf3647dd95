"""What esptool prints: progress, the chip, the size of the flash. Texts are those of esptool 5."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zeroclaw_desktop.hardware.flashing.method import ChipIdentity
from zeroclaw_desktop.hardware.flashing.tool_output import ToolOutput

_PROGRESS = re.compile(r"(Writing at|Reading from) 0x[0-9a-f]+\s.*?(\d+(?:\.\d+)?)%", re.IGNORECASE)
_CONNECTED = re.compile(r"^Connected to ([\w-]+) on ", re.MULTILINE)
_MAC = re.compile(r"^(?:BASE )?MAC:\s+((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$", re.MULTILINE | re.IGNORECASE)
_FLASH = re.compile(r"^Detected flash size: (\d+)(KB|MB)$", re.MULTILINE)
_UNITS = {"KB": 1 << 10, "MB": 1 << 20}


def identity_of(text: str) -> ChipIdentity | None:
    """The chip that a run has talked to; None when it says none."""
    connected = _CONNECTED.search(text)
    if connected is None:
        return None
    macs = _MAC.findall(text)
    flash = _FLASH.search(text)
    size = int(flash[1]) * _UNITS[flash[2]] if flash is not None else 0
    return ChipIdentity(connected[1], macs[-1].lower() if macs else "", size)


class EsptoolOutput(ToolOutput):
    """Follows esptool: bars become progress of all parts together, the rest becomes log lines.

    Args:
        sizes: bytes of each part, in the order in which they are written or read.
        on_progress: told of phase (``write``, ``verify`` or ``backup``) and percent.
        on_line: told of every other line.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        on_progress: Callable[[str, float], None],
        on_line: Callable[[str], None],
    ) -> None:
        super().__init__(on_line, take=self._taken)
        self.verified = 0
        self._sizes = sizes
        self._written = 0
        self._on_progress = on_progress

    def _share(self, parts: int) -> float:
        """Percent of all bytes that the first parts are."""
        return 100.0 * sum(self._sizes[:parts]) / max(1, sum(self._sizes))

    def _taken(self, line: str) -> bool:
        found = _PROGRESS.match(line)
        if found is not None and self._sizes:
            before, after = self._share(self._written), self._share(self._written + 1)
            percent = before + (after - before) * min(100.0, float(found[2])) / 100.0
            self._on_progress("write" if found[1].lower().startswith("w") else "backup", percent)
            return True
        if found is not None:
            return True
        if line.startswith("Wrote "):
            self._written += 1
            if self._written == len(self._sizes):
                self._on_progress("verify", self._share(self.verified))
        elif line.startswith("Hash of data verified"):
            self.verified += 1
            if self._written == len(self._sizes):
                self._on_progress("verify", self._share(self.verified))
        return False
