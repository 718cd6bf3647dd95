"""Faults of the store.

ZeroClawError
└── StoreError                 something went wrong inside the database (``store_failed``)
    ├── StoreOpenError         the file cannot be opened or made (``store_open``)
    ├── StoreBusyError         another program keeps the database, or too much waits (``store_busy``)
    ├── StoreFullError         no room on the disk; nothing of the work was kept (``store_full``)
    ├── StoreWriteError        the disk refused to write or read (``store_io``)
    ├── StoreDamagedError      the file is no sound database (``store_damaged``)
    ├── StoreNewerError        a later version of the program wrote it (``store_newer``)
    ├── StoreForeignError      the file belongs to another program (``store_foreign``)
    └── StoreClosedError       the store was not started or has been stopped (``store_closed``)
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from zeroclaw_desktop.foundation.errors import ZeroClawError


class StoreError(ZeroClawError):
    """Something went wrong inside the database."""

    default_code = "store_failed"


class StoreOpenError(StoreError):
    """The file cannot be opened or made."""

    default_code = "store_open"


class StoreBusyError(StoreError):
    """Another program keeps the database, or too much waits to be written."""

    default_code = "store_busy"


class StoreFullError(StoreError):
    """No room on the disk; nothing of the work was kept."""

    default_code = "store_full"


class StoreWriteError(StoreError):
    """The disk refused to write or read."""

    default_code = "store_io"


class StoreDamagedError(StoreError):
    """The file is no sound database."""

    default_code = "store_damaged"


class StoreNewerError(StoreError):
    """A later version of the program wrote the file."""

    default_code = "store_newer"


class StoreForeignError(StoreError):
    """The file is a database of another program."""

    default_code = "store_foreign"


class StoreClosedError(StoreError):
    """The store was not started or has been stopped."""

    default_code = "store_closed"


_BY_CODE: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: (StoreBusyError, "is kept by another program", "Close it, then try again."),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "is kept by another program", "Close it, then try again."),
    sqlite3.SQLITE_FULL: (StoreFullError, "has no room left on its disk", "Free some space, then try again."),
    sqlite3.SQLITE_IOERR: (StoreWriteError, "cannot be read or written", "Check the disk."),
    sqlite3.SQLITE_READONLY: (StoreWriteError, "may not be written to", "Check the permissions of the file."),
    sqlite3.SQLITE_PERM: (StoreOpenError, "may not be opened", "Check the permissions of the file."),
    sqlite3.SQLITE_AUTH: (StoreOpenError, "may not be opened", "Check the permissions of the file."),
    sqlite3.SQLITE_CANTOPEN: (StoreOpenError, "cannot be opened", "Check the folder and its permissions."),
    sqlite3.SQLITE_CORRUPT: (StoreDamagedError, "is damaged", "Start again; a new file is begun."),
    sqlite3.SQLITE_NOTADB: (StoreDamagedError, "is no database", "Start again; a new file is begun."),
}
_RETRYABLE = (StoreBusyError, StoreFullError, StoreWriteError)


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Translate a fault of SQLite (https://www.sqlite.org/rescode.html; the low byte is the primary code).

    Args:
        path: the database, for the message.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    kind, words, hint = _BY_CODE.get(code, (StoreError, "did not take the request", ""))
    return kind(
        f"The database {path} {words}: {error}.",
        hint=hint,
        retryable=issubclass(kind, _RETRYABLE),
        details={"path": str(path), "reason": str(error)},
    )
