"""Versions of tables: each room's ``Schema`` is brought up to date, the whole of it or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroclaw_desktop.store.errors import StoreNewerError

_VERSIONS = "CREATE TABLE IF NOT EXISTS store_versions (schema TEXT PRIMARY KEY, version INTEGER NOT NULL)"


@dataclass(frozen=True)
class Schema:
    """The tables of one room.

    Attributes:
        name: of the room's part, unique in the database.
        steps: statements that lead from version ``n`` to ``n + 1``; a shipped step is never changed, a change
            of tables is a step more.
    """

    name: str
    steps: tuple[Sequence[str], ...]

    @property
    def version(self) -> int:
        """The version that this program reads and writes."""
        return len(self.steps)


def stored_versions(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the version of each schema in the database; empty for a new one."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'store_versions'").fetchone()
    return dict(connection.execute("SELECT schema, version FROM store_versions")) if there else {}


def check_versions(connection: sqlite3.Connection, schemas: Sequence[Schema], path: Path) -> None:
    """Refuse a database that a later version of the program wrote.

    Raises:
        StoreNewerError: with the schema and both versions.
    """
    stored = stored_versions(connection)
    for schema in schemas:
        found = stored.get(schema.name, 0)
        if found > schema.version:
            raise StoreNewerError(
                f"The database {path} was written by a later version of the program "
                f"({schema.name} {found}, this one knows {schema.version}).",
                hint="Update the program; the file was left as it is.",
                details={
                    "path": str(path), "schema": schema.name, "found": found, "known": schema.version
                },
            )  # fmt: skip


def migrate(
    connection: sqlite3.Connection, schemas: Sequence[Schema], path: Path
) -> dict[str, tuple[int, int]]:
    """Bring every schema up to date; when a step fails the database stays as it was.

    Returns:
        (version before, version after) of each schema that was changed.

    Raises:
        StoreNewerError: see check_versions.
        sqlite3.Error: a step failed.
    """
    check_versions(connection, schemas, path)
    changed: dict[str, tuple[int, int]] = {}
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_VERSIONS)
        # Read again behind the lock: another program may have come first.
        check_versions(connection, schemas, path)
        stored = stored_versions(connection)
        for schema in schemas:
            before = stored.get(schema.name, 0)
            for statements in schema.steps[before:]:
                for statement in statements:
                    connection.execute(statement)
            if before != schema.version:
                connection.execute(
                    "INSERT OR REPLACE INTO store_versions VALUES (?, ?)", (schema.name, schema.version)
                )
                changed[schema.name] = (before, schema.version)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return changed
