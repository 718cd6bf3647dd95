"""The grammar files agree with themselves and with the code."""

from __future__ import annotations

import string

import pytest

from zeroclaw_desktop.providers.offline import language_of
from zeroclaw_desktop.providers.offline.grammar import grammar
from zeroclaw_desktop.providers.offline.lexer import corrected
from zeroclaw_desktop.providers.offline.normalize import normalize


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    english, chinese = grammar().texts["en"], grammar().texts["zh"]
    assert set(english) == set(chinese)
    assert {k for k in english if _placeholders(english[k]) != _placeholders(chinese[k])} == set()


def test_every_entry_is_already_normalised() -> None:
    assert [phrase for phrase in grammar().phrases if normalize(phrase) != phrase] == []


def test_every_feature_of_the_rules_exists() -> None:
    data = grammar()
    concepts = {concept for meanings in data.phrases.values() for concept in meanings}
    units = {f"#{unit.quantity}" for unit in data.units.values()}
    kinds = {
        "#pin",
        "#analog",
        "#alias",
        "#board",
        "#file",
        "#quoted",
        "#word",
        "#bare",
        "#fraction",
        "#asked",
        "asserted",
        "#share",
    }
    used = {feature for rule in data.intents for pattern in rule.patterns for feature in pattern}
    used |= {feature for rule in data.intents for feature in rule.forbids}
    assert used - concepts - units - kinds == set()


def test_policies_are_known() -> None:
    assert {rule.policy for rule in grammar().intents} == {"act", "read", "talk", "whole", "name"}


@pytest.mark.parametrize(
    ("slip", "word"),
    [("blnk", "blink"), ("blinkk", "blink"), ("bilnk", "blink"), ("sevro", "servo"), ("brethe", "breathe")],
)
def test_one_slip_is_corrected(slip: str, word: str) -> None:
    assert corrected(slip) == word


@pytest.mark.parametrize(
    "word", ["blank", "right", "night", "shop", "lead", "flush", "xyz", "blnkk", "serve"]
)
def test_other_words_are_left_alone(word: str) -> None:
    assert corrected(word) is None


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("blink the led", "en"),
        ("让LED闪烁3次", "zh"),
        ("LED闪一下", "zh"),
        ("what does 闪烁 mean here", "en"),
        ("", "en"),
        ("90", "en"),
        ("A0多少", "zh"),
        ("ＬＥＤ on", "en"),
        ("開燈", "zh"),
    ],
)
def test_the_language_of_a_sentence(sentence: str, language: str) -> None:
    assert language_of(sentence) == language
