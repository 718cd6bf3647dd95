"""What keeps the chain of receipts honest, in the keyring: the key that seals it, and how far it had come.

There is no file for either: whoever can write the database could write that file as well.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.vault.system_keyring import PasswordStore

KEY_BYTES = 32
KEY_NAME = "receipts key"


@dataclass(frozen=True)
class ReceiptAnchor:
    """How far a chain had come when it was looked at last.

    Attributes:
        count: number of its last receipt.
        seal: of that receipt.
    """

    count: int
    seal: str


class ReceiptKeys:
    """Fetches and keeps them.

    Args:
        keyring: where they are.
        database: file of the chain; its path tells one chain from another.
    """

    def __init__(self, keyring: PasswordStore, database: Path) -> None:
        self._keyring = keyring
        place = hashlib.sha256(str(database.absolute()).encode("utf-8", "backslashreplace")).hexdigest()
        self._anchor_name = f"receipts of {place[:16]}"

    async def find(self) -> bytes | None:
        """The key, None when the keyring has none; raises VaultError."""
        return _key(await self._keyring.fetch(KEY_NAME))

    async def find_or_make(self) -> bytes | None:
        """The key, made when there was none; None when the keyring does not keep it; raises VaultError."""
        found = await self.find()
        if found is None:
            await self._keyring.store(KEY_NAME, secrets.token_bytes(KEY_BYTES).hex())
            # What is there now counts: another program may have been at the same.
            found = await self.find()
        return found

    async def anchor(self) -> ReceiptAnchor | None:
        """How far the chain was; None when nobody has noted it; raises VaultError."""
        kept = await self._keyring.fetch(self._anchor_name)
        try:
            row = json.loads(kept or "null")
            return ReceiptAnchor(int(row["count"]), str(row["seal"])) if row else None
        except (ValueError, KeyError, TypeError):
            return None

    async def keep_anchor(self, anchor: ReceiptAnchor) -> None:
        """Note how far the chain is; raises VaultError."""
        await self._keyring.store(self._anchor_name, json.dumps({"count": anchor.count, "seal": anchor.seal}))


def _key(kept: str | None) -> bytes | None:
    try:
        key = bytes.fromhex(kept or "")
    except ValueError:
        return None
    return key if len(key) == KEY_BYTES else None
