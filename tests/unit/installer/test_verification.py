"""The ``test`` command runs every check, fails when one fails, and ends with pytest's own closing line."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from bootstrap_steps.environment import Environment
from bootstrap_steps.progress import Progress
from bootstrap_steps.verification import closing_line, run_every_check, side_by_side


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("...\n3 passed in 0.12s\n", "3 passed in 0.12s"),
        (
            "== 1 failed, 2 passed, 1 skipped in 61.00s (0:01:01) ==\n",
            "1 failed, 2 passed, 1 skipped in 61.00s (0:01:01)",
        ),
        ("\x1b[32m\x1b[1m5 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m\n", "5 passed in 0.01s"),
        ("1 passed in 0.1s\nException ignored in: something\n", "1 passed in 0.1s"),
        ("2 passed, 1 error in 0.3s", "2 passed, 1 error in 0.3s"),
        ("no tests ran in 0.00s", "no tests ran in 0.00s"),
        ("Segmentation fault", ""),
    ],
)
def test_the_closing_line_is_found(output: str, expected: str) -> None:
    assert closing_line(output) == expected


@pytest.mark.parametrize(("cores", "workers"), [(None, "1"), (1, "1"), (2, "2"), (64, "4")])
def test_files_of_tests_run_side_by_side_on_the_cores_there_are(cores: int | None, workers: str) -> None:
    assert side_by_side(cores) == ["--numprocesses", workers, "--dist", "loadfile"]


class Checks:
    """An environment whose tools are shell scripts; ``python`` stands for pytest and mypy."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = Environment(root)
        self.said = io.StringIO()
        self.environment.python.parent.mkdir(parents=True)

    def write(self, *, pytest_code: int = 0, mypy_code: int = 0, ruff_code: int = 0) -> None:
        """Write the tools with the exit codes that they are to have."""
        python = (
            f'if [ "$2" = pytest ]; then shift 2; echo "$@" > {self.root}/arguments; '
            f'echo "4 passed in 1.00s"; '
            f"exit {pytest_code}; fi; echo mypy-said; exit {mypy_code}"
        )
        ruff = f"echo ruff-said; exit {ruff_code}"
        for name, script in {"python": python, "ruff": ruff, "lint-imports": "exit 0"}.items():
            path = self.environment.script(name) if name != "python" else self.environment.python
            path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            path.chmod(0o755)

    def run(self, *arguments: str) -> int:
        """Run every check and keep what is said."""
        return run_every_check(self.environment, arguments, Progress(self.root / "log", stream=self.said))


@pytest.fixture
def checks(tmp_path: Path) -> Checks:
    if sys.platform == "win32":
        pytest.skip("the tools are shell scripts; run it on Linux or macOS")
    return Checks(tmp_path)


def test_all_pass(checks: Checks, capfd: pytest.CaptureFixture[str]) -> None:
    checks.write()
    assert checks.run("-k", "pins") == 0
    assert checks.said.getvalue().splitlines()[-1] == "4 passed in 1.00s"
    given = (checks.root / "arguments").read_text().split()
    assert given[-2:] == ["-k", "pins"], "what the person says comes last, so that it holds"
    assert "ruff-said" not in checks.said.getvalue()
    assert "4 passed in 1.00s" in capfd.readouterr().out


@pytest.mark.parametrize("failing", ["pytest_code", "mypy_code", "ruff_code"])
def test_one_failure_fails_the_whole_and_is_named(checks: Checks, failing: str) -> None:
    checks.write(**{failing: 3})
    assert checks.run() == 1
    said = checks.said.getvalue()
    assert "FAILED (3)" in said
    assert said.splitlines()[-1] == "4 passed in 1.00s"


def test_what_a_failing_linter_said_is_shown(checks: Checks) -> None:
    checks.write(ruff_code=1)
    checks.run()
    assert "ruff-said" in checks.said.getvalue()
    assert "mypy-said" not in checks.said.getvalue()


def test_no_test_at_all_is_a_failure(checks: Checks) -> None:
    checks.write(pytest_code=5)
    assert checks.run() == 1
