"""The command line with a Redis behind a password, and the system's keyring for real (SC-10, EX-13)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.shared_state.conftest import started
from tests.integration.shared_state.redis_server import RedisServer
from tests.integration.vault.keyring_session import ROOT, UNLOCKED, environment, needs_keyring, session

EXEC = ["exec", "--payload", '{"action": "led_set", "params": {"state": 1}}', "-v"]
SHARED = "The state is shared by the Redis"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis with the password 'geheim'."""
    folder = tmp_path / "redis"
    folder.mkdir()
    server = started(folder)
    assert server.say("CONFIG SET requirepass geheim").startswith("+OK")
    yield server
    server.kill()


def zeroclaw(prefix: list[str], home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """``zeroclaw exec`` in a process of its own."""
    return subprocess.run(
        [*prefix, sys.executable, "-m", "zeroclaw_desktop.cli.main", *EXEC],
        env=environment(home, ZEROCLAW_HOME=str(home), **more),
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def write_address(home: Path, server: RedisServer) -> Path:
    """A person writes the whole address into the file."""
    home.mkdir()
    file = home / "config.toml"
    file.write_text(f'[shared]\nredis_url = "redis://:geheim@127.0.0.1:{server.port}/0"\n', encoding="utf-8")
    return file


def files_with(folder: Path, secret: bytes) -> list[str]:
    """Files below a folder that hold a secret in the clear."""
    return [file.name for file in folder.rglob("*") if file.is_file() and secret in file.read_bytes()]


@needs_keyring
def test_the_password_moves_to_the_keyring_and_is_found_there_next_time(
    tmp_path: Path, server: RedisServer
) -> None:
    """SC-10: by GNOME Keyring itself, which keeps it on the disk in its own, locked file."""
    home = tmp_path / "home"
    file = write_address(home, server)
    for _ in range(2):
        ended = zeroclaw(session(UNLOCKED), home)
        assert ended.returncode == 0, ended.stderr
        assert SHARED in ended.stderr
        assert "redis://:***@127.0.0.1" in file.read_text(encoding="utf-8")
        assert "geheim" not in ended.stdout + ended.stderr
        assert files_with(home, b"geheim") == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a keyring: run on Linux")
def test_without_a_keyring_the_variable_supplies_it(tmp_path: Path, server: RedisServer) -> None:
    """SC-10: the password in the file is not used; the one of the variable is, and nothing is written."""
    home = tmp_path / "home"
    file = write_address(home, server)
    written = file.read_text(encoding="utf-8")
    alone = zeroclaw([], home)
    assert alone.returncode == 0, alone.stderr
    assert "no keyring" in alone.stderr
    assert "ZEROCLAW_SHARED_REDIS_URL_PASSWORD" in alone.stderr
    assert SHARED not in alone.stderr
    assert file.read_text(encoding="utf-8") == written
    file.write_text(written.replace(":geheim@", ""), encoding="utf-8")
    supplied = zeroclaw([], home, ZEROCLAW_SHARED_REDIS_URL_PASSWORD="geheim")
    assert supplied.returncode == 0, supplied.stderr
    assert SHARED in supplied.stderr
    assert files_with(home, b"geheim") == []
