"""Gives the book of receipts its key, and notes in the keyring how far the chain is (SC-12)."""

from __future__ import annotations

import asyncio

from zeroclaw_desktop.execution.receipts import SELECT_HEAD, SELECT_SEAL, ReceiptBook
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.tasks import TaskSupervisor
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.thread import Connection, StoreThread
from zeroclaw_desktop.vault.errors import VaultError
from zeroclaw_desktop.vault.receipt_keys import ReceiptAnchor, ReceiptKeys

KEY_SECONDS = 1.0
"""How long a start waits for the key; one that comes later signs from then on."""
ANCHOR_SECONDS = 30.0
"""How often the keyring is told how far the chain is."""
CLOSE_SECONDS = 2.0
_log = logger("runtime")


class ReceiptKeeper:
    """For the time of one run of the program.

    Args:
        keys: in the keyring.
        store: of the chain, started.

    Attributes:
        fault: why nothing is signed; None while it is.
    """

    def __init__(self, keys: ReceiptKeys, store: StoreThread) -> None:
        self.book = ReceiptBook()
        self.fault: VaultError | None = None
        self._keys = keys
        self._store = store
        self._told: ReceiptAnchor | None = None
        self._tasks = TaskSupervisor("receipts")

    async def start(self) -> None:
        """Fetch the key; a keyring that takes long is not waited for."""
        fetching = self._tasks.start(self._fetch(), "key of the receipts")
        await asyncio.wait([fetching], timeout=KEY_SECONDS)

    async def _fetch(self) -> None:
        try:
            key = await self._keys.find_or_make()
        except VaultError as error:
            self.fault = error
            _log.warning("Receipts are hashed but not signed: %s %s", error.message, error.hint)
            return
        if key is None:
            _log.warning("Receipts are hashed but not signed: the keyring did not keep the key.")
            return
        self.book.use_key(key)
        self._tasks.start(self._anchor_now_and_then(), "anchor of the receipts")

    async def _anchor_now_and_then(self) -> None:
        while True:
            await self.anchor()
            await asyncio.sleep(ANCHOR_SECONDS)

    async def anchor(self) -> None:
        """Note in the keyring how far the chain is.

        What the keyring says and the chain does not have is evidence, and stays: ``zeroclaw audit verify``
        shows it until a person accepts it.
        """
        try:
            found = await self._store.read(_last)
            if found is None or found == self._told:
                return
            known = await self._keys.anchor()
            if known is not None and known.count > 0:
                if await self._store.read(lambda connection: _seal_at(connection, known.count)) != known.seal:
                    _log.error("The chain of receipts was changed; 'zeroclaw audit verify' says where.")
                    return
                if known.count > found.count:
                    return
            await self._keys.keep_anchor(found)
            self._told = found
        except (VaultError, StoreError) as error:
            _log.warning("How far the receipts are could not be noted: %s", error.message)

    async def close(self) -> None:
        """Note the end of the chain; before the store is stopped. Bounded."""
        await self._tasks.stop()
        if self.book.signed:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self.anchor()
            except TimeoutError:
                _log.warning("The keyring did not take the end of the receipts in time.")


def _last(connection: Connection) -> ReceiptAnchor | None:
    row = connection.execute(SELECT_HEAD).fetchone()
    return ReceiptAnchor(int(row[0]), str(row[1])) if row else None


def _seal_at(connection: Connection, number: int) -> str:
    row = connection.execute(SELECT_SEAL, (number,)).fetchone()
    return str(row[0]) if row else ""
