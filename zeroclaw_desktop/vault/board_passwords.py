"""Passwords of boards that are behind a broker: in the keyring, under the board's address.

Where there is no keyring, the variable ``ZEROCLAW_BOARD_PASSWORD`` supplies the password of every such board.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.system_keyring import PasswordStore

VARIABLE = "ZEROCLAW_BOARD_PASSWORD"


class BoardPasswords:
    """Keeps and fetches them.

    Args:
        keyring: where they are kept.
        environment: variables; None for those of the process.
    """

    def __init__(self, keyring: PasswordStore, environment: Mapping[str, str] | None = None) -> None:
        self._keyring = keyring
        self._environment = os.environ if environment is None else environment

    async def keep(self, address: str, password: str) -> None:
        """Keep the password of an address; raises VaultError, and the password is kept nowhere then."""
        try:
            await self._keyring.store(_name(address), password)
        except VaultError as error:
            raise _advised(error, address) from error

    async def fetch(self, address: str) -> str:
        """The password of an address.

        Raises:
            VaultError: nobody knows it, or the keyring does not answer.
        """
        supplied = self._environment.get(VARIABLE, "")
        if supplied:
            return supplied
        try:
            found = await self._keyring.fetch(_name(address))
        except VaultError as error:
            raise _advised(error, address) from error
        if found is None:
            raise PasswordMissingError(
                f"The keyring has no password for {address}.",
                hint=f"Add the board again with its password, or set {VARIABLE}.",
                details={"key": "board", "address": address, "variable": VARIABLE},
            )
        return found

    async def forget(self, address: str) -> None:
        """Remove the password of an address; raises VaultError."""
        await self._keyring.forget(_name(address))


def _name(address: str) -> str:
    return f"board {address}"


def _advised(error: VaultError, address: str) -> VaultError:
    return type(error)(
        f"{error.message} The password of {address} is not kept in plain text.",
        hint=f"{error.hint} Or leave the password out and set {VARIABLE}.",
        retryable=error.retryable,
        details={**error.details, "key": address, "variable": VARIABLE},
    )
