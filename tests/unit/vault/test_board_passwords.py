"""Passwords of boards behind a broker: in the keyring or a variable, in no message (HW-5)."""

from __future__ import annotations

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from zeroclaw_desktop.vault.board_passwords import VARIABLE, BoardPasswords
from zeroclaw_desktop.vault.errors import KeyringMissingError, PasswordMissingError
from zeroclaw_desktop.vault.system_keyring import missing

ADDRESS = "mqtt://me@broker:1883/greenhouse"


async def test_a_password_belongs_to_its_address_and_is_forgotten_with_it() -> None:
    keyring = MemoryPasswords()
    passwords = BoardPasswords(keyring, {})
    await passwords.keep(ADDRESS, "s3cret")
    assert await passwords.fetch(ADDRESS) == "s3cret"
    with pytest.raises(PasswordMissingError):
        await passwords.fetch("mqtt://me@other:1883/greenhouse")
    await passwords.forget(ADDRESS)
    assert keyring.kept == {}


async def test_a_variable_supplies_it_where_there_is_no_keyring() -> None:
    passwords = BoardPasswords(MemoryPasswords(missing()), {VARIABLE: "from outside"})
    assert await passwords.fetch(ADDRESS) == "from outside"


async def test_without_a_keyring_it_is_kept_nowhere_and_the_way_around_is_named() -> None:
    passwords = BoardPasswords(MemoryPasswords(missing()), {})
    with pytest.raises(KeyringMissingError) as raised:
        await passwords.keep(ADDRESS, "s3cret")
    assert VARIABLE in raised.value.hint
    assert "s3cret" not in f"{raised.value.message}{raised.value.hint}{raised.value.details}"
