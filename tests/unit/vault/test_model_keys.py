"""Keys of models are in the keyring or in a variable, never anywhere else (SC-10)."""

from __future__ import annotations

import pytest

from tests.helpers.memory_passwords import MemoryPasswords
from zeroclaw_desktop.vault.errors import KeyringMissingError, PasswordMissingError
from zeroclaw_desktop.vault.model_keys import ModelKeys, variable_for
from zeroclaw_desktop.vault.system_keyring import missing


async def test_a_key_is_kept_fetched_and_forgotten() -> None:
    store = MemoryPasswords()
    keys = ModelKeys(store, {})
    await keys.keep("openai", "the key")
    assert store.kept == {"model openai": "the key"}
    assert await keys.fetch("openai") == "the key"
    await keys.forget("openai")
    with pytest.raises(PasswordMissingError, match="no key named 'openai'"):
        await keys.fetch("openai")


async def test_a_variable_supplies_it_without_asking_the_keyring() -> None:
    store = MemoryPasswords()
    assert await ModelKeys(store, {"ZEROCLAW_MODEL_KEY_MY_KEY": "given"}).fetch("my-key") == "given"
    assert store.asked == []
    assert variable_for("my.key") == "ZEROCLAW_MODEL_KEY_MY_KEY"


async def test_without_a_keyring_the_way_around_is_named() -> None:
    keys = ModelKeys(MemoryPasswords(missing()), {})
    for attempt in (keys.keep("openai", "the key"), keys.fetch("openai")):
        with pytest.raises(KeyringMissingError) as caught:
            await attempt
        assert "ZEROCLAW_MODEL_KEY_OPENAI" in caught.value.hint
        assert "the key" not in str(caught.value.details).replace("the key 'openai'", "")
