"""Faults of the memory.

ZeroClawError
└── RecollectionError          the memory cannot do what was asked (``memory_failed``)
    ├── MemoryRefusedError     a text or category that is not kept (``memory_refused``)
    ├── UnknownMemoryError     there is no entry with this number (``unknown_memory``)
    ├── MemoryFileError        a file cannot be read, written or understood (``memory_file``)
    ├── MemoryOffError         it is switched off or was not opened (``memory_off``)
    └── EmbeddingError         an embedding engine gave no vectors (``embedding_failed``)
"""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class RecollectionError(ZeroClawError):
    """The memory cannot do what was asked."""

    default_code = "memory_failed"


class MemoryRefusedError(RecollectionError):
    """A text or a category that is not kept."""

    default_code = "memory_refused"


class UnknownMemoryError(RecollectionError):
    """There is no entry with this number."""

    default_code = "unknown_memory"


class MemoryFileError(RecollectionError):
    """A file cannot be read, written or understood."""

    default_code = "memory_file"


class MemoryOffError(RecollectionError):
    """The memory is switched off, or it could not be opened."""

    default_code = "memory_off"


class EmbeddingError(RecollectionError):
    """An embedding engine gave no vectors; entries are kept without and get theirs later."""

    default_code = "embedding_failed"
