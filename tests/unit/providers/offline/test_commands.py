"""A sentence becomes the calls that a careful person would make of it, in both languages alike."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.unit.providers.offline import sentences_en, sentences_zh
from tests.unit.providers.offline.scenes import NAMED_UNO, UNO, Calls, calls_of
from zeroclaw_desktop.providers.offline import BoardFacts, Understanding, understand

LANGUAGES = {"en": sentences_en, "zh": sentences_zh}
PLAIN = [(language, *row) for language, table in LANGUAGES.items() for row in table.PLAIN]
NAMED = [(*row,) for table in LANGUAGES.values() for row in table.NAMED]


def understood(sentence: str, calls: Calls, boards: Sequence[BoardFacts]) -> Understanding:
    """What is made of a sentence that must lead to these calls."""
    understanding = understand(sentence, boards=boards)
    reason = (understanding.intent, understanding.question, understanding.reason)
    assert calls_of(understanding) == calls, reason
    return understanding


@pytest.mark.parametrize(("language", "sentence", "calls"), PLAIN)
def test_a_sentence_becomes_the_calls_that_it_means(language: str, sentence: str, calls: Calls) -> None:
    understanding = understood(sentence, calls, [UNO])
    assert understanding.question is None
    assert understanding.language == language
    assert understanding.say


@pytest.mark.parametrize(("sentence", "calls"), NAMED)
def test_names_given_by_the_person_stand_for_their_pins(sentence: str, calls: Calls) -> None:
    understood(sentence, calls, [NAMED_UNO])
