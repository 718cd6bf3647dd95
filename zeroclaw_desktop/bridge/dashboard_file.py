"""Keeps the dashboards in a file of the home folder: at once, as a whole, never over a broken one."""

from __future__ import annotations

import time
from pathlib import Path

from zeroclaw_desktop.bridge.dashboard_document import (
    Book,
    Dashboard,
    DashboardFileError,
    book_text,
    dashboard_text,
    read_book,
    read_dashboard,
)
from zeroclaw_desktop.config.store import write_atomically
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.foundation.log import logger

FILE_NAME = "dashboards.json"
MOST_BYTES = 8 * 1024 * 1024
_log = logger("gui")


class DashboardFile:
    """The file.

    Args:
        path: None keeps the dashboards in memory only.

    Attributes:
        fault: why what was in the file is not shown; None when all is well.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._writable = True
        self.fault: ZeroClawError | None = None

    def read(self) -> Book:
        """Read the file; one that cannot be read is set aside, and ``fault`` says so."""
        if self._path is None:
            return Book()
        try:
            return read_book(_text_of(self._path))
        except FileNotFoundError:
            return Book()
        except DashboardFileError as error:
            self._set_aside(self._path, error)
        except OSError as error:
            self._writable = False
            self.fault = ZeroClawError(
                f"The dashboards cannot be read: {error.strerror or error}.",
                hint="Nothing will be kept until the file can be read again; then start the program anew.",
                code="dashboard_unread",
                details={"reason": error.strerror or str(error)},
            )
        return Book()

    def write(self, book: Book) -> None:
        """Replace the file.

        Raises:
            ZeroClawError: it cannot be written; the old one is still there.
        """
        if self._path is not None and self._writable:
            write_atomically(self._path, book_text(book))

    def _set_aside(self, path: Path, error: DashboardFileError) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        aside = path.with_name(f"{path.stem}.broken-{stamp}{path.suffix}")
        number = 1
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.stem}.broken-{stamp}-{number}{path.suffix}")
        try:
            path.rename(aside)
        except OSError:
            self._writable = False
            aside = path
        self.fault = DashboardFileError(
            f"{error.message} The file was set aside as {aside.name}, nothing of it is lost.",
            hint="Mend the file and give it back its name, or begin anew.",
            code="dashboard_aside",
            details={**error.details, "aside": aside.name},
        )
        _log.error("%s", self.fault.message)


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise DashboardFileError(
            f"The dashboards cannot be read: {path.name} is too large.", details={"reason": "too large"}
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DashboardFileError(
            f"The dashboards cannot be read: {path.name} is no text.", details={"reason": str(error)}
        ) from error


def export_dashboard(dashboard: Dashboard, path: Path) -> None:
    """Write one dashboard to a file of its own; raises ZeroClawError when that cannot be done."""
    write_atomically(path, dashboard_text(dashboard))


def import_dashboard(path: Path) -> Dashboard:
    """Read one dashboard from a file of its own.

    Raises:
        DashboardFileError: the file cannot be read or holds no dashboard.
    """
    try:
        return read_dashboard(_text_of(path))
    except OSError as error:
        raise DashboardFileError(
            f"The dashboards cannot be read: {error.strerror or error}.", details={"reason": str(error)}
        ) from error
