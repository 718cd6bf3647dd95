"""Brings a sentence into one written form and tells its language."""

from __future__ import annotations

import re
import unicodedata

from zeroclaw_desktop.providers.offline.grammar import grammar

_PUNCTUATION = str.maketrans(
    {
        "。": ".", "、": ",", "‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "「": '"', "」": '"',
        "『": '"', "』": '"', "《": '"', "》": '"', "«": '"', "»": '"', "„": '"', "–": "-", "—": "-",
        "−": "-", "‐": "-", "‑": "-", "⁄": "/", "º": "°", "˚": "°", "≥": ">", "≤": "<",
    }
)  # fmt: skip
_VULGAR = {"½": " 0.5 ", "¼": " 0.25 ", "¾": " 0.75 "}
_SUPERSCRIPTS = {ord(sign): f"^{digit}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def normalize(sentence: str) -> str:
    """Return the sentence in NFKC, lower case, with plain punctuation and single spaces; new lines stay.

    Full-width digits and signs become plain ones (Unicode Standard Annex 15, form NFKC), traditional
    characters that the lexicon knows become simplified ones.
    """
    text = _INVISIBLE.sub("", sentence)
    for sign, plain in _VULGAR.items():
        text = text.replace(sign, plain)
    text = text.translate(_SUPERSCRIPTS)  # NFKC would make 102 of 10²
    text = unicodedata.normalize("NFKC", text).translate(_PUNCTUATION).casefold()
    text = text.translate(grammar().simplified)
    text = re.sub(r"[^\S\n]+", " ", text)
    return re.sub(r" ?\n[\s\n]*", "\n", text).strip()


def language_of(sentence: str) -> str:
    """Return 'zh' when the sentence is mainly Chinese, else 'en'.

    One Han character weighs as much as one Latin word, so 'LED闪一下' is Chinese and
    'what does 闪烁 mean here' is English.
    """
    han = len(_HAN.findall(sentence))
    return "zh" if han and han >= len(_LATIN_WORD.findall(sentence)) else "en"
