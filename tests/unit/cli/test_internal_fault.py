"""A fault of our own exits with 70 and is told; nothing else does."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from zeroclaw_desktop import debug_cli
from zeroclaw_desktop.cli import explain_commands, main
from zeroclaw_desktop.cli.standard_input import InputError
from zeroclaw_desktop.foundation.errors import ZeroClawError


def run_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    def fail(_options: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(explain_commands, "explain_error_command", fail)
    return main.main(["explain", "error", "49"])


def debug_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> int:
    async def fail(_options: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(debug_cli, "_run", fail)
    return debug_cli.main(["--payload", "{}"])


@pytest.mark.parametrize("run", [run_with, debug_with])
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyError("a bug"), 70),
        (RuntimeError("a bug"), 70),
        (ZeroClawError("It did not work."), 1),
        (InputError("no input"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_exit_codes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    run: Callable[[pytest.MonkeyPatch, BaseException], int],
    error: BaseException,
    code: int,
) -> None:
    """EX-17: ``debug_cli`` ends as ``zeroclaw`` does."""
    assert run(monkeypatch, error) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    if code == 70:
        assert "internal fault" in shown.err
        assert "a bug" in shown.err
