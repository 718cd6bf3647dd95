"""Errors of turns."""

from __future__ import annotations

from zeroclaw_desktop.foundation.errors import ZeroClawError


class UnreadableCallsError(ZeroClawError):
    """A model went on writing calls that cannot be carried out."""

    default_code = "unreadable_calls"
