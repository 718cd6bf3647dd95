"""The table ``models.entries`` of the settings: one table for each model, by alias.

    [models.entries.fast]
    provider = "openai"
    model = "gpt-5-mini"
    key = "secret:openai"
    fallback = ["local"]

A wrong entry is left out and said so; the others are used. A key never stands in the file, only its name.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

KEY = "models.entries"
REFERENCE = "secret:"
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_NAME = re.compile(r"secret:[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
LIMITS = ("connect_seconds", "first_token_seconds", "between_tokens_seconds", "whole_seconds")
MAX_SECONDS = 86_400


def read_entries(table: Any) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]]]:
    """The entries that can be used, and what is wrong with the others.

    Args:
        table: what stands at ``models.entries``.

    Returns:
        Entries by alias; pairs of key path and sentence.
    """
    if not isinstance(table, Mapping):
        return {}, [(KEY, f"must be tables, written as [{KEY}.ALIAS]")]
    good: dict[str, dict[str, Any]] = {}
    faults: list[tuple[str, str]] = []
    for alias, entry in table.items():
        found = [(f"{KEY}.{alias}{path}", wrong) for path, wrong in _entry_faults(alias, entry)]
        faults += found
        if not found:
            good[alias] = dict(entry)
    for alias, entry in good.items():
        path = f"{KEY}.{alias}.fallback"
        unknown = [name for name in entry.get("fallback", ()) if name not in good]
        faults += [(path, f"names '{name}', which is no usable model") for name in unknown]
    return good, faults


def _entry_faults(alias: str, entry: Any) -> list[tuple[str, str]]:
    if not isinstance(entry, Mapping):
        return [("", f"must be a table, written as [{KEY}.{alias}]")]
    faults = []
    if not _ALIAS.fullmatch(alias):
        faults.append(("", "an alias has letters, digits and . _ - only, at most 40"))
    for name in ("provider", "model"):
        if name not in entry:
            faults.append((f".{name}", "is missing"))
    for name, value in entry.items():
        check = _CHECKS.get(name)
        wrong = f"unknown; known are {', '.join(_CHECKS)}" if check is None else check(value)
        if wrong:
            faults.append((f".{name}", wrong))
    return faults


def _text(value: Any) -> str:
    return "" if isinstance(value, str) and value.strip() else "must be text that is not empty"


def _key(value: Any) -> str:
    # What was given is not repeated: it may be the key itself.
    if isinstance(value, str) and _NAME.fullmatch(value):
        return ""
    return f"must be the name of a key, such as '{REFERENCE}openai'; a key itself must not stand in this file"


def _address(value: Any) -> str:
    if not isinstance(value, str):
        return "must be text"
    try:
        parts = urllib.parse.urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        return "must be an address that begins with http:// or https://"
    if parts.username or parts.password:
        return "must hold no user and password"
    return ""


def _parameters(value: Any) -> str:
    return "" if isinstance(value, Mapping) else "must be a table"


def _aliases(value: Any) -> str:
    fine = isinstance(value, list) and all(isinstance(name, str) for name in value)
    return "" if fine else "must be a list of aliases"


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _seconds(value: Any) -> str:
    fine = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MAX_SECONDS
    return "" if fine else f"must be seconds, more than 0 and at most {MAX_SECONDS}"


_CHECKS: Mapping[str, Callable[[Any], str]] = {
    "provider": _text,
    "model": _text,
    "base_url": _address,
    "key": _key,
    "parameters": _parameters,
    "fallback": _aliases,
    "native_tools": _flag,
    "vision": _flag,
    **dict.fromkeys(LIMITS, _seconds),
}
