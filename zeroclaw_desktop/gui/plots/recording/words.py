"""Sizes and lengths of time as a person reads them."""

from __future__ import annotations

_STEP = 1000


def size_text(size: int) -> str:
    """Return a number of bytes with a fitting decimal unit: ``950 B``, ``1.2 MB``."""
    if size < _STEP:
        return f"{size} B"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= _STEP
        if value < _STEP:
            return f"{value:.1f} {unit}"
    return f"{value / _STEP:.1f} TB"


def span_text(seconds: float) -> str:
    """Return a length of time: ``0:07.3``, ``12:05.0``, ``1:02:03.0`` (hours, minutes, seconds)."""
    tenths = max(0, round(seconds * 10))
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{head}:{rest // 10:02}.{rest % 10}"
