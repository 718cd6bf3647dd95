"""Passwords in memory: implements vault.PasswordStore for tests that are not about the system's keyring."""

from __future__ import annotations

from zeroclaw_desktop.vault.errors import VaultError


class MemoryPasswords:
    """Keeps passwords; raises ``fault`` instead when there is one."""

    def __init__(self, fault: VaultError | None = None) -> None:
        self.kept: dict[str, str] = {}
        self.asked: list[str] = []
        self.fault = fault

    async def store(self, name: str, password: str) -> None:
        self._fail()
        self.kept[name] = password

    async def fetch(self, name: str) -> str | None:
        self._fail()
        self.asked.append(name)
        return self.kept.get(name)

    async def forget(self, name: str) -> None:
        self._fail()
        self.kept.pop(name, None)

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault
