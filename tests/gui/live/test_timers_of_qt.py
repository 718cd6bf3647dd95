"""Timers of the loop under Qt also fire while only Qt's own loop turns: the journal must not stick there."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer

from tests.helpers.execution import Door
from zeroclaw_desktop.execution import journal_queries as queries
from zeroclaw_desktop.execution.journal import FLUSH_SECONDS, Journal
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.clock import SystemClock
from zeroclaw_desktop.store.opening import reading_store
from zeroclaw_desktop.store.thread import StoreThread


def test_ex14_rows_noted_before_a_dialog_of_qt_are_written_and_the_journal_closes(
    qt_loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    store = StoreThread(tmp_path / "store.db", [JOURNAL_SCHEMA])

    async def run_one() -> tuple[Journal, str]:
        await store.start()
        journal = Journal(store, SystemClock())
        door = Door("a")
        door.executor.journal = journal
        door.executor.reporters.append(journal)
        payload = make_payload("no_such_action", {}, source="manual")  # refused: nobody waits for its rows
        await door.executor.submit(payload)
        return journal, payload.task_id

    async def close(journal: Journal) -> None:
        async with asyncio.timeout(5):
            await journal.close()
        await store.stop()

    journal, task_id = qt_loop.run_until_complete(run_one())
    only_qt = QEventLoop()
    QTimer.singleShot(int(FLUSH_SECONDS * 5_000), only_qt.quit)
    only_qt.exec()
    qt_loop.run_until_complete(close(journal))
    with reading_store(store.path, [JOURNAL_SCHEMA]) as connection:
        entry = queries.task(connection, task_id)
    assert entry is not None
    assert entry.action == "no_such_action"
    assert journal.lost_rows == 0
