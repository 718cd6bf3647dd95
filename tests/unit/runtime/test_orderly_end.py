"""The end of the program is bounded, and one part that hangs keeps nothing of the others open."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from zeroclaw_desktop.config.store import ConfigStore
from zeroclaw_desktop.execution.journal_rows import JOURNAL_SCHEMA
from zeroclaw_desktop.runtime import runtime as runtime_module
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.store.opening import reading_store


class Hanging:
    """A part that never ends by itself."""

    cancelled = False

    async def stop(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled = True


async def test_ex14_the_journal_is_closed_although_another_part_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = Runtime(ConfigStore(tmp_path / "config.toml"), with_person=False, watch_ports=False)
    await runtime.start()
    store = runtime.journal_keeper.store
    assert store is not None
    hanging = Hanging()
    monkeypatch.setattr(runtime.stop_input, "stop", hanging.stop)
    monkeypatch.setattr(runtime_module, "STAGE_SECONDS", 1.0)
    await runtime.stop()
    assert hanging.cancelled
    assert "the wired stop input took longer than" in caplog.text
    assert runtime.journal_keeper.store is None
    with reading_store(store.path, [JOURNAL_SCHEMA]) as connection:
        [(ended,)] = connection.execute(
            "SELECT ended FROM store_sessions WHERE id = ?", (store.session,)
        ).fetchall()
    assert ended is not None
