"""The ``test`` command: every check of the project, with one verdict at the end.

pytest runs in the foreground; the linters run beside it, since two cores are the least that a machine has.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bootstrap_steps.child_process import clean_environment
from bootstrap_steps.environment import Environment
from bootstrap_steps.progress import Progress

CLOSING_LINE = re.compile(r"^=*\s*((?:\d+ \w+,? ?)+(?:in [\d.]+s.*?)|no tests ran.*?)\s*=*$")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class CheckResult:
    """How one check ended: its name, exit code, seconds, and what it wrote."""

    name: str
    code: int
    seconds: float
    output: str


def static_checks(environment: Environment) -> dict[str, list[str]]:
    """Return the commands of the linters by name."""
    return {
        "ruff": [str(environment.script("ruff")), "check", "."],
        "import rules": [str(environment.script("lint-imports"))],
        "mypy": [str(environment.python), "-m", "mypy"],
    }


MOST_WORKERS = 4
"""Of pytest; each starts brokers, simulators and compilers of its own."""


def run_every_check(environment: Environment, pytest_arguments: Sequence[str], progress: Progress) -> int:
    """Run pytest and the linters; returns 0 when all passed, else 1.

    The last line written is pytest's own closing line.

    Args:
        environment: where the tools are installed.
        pytest_arguments: passed on to pytest.
        progress: takes the verdicts.
    """
    beside: list[CheckResult] = []
    commands = static_checks(environment)

    def run_linters() -> None:
        beside.extend(_quietly(name, command, environment.root) for name, command in commands.items())

    worker = threading.Thread(target=run_linters, name="linters")
    progress.say("Running the tests (offscreen); ruff, mypy and the import rules run beside them.")
    worker.start()
    tests = _run_pytest(environment, pytest_arguments)
    worker.join()
    results = [tests, *beside]
    for result in beside:
        if result.code != 0:
            progress.say(f"\n--- {result.name} ---\n{result.output.strip()}")
    progress.say("")
    for result in results:
        word = "passed" if result.code == 0 else f"FAILED ({result.code})"
        progress.say(f"{result.name:<14} {word:<12} {result.seconds:6.1f} s")
    progress.say(
        closing_line(tests.output) or f"pytest ended with exit code {tests.code}, without its last line."
    )
    return 0 if all(result.code == 0 for result in results) else 1


def closing_line(output: str) -> str:
    """Return pytest's last line of counts (``3 passed, 1 failed in 0.12s``), or an empty string."""
    for line in reversed(ANSI.sub("", output).splitlines()):
        match = CLOSING_LINE.match(line.strip())
        if match:
            return match.group(1)
    return ""


def _variables() -> dict[str, str]:
    variables = {"QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"), "PYTHONUNBUFFERED": "1"}
    return clean_environment(variables)


def _quietly(name: str, command: Sequence[str], folder: Path) -> CheckResult:
    begun = time.monotonic()
    done = subprocess.run(
        command,
        cwd=folder,
        env=_variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return CheckResult(name, done.returncode, time.monotonic() - begun, done.stdout)


def side_by_side(cores: int | None) -> list[str]:
    """Options that run files of tests side by side: most of them wait for a line or a program.

    Args:
        cores: of the machine; None when that is not known.
    """
    return ["--numprocesses", str(min(cores or 1, MOST_WORKERS)), "--dist", "loadfile"]


def _run_pytest(environment: Environment, arguments: Sequence[str]) -> CheckResult:
    """Run pytest so that its output is seen at once and kept as well."""
    begun = time.monotonic()
    arguments = [*side_by_side(os.cpu_count()), *arguments]
    color = ["--color=yes"] if sys.stdout.isatty() else []
    child = subprocess.Popen(
        [str(environment.python), "-m", "pytest", *color, *arguments],
        cwd=environment.root,
        env=_variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert child.stdout is not None
    kept = bytearray()
    while block := os.read(child.stdout.fileno(), 65536):
        kept += block
        sys.stdout.write(block.decode("utf-8", "replace"))
        sys.stdout.flush()
    child.stdout.close()
    code = child.wait()
    return CheckResult("pytest", code, time.monotonic() - begun, kept.decode("utf-8", "replace"))
