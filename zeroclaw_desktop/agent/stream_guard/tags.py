"""Tags at a place of a text that is still coming: there, not there, or not to be said yet."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroclaw_desktop.agent.toolcalls.limits import (
    MAX_TAG_ATTRIBUTE_CHARS,
    MAX_TAG_NAME_CHARS,
    MAX_TAG_VALUE_CHARS,
)

_BEHIND_NAME = rf"(=[^<>\n]{{0,{MAX_TAG_VALUE_CHARS}}})?(\s[^<>]{{0,{MAX_TAG_ATTRIBUTE_CHARS}}})?/?"
_TAG = re.compile(rf"<(/?[^\s<>=\"'/]{{1,{MAX_TAG_NAME_CHARS}}}){_BEHIND_NAME}>")
_BEGINNING = re.compile(rf"<(/?[^\s<>=\"'/]{{0,{MAX_TAG_NAME_CHARS}}}){_BEHIND_NAME}\Z")


@dataclass(frozen=True)
class Tag:
    """A whole tag.

    Attributes:
        name: in lower case, ``/`` in front for an end tag.
        with_equals: ``=`` stands behind the name (``<function=shell>``).
        bare: without attributes.
        end: the place behind it.
    """

    name: str
    with_equals: bool
    bare: bool
    end: int


def tag_at(text: str, at: int) -> Tag | None:
    """The tag that begins at a place; None for none, or none yet."""
    found = _TAG.match(text, at)
    if found is None:
        return None
    bare = not found[2] and not (found[3] or "").strip(" /\t\r\n")
    return Tag(found[1].lower(), bool(found[2]), bare, found.end())


def beginning_at(text: str, at: int) -> tuple[str, bool] | None:
    """The name so far of a tag that the text may end in, and whether the name is whole; None for none."""
    found = _BEGINNING.match(text, at)
    if found is None:
        return None
    return found[1].lower(), found.end(1) < len(text)
