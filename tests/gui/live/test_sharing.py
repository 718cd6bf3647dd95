"""The shared state in the window (EX-13, EX-19, UI-8): set in Settings, told there and in the status bar."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.live.conftest import Live
from tests.helpers.memory_passwords import MemoryPasswords
from tests.integration.shared_state.conftest import started
from tests.integration.shared_state.redis_server import RedisServer
from zeroclaw_desktop.bridge.views import ErrorView, SettingView
from zeroclaw_desktop.vault import system_keyring
from zeroclaw_desktop.vault.setting_passwords import SettingPasswords

KEY = "shared.redis_url"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis with the password 'geheim'."""
    server = started(tmp_path)
    assert server.say("CONFIG SET requirepass geheim").startswith("+OK")
    yield server
    server.kill()


@pytest.fixture
def keyring(live: Live) -> MemoryPasswords:
    """Passwords in memory, in place of the keyring of whoever runs the tests."""
    keyring, runtime = MemoryPasswords(), live.bridge.core.runtime
    assert runtime is not None
    runtime.passwords = SettingPasswords(live.bridge.core.config, keyring, {})
    runtime.shared._full_address = runtime.passwords.full
    return keyring


def view(live: Live) -> SettingView:
    """The setting as its row shows it."""
    return next(setting for setting in live.bridge.settings.settings() if setting.key == KEY)


def choose(live: Live, text: str) -> ErrorView | None:
    """Type an address; returns the answer."""
    answers: list[tuple[str, ErrorView | None]] = []
    live.bridge.settings.address_answered.connect(lambda key, error: answers.append((key, error)))
    live.bridge.settings.set_address(KEY, text)
    live.until(lambda: bool(answers), "the answer")
    assert answers[0][0] == KEY
    return answers[0][1]


def test_a_redis_is_set_used_lost_and_given_up(
    live: Live, server: RedisServer, keyring: MemoryPasswords
) -> None:
    """EX-13: at run time, without a restart; each state is told at the setting and in the status bar."""
    where = f"127.0.0.1:{server.port}"
    assert choose(live, f"redis://:geheim@{where}/0") is None
    assert view(live).value == f"redis://:***@{where}/0"
    assert "geheim" not in live.bridge.core.config.path.read_text(encoding="utf-8")
    live.until(lambda: where in view(live).note, "the connection")
    assert (view(live).note_kind, live.bridge.status().shared_text) == ("success", f"Boards shared: {where}")
    assert not live.bridge.status().shared_alarm
    board = live.start_board()
    server.kill()
    runtime = live.bridge.core.runtime
    assert runtime is not None
    refused = live.run(runtime.run_manual("led_set", {"state": 1}, board))
    assert refused.faults[0].symbol == "LOCK_UNAVAILABLE"
    assert live.bridge.status().shared_alarm
    assert "Nothing new is moved" in view(live).note
    assert live.run(runtime.run_manual("board_safe", {}, board)).ok
    assert choose(live, "") is None
    live.until(lambda: not view(live).note, "the end of sharing")
    assert (live.bridge.status().shared_text, live.bridge.status().shared_alarm) == ("", False)
    assert live.run(runtime.run_manual("led_set", {"state": 1}, board)).ok
    assert keyring.kept == {}


def test_without_a_keyring_a_typed_password_is_refused(
    live: Live, server: RedisServer, keyring: MemoryPasswords
) -> None:
    """SC-10: in the words of the window; the setting stays as it was."""
    keyring.fault = system_keyring.missing()
    live.bridge.settings.set_value("ui.language", "zh")
    error = choose(live, f"redis://:geheim@127.0.0.1:{server.port}/0")
    assert error is not None
    assert "密钥环" in error.title
    assert "ZEROCLAW_SHARED_REDIS_URL_PASSWORD" in error.next_step
    assert "geheim" not in str(error)
    assert view(live).value == ""
    assert not live.bridge.core.config.path.read_text(encoding="utf-8").count("geheim")


def test_a_wrong_password_is_told_where_it_was_set(
    live: Live, server: RedisServer, keyring: MemoryPasswords
) -> None:
    """EX-13: the program works by itself, and says why, in both languages."""
    assert choose(live, f"redis://:wrongword@127.0.0.1:{server.port}/0") is None
    live.until(lambda: bool(view(live).note), "the refusal")
    assert "works by itself" in view(live).note
    assert view(live).note_kind == "warning"
    assert live.bridge.status().shared_text == "Boards not shared"
    live.bridge.settings.set_value("ui.language", "zh")
    assert view(live).note.startswith("未启用")
    assert live.bridge.status().shared_text == "未共用开发板"
    assert list(keyring.kept.values()) == ["wrongword"]
