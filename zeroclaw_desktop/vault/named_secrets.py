"""Secrets by name: in the keyring, or supplied by a variable where there is none."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping

from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.system_keyring import PasswordStore


class NamedSecrets(ABC):
    """Keeps and fetches them; what they are called is the business of who inherits.

    Args:
        keyring: where they are kept.
        environment: variables; None for those of the process.
    """

    def __init__(self, keyring: PasswordStore, environment: Mapping[str, str] | None = None) -> None:
        self._keyring = keyring
        self._environment = os.environ if environment is None else environment

    async def keep(self, name: str, secret: str) -> None:
        """Keep the secret of a name; raises VaultError, and it is kept nowhere then."""
        try:
            await self._keyring.store(self._entry(name), secret)
        except VaultError as error:
            raise self._advised(error, name) from error

    async def fetch(self, name: str) -> str:
        """The secret of a name.

        Raises:
            VaultError: nobody knows it, or the keyring does not answer.
        """
        supplied = self._environment.get(self._variable(name), "")
        if supplied:
            return supplied
        try:
            found = await self._keyring.fetch(self._entry(name))
        except VaultError as error:
            raise self._advised(error, name) from error
        if found is None:
            raise self._missing(name)
        return found

    async def forget(self, name: str) -> None:
        """Remove the secret of a name; raises VaultError."""
        await self._keyring.forget(self._entry(name))

    @abstractmethod
    def _entry(self, name: str) -> str:
        """What it is called in the keyring."""

    @abstractmethod
    def _variable(self, name: str) -> str:
        """The variable that may supply it."""

    @abstractmethod
    def _missing(self, name: str) -> PasswordMissingError:
        """What is said when nobody knows it."""

    @abstractmethod
    def _advised(self, error: VaultError, name: str) -> VaultError:
        """A fault of the keyring, with what can be done instead."""
