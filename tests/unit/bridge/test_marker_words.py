"""Markers of the plots speak the language of the window."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.bridge.marker_words import marker_text
from zeroclaw_desktop.contracts.language import Language


@pytest.mark.parametrize(
    ("text", "kind", "language", "words"),
    [
        ("led_blink completed", "action", "en", "led_blink"),
        ("led_blink failed", "action", "en", "led_blink failed"),
        ("led_blink failed", "action", "zh", "led_blink 失败"),
        ("flash blink", "flash", "zh", "烧录 blink"),
        ("erase", "flash", "zh", "擦除"),
        ("too warm", "alarm", "en", "too warm: alarm"),
        ("too warm", "alarm", "zh", "too warm：报警"),
        ("too warm", "alarm_over", "zh", "too warm：报警解除"),
        ("{0} %s", "alarm", "en", "{0} %s: alarm"),
        ("clock of the board restarted", "reset", "zh", "开发板的时钟重新开始"),
        ("a note", "note", "zh", "a note"),
    ],
)
def test_words_by_kind_and_language(text: str, kind: str, language: Language, words: str) -> None:
    assert marker_text(text, kind, language) == words
