"""The tools that a call may name, how far each reaches, and what a wrong name probably meant."""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from zeroclaw_desktop.agent.toolcalls.limits import MAX_NAME_CHARS
from zeroclaw_desktop.contracts.chat import ToolSpec

_NEAR = 3
_NAMESPACES = ("functions.", "tools.", "default_api.")
_ALIASES = {
    "bash": "shell", "sh": "shell", "exec": "shell", "command": "shell", "cmd": "shell",
    "fileread": "file_read", "filewrite": "file_write", "recall": "memory_recall", "store": "memory_store",
    "forget": "memory_forget", "fetch": "http_request", "http": "http_request", "curl": "http_request",
    "wget": "http_request",
}  # fmt: skip


class Reach(enum.IntEnum):
    """How much a wrong reading could do; what is not known counts as the most."""

    LOOKS = 0
    CHANGES = 1
    MOVES = 2


@dataclass(frozen=True)
class ToolTable:
    """The tools offered to the model.

    Attributes:
        specs: by name.
        reaches: by name; a tool that is missing here may move something.
    """

    specs: Mapping[str, ToolSpec]
    reaches: Mapping[str, Reach] = field(default_factory=dict)

    @classmethod
    def of(cls, specs: Iterable[ToolSpec], reaches: Mapping[str, Reach] | None = None) -> ToolTable:
        """A table of specs."""
        return cls({spec.name: spec for spec in specs}, reaches or {})

    def reach(self, name: str) -> Reach:
        """How far a tool reaches."""
        return self.reaches.get(name, Reach.MOVES)

    def resolve(self, written: str) -> tuple[str, str]:
        """The tool that a written name means.

        Returns:
            Its name ('' for none) and what was mended to find it. Spelling, case and customary other names
            are taken for tools that move nothing only.
        """
        if written in self.specs:
            return written, ""
        for namespace in _NAMESPACES:
            if written.startswith(namespace) and written[len(namespace) :] in self.specs:
                return written[len(namespace) :], ""
        folded = written.casefold()
        same = [name for name in self.specs if name.casefold() == folded]
        target = same[0] if len(same) == 1 else _ALIASES.get(folded, "")
        if target in self.specs and self.reach(target) < Reach.MOVES:
            return target, "other name of the tool"
        return "", ""

    def near(self, written: str) -> tuple[str, ...]:
        """Names that were perhaps meant, the nearest first."""
        by_folded = {name.casefold(): name for name in self.specs}
        folded = written[:MAX_NAME_CHARS].casefold()
        alias = _ALIASES.get(folded, "")
        found = difflib.get_close_matches(folded, list(by_folded), _NEAR, 0.6)
        names = [by_folded[name] for name in found]
        if alias in self.specs:
            names.insert(0, alias)
        return tuple(dict.fromkeys(names))[:_NEAR]
