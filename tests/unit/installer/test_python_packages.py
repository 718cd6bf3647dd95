"""What pip is told is passed on to uv, so that a company's mirror and proxy work for both."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bootstrap_steps.environment import Environment
from bootstrap_steps.python_packages import _uv_variables, pip_settings

LISTING = """:env:.cert='/etc/ssl/own.pem'
global.index-url='https://mirror.example/simple'
global.timeout='60'
install.no-binary='x'
user.something='ignored'
"""


class ToldByPip(Environment):
    """An environment whose pip lists ``LISTING``."""

    def pip_command(self) -> list[str]:
        return [sys.executable, "-c", f"print({LISTING!r}, end='')"]


def test_the_settings_of_pip_are_read(tmp_path: Path) -> None:
    settings = pip_settings(ToldByPip(tmp_path))
    assert settings["cert"] == "/etc/ssl/own.pem"
    assert settings["index-url"] == "https://mirror.example/simple"
    assert "something" not in settings


def test_uv_gets_them_under_its_own_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_DEFAULT_INDEX", "SSL_CERT_FILE", "UV_LINK_MODE"):
        monkeypatch.delenv(name, raising=False)
    variables = _uv_variables(ToldByPip(tmp_path))
    assert variables["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
    assert variables["SSL_CERT_FILE"] == "/etc/ssl/own.pem"


def test_what_the_person_told_uv_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://own.example/simple")
    assert "UV_DEFAULT_INDEX" not in _uv_variables(ToldByPip(tmp_path))
