"""Fills a template's source: sections for some boards only, shared pieces, names for values.

A line ``//@ if avr`` (``#@ if ...`` in Python) begins a section, ``//@ else`` its other side, ``//@ end``
ends it; ``//@ include host_link.ino`` brings in a shared piece. ``${name}`` stands for a value.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Mapping

from zeroclaw_desktop.hardware.synthesis.errors import TemplateDataError

_DIRECTIVE = re.compile(r"\s*(?://|#)@ *(if|else|end|include)\b *(.*?)\s*")


def _selected(source: str, tags: Collection[str], shared: Callable[[str], str]) -> list[str]:
    lines: list[str] = []
    stack: list[bool] = []
    for number, line in enumerate(source.splitlines(), 1):
        found = _DIRECTIVE.fullmatch(line)
        if found is None:
            if all(stack):
                lines.append(line)
            continue
        word, rest = found.groups()
        if word == "if":
            names = rest.split()
            stack.append(any(name in tags for name in names))
        elif not stack and word != "include":
            raise TemplateDataError(f"A template's line {number} has '{word}' without 'if'.")
        elif word == "else":
            stack[-1] = not stack[-1]
        elif word == "end":
            stack.pop()
        elif all(stack):
            lines += _selected(shared(rest), tags, shared)
    if stack:
        raise TemplateDataError("A template's section has no end.")
    return lines


def render(
    source: str, values: Mapping[str, str], tags: Collection[str], shared: Callable[[str], str]
) -> str:
    """The sketch.

    Args:
        values: text for each ``${name}``.
        tags: what is true of the board and the parameters (``avr``, ``esp32``, ``driver=tb6612``).
        shared: gives the text of a shared piece.

    Raises:
        TemplateDataError: a name has no value, or the sections do not fit together.
    """
    text = "\n".join(_selected(source, tags, shared)) + "\n"
    try:
        filled = string.Template(text).substitute(values)
    except (KeyError, ValueError) as error:
        raise TemplateDataError(f"A template cannot be filled: {error}.") from error
    return re.sub(r"\n{3,}", "\n\n", filled).lstrip("\n")
