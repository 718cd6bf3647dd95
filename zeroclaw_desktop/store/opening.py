"""Opening the database: private, checked, up to date; a damaged file is moved aside and never deleted."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zeroclaw_desktop.store.errors import (
    StoreDamagedError,
    StoreForeignError,
    StoreOpenError,
    store_error,
)
from zeroclaw_desktop.store.migrations import Schema, check_versions, migrate, stored_versions

APPLICATION_ID = 0x5A434C57
"""'ZCLW' in the file's header, by which the file is known as ours (https://www.sqlite.org/fileformat.html)."""
BUSY_SECONDS = 5.0
CHECKPOINT_PAGES = 8_000
"""SQLite's own checkpoint, which stops the writer for two syncs; the store makes its own in idle moments."""
WAL_KEPT_BYTES = 8_000_000
_log = logging.getLogger("zeroclaw.store")


@dataclass(frozen=True)
class OpenReport:
    """What was found when the database was opened.

    Attributes:
        moved_to: where a damaged file was put; None when it was sound.
        reason: what was wrong with it.
        migrated: (version before, version after) by schema.
    """

    path: Path
    moved_to: Path | None = None
    reason: str = ""
    migrated: dict[str, tuple[int, int]] = field(default_factory=dict)


def open_store(
    path: Path, schemas: Sequence[Schema], busy_seconds: float = BUSY_SECONDS, *, guest: bool = False
) -> tuple[sqlite3.Connection, OpenReport]:
    """Open the database for writing, or begin it.

    The connection is in autocommit mode with write-ahead log and ``synchronous=NORMAL``: a commit survives
    any end of the process, and a loss of power once it was synced (https://www.sqlite.org/wal.html).

    Args:
        guest: for a short visit beside another program that may have the file open: it is not looked through
            for damage, which takes 0.1 s for 50,000 entries, and a damaged one is left where it is.

    Raises:
        StoreError: it cannot be used; a file that is not ours or newer than this program stays untouched.
    """
    if guest:
        connection, migrated = _open_checked(path, schemas, busy_seconds, check=False)
        return connection, OpenReport(path, migrated=migrated)
    try:
        connection, migrated = _open_checked(path, schemas, busy_seconds)
    except StoreDamagedError as damage:
        moved_to = move_aside(path)
        _log.error("%s It was moved to %s and a new one was begun.", damage.message, moved_to)
        connection, migrated = _open_checked(path, schemas, busy_seconds)
        return connection, OpenReport(path, moved_to, damage.message, migrated)
    return connection, OpenReport(path, migrated=migrated)


def _open_checked(
    path: Path, schemas: Sequence[Schema], busy_seconds: float, *, check: bool = True
) -> tuple[sqlite3.Connection, dict[str, tuple[int, int]]]:
    _make_private(path)
    connection: sqlite3.Connection | None = None
    try:
        connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
        if _refuse_foreign(connection, path):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for pragma in (
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "foreign_keys = ON",
            "temp_store = MEMORY",
            f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
            f"journal_size_limit = {WAL_KEPT_BYTES}",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        if check:
            _check_sound(connection, path)
        migrated = migrate(connection, schemas, path)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise store_error(error, path) from error
        raise
    return connection, migrated


def _make_private(path: Path) -> None:
    """Create the file readable by its owner only; SQLite gives its side files the same mode."""
    try:
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as error:
        raise StoreOpenError(
            f"The database {path} cannot be opened: {error.strerror}.",
            hint="Check the folder and its permissions.",
            details={"path": str(path), "reason": str(error.strerror)},
        ) from error


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> bool:
    """Refuse another program's database; returns whether the file is new and has no mark yet."""
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("PRAGMA schema_version").fetchone()[0] == 0
    if found != APPLICATION_ID and not (found == 0 and empty):
        raise StoreForeignError(
            f"The file {path} is a database of another program.",
            hint="Choose another file; this one was left as it is.",
            details={"path": str(path)},
        )
    return bool(found != APPLICATION_ID)


def _check_sound(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreDamagedError(
            f"The database {path} is damaged: {found}.",
            hint="The program begins a new file and keeps the damaged one.",
            details={"path": str(path), "reason": str(found)},
        )


def move_aside(path: Path) -> Path:
    """Rename a damaged database with its side files; returns the new name.

    Raises:
        StoreOpenError: it cannot be renamed.
    """
    stamp = time.strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    try:
        for ending in ("-wal", "-shm", ""):
            side = path.with_name(path.name + ending)
            if side.exists():
                side.rename(target.with_name(target.name + ending))
    except OSError as error:
        raise StoreOpenError(
            f"The damaged database {path} cannot be moved aside: {error.strerror}.",
            hint="Move or remove it by hand.",
            details={"path": str(path), "reason": str(error.strerror)},
        ) from error
    return target


@contextlib.contextmanager
def reading_store(path: Path, schemas: Sequence[Schema]) -> Iterator[sqlite3.Connection]:
    """Open the database for looking only, as a command line does while the window writes.

    Raises:
        StoreOpenError: there is none yet (``reason`` is ``missing``), or it lacks tables that this program
            reads.
        StoreError: it cannot be used, or a statement of the block failed.
    """
    if not path.is_file():
        raise _missing(path)
    connection: sqlite3.Connection | None = None
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, timeout=BUSY_SECONDS, isolation_level=None, uri=True)
        connection.execute("PRAGMA query_only = ON")
        _refuse_foreign(connection, path)
        check_versions(connection, schemas, path)
        _refuse_older(connection, schemas, path)
        yield connection
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    finally:
        if connection is not None:
            connection.close()


def _missing(path: Path) -> StoreOpenError:
    return StoreOpenError(
        f"There is no database {path} yet.",
        hint="It is begun when the program runs for the first time.",
        details={"path": str(path), "reason": "missing"},
    )


def _refuse_older(connection: sqlite3.Connection, schemas: Sequence[Schema], path: Path) -> None:
    stored = stored_versions(connection)
    if not stored:  # another program is beginning it just now
        raise _missing(path)
    missing = [schema.name for schema in schemas if stored.get(schema.name, 0) < schema.version]
    if missing:
        raise StoreOpenError(
            f"The database {path} lacks tables of this version ({', '.join(missing)}).",
            hint="Start the program once; it brings the database up to date.",
            details={"path": str(path), "reason": f"older: {', '.join(missing)}"},
        )
