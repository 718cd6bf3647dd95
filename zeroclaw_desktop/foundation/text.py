"""Text from outside, made safe to show: nothing in it moves a terminal's cursor or turns letters around.

Control characters, terminal escapes, bidirectional overrides and invisible characters are shown as escapes
(``\\x1b``, ``\\u202e``), so that a reader sees what is there (Boucher and Anderson, "Trojan Source", 2021).
"""

from __future__ import annotations

import re

QUOTED = 60
"""Characters of a given value that a message repeats; the rest tells a reader nothing more."""
_OUTSIDE_ASCII = re.compile(r"[^\x20-\x7e]")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def visible(text: str, limit: int | None = None, *, keep: str = "") -> str:
    """Replace characters that do not print by escapes.

    Args:
        limit: characters of the text that are kept at most; an ellipsis stands for the rest.
        keep: characters that stay although they do not print, such as line ends.
    """
    if limit is not None and len(text) > limit:
        text = text[:limit] + "…"
    if text.isprintable():
        return text
    return _OUTSIDE_ASCII.sub(
        lambda found: found[0] if found[0].isprintable() or found[0] in keep else _escape(found[0]), text
    )


def visible_json(document: str) -> str:
    r"""The same for a JSON document, which stays the same document: ``\uXXXX`` escapes only.

    Args:
        document: JSON on one line.
    """
    if document.isprintable():
        return document

    def escaped(found: re.Match[str]) -> str:
        if found[0].isprintable():
            return found[0]
        units = found[0].encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

    return _OUTSIDE_ASCII.sub(escaped, document)
