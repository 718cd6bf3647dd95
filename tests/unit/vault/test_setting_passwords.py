"""Passwords of address settings (SC-10, RT-5): in the keyring, not in the file, not to another host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from zeroclaw_desktop.config.errors import ConfigError
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.vault import system_keyring
from zeroclaw_desktop.vault.errors import KeyringMissingError, KeyringRefusedError, PasswordMissingError
from zeroclaw_desktop.vault.setting_passwords import SettingPasswords, variable_of

REDIS, MQTT = "shared.redis_url", "reporters.mqtt_url"


class Desk:
    """Settings in a file and passwords in memory."""

    def __init__(self, folder: Path) -> None:
        self.config = ConfigStore(folder / "config.toml")
        self.keyring = MemoryPasswords()
        self.environment: dict[str, str] = {}
        self.passwords = SettingPasswords(self.config, self.keyring, self.environment)

    def write(self, text: str) -> None:
        """A person edits the file, then the program starts."""
        self.config.path.write_text(text, encoding="utf-8")
        self.config = ConfigStore(self.config.path)
        self.passwords = SettingPasswords(self.config, self.keyring, self.environment)

    def file(self) -> str:
        return self.config.path.read_text(encoding="utf-8") if self.config.path.exists() else ""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("key", "typed", "stored", "name"),
    [
        (REDIS, "redis://kim:geheim@host:1/0", "redis://kim:***@host:1/0", "shared.redis_url kim@host:1"),
        (MQTT, "mqtt://kim:geheim@host/lab", "mqtt://kim:***@host/lab", "reporters.mqtt_url kim@host"),
    ],
)  # fmt: skip
async def test_a_typed_password_goes_to_the_keyring(
    desk: Desk, key: str, typed: str, stored: str, name: str
) -> None:
    """SC-10: one mechanism for both settings."""
    told = []
    desk.config.on_change(lambda changed, value: told.append((changed, value)))
    await desk.passwords.put(key, typed)
    assert desk.config.get(key) == stored
    assert told == [(key, stored)]
    assert "geheim" not in desk.file()
    assert desk.keyring.kept == {name: "geheim"}
    assert await desk.passwords.full(key) == typed


async def test_a_password_in_the_file_is_moved(desk: Desk) -> None:
    """SC-10: what a person wrote by hand; comments and the rest of the file stay."""
    desk.write('# mine\n[shared]\nredis_url = "redis://:geheim@host" # lab\n')
    assert desk.config.problems
    assert await desk.passwords.full(REDIS) == "redis://:geheim@host"
    assert desk.file() == '# mine\n[shared]\nredis_url = "redis://:***@host" # lab\n'
    assert desk.config.problems == ()
    assert await desk.passwords.full(REDIS) == "redis://:geheim@host"


async def test_without_a_keyring_a_typed_password_is_refused(desk: Desk) -> None:
    """SC-10: never plain text; the fault says so and names the variable."""
    await desk.passwords.put(REDIS, "redis://old")
    desk.keyring.fault = system_keyring.missing()
    with pytest.raises(KeyringMissingError) as raised:
        await desk.passwords.put(REDIS, "redis://kim:geheim@host")
    assert "not kept in plain text" in raised.value.message
    assert "ZEROCLAW_SHARED_REDIS_URL_PASSWORD" in raised.value.hint
    assert "geheim" not in str(raised.value) + raised.value.hint + str(raised.value.details)
    assert desk.config.get(REDIS) == "redis://old"


async def test_without_a_keyring_a_password_in_the_file_is_not_used(desk: Desk) -> None:
    """SC-10: it must not stay there, so it does not work; the file itself is the person's."""
    text = '[shared]\nredis_url = "redis://kim:geheim@host"\n'
    desk.write(text)
    desk.keyring.fault = system_keyring.missing()
    with pytest.raises(KeyringMissingError, match=r"shared\.redis_url"):
        await desk.passwords.full(REDIS)
    assert desk.file() == text


async def test_a_keyring_that_does_not_answer_is_told_with_the_way_out(desk: Desk) -> None:
    """SC-10: the password is in a locked keyring; the variable is named here as well."""
    await desk.passwords.put(REDIS, "redis://kim:geheim@host")
    desk.keyring.fault = system_keyring.refused("it is locked", "已锁定")
    with pytest.raises(KeyringRefusedError) as raised:
        await desk.passwords.full(REDIS)
    assert "ZEROCLAW_SHARED_REDIS_URL_PASSWORD" in raised.value.hint
    assert raised.value.details["variable"] == "ZEROCLAW_SHARED_REDIS_URL_PASSWORD"


@pytest.mark.parametrize("stored", ["redis://kim@host", "redis://kim:***@host"])
async def test_a_variable_supplies_the_password(desk: Desk, stored: str) -> None:
    """SC-10: for machines without a keyring, which is not even asked then."""
    desk.keyring.fault = system_keyring.missing()
    desk.environment[variable_of(REDIS)] = "ge/h:eim@"
    desk.config.set(REDIS, stored)
    assert await desk.passwords.full(REDIS) == "redis://kim:ge%2Fh%3Aeim%40@host"


async def test_an_address_without_a_password_does_not_ask_the_keyring(desk: Desk) -> None:
    """A locked keyring would ask the person for nothing."""
    desk.keyring.fault = system_keyring.missing()
    await desk.passwords.put(REDIS, "redis://host")
    assert await desk.passwords.full(REDIS) == "redis://host"
    assert await desk.passwords.full(MQTT) == ""


async def test_a_password_is_never_sent_to_another_host(desk: Desk) -> None:
    """SC-10: who edits the host keeps the mark, but the password belongs to the old place and goes."""
    await desk.passwords.put(REDIS, "redis://kim:geheim@good")
    await desk.passwords.put(REDIS, "redis://kim:***@evil")
    with pytest.raises(PasswordMissingError) as raised:
        await desk.passwords.full(REDIS)
    assert "redis://kim:***@evil" in raised.value.message
    assert desk.keyring.kept == {}


async def test_what_is_not_needed_any_more_is_forgotten(desk: Desk) -> None:
    await desk.passwords.put(REDIS, "redis://kim:geheim@host/0")
    await desk.passwords.put(REDIS, "redis://kim:***@host/1")
    assert await desk.passwords.full(REDIS) == "redis://kim:geheim@host/1"
    await desk.passwords.put(REDIS, "")
    assert desk.keyring.kept == {}


async def test_a_wrong_address_is_refused_before_the_keyring_is_asked(desk: Desk) -> None:
    with pytest.raises(ConfigError):
        await desk.passwords.put(REDIS, "http://kim:geheim@host")
    assert desk.keyring.kept == {}
