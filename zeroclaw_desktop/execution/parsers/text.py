"""Sentences as actions: the reader of the execution layer itself, small and word for word.

It needs no model and no provider. Another reader of sentences can be handed in (``SentenceReader``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from zeroclaw_desktop.contracts.actions import ActionPayload, Source
from zeroclaw_desktop.contracts.language import Words
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.errors import NotUnderstoodError
from zeroclaw_desktop.execution.parsers.places import (
    expected,
    found,
    found_at,
    found_text,
    place_at,
    unreadable,
)
from zeroclaw_desktop.execution.parsers.protocol import SentenceAction, SentenceReader
from zeroclaw_desktop.execution.parsers.sentence_grammar import Grammar, fold, sentence_grammar
from zeroclaw_desktop.execution.parsers.sentence_match import SentenceMatch
from zeroclaw_desktop.execution.payloads import make_payload

MAX_CHARACTERS = 2_000
MAX_SENTENCES = 20


class PatternSentenceReader:
    """Understands the patterns of ``resources/prompts/actions.toml``; implements SentenceReader."""

    def __init__(self, grammar: Grammar | None = None) -> None:
        self._grammar = grammar

    def read(self, text: str) -> tuple[SentenceAction, ...]:
        """See SentenceReader; raises NotUnderstoodError."""
        grammar = self._grammar or sentence_grammar()
        # One more than may be: that many are told to be too many, the rest need not be read.
        spans = islice(sentence_spans(text, grammar), MAX_SENTENCES + 1)
        return tuple(self._sentence(grammar, text, start, end) for start, end in spans)

    def _sentence(self, grammar: Grammar, text: str, start: int, end: int) -> SentenceAction:
        match = SentenceMatch(grammar, fold(text[start:end]))
        result = match.run()
        if result is not None:
            return SentenceAction(*result, offset=start)
        stopped = start + match.furthest
        at_end = stopped >= end
        raise NotUnderstoodError(stopped, match.wanted, None if at_end else text[stopped:end])


class TextParser:
    """Reads one or more sentences; implements Parser.

    Args:
        reader: what understands the sentences; the built-in patterns when it is left out.
    """

    name = "text"
    description = "Sentences in English or Chinese"
    suffixes = (".txt",)

    def __init__(self, reader: SentenceReader | None = None) -> None:
        self._reader = reader or PatternSentenceReader()

    def parse(self, text: str, *, source: Source) -> tuple[ActionPayload, ...]:
        """See Parser; raises FaultError."""
        if len(text) > MAX_CHARACTERS:
            wanted, got = expected("length", limit=MAX_CHARACTERS), found("characters", count=len(text))
            raise FaultError([unreadable(place_at(text, MAX_CHARACTERS), wanted, got)])
        try:
            actions = self._reader.read(text)
        except NotUnderstoodError as error:
            got = found_text(None) if error.got is None else found_at(text, error.offset)
            fault = unreadable(place_at(text, error.offset), error.expected, got)
            raise FaultError([fault]) from error
        if not actions:
            raise FaultError([unreadable(place_at(text, len(text)), _any_sentence(), found("end"))])
        if len(actions) > MAX_SENTENCES:
            place = place_at(text, actions[MAX_SENTENCES].offset)
            got = found("actions", count=MAX_SENTENCES + 1)
            raise FaultError([unreadable(place, expected("actions", limit=MAX_SENTENCES), got)])
        return tuple(make_payload(one.action, one.params, source=source) for one in actions)


def _any_sentence() -> Words:
    examples = sentence_grammar().examples
    return Words(expected("sentence", examples=examples.en).en, expected("sentence", examples=examples.zh).zh)


def sentence_spans(text: str, grammar: Grammar | None = None) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence, without the space and the signs around it."""
    grammar, folded = grammar or sentence_grammar(), fold(text)
    words = sorted(grammar.separators, key=len, reverse=True)
    pattern = "|".join(rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in words)
    separator = re.compile(rf"[\n;。!]|\.(?=\s|$)|,?\s*(?:{pattern})")
    start = 0
    for match in (*separator.finditer(folded), None):
        end = match.start() if match is not None else len(folded)
        piece = folded[start:end]
        first, last = end - len(piece.lstrip()), start + len(piece.rstrip())
        if first < last:
            yield first, last
        start = match.end() if match is not None else end
