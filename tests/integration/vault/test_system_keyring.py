"""The system's keyring for real: GNOME Keyring on a bus of its own; and systems without one (SC-10)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.vault.keyring_session import (
    LOCKED,
    ROOT,
    UNLOCKED,
    environment,
    needs_keyring,
    session,
)

CHILD = [sys.executable, "-m", "tests.integration.vault.keyring_child"]


def ask(command: list[str], orders: list[list[str]], home: Path, patience: float = 15.0, **more: str) -> Any:
    """Let a child use the keyring; returns its answers."""
    ended = subprocess.run(
        [*command, *CHILD, json.dumps(orders), str(patience)],
        env=environment(home, **more), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@needs_keyring
def test_a_password_is_kept_found_and_forgotten(tmp_path: Path) -> None:
    """SC-10: by GNOME Keyring itself; with letters of every kind."""
    name, password = "shared.redis_url kim@host:6379", "ge heim/密码:@ü"
    answers = ask(
        session(UNLOCKED),
        [["fetch", name], ["store", name, "older"], ["store", name, password], ["fetch", name],
         ["forget", name], ["fetch", name], ["forget", name]],
        tmp_path,
    )  # fmt: skip
    assert answers == [None, None, None, password, None, None, None]


@needs_keyring
def test_another_program_finds_it_under_the_service_of_the_project(tmp_path: Path) -> None:
    """SC-10: ``secret-tool`` and the desktop's password program show it: by the Secret Service itself."""
    look = (
        "import secretstorage; bus = secretstorage.dbus_init(); "
        "items = secretstorage.search_items(bus, {'service': 'zeroclaw-desktop', 'username': 'a b'}); "
        "print([item.get_secret().decode() for item in items])"
    )
    store = " ".join(['"$0"', "-m", CHILD[2], '\'[["store", "a b", "geheim"]]\'', "15"])
    script = UNLOCKED.removesuffix('exec "$@"') + f'{store} >/dev/null && exec "$0" -c "{look}"'
    ended = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script, sys.executable],
        env=environment(tmp_path), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.stdout.strip() == "['geheim']", ended.stderr


@needs_keyring
def test_a_locked_keyring_that_can_ask_nobody_is_given_up(tmp_path: Path) -> None:
    """SC-10: told in bounded time, and the program can still end."""
    (answer,) = ask(session(LOCKED), [["store", "a", "geheim"]], tmp_path, 2.0)
    assert answer["code"] == "keyring_refused"
    assert "Unlock" in answer["hint"]
    assert "geheim" not in json.dumps(answer)


def test_a_system_without_a_keyring_says_so(tmp_path: Path) -> None:
    """SC-10: no session bus, so no Secret Service; nothing is written anywhere."""
    if not sys.platform.startswith("linux"):
        pytest.skip("macOS and Windows always have a keyring: run on Linux")
    answers = ask([], [["store", "a", "geheim"], ["fetch", "a"]], tmp_path)
    assert [answer["code"] for answer in answers] == ["keyring_missing"] * 2
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and b"geheim" in file.read_bytes()]


@pytest.mark.parametrize("backend", ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring"])
def test_a_keyring_that_keeps_nothing_is_no_keyring(tmp_path: Path, backend: str) -> None:
    """SC-10: even where somebody has chosen it."""
    (answer,) = ask([], [["store", "a", "geheim"]], tmp_path, PYTHON_KEYRING_BACKEND=backend)
    assert answer["code"] == "keyring_missing"


def test_a_plain_text_file_is_no_keyring(tmp_path: Path) -> None:
    """SC-10: the file of keyrings.alt is readable text, so it is refused even where it is installed."""
    package = tmp_path / "packages" / "keyrings" / "alt"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "file.py").write_text(
        "from pathlib import Path\n"
        "from keyring.backend import KeyringBackend\n"
        "class PlaintextKeyring(KeyringBackend):\n"
        "    priority = 0.5\n"
        "    def set_password(self, service, name, password):\n"
        "        Path('plain.txt').write_text(password)\n"
        "    def get_password(self, service, name):\n"
        "        return Path('plain.txt').read_text()\n",
        encoding="utf-8",
    )
    (answer,) = ask(
        [],
        [["store", "a", "geheim"]],
        tmp_path,
        PYTHON_KEYRING_BACKEND="keyrings.alt.file.PlaintextKeyring",
        PYTHONPATH=os.pathsep.join([str(ROOT), str(tmp_path / "packages")]),
    )
    assert answer["code"] == "keyring_missing"
