"""What can stop the bootstrap, and the exit code by which a script can tell the cases apart.

BootstrapError            1   something else
├── NetworkError          3   the package server could not be reached
├── DiskFullError         4   no room left
├── PythonUnsuitableError 5   Python is too old, too new, or lacks venv
├── SystemLibraryError    6   a shared library of the system is missing
└── WrongHashError        7   a download is not what the lock file names
"""

from __future__ import annotations


class BootstrapError(Exception):
    """A step could not be done.

    Args:
        message: what was wrong, one sentence.
        hint: what to do next.
        log_tail: the last lines that the failing tool wrote.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", log_tail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.log_tail = log_tail


class NetworkError(BootstrapError):
    """The package server could not be reached."""

    exit_code = 3


class DiskFullError(BootstrapError):
    """There is no room left on the disk."""

    exit_code = 4


class PythonUnsuitableError(BootstrapError):
    """This Python cannot make an environment."""

    exit_code = 5


class WrongHashError(BootstrapError):
    """A downloaded package is not the one that the lock file names."""

    exit_code = 7


class SystemLibraryError(BootstrapError):
    """A shared library that Qt needs is not on this system."""

    exit_code = 6
