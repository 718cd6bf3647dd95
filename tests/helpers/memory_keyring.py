"""A keyring in memory: a real PasswordStore that a test can look into, empty or take away."""

from __future__ import annotations

from zeroclaw_desktop.vault.system_keyring import missing


class MemoryKeyring:
    """Implements vault.system_keyring.PasswordStore."""

    def __init__(self, *, there: bool = True) -> None:
        self.kept: dict[str, str] = {}
        self.there = there

    async def store(self, name: str, password: str) -> None:
        self._check()
        self.kept[name] = password

    async def fetch(self, name: str) -> str | None:
        self._check()
        return self.kept.get(name)

    async def forget(self, name: str) -> None:
        self._check()
        self.kept.pop(name, None)

    def _check(self) -> None:
        if not self.there:
            raise missing()
