"""Colours the words of code blocks: comments, strings, numbers, keywords of the languages makers use.

A light scanner by regular expression; it colours, it does not parse.
"""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from zeroclaw_desktop.gui.theme import theme

_C_WORDS = (
    "auto bool break byte case char class const continue default delete do double else enum extern "
    "false float for if inline int int8_t int16_t int32_t long namespace new nullptr private protected "
    "public return short signed sizeof static struct switch template this true typedef uint8_t uint16_t "
    "uint32_t union unsigned using virtual void volatile while HIGH LOW INPUT OUTPUT INPUT_PULLUP "
    "LED_BUILTIN"
)
_PYTHON_WORDS = (
    "and as assert async await break class continue def del elif else except False finally for from "
    "global if import in is lambda None nonlocal not or pass raise return self True try while with "
    "yield"
)
_SHELL_WORDS = "case do done echo elif else esac export fi for function if in return sudo then while"
_DATA_WORDS = "true false null"
_WORDS = {
    "c": _C_WORDS,
    "cpp": _C_WORDS,
    "c++": _C_WORDS,
    "h": _C_WORDS,
    "arduino": _C_WORDS,
    "ino": _C_WORDS,
    "python": _PYTHON_WORDS,
    "py": _PYTHON_WORDS,
    "micropython": _PYTHON_WORDS,
    "sh": _SHELL_WORDS,
    "bash": _SHELL_WORDS,
    "shell": _SHELL_WORDS,
    "json": _DATA_WORDS,
    "toml": _DATA_WORDS,
    "yaml": _DATA_WORDS,
}
_SLASH_COMMENTS = (_C_WORDS,)
_HASH_COMMENTS = (_PYTHON_WORDS, _SHELL_WORDS)
_TOKEN_KINDS = ("comment", "string", "number", "keyword")


def code_pattern(language: str) -> re.Pattern[str] | None:
    """Return the scanner of a language with the groups comment, string, number, keyword; None if unknown."""
    words = _WORDS.get(language)
    if words is None:
        return None
    if words in _SLASH_COMMENTS:
        comment = r"//.*$|/\*.*?\*/|^\s*#\s*\w+"
    elif words in _HASH_COMMENTS or language in ("toml", "yaml"):
        comment = r"#.*$"
    else:
        comment = r"(?!)"
    string = r'"(?:\\.|[^"\\])*"|' + r"'(?:\\.|[^'\\])*'"
    number = r"\b(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b"
    keyword = r"\b(?:" + "|".join(words.split()) + r")\b"
    parts = zip(_TOKEN_KINDS, (comment, string, number, keyword), strict=True)
    return re.compile("|".join(f"(?P<{kind}>{part})" for kind, part in parts))


class CodeColors(QSyntaxHighlighter):
    """Colours a document.

    Args:
        document: what is coloured; owns this object.
        language: name behind the fence; an unknown one is left uncoloured.
    """

    def __init__(self, document: QTextDocument, language: str) -> None:
        super().__init__(document)
        self._pattern = code_pattern(language)
        self._looks: dict[str, QTextCharFormat] = {}
        self._choose_colors()
        theme().theme_changed.connect(self._recolor)

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        if self._pattern is None:
            return
        for found in self._pattern.finditer(text):
            if found.lastgroup:
                self.setFormat(found.start(), found.end() - found.start(), self._looks[found.lastgroup])

    def _recolor(self) -> None:
        self._choose_colors()
        self.rehighlight()

    def _choose_colors(self) -> None:
        colors: dict[str, QColor] = {
            "comment": theme().color("text_faint"),
            "string": theme().series_color(2),
            "number": theme().series_color(1),
            "keyword": theme().series_color(0),
        }
        for kind, color in colors.items():
            looks = QTextCharFormat()
            looks.setForeground(color)
            self._looks[kind] = looks
