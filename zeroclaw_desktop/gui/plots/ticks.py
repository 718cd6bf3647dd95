"""Round steps for axes and the texts of their ticks. Qt-free.

Values use steps of 1, 2 and 5 times a power of ten; times use those below a second and clock steps above.
"""

from __future__ import annotations

import math
import time

MINUS = "\u2212"
_CLOCK_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)


def round_step(span: float, most: int) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten that cuts ``span`` into at most ``most``."""
    least = span / max(1, most)
    power = 10.0 ** math.floor(math.log10(least))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= least * (1 - 1e-9):
            return factor * power
    return 10.0 * power


def time_step(span: float, most: int) -> float:
    """Return the step in seconds that cuts ``span`` seconds into at most ``most`` parts."""
    step = round_step(span, most)
    if step < 1:
        return step
    least = span / max(1, most)
    return float(next((known for known in _CLOCK_STEPS if known >= least * (1 - 1e-9)), step))


def multiples(start: float, end: float, step: float) -> list[float]:
    """Return the multiples of ``step`` in ``[start, end]``, each computed from its number, not by adding."""
    first = math.ceil(start / step - 1e-9)
    last = math.floor(end / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def decimals_of(step: float) -> int:
    """Return how many decimals a multiple of a round step needs (0 to 12)."""
    return min(12, max(0, -math.floor(math.log10(step) + 1e-9)))


def tick_text(value: float, step: float) -> str:
    """Return a value on an axis: as many decimals as its step needs, a true minus sign, powers when long."""
    if step >= 1e6 or (value and abs(value) >= 1e7) or step < 1e-5:
        text = f"{value:.6g}"
    else:
        text = f"{value:.{decimals_of(step)}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def ago_text(seconds: float, step: float) -> str:
    """Return a time before the present: ``−5 s``, ``−250 ms``, ``−1:30``.

    Args:
        seconds: at most 0.
        step: of the axis, which says how exact the text must be.
    """
    past = -seconds
    if step < 0.05:
        return f"{MINUS}{past * 1000:.{max(0, decimals_of(step) - 3)}f} ms"
    if past >= 60 and step >= 1:
        whole = round(past)
        if whole % 60 == 0 and step >= 60:
            return f"{MINUS}{whole // 60} min"
        return f"{MINUS}{whole // 60}:{whole % 60:02d}"
    return f"{MINUS}{past:.{decimals_of(step)}f} s"


def clock_text(epoch_s: float, step: float) -> str:
    """Return a local time of day as exact as ``step``: ``14:03:25``, ``14:03:25.250``."""
    decimals = decimals_of(step) if step < 1 else 0
    scale = 10**decimals
    ticks = round(epoch_s * scale)
    text = time.strftime("%H:%M:%S", time.localtime(ticks // scale))
    return f"{text}.{ticks % scale:0{decimals}d}" if decimals else text


def duration_text(seconds: float) -> str:
    """Return a window's length: ``250 ms``, ``12.5 s``, ``90 s``, ``2 min``."""
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    if seconds >= 60 and abs(seconds / 60 - round(seconds / 60)) < 1e-6:
        return f"{seconds / 60:.0f} min"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:.0f} s"


def needed_decimals(value: float, digits: int = 5) -> int:
    """Return the decimals that show a value with at most ``digits`` significant digits, no idle zeros."""
    if not math.isfinite(value) or value == 0:
        return 0
    room = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(room, 9)}f}"
    return len(text.rstrip("0").partition(".")[2])


def reading_text(value: float | None, decimals: int) -> str:
    """Return a value for a read-out: a dash when there is none, powers when it is huge or tiny."""
    if value is None or not math.isfinite(value):
        return "\u2013"
    if value and (abs(value) >= 1e8 or abs(value) < 1e-6):
        return f"{value:.3e}".replace("-", MINUS)
    text = f"{value:.{decimals}f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", MINUS)
