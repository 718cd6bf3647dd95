"""From text to the words that are indexed: folded, split, and Chinese in pairs of characters.

FTS5's own tokenizers find no Chinese word: unicode61 takes a whole run of characters for one word, trigram
misses words of two, which most are. So a run of CJK characters becomes its overlapping pairs (bigrams; a
single one stays itself), and everything else its words. Texts are folded before: NFKC turns full-width
letters and digits into plain ones, and case is dropped.
"""

from __future__ import annotations

import re
import unicodedata

MOST_TERMS = 2_000
"""Terms of one text that are indexed."""
MOST_TERM_CHARACTERS = 64
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003134f"
_PIECES = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<word>(?:(?![{_CJK}])[^\W_])+)")
_DIGITS = re.compile(r"\d+")
_NEGATIONS = re.compile(r"\b(?:not|no|never|none|without|cannot|off)\b|n't\b|[不没無无别勿未非关停]")

_SAY_NOTHING = """
a an and are as at be been but by can could did do does for from had has have how i if in is it its me my of
on or our please s so t than that the their them then there they this to us was we were what when where which
who why will with would you your about tell know remember
什么 怎么 么样 为什 多少 哪个 哪里 如何 请问 告诉 诉我 我们 你们 他们 这个 那个 是什 知道 记得 一下 可以
的 了 吗 呢 是 在 我 你
"""
STOP_WORDS = frozenset(_SAY_NOTHING.split())
"""Terms that say nothing of what a text is about: a question that has others is asked without them."""


def fold(text: str) -> str:
    """Compatibility forms made plain, case dropped, outer and repeated white space gone."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def runs(folded: str) -> list[tuple[bool, str]]:
    """The runs of a folded text, in order: (whether it is CJK, the run)."""
    return [(found.lastgroup == "cjk", found.group()) for found in _PIECES.finditer(folded)]


def terms(folded: str) -> list[str]:
    """The terms of a folded text in order, repetitions included, MOST_TERMS at most."""
    found: list[str] = []
    for cjk, run in runs(folded):
        if not cjk:
            found.append(run[:MOST_TERM_CHARACTERS])
        elif len(run) == 1:
            found.append(run)
        else:
            found += [run[at : at + 2] for at in range(len(run) - 1)]
        if len(found) >= MOST_TERMS:
            return found[:MOST_TERMS]
    return found


def question_terms(text: str) -> list[str]:
    """The distinct terms of a question, without those that say nothing unless there are no others."""
    distinct = list(dict.fromkeys(terms(fold(text))))
    telling = [term for term in distinct if term not in STOP_WORDS]
    return telling or distinct


def says_the_same(first: str, second: str) -> bool:
    """Whether two folded texts of like meaning may stand for each other: same numbers, same negations.

    Vectors of words hardly see that 'pin 7' is not 'pin 8', and 'is on' not 'is not on'.
    """
    return _DIGITS.findall(first) == _DIGITS.findall(second) and sorted(_NEGATIONS.findall(first)) == sorted(
        _NEGATIONS.findall(second)
    )
