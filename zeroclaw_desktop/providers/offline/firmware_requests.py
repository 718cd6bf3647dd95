"""From a sentence about firmware to a wish: which kind, which pins, which values; by rules.

What it gives is not checked; a model may give the same structure in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zeroclaw_desktop.contracts.synthesis import (
    FirmwareWish,
    NeedInfo,
    ParamInfo,
    ParamValue,
    TemplateInfo,
)
from zeroclaw_desktop.providers.offline.limits import MAX_SENTENCE
from zeroclaw_desktop.providers.offline.normalize import normalize
from zeroclaw_desktop.providers.offline.numerals import read_chinese, read_english, read_times_word

Span = tuple[int, int]
_REFERENCE = r"(?:a|d|io|gp|gpio|p[a-h])?\d{1,3}"
_UNITS = (
    r"(?:\s*(?:hz|khz|times|x\b|ms\b|s\b|sec|minute|second|degree|°|%|percent|leds?\b|pixel|lights?\b|v\b"
    r"|次|下|秒|毫秒|分|度|赫|个|颗|粒|盏|伏))"
)
_BEFORE = r"(?:pins?|gpio|引脚|管脚|针脚|端口|数字口|接口|脚)\s*(?:number|no\.?|#|号)?\s*"
_PIN_WORD_FIRST = re.compile(rf"(?<![a-z]){_BEFORE}({_REFERENCE})(?![a-z0-9.]|{_UNITS})")
_PIN_WORD_LAST = re.compile(rf"(?<![a-z0-9.])({_REFERENCE})\s*号?\s*(?:引脚|管脚|针脚|端口|脚|口)")
_BARE_NAME = re.compile(r"(?<![a-z0-9])((?:a|d|io|gp|gpio)\d{1,2}|p[a-h]\d{1,2})(?![a-z0-9])")
_MORE = re.compile(rf"\s*(?:,|and|&|和|与|、|,\s*and)\s*(?:{_BEFORE})?({_REFERENCE})(?![a-z0-9.]|{_UNITS})")
_JOIN = r"\s*(?:=|:|->|→|on|at|to|接在|接到|接|在|用|是)\s*(?:the\s+)?"
_N = r"(\d+(?:\.\d+)?)"
_SECONDS = {
    "ms": 0.001,
    "毫秒": 0.001,
    "millisecond": 0.001,
    "minute": 60.0,
    "min": 60.0,
    "分钟": 60.0,
    "分": 60.0,
}
_TIME_UNIT = r"(milliseconds?|ms|minutes?|min|seconds?|sec|s|毫秒|分钟|分|秒)(?![a-z])"
_EVERY = re.compile(rf"(?:every|each|once in|每隔?)\s*{_N}?\s*{_TIME_UNIT}")
_RATES = (
    re.compile(
        rf"{_N}\s*(?:times?|flashes|blinks|x)?\s*(?:a|per|every|each|/)\s*(second|sec|s|minute|min)(?![a-z])"
    ),
    re.compile(rf"每(秒|分钟)钟?\D{{0,6}}?{_N}\s*(?:次|下)"),
    re.compile(rf"{_N}\s*次\s*(?:/|每)\s*(秒|分钟)"),
)
_HERTZ = re.compile(rf"{_N}\s*(?:hz|hertz|赫兹|赫)")
_ANGLES = re.compile(
    rf"{_N}\s*(?:°|degrees?|度)?\s*(?:to|and|到|至|~|-)\s*{_N}\s*(?:°|degrees?|度)?(?!\s*(?:hz|%|ms|秒))"
)
_COUNT = re.compile(
    rf"{_N}\s*(?:个|颗|粒|只|盏)?\s*(?:rgb\s*|neo)?(?:leds?|pixels?|lights?|lamps?|ws2812b?|像素|灯珠|灯)(?![a-z])"
)
_PERCENT = re.compile(rf"{_N}\s*(?:%|percent)")
_HALF = re.compile(r"0\.5\s*(?:speed|power|brightness|速|亮)")
_AFTER = re.compile(rf"{_N}\s*{_TIME_UNIT}")
_MAP_ROW = re.compile(
    r"((?<![a-z])[a-z][a-z ]{0,30}?|[\u4e00-\u9fff]{1,8}?)(?:\s+(?:on|at)\s+|\s*=\s*|接在|接到|接|在)"
    rf"(?:{_BEFORE})?({_REFERENCE})"
    r"(?:\s*号?(?:引脚|脚))?(?:\s*(?:as|is|作为|作|为|是|:)?\s*(?:an?\s+)?"
    r"(inputs?|outputs?|out|in|pwm|dimmer|analog|输入|输出|调光|模拟))?"
)
_MAP_USE = {
    "input": "in", "in": "in", "输入": "in", "output": "out", "out": "out", "输出": "out",
    "pwm": "pwm", "dimmer": "pwm", "调光": "pwm", "analog": "analog", "模拟": "analog",
}  # fmt: skip
_FILLER = {
    "zeroclaw",
    "pins",
    "pin",
    "named",
    "with",
    "and",
    "the",
    "a",
    "an",
    "my",
    "for",
    "has",
    "have",
    "put",
    "connect",
    "firmware",
    "protocol",
}
_DIALECTS = {
    "micropython": "micropython",
    "python": "micropython",
    "rust": "rust",
    "arduino": "arduino",
    "c++": "arduino",
}


@dataclass(frozen=True)
class _Mention:
    """A pin that the sentence names, with its place."""

    said: str
    span: Span


def with_digits(text: str) -> str:
    """The sentence with number words as digits: 'three' and '三' become 3, 'twice' becomes '2 times'."""
    out: list[str] = []
    position = 0
    while position < len(text):
        if text.startswith("百分之", position):
            found = read_chinese(text, position)
            if found:
                position, value = found
                out.append(f"{value * 100:g}%")
                continue
        previous = text[position - 1 : position]
        boundary = not (previous.isascii() and previous.isalnum())
        times = read_times_word(text, position) if boundary else None
        if times:
            position, value = times
            out.append(f"{value:g} times")
            continue
        found = read_chinese(text, position)
        if found is None and boundary and text[position].isascii() and text[position].isalpha():
            found = read_english(text, position)
            after = text[found[0] : found[0] + 1] if found else ""
            found = None if after.isascii() and after.isalnum() else found
        if found:
            position, value = found
            out.append(f"{value:g}")
            continue
        out.append(text[position])
        position += 1
    return "".join(out)


def _word_spans(text: str, word: str) -> Iterator[Span]:
    low = word.casefold()
    pattern = re.escape(low)
    if low[:1].isascii() and low[:1].isalnum():
        pattern = rf"(?<![a-z0-9]){pattern}"
    if low[-1:].isascii() and low[-1:].isalnum():
        pattern += r"(?:e?s|ing|ed)?(?![a-z0-9])" if low[-1:].isalpha() else r"(?![0-9])"
    for match in re.finditer(pattern, text):
        yield match.span()


def _score(text: str, template: TemplateInfo) -> float:
    """Part numbers say more than words, and long words more than short ones."""
    found = [word for word in template.words if any(True for _ in _word_spans(text, word))]
    return sum((30 if any(c.isdigit() for c in word) else 10) + len(word) / 100 for word in found)


def choose_template(text: str, templates: Sequence[TemplateInfo]) -> TemplateInfo | None:
    """The kind of firmware that a sentence names best; None when it names none."""
    ranked = [(_score(text, template), -at, template) for at, template in enumerate(templates)]
    best = max(ranked, key=lambda row: row[:2], default=None)
    return best[2] if best is not None and best[0] > 0 else None


def _mentions(text: str) -> list[_Mention]:
    found: list[_Mention] = []

    def note(match: re.Match[str]) -> None:
        span = match.span(1)
        if not any(span[0] < other.span[1] and other.span[0] < span[1] for other in found):
            found.append(_Mention(match[1], span))

    for match in _PIN_WORD_FIRST.finditer(text):
        note(match)
        end = match.end()
        while (more := _MORE.match(text, end)) is not None:
            note(more)
            end = more.end()
    for pattern in (_PIN_WORD_LAST, _BARE_NAME):
        for match in pattern.finditer(text):
            note(match)
    return sorted(found, key=lambda mention: mention.span)


def _joined(text: str, needs: Sequence[NeedInfo]) -> dict[str, _Mention]:
    """``sda=4``, ``led on 9``: the name of a need, a joining word, a pin."""
    found: dict[str, _Mention] = {}
    for need in needs:
        for word in (need.key, *need.words):
            name = rf"(?<![a-z0-9]){re.escape(word.casefold())}"
            pattern = rf"{name}{_JOIN}(?:{_BEFORE})?({_REFERENCE})(?![a-z0-9.]|{_UNITS})"
            match = re.search(pattern, text)
            if match:
                found.setdefault(need.key, _Mention(match[1], match.span(1)))
    return found


def _assign(text: str, needs: Sequence[NeedInfo]) -> dict[str, _Mention]:
    """Which pin is for which need: by joining words, then by nearness, then in order."""
    chosen = _joined(text, needs)
    taken = {mention.span for mention in chosen.values()}
    mentions = [mention for mention in _mentions(text) if mention.span not in taken]
    rows = []
    for need in needs:
        spans = [span for word in need.words for span in _word_spans(text, word)]
        for mention in mentions:
            distances = [
                mention.span[0] - end if end <= mention.span[0] else start - mention.span[1] + 4
                for start, end in spans
            ]
            if distances:
                rows.append((min(distances), mention.span, need.key, mention))
    for _distance, span, key, mention in sorted(rows, key=lambda row: row[:3]):
        if key not in chosen and span not in taken:
            chosen[key] = mention
            taken.add(span)
    left = [mention for mention in mentions if mention.span not in taken]
    for need in needs:
        if need.key not in chosen and left:
            chosen[need.key] = left.pop(0)
    return chosen


class _Values:
    """Reads the values of parameters; notes which places of the text were used."""

    def __init__(self, text: str, taken: Sequence[Span]) -> None:
        # A pin's number must not be read as a value too.
        letters = list(text)
        for start, end in taken:
            letters[start:end] = " " * (end - start)
        self.text = "".join(letters)
        self.used: list[Span] = list(taken)

    def _use(self, match: re.Match[str]) -> re.Match[str]:
        self.used.append(match.span())
        return match

    def rate(self) -> float | None:
        """Times a second."""
        found = _HERTZ.search(self.text)
        if found:
            return float(self._use(found)[1])
        for pattern in _RATES:
            found = pattern.search(self.text)
            if found:
                self._use(found)
                number = next(group for group in found.groups() if group[0].isdigit())
                per = next(group for group in found.groups() if not group[0].isdigit())
                return float(number) / (60.0 if per.startswith(("min", "分")) else 1.0)
        return None

    def period(self) -> float | None:
        """Seconds of 'every 2 seconds'."""
        found = _EVERY.search(self.text)
        return _seconds(self._use(found)) if found else None

    def number(self, pattern: re.Pattern[str]) -> float | None:
        """The first number of a pattern."""
        found = pattern.search(self.text)
        return float(self._use(found)[1]) if found else None

    def read(self, param: ParamInfo) -> ParamValue | None:
        """The value of a parameter; None when the sentence does not say."""
        kind = param.reads
        if kind == "rate":
            rate = self.rate()
            period = None if rate is not None else self.period()
            return rate if rate is not None else 1 / period if period else None
        if kind == "period":
            period = self.period()
            rate = None if period is not None else self.rate()
            if period is None and rate is None:
                found = _AFTER.search(self.text)
                return _seconds(self._use(found)) if found else None
            return period if period is not None else 1 / rate if rate else None
        if kind in ("angle_low", "angle_high"):
            found = _ANGLES.search(self.text)
            if found is None:
                return None
            low, high = sorted((float(found[1]), float(found[2])))
            self._use(found)
            return low if kind == "angle_low" else high
        if kind == "count":
            count = self.number(_COUNT)
            return None if count is None else int(count) if count == int(count) else count
        if kind == "percent":
            share = self.number(_PERCENT)
            if share is None and (half := _HALF.search(self.text)):
                self._use(half)
                return 50.0
            return share
        return self._choice(param) if kind == "choice" else None

    def _choice(self, param: ParamInfo) -> str | None:
        best: tuple[int, str] | None = None
        for key, words in param.choices.items():
            for word in (key, *words.values()):
                for span in _word_spans(self.text, word):
                    self.used.append(span)
                    best = max(best or (0, ""), (len(word), key))
        return best[1] if best else None


def _seconds(found: re.Match[str]) -> float:
    unit = found[2].rstrip("s") if found[2] not in ("s", "ms") else found[2]
    return float(found[1] or 1) * _SECONDS.get(unit, 1.0)


def _pin_map(text: str) -> tuple[str, list[Span]]:
    rows: list[str] = []
    spans: list[Span] = []
    for match in _MAP_ROW.finditer(text):
        words = [word for word in match[1].split() if word not in _FILLER]
        if not words:
            continue
        use = _MAP_USE.get((match[3] or "").rstrip("s"), "")
        rows.append(f"{' '.join(words)}={match[2]}" + (f":{use}" if use else ""))
        spans.append(match.span(2))
    return ", ".join(rows), spans


def _dialect(text: str) -> str:
    return next(
        (dialect for word, dialect in _DIALECTS.items() if any(True for _ in _word_spans(text, word))), ""
    )


def understand_firmware(sentence: str, templates: Sequence[TemplateInfo]) -> FirmwareWish:
    """Understand a request for firmware. Pure and deterministic; never raises for a text.

    Args:
        sentence: what the person wrote, of which the first MAX_SENTENCE characters count.
        templates: what can be made.

    Returns:
        The wish; its ``template`` is '' when the sentence names nothing that can be made.
    """
    text = with_digits(normalize(sentence[:MAX_SENTENCE]))
    template = choose_template(text, templates)
    if template is None:
        return FirmwareWish("")
    mapped = next((param for param in template.params if param.reads == "pin_map"), None)
    params: dict[str, ParamValue] = {}
    if mapped is not None:
        rows, taken = _pin_map(text)
        pins: dict[str, str] = {}
        if rows:
            params[mapped.key] = rows
    else:
        assigned = _assign(text, template.needs)
        pins = {key: mention.said for key, mention in assigned.items()}
        taken = [mention.span for mention in assigned.values()]
    values = _Values(text, taken)
    for param in template.params:
        value = values.read(param)
        if value is not None:
            params[param.key] = value
    names = (*template.words, *(word for need in template.needs for word in need.words))
    words = [span for word in names for span in _word_spans(text, word)]
    unused = _unused(text, [*values.used, *words])
    return FirmwareWish(template.key, _dialect(text), pins, params, unused)


def _unused(text: str, used: Sequence[Span]) -> tuple[str, ...]:
    """Numbers of the sentence that nothing was made of."""
    pieces = []
    for match in re.finditer(r"[a-z%]*\d+(?:\.\d+)?\s?[a-z%°]*", text):
        start, end = match.span()
        if match[0].strip() == "1":
            continue  # 'one LED', '一次'
        if not any(start < stop and begin < end for begin, stop in used):
            pieces.append(match[0].strip())
    return tuple(pieces)
