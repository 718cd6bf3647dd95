"""``installer/bootstrap.py`` finds a Python that suits, or says what to do."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import bootstrap
import pytest

SCRIPT = Path(bootstrap.__file__)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ((3, 10), False),
        ((3, 11), True),
        ((3, 14), True),
        ((3, 15), False),
        ((2, 7), False),
        ((3, 11, 7, "final", 0), True),
    ],
)
def test_which_versions_suit(version: tuple[int, ...], expected: bool) -> None:
    assert bootstrap.suits(version) is expected


def put_on_path(folder: Path, name: str, script: str) -> Path:
    """Write an executable shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="uses shell scripts; run it on Linux or macOS")
def test_a_name_on_path_that_runs_nothing_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(tmp_path, "python3.13", "echo 'pyenv: python3.13: command not found' >&2; exit 127")
    put_on_path(tmp_path, "python3.12", "echo nonsense")
    put_on_path(tmp_path, "python3", "echo 3.9")
    good = put_on_path(tmp_path, "python3.11", "echo 3.11")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.find_suitable_python() == [str(good)]


@pytest.mark.skipif(sys.platform == "win32", reason="uses shell scripts; run it on Linux or macOS")
def test_an_old_python_hands_over_to_a_suitable_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(
        tmp_path, "python3.11", f'case "$1" in -c) echo 3.11;; *) echo "$@" > {tmp_path}/seen; exit 42;; esac'
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 8, 18, "final", 0))
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run", "--yes"])
    assert bootstrap.main() == 42
    assert (tmp_path / "seen").read_text().split() == [str(SCRIPT), "run", "--yes"]


def test_without_any_suitable_python_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 8, 18, "final", 0))
    assert bootstrap.main() == bootstrap.EXIT_NO_PYTHON
    said = capsys.readouterr().err
    assert "3.11" in said
    assert "this is Python 3.8" in said
    assert "What to do" in said


def test_an_old_python_can_read_it() -> None:
    """Python 3.6 knows neither later syntax nor ``from __future__ import annotations``."""
    source = SCRIPT.read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    assert "__future__" not in {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


def test_help_names_the_three_commands() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("run", "test", "setup"))


def test_an_unknown_command_is_a_usage_error() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "dance"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
