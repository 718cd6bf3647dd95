"""Faults of the configuration file.

ZeroClawError
└── ConfigError        carries every problem with its key path
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zeroclaw_desktop.foundation.errors import ZeroClawError


class ConfigProblem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        path: key path (``ui.theme``) or '' for the file as a whole.
        message: what is wrong and what is expected.
        line: line number, 0 when unknown.
        fatal: False for what is only worth a warning (an unknown key).
    """

    path: str
    message: str
    line: int = 0
    fatal: bool = True

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        at = f" (line {self.line})" if self.line else ""
        return f"{where}{self.message}{at}"


class ConfigError(ZeroClawError):
    """A value was refused, or the file cannot be used."""

    default_code = "config"

    def __init__(self, problems: Sequence[ConfigProblem], source: str = "") -> None:
        listed = "; ".join(str(problem) for problem in problems)
        super().__init__(
            f"The configuration is wrong: {listed}",
            hint=f"Correct {source or 'the value'}; until then the default is used.",
            details={"problems": listed, "file": source},
        )
        self.problems = tuple(problems)
