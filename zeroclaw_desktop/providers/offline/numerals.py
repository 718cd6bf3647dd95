"""Numbers as people write them: digits, English words and Chinese numerals.

Each reader takes a text and a position and returns ``(end, value)`` of the longest number that begins there,
or None. Words that already carry a unit ('twice') are read by :func:`read_times_word`.
"""

from __future__ import annotations

import re

from zeroclaw_desktop.providers.offline.grammar import NumberWords, grammar

_DIGITS = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?|\.\d+")
MOST = 1e15
"""Larger numbers are taken for this one: all of their digits must be read, or the last ones would count."""
_FRACTION = re.compile(r"(\d{1,6})\s?/\s?(\d{1,6})(?![\d/])")
_WORD = re.compile(r"[a-z]+")
_GAP = re.compile(r"[ -]")
_HALF_MORE = re.compile(r" and a half\b")
_ZH_FRACTION = re.compile("([{0}]+)分之([{0}]+)")


def read_digits(text: str, start: int) -> tuple[int, float] | None:
    """Read ``12``, ``0.5``, ``.5``, ``1,000``; the value is a float."""
    match = _DIGITS.match(text, start)
    if match is None or (match.end() < len(text) and text[match.end()].isdigit()):
        return None
    return match.end(), min(MOST, float(match.group().replace(",", "")))


def read_fraction(text: str, start: int) -> tuple[int, float] | None:
    """Read ``1/2`` or ``128/255``; a zero below the line is no number."""
    match = _FRACTION.match(text, start)
    if match is None or int(match.group(2)) == 0:
        return None
    return match.end(), int(match.group(1)) / int(match.group(2))


def read_times_word(text: str, start: int) -> tuple[int, float] | None:
    """Read 'once', 'twice', 'thrice' as a number of times."""
    match = _WORD.match(text, start)
    if match is None or match.group() not in grammar().numbers.times:
        return None
    return match.end(), float(grammar().numbers.times[match.group()])


def _next_word(text: str, at: int) -> tuple[int, str]:
    """Return the end and the text of the word after one space or hyphen at ``at`` ('' when there is none)."""
    gap = _GAP.match(text, at)
    match = _WORD.match(text, gap.end()) if gap else None
    return (match.end(), match.group()) if match else (at, "")


def _skip_article(text: str, start: int, words: NumberWords) -> tuple[int, str]:
    """Return the end and text of the first word, passing over 'a' before 'hundred', 'dozen', 'half' ..."""
    match = _WORD.match(text, start)
    if match is None:
        return start, ""
    if match.group() in ("a", "an"):
        end, word = _next_word(text, match.end())
        known = word in words.scales or word in words.pairs or word in words.fractions
        return (end, word) if known else (start, "")
    return match.end(), match.group()


def _read_fraction_word(text: str, end: int, value: float) -> tuple[int, float]:
    """After 'half' or 'quarter': pass over 'a', 'an', 'of a'; 'half a dozen' is six."""
    after, word = _next_word(text, end)
    if word == "of":
        after, word = _next_word(text, after)
    if word not in ("a", "an"):
        return end, value
    further, noun = _next_word(text, after)
    if noun == "dozen":
        return further, value * 12
    return after, value


def _may_follow(current: int, value: int) -> bool:
    """Whether 'value' continues a number: 'twenty' + 'five', 'hundred' + 'twelve'; not 'five' + 'six'."""
    if current % 100 == 0:
        return value < 100
    return current % 10 == 0 and current % 100 >= 20 and 0 < value < 10


def read_english(text: str, start: int) -> tuple[int, float] | None:
    """Read 'three', 'two hundred and fifty', 'a dozen', 'half a', 'zero point five', 'one and a half'."""
    words = grammar().numbers
    end, word = _skip_article(text, start, words)
    if word in words.fractions:
        return _read_fraction_word(text, end, words.fractions[word])
    if word in words.pairs:
        after, of = _next_word(text, end)
        return (after if of == "of" else end), float(words.pairs[word])
    if word not in words.ones and word not in words.scales:
        return None
    total, current, best = 0, 0, end
    while word:
        if word in words.ones and _may_follow(current, words.ones[word]):
            current += words.ones[word]
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word in words.scales:
            current = max(current, 1) * words.scales[word]
        else:
            break
        best, joined = end, word in words.scales
        end, word = _next_word(text, best)
        if word == "and" and joined:
            end, word = _next_word(text, end)
    return _english_tail(text, best, float(total + current), words)


def _english_tail(text: str, end: int, value: float, words: NumberWords) -> tuple[int, float]:
    half = _HALF_MORE.match(text, end)
    if half:
        return half.end(), value + 0.5
    after, word = _next_word(text, end)
    if word != "point":
        return end, value
    decimals = ""
    after, word = _next_word(text, after)
    while word in words.ones and words.ones[word] < 10:
        decimals += str(words.ones[word])
        end = after
        after, word = _next_word(text, after)
    return (end, value + float("0." + decimals)) if decimals else (end, value)


def _chinese_integer(numeral: str, words: NumberWords) -> float:
    """Value of a run of Chinese digits and scales ('一百二十' is 120, '一百二' is 120, '二零零' is 200)."""
    if not any(char in words.zh_scales for char in numeral):
        return float("".join(str(words.zh_digits[char]) for char in numeral))
    total = section = 0
    digit: int | None = None
    scale = 1
    for char in numeral:
        if char in words.zh_digits:
            digit = words.zh_digits[char]
            continue
        scale = words.zh_scales[char]
        if scale == 10000:
            total, section = total + max(section + (digit or 0), 1) * scale, 0
        else:
            section += (1 if digit is None else digit) * scale
        digit = None
    digit = digit or 0
    if scale >= 100 and digit and numeral[-2] in words.zh_scales:
        digit *= scale // 10
    return float(total + section + digit)


def read_chinese(text: str, start: int) -> tuple[int, float] | None:
    """Read '三', '十二', '一百二十', '两千五', '三点五', '半', '三分之一', '百分之五十' (as 0.5)."""
    words = grammar().numbers
    alphabet = "".join(words.zh_digits) + "".join(words.zh_scales)
    if start >= len(text) or text[start] not in alphabet + "半":
        return None
    if text.startswith(("半", "一半"), start):
        return text.index("半", start) + 1, 0.5
    fraction = re.compile(_ZH_FRACTION.pattern.format(alphabet)).match(text, start)
    if fraction:
        below = _chinese_integer(fraction.group(1), words)
        return (fraction.end(), _chinese_integer(fraction.group(2), words) / below) if below else None
    end = start
    while end < len(text) and text[end] in alphabet and end - start < 15:
        end += 1
    value = _chinese_integer(text[start:end], words)
    digits = end + 1
    while digits < len(text) and text[digits] in words.zh_digits:
        digits += 1
    if text[end : end + 1] == "点" and digits > end + 1:
        decimals = "".join(str(words.zh_digits[char]) for char in text[end + 1 : digits])
        return digits, value + float("0." + decimals)
    return end, value


def parse_number(text: str) -> float | None:
    """Return the value of a text that is one number in any of the notations, None for anything else."""
    for reader in (read_fraction, read_digits, read_chinese, read_english):
        found = reader(text, 0)
        if found and found[0] == len(text):
            return found[1]
    return None
