"""Keys of models: in the keyring, under the name that the settings give them (``secret:openai``).

Where there is no keyring, a variable supplies the key: ``ZEROCLAW_MODEL_KEY_OPENAI``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.system_keyring import PasswordStore

PREFIX = "ZEROCLAW_MODEL_KEY_"


def variable_for(name: str) -> str:
    """The variable that supplies the key of a name (``openai`` -> ``ZEROCLAW_MODEL_KEY_OPENAI``)."""
    return PREFIX + re.sub(r"[^A-Z0-9]", "_", name.upper())


class ModelKeys:
    """Keeps and fetches them.

    Args:
        keyring: where they are kept.
        environment: variables; None for those of the process.
    """

    def __init__(self, keyring: PasswordStore, environment: Mapping[str, str] | None = None) -> None:
        self._keyring = keyring
        self._environment = os.environ if environment is None else environment

    async def keep(self, name: str, key: str) -> None:
        """Keep the key of a name; raises VaultError, and it is kept nowhere then."""
        try:
            await self._keyring.store(_entry(name), key)
        except VaultError as error:
            raise _advised(error, name) from error

    async def fetch(self, name: str) -> str:
        """The key of a name.

        Raises:
            VaultError: nobody knows it, or the keyring does not answer.
        """
        supplied = self._environment.get(variable_for(name), "")
        if supplied:
            return supplied
        try:
            found = await self._keyring.fetch(_entry(name))
        except VaultError as error:
            raise _advised(error, name) from error
        if found is None:
            raise PasswordMissingError(
                f"The keyring has no key named '{name}'.",
                hint=f"Keep it there: zeroclaw models key {name}. Or set {variable_for(name)}.",
                code="model_key_missing",
                details={"name": name, "variable": variable_for(name)},
            )
        return found

    async def forget(self, name: str) -> None:
        """Remove the key of a name; raises VaultError."""
        await self._keyring.forget(_entry(name))


def _entry(name: str) -> str:
    return f"model {name}"


def _advised(error: VaultError, name: str) -> VaultError:
    return type(error)(
        f"{error.message} The key '{name}' is not kept in plain text.",
        hint=f"{error.hint} Or set {variable_for(name)}.",
        retryable=error.retryable,
        details={**error.details, "key": name, "variable": variable_for(name)},
    )
