"""Reasons that end an English sentence, in Chinese: rows of ``resources/errors/reasons_zh.toml``. No Qt."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from zeroclaw_desktop.foundation.assets import resource_path

_MOST_LEVELS = 4
"""A part within a part within a reason; deeper ones stay as they are."""


class _Row(NamedTuple):
    pattern: re.Pattern[str]
    chinese: str
    literal: int
    """Characters of the English that stand outside of braces."""


@cache
def _rows() -> tuple[_Row, ...]:
    """The most particular row first."""
    import tomllib

    with resource_path("errors/reasons_zh.toml").open("rb") as file:
        rows = [_row(english, chinese) for english, chinese in tomllib.load(file)["rows"]]
    return tuple(sorted(rows, key=lambda row: -row.literal))


def _row(english: str, chinese: str) -> _Row:
    pieces = re.split(r"\{(\w+)\}", english)
    pattern = "".join(
        f"(?P<{piece}>.+?)" if place % 2 else re.escape(piece) for place, piece in enumerate(pieces)
    )
    return _Row(re.compile(pattern, re.DOTALL), chinese, sum(map(len, pieces[::2])))


def chinese_reason(reason: str, levels: int = _MOST_LEVELS) -> str | None:
    """A reason in Chinese; None when no row is like it."""
    if levels:
        for row in _rows():
            match = row.pattern.fullmatch(reason)
            if match is not None:
                inner = {
                    name: chinese_reason(text, levels - 1) or text for name, text in match.groupdict().items()
                }
                return row.chinese.format_map(inner)
    return None
