"""Numbers that can be taken in two ways, or are none: no reader of commands may take them (EX-5)."""

from __future__ import annotations

UNCLEAR_NUMBERS = [
    "90,5", "1e2", "0x10", "10²", "٩٠", "९०", "9 0", "90/2", "10-20", "90.5.1", "½", "90%", "90°c",
    "ninety one hundred", "90x", "_9", "一百二", "九零", "百", "nan", "infinity", "", "9" * 20,
]  # fmt: skip
