"""The base of every error that the product raises on purpose.

ZeroClawError
├── AssetMissingError          a shipped data file is not where it should be
└── one tree per room          see that room's ``errors.py``
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ZeroClawError(Exception):
    """An expected fault, worded for the person who reads it.

    Args:
        message: what was wrong and where, one sentence, English.
        hint: what to do next; empty when there is nothing sensible to say.
        code: stable short identifier (``port_busy``) by which texts are translated.
        retryable: whether the same call may succeed later without a change.
        details: values that the translated text needs (``{"port": "COM3"}``).
    """

    default_code = "error"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        code: str = "",
        retryable: bool = False,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or self.default_code
        self.retryable = retryable
        self.details: dict[str, Any] = dict(details or {})


class AssetMissingError(ZeroClawError):
    """A file that ships with the product could not be found."""

    default_code = "asset_missing"
