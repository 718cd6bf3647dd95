"""Contrast of two colours as WCAG 2.2 defines it; for colours that are computed, and for tests. Qt-free."""

from __future__ import annotations


def relative_luminance(color: str) -> float:
    """Return the luminance 0..1 of ``#rrggbb`` (WCAG 2.2, 'relative luminance')."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast ratio 1..21 of two ``#rrggbb`` colours (WCAG 2.2, 'contrast ratio')."""
    brighter, darker = sorted((relative_luminance(first), relative_luminance(second)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)
