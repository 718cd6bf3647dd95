"""The programs that write firmware: where they are, and how a missing one is installed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.hardware.errors import FlashError


@dataclass(frozen=True)
class Tool:
    """A program that was found.

    Attributes:
        argv: how to start it; arguments are added.
    """

    name: str
    argv: tuple[str, ...]


@dataclass(frozen=True)
class ToolSpec:
    """A program that may be there.

    Attributes:
        name: as people know it.
        programs: names on the search path, best first.
        module: Python module of our own environment that is the program too; '' for none.
        purpose: ends the sentence "The program X, which ...".
        install: command that installs it, by ``sys.platform``; ``linux`` is the default.
        version: arguments with which it tells its version and does nothing.
    """

    name: str
    programs: tuple[str, ...]
    purpose: Words
    install: Mapping[str, str]
    module: str = ""
    version: tuple[str, ...] = ("--version",)

    @property
    def environment_name(self) -> str:
        """Variable that names another program: ``ZEROCLAW_AVRDUDE``."""
        return "ZEROCLAW_" + self.name.upper().replace("-", "_")

    @property
    def install_command(self) -> str:
        """The command that installs it here."""
        return self.install.get(sys.platform, self.install["linux"])


def find_tool(spec: ToolSpec) -> Tool:
    """The variable's program, else the search path, else the module of our own environment.

    Raises:
        FlashError: code ``tool_missing``, with the command that installs it.
    """
    named = os.environ.get(spec.environment_name, "")
    for program in (named,) if named else spec.programs:
        found = shutil.which(program)
        if found:
            return Tool(spec.name, (found,))
    if spec.module and not named and _has_module(spec.module):
        # -P: a file of the same name in the folder where the app was started must not be run instead.
        return Tool(spec.name, (sys.executable, "-P", "-m", spec.module))
    install = spec.install_command
    place = f" at {named}" if named else ""
    raise FlashError(
        f"The program '{spec.name}', which {spec.purpose.en}, is not installed{place}.",
        hint=f"Install it: {install}",
        code="tool_missing",
        details={"tool": spec.name, "install": install},
    )


def _has_module(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None
