"""Bounds of what a model may write, so that no answer costs more time or memory than its length explains."""

from __future__ import annotations

MAX_BLOCK_CHARS = 262_144
"""Longest block of a tool protocol; a file that is written whole fits."""
MAX_WHOLE_CHARS = 65_536
"""Longest answer that is held back because all of it may be one bare JSON call."""
MAX_DEPTH = 64
"""Deepest nesting of arguments."""
MAX_CALLS = 32
"""Most calls of one answer."""
MAX_NAME_CHARS = 64
MAX_DIGITS = 400
"""Longest number; more is no number that anything here takes."""
MAX_TAG_NAME_CHARS = 48
MAX_TAG_VALUE_CHARS = 120
"""Behind the ``=`` of ``<function=shell>``."""
MAX_TAG_ATTRIBUTE_CHARS = 240
"""All attributes of a tag together."""
MAX_TAG_CHARS = MAX_TAG_NAME_CHARS + MAX_TAG_VALUE_CHARS + MAX_TAG_ATTRIBUTE_CHARS + len("</= />")
"""Longest tag; what is longer is text."""
MAX_FENCE_LINE_CHARS = 160
"""A line of a code fence is judged by so many characters."""
MAX_LEAD_CHARS = 400
"""Words between an opening tag and the call; after that the tag was only mentioned."""
