"""The system's keyring: Secret Service or KWallet on Linux, Keychain on macOS, Credential Locker on Windows.

Each call runs on a thread of its own with a limit of time: a locked keyring asks the person, and one that has
nobody to ask waits for ever. The thread is a daemon, so that it never keeps the program from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from zeroclaw_desktop.vault.errors import KeyringMissingError, KeyringRefusedError, VaultError

SERVICE = "zeroclaw-desktop"
PATIENCE_SECONDS = 20.0
"""Time for a person to unlock the keyring."""
#: Backends of the library that keep nothing, or keep it readable for everybody (keyrings.alt).
UNSAFE_BACKENDS = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")
Answer = TypeVar("Answer")


class PasswordStore(Protocol):
    """Keeps passwords by name. Every method may raise VaultError."""

    async def store(self, name: str, password: str) -> None:
        """Keep a password; an older one of this name is replaced."""

    async def fetch(self, name: str) -> str | None:
        """The password of this name; None when there is none."""

    async def forget(self, name: str) -> None:
        """Remove a password; nothing happens when there is none."""


class SystemKeyring:
    """Implements PasswordStore.

    Args:
        patience: seconds that one call may take.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience

    async def store(self, name: str, password: str) -> None:
        """See PasswordStore."""
        await self._call(lambda backend: backend.set_password(SERVICE, name, password))

    async def fetch(self, name: str) -> str | None:
        """See PasswordStore."""
        found: str | None = await self._call(lambda backend: backend.get_password(SERVICE, name))
        return found

    async def forget(self, name: str) -> None:
        """See PasswordStore."""

        def remove(backend: Any) -> None:
            if backend.get_password(SERVICE, name) is not None:
                backend.delete_password(SERVICE, name)

        await self._call(remove)

    async def _call(self, work: Callable[[Any], Answer]) -> Answer:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()

        def settle(result: Answer | None, error: VaultError | None) -> None:
            if answer.done():
                return
            if error is None:
                answer.set_result(result)  # type: ignore[arg-type]
            else:
                answer.set_exception(error)

        def run() -> None:
            result, error = None, refused("it failed; the log says how", "出错，详见日志")
            try:
                result, error = _worked(work)
            finally:
                # A fault of a kind that we do not know ends the thread and is logged; the caller is told too.
                with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                    loop.call_soon_threadsafe(settle, result, error)

        threading.Thread(target=run, name="keyring", daemon=True).start()
        try:
            async with asyncio.timeout(self._patience):
                return await answer
        except TimeoutError:
            raise refused(
                f"it did not answer within {self._patience:g} s", f"{self._patience:g} 秒内没有回应"
            ) from None


def _worked(work: Callable[[Any], Answer]) -> tuple[Answer | None, Any]:
    """Do something with the keyring on this thread; returns the answer and the fault."""
    # Takes 60 ms, and D-Bus libraries with it: only who has a password pays for that.
    import keyring
    from keyring.errors import KeyringError

    try:
        backend = _safe_backend(keyring.get_keyring())
        if backend is None:
            return None, missing()
        return work(backend), None
    except (KeyringError, OSError, RuntimeError) as error:
        reason = str(error) or type(error).__name__
        return None, refused(reason, reason)


def _safe_backend(chosen: Any) -> Any:
    """The backend to use: the chosen one, or the first of a chain that is safe; None when there is none."""
    candidates = getattr(chosen, "backends", None) or [chosen]
    return next((one for one in candidates if not type(one).__module__.startswith(UNSAFE_BACKENDS)), None)


def missing() -> KeyringMissingError:
    """The fault of a system without a keyring."""
    return KeyringMissingError(
        "This system has no keyring that keeps passwords safe.",
        hint="Install and start one (GNOME Keyring, KWallet).",
    )


def refused(reason: str, reason_zh: str) -> KeyringRefusedError:
    """The fault of a keyring that does not do it."""
    return KeyringRefusedError(
        f"The system's keyring does not work: {reason}.",
        hint="Unlock it, then try again.",
        retryable=True,
        details={"reason": reason, "reason_zh": reason_zh},
    )
