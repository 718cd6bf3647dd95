"""Keys of models: in the keyring, under the name that the settings give them (``secret:openai``).

Where there is no keyring, a variable supplies the key: ``ZEROCLAW_MODEL_KEY_OPENAI``.
"""

from __future__ import annotations

import re

from zeroclaw_desktop.vault.errors import PasswordMissingError, VaultError
from zeroclaw_desktop.vault.named_secrets import NamedSecrets

PREFIX = "ZEROCLAW_MODEL_KEY_"


def variable_for(name: str) -> str:
    """The variable that supplies the key of a name (``openai`` -> ``ZEROCLAW_MODEL_KEY_OPENAI``)."""
    return PREFIX + re.sub(r"[^A-Z0-9]", "_", name.upper())


class ModelKeys(NamedSecrets):
    """Keys by name; see NamedSecrets."""

    def _entry(self, name: str) -> str:
        return f"model {name}"

    def _variable(self, name: str) -> str:
        return variable_for(name)

    def _missing(self, name: str) -> PasswordMissingError:
        return PasswordMissingError(
            f"The keyring has no key named '{name}'.",
            hint=f"Keep it there: zeroclaw models key {name}. Or set {variable_for(name)}.",
            code="model_key_missing",
            details={"name": name, "variable": variable_for(name)},
        )

    def _advised(self, error: VaultError, name: str) -> VaultError:
        return type(error)(
            f"{error.message} The key '{name}' is not kept in plain text.",
            hint=f"{error.hint} Or set {variable_for(name)}.",
            retryable=error.retryable,
            details={**error.details, "key": name, "variable": variable_for(name)},
        )
