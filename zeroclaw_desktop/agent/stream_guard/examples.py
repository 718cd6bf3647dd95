"""Whether the words around a block call it an example; then it is shown, and nothing of it is done."""

from __future__ import annotations

import re

BEFORE_CHARS = 200
"""So much of the line before a block is looked at."""
AFTER_CHARS = 120
"""So much of the line behind a block is looked at, and held back for it."""
# A file or sketch that is called 'example' makes no example of the call that reads it.
_EXAMPLE = re.compile(
    r"\b(?:for|as an|is an?|are|here is an?|here's an?|here are|the following|another) (?:\w+ ){0,2}"
    r"examples?\b(?!\.\w|[/_-])|\bexamples? (?:only|of|call|calls|invocation|for how)\b"
    r"|\bexamples?[:：)\]]|\be\.g\.|\bfor instance\b|\bnot an? (?:actual |real )?(?:invocation|call)\b"
    r"|例如|比如|举例|(?:示例|例子|样例)(?!文件|代码|程序|草图|固件)|仅供参考|不是(?:真正的|实际的)?调用",
    re.IGNORECASE,
)
_END_OF_WORDS = re.compile(r"[\n<`\[]")


def names_an_example(text: str) -> bool:
    """Whether a text says so."""
    return _EXAMPLE.search(text) is not None


def line_before(shown: str) -> str:
    """The last line with words in what was shown, or the end of it."""
    return shown[-BEFORE_CHARS:].rstrip().rpartition("\n")[2]


def words_behind(text: str, *, final: bool) -> str | None:
    """The words that follow a block, up to the end of their line.

    Args:
        text: what followed so far.
        final: nothing will follow.

    Returns:
        None while the line is not there yet.
    """
    start = len(text) - len(text.lstrip())
    if start >= AFTER_CHARS:
        return ""
    window = text[start : start + AFTER_CHARS]
    end = _END_OF_WORDS.search(window)
    if end is not None:
        return window[: end.start()]
    return window if final or len(window) == AFTER_CHARS else None
