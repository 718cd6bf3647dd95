"""Sentences with names in braces, filled with the details of a case."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any


class _Lenient(string.Formatter):
    """Leaves a name that has no value readable instead of failing."""

    def __init__(self, language: str) -> None:
        self._language = language

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        name = str(key)
        return kwargs.get(f"{name}_{self._language}", kwargs.get(name, "…"))


def filled(template: str, details: Mapping[str, Any], language: str = "en") -> str:
    """Fill the names in a sentence.

    Args:
        template: ``{name}`` stands for a value; a name without one becomes an ellipsis.
        details: values by name; ``reason_zh`` goes before ``reason`` when ``language`` is ``zh``.
    """
    return _Lenient(language).vformat(template, (), details)
