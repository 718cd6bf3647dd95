"""The command line as its own process, as people and scripts start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 90


class Ended:
    """A command that has ended."""

    def __init__(self, process: subprocess.CompletedProcess[bytes]) -> None:
        self.code = process.returncode
        self.out = process.stdout.decode("utf-8")
        self.err = process.stderr.decode("utf-8", errors="replace")

    @property
    def row(self) -> Any:
        """Standard output as its one JSON document."""
        return json.loads(self.out)


Zeroclaw = Callable[..., Ended]


def command(*arguments: str, module: str = "zeroclaw_desktop.cli.main") -> list[str]:
    return [sys.executable, "-m", module, *arguments]


@pytest.fixture
def zeroclaw(own_state_folder: Path, tmp_path: Path) -> Zeroclaw:
    """Run ``zeroclaw ARGUMENTS`` to its end in a home folder of its own."""

    def run(*arguments: str, stdin: bytes | None = b"", module: str = "zeroclaw_desktop.cli.main") -> Ended:
        environment = {**os.environ, "ZEROCLAW_HOME": str(own_state_folder), "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONIOENCODING", None)
        process = subprocess.run(
            command(*arguments, module=module),
            input=stdin,
            capture_output=True,
            env=environment,
            cwd=tmp_path,
            timeout=SECONDS,
            check=False,
        )
        return Ended(process)

    return run


def started(arguments: Sequence[str], home: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start a command whose pipes the test holds itself."""
    environment = {**os.environ, "ZEROCLAW_HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command(*arguments), env=environment, **options)
