"""Opens the journal for a run of the program, hands it to the executor, closes it."""

from __future__ import annotations

from zeroclaw_desktop.contracts.receipts import ReceiptDraft
from zeroclaw_desktop.execution.executor import Executor
from zeroclaw_desktop.execution.journal import Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.receipts import RECEIPT_SCHEMA
from zeroclaw_desktop.foundation.clock import Clock
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger
from zeroclaw_desktop.foundation.paths import HomeFolderError, database_file
from zeroclaw_desktop.memory.rows import MEMORY_SCHEMA
from zeroclaw_desktop.runtime.receipt_keeper import ReceiptKeeper
from zeroclaw_desktop.store.errors import StoreError
from zeroclaw_desktop.store.thread import StoreThread
from zeroclaw_desktop.vault.receipt_keys import ReceiptKeys
from zeroclaw_desktop.vault.system_keyring import PasswordStore, SystemKeyring

_log = logger("runtime")


class JournalKeeper:
    """Without a journal the program works and says so.

    Attributes:
        journal: None before it is opened, after it is closed, and when it could not be opened.
        fault: why it could not.
        store: its database while it is open.
        receipts: the chain of receipts beside it, while it is open.
    """

    def __init__(self, executor: Executor, clock: Clock, keyring: PasswordStore | None = None) -> None:
        self._keyring = keyring or SystemKeyring()
        self.receipts: ReceiptKeeper | None = None
        self.journal: Journal | None = None
        self.fault: ZeroClawError | None = None
        self._executor = executor
        self._clock = clock
        self.store: StoreThread | None = None

    async def open(self, *, guest: bool = False) -> Journal | None:
        """Open the journal of the home folder.

        Args:
            guest: for a command beside a window that may have it open, see ``store.opening.open_store``.
        """
        try:
            schemas = [JOURNAL_SCHEMA, MEMORY_SCHEMA, RECEIPT_SCHEMA]
            store = StoreThread(database_file(), schemas, guest=guest)
            await store.start()
            self.store = store
            self.receipts = ReceiptKeeper(ReceiptKeys(self._keyring, database_file()), store)
            await self.receipts.start()
            journal = Journal(store, self._clock, receipts=self.receipts.book)
            self._executor.continue_sequences(await journal.last_sequences())
        except (StoreError, HomeFolderError) as error:
            self.fault = error
            _log.error("There is no journal in this run: %s %s", error.message, error.hint)
            await self._stop_store()
            return None
        self.journal = journal
        self._executor.journal = journal
        self._executor.reporters.append(journal)
        return journal

    async def close(self) -> None:
        """Write what waits and close the file."""
        if self.journal is not None:
            self._executor.journal = None
            self._executor.reporters.remove(self.journal)
            await self.journal.close()
            self.journal = None
        await self._stop_store()

    def note_receipt(self, draft: ReceiptDraft) -> None:
        """Put a receipt of something that is no action into the chain; nothing happens without a journal."""
        if self.journal is not None:
            self.journal.note_receipt(draft)

    def receipt_of(self, subject: str) -> int:
        """Number of the latest receipt of a task or question of this run; 0 for none."""
        return self.receipts.book.number_of(subject) if self.receipts is not None else 0

    async def _stop_store(self) -> None:
        if self.receipts is not None:
            await self.receipts.close()
            self.receipts = None
        if self.store is not None:
            await self.store.stop()
            self.store = None
