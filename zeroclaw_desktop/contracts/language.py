"""The languages that the product speaks."""

from __future__ import annotations

from typing import Literal, NamedTuple

Language = Literal["en", "zh"]


class Words(NamedTuple):
    """A phrase in both languages."""

    en: str
    zh: str
