"""Faults of keeping passwords.

ZeroClawError
└── VaultError
    ├── KeyringMissingError   the system has no keyring that keeps passwords safe
    ├── KeyringRefusedError   there is one, but it is locked, silent or says no
    └── PasswordMissingError  an address says that it has a password, and nobody knows it
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class VaultError(ZeroClawError):
    """A password cannot be kept or had."""

    default_code = "vault"


class KeyringMissingError(VaultError):
    """The system has no keyring."""

    default_code = "keyring_missing"


class KeyringRefusedError(VaultError):
    """The keyring is locked, silent or says no."""

    default_code = "keyring_refused"


class PasswordMissingError(VaultError):
    """Nobody knows the password."""

    default_code = "password_missing"
