"""The command line: what belongs to the bootstrap and what is passed on, and how a failure is told."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bootstrap_steps import command
from bootstrap_steps.errors import NetworkError
from bootstrap_steps.progress import Progress


@pytest.mark.parametrize(
    ("words", "own", "passed_on"),
    [
        (["run"], ["run"], []),
        (["run", "--yes", "--", "--theme", "dark"], ["run", "--yes"], ["--theme", "dark"]),
        (["test", "--", "-k", "a", "--", "b"], ["test"], ["-k", "a", "--", "b"]),
        (["run", "--"], ["run"], []),
    ],
)
def test_arguments_after_the_dashes_are_passed_on(
    words: list[str], own: list[str], passed_on: list[str]
) -> None:
    assert command.split_at_dashes(words) == (own, passed_on)


def test_a_failure_is_told_with_cause_remedy_and_last_lines() -> None:
    said = io.StringIO()
    error = NetworkError("The server cannot be reached.", hint="Connect.", log_tail="first\nlast")
    command.report(error, Progress(command.ROOT / ".bootstrap" / "x.log", stream=said))
    assert "Stopped: The server cannot be reached." in said.getvalue()
    assert "What to do: Connect." in said.getvalue()
    assert "  | last" in said.getvalue()


def test_steps_are_told_with_their_time(tmp_path: Path) -> None:
    said = io.StringIO()
    progress = Progress(tmp_path / "log", stream=said)
    with progress.step("Installing"):
        progress.log("a line of a tool")
    with pytest.raises(ValueError, match="broken"), progress.step("Breaking"):
        raise ValueError("broken")
    lines = said.getvalue().splitlines()
    assert lines[0] == "Installing ..."
    assert lines[1].strip().startswith("done in ")
    assert lines[3].strip().startswith("stopped after ")
    assert "a line of a tool" not in said.getvalue()
    assert "a line of a tool" in progress.log_path.read_text(encoding="utf-8")
