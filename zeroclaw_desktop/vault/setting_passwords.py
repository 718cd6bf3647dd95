"""Addresses in settings and their passwords: one goes to the file, the other to the keyring.

A password belongs to a setting and to the user, host and port of its address: it is never sent anywhere else.
Where there is no keyring, a variable of the environment supplies it (``ZEROCLAW_SHARED_REDIS_URL_PASSWORD``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from zeroclaw_desktop.config.address import Address, read_address, with_password
from zeroclaw_desktop.config.errors import ConfigError, ConfigProblem
from zeroclaw_desktop.config.schema import BY_KEY, check_value
from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.system_keyring import PasswordStore

_log = logger("config")


def variable_of(key: str) -> str:
    """The variable that supplies the password of an address setting."""
    return f"ZEROCLAW_{key.upper().replace('.', '_')}_PASSWORD"


class SettingPasswords:
    """Changes address settings and puts addresses together again.

    Args:
        config: the settings.
        keyring: where passwords are kept.
        environment: variables; None for those of the process.
    """

    def __init__(
        self, config: ConfigStore, keyring: PasswordStore, environment: Mapping[str, str] | None = None
    ) -> None:
        self._config = config
        self._keyring = keyring
        self._environment = os.environ if environment is None else environment

    async def put(self, key: str, text: str) -> None:
        """Change an address; a password in it goes to the keyring before anything else is done.

        Raises:
            ConfigError: the address is not allowed, or the file cannot be written.
            VaultError: the keyring does not take the password; the setting stays as it was.
        """
        wrong = check_value(BY_KEY[key], text)
        if wrong:
            raise ConfigError([ConfigProblem(key, wrong)])
        before, wanted = read_address(self._config.get(key)), read_address(text)
        if wanted.password:
            await self._keep(key, wanted)
        self._config.set(key, wanted.bare)
        if before.marked and (not wanted.marked or before.place != wanted.place):
            await self._forget(key, before)

    async def full(self, key: str) -> str:
        """The address in use with its password.

        A password that a person has written into the file is moved to the keyring, and the file changed.

        Raises:
            VaultError: there is no way to the password, or the one in the file cannot be moved. It is not
                used then: it must not stay there.
            ConfigError, ZeroClawError: the file cannot be written.
        """
        text = str(self._config.get(key)).strip()
        if not text:
            return ""
        address, supplied = read_address(text), self._environment.get(variable_of(key), "")
        if address.password and not supplied:
            await self._keep(key, address)
            self._config.set(key, address.bare)
            _log.info("The password of %s was moved from the settings file to the keyring", key)
            return text
        if address.password:
            _log.warning("%s has a password in plain text, but that of %s is used", key, variable_of(key))
        if supplied:
            return with_password(address.bare, supplied)
        if not address.marked:
            return address.bare
        try:
            found = await self._keyring.fetch(_name(key, address))
        except VaultError as error:
            raise _advised(error, key) from error
        if found is None:
            raise _unknown(key, address)
        return with_password(address.bare, found)

    async def _keep(self, key: str, address: Address) -> None:
        try:
            await self._keyring.store(_name(key, address), address.password)
        except VaultError as error:
            raise _advised(error, key) from error

    async def _forget(self, key: str, address: Address) -> None:
        """Remove the password of an address that is not used any more."""
        try:
            await self._keyring.forget(_name(key, address))
        except ZeroClawError as error:
            _log.warning("The old password of %s stays in the keyring: %s", key, error.message)


def _name(key: str, address: Address) -> str:
    return f"{key} {address.place}"


def _advised(error: VaultError, key: str) -> VaultError:
    """The same fault with the setting that it is about and the way around the keyring."""
    return type(error)(
        f"{error.message} The password of {key} is not kept in plain text, so it is not used.",
        hint=f"{error.hint} Or leave the password out of the address and set {variable_of(key)}.",
        retryable=error.retryable,
        details={**error.details, "key": key, "variable": variable_of(key)},
    )


def _unknown(key: str, address: Address) -> PasswordMissingError:
    return PasswordMissingError(
        f"The keyring has no password for {key} ({address.bare}).",
        hint=f"Write the address with its password into the settings again, or set {variable_of(key)}.",
        details={"key": key, "address": address.bare, "variable": variable_of(key)},
    )
