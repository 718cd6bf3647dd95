"""Passwords of boards that are behind a broker: in the keyring, under the board's address.

Where there is no keyring, the variable ``ZEROCLAW_BOARD_PASSWORD`` supplies the password of every such board.
"""

from __future__ import annotations

from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.named_secrets import NamedSecrets

VARIABLE = "ZEROCLAW_BOARD_PASSWORD"


class BoardPasswords(NamedSecrets):
    """Passwords by address; see NamedSecrets."""

    def _entry(self, name: str) -> str:
        return f"board {name}"

    def _variable(self, name: str) -> str:
        return VARIABLE

    def _missing(self, name: str) -> PasswordMissingError:
        return PasswordMissingError(
            f"The keyring has no password for {name}.",
            hint=f"Add the board again with its password, or set {VARIABLE}.",
            details={"key": "board", "address": name, "variable": VARIABLE},
        )

    def _advised(self, error: VaultError, name: str) -> VaultError:
        return type(error)(
            f"{error.message} The password of {name} is not kept in plain text.",
            hint=f"{error.hint} Or leave the password out and set {VARIABLE}.",
            retryable=error.retryable,
            details={**error.details, "key": name, "variable": VARIABLE},
        )
