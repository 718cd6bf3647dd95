"""Sentences of ``exec`` and ``explain``: the execution layer's own reader, then the assistant's grammar.

The execution layer knows of no provider, so what joins the two stands here, where everything is put together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from zeroclaw_desktop.execution.parsers.errors import NotUnderstoodError
from zeroclaw_desktop.execution.parsers.protocol import SentenceAction, SentenceReader
from zeroclaw_desktop.execution.parsers.sentence_grammar import fold, sentence_grammar
from zeroclaw_desktop.execution.parsers.text import PatternSentenceReader, sentence_spans
from zeroclaw_desktop.providers.offline import BoardFacts, DialogueState, understand
from zeroclaw_desktop.runtime.board_facts import facts_of
from zeroclaw_desktop.runtime.paper_board import DEFAULT_BOARD, SIMULATED_ID, paper_board
from zeroclaw_desktop.runtime.simulators import named_simulator

NO_COMMANDS = frozenset(
    {"explain_last", "datasheet_search", "memory_store", "memory_recall", "memory_forget"}
)
"""Tools of the assistant that are no commands of the execution layer."""
_HAN_NUMERAL = re.compile("(?<![0-9])(?:[零〇一二两三四五六七八九十百千]{2,}|[百千])")
_ODD_NUMBER = re.compile(r"[0-9],[0-9]|(?<![0-9a-z.])0x[0-9a-f]|_[0-9]|[0-9]_")


class AssistantSentenceReader:
    """Understands what the patterns understand, and what the assistant turns into calls without a question.

    The patterns come first: they are word for word, and their faults say what was expected where. Nobody is
    there to answer, so the assistant has the stricter rules of a command line: what it would ask back about
    is not understood, nor a number that can be taken in two ways, nor an order with a question mark.
    Implements SentenceReader.

    Args:
        board: what is known of the board that the sentences are for.
    """

    def __init__(self, board: BoardFacts, patterns: SentenceReader | None = None) -> None:
        self._board = board
        self._patterns = patterns or PatternSentenceReader()

    def read(self, text: str) -> tuple[SentenceAction, ...]:
        """See SentenceReader; raises NotUnderstoodError."""
        try:
            return tuple(self._patterns.read(text))
        except NotUnderstoodError:
            if has_doubtful_number(text):
                raise
        whole, _ = self._assistant(text, 0, None)
        return whole or self._one_by_one(text)

    def _one_by_one(self, text: str) -> tuple[SentenceAction, ...]:
        """Each sentence by itself; a later one may speak of what an earlier one was about."""
        actions: list[SentenceAction] = []
        state: DialogueState | None = None
        for start, end in sentence_spans(text):
            understood, state = self._assistant(text[start:end], start, state)
            actions += understood or self._by_patterns(text, start, end)
        return tuple(actions)

    def _by_patterns(self, text: str, start: int, end: int) -> Sequence[SentenceAction]:
        """One sentence in its place, so that a fault tells where in the whole text it is."""
        before = "".join(sign if sign == "\n" else " " for sign in text[:start])
        return self._patterns.read(before + text[start:end])

    def _assistant(
        self, text: str, offset: int, state: DialogueState | None
    ) -> tuple[tuple[SentenceAction, ...], DialogueState | None]:
        """The actions of a text and what was spoken of; no actions when it asks, talks or means a tool."""
        understood = understand(text, boards=[self._board], state=state)
        is_tool = any(call.name in NO_COMMANDS for call in understood.calls)
        if understood.question or is_tool or self._is_questioned_order(text):
            return (), state
        actions = tuple(SentenceAction(call.name, call.arguments, offset) for call in understood.calls)
        return actions, understood.state if actions else state

    def _is_questioned_order(self, text: str) -> bool:
        """Whether only its question mark keeps a text from being an order: 'turn on the led?'."""
        order = fold(text).rstrip(" ?")
        if order == fold(text).rstrip():
            return False
        try:
            return bool(self._patterns.read(order))
        except NotUnderstoodError:
            return False


def sentence_reader(board: str = "") -> AssistantSentenceReader:
    """The reader of sentences for a board by the name that was typed: the simulated one, or a port."""
    simulated = named_simulator(board)
    if simulated is None:
        kind = DEFAULT_BOARD
    else:
        kind = SIMULATED_ID if simulated[0] == SIMULATED_ID else simulated[1].key
    return AssistantSentenceReader(facts_of(paper_board(kind)))


def has_doubtful_number(text: str) -> bool:
    """Whether a text has a number that is not written as numbers of commands must be.

    That are digits and signs of other scripts (10², ½, ٩٠), 90,5 and 0x10, and Chinese numerals that are not
    written the standard way (一百二 may be 102 or 120).
    """
    folded = fold(text)
    if _ODD_NUMBER.search(folded):
        return True
    if any(sign > "\x7f" and unicodedata.category(sign) in ("Nd", "Nl", "No") for sign in folded):
        return True
    numerals = sentence_grammar().numerals
    for run in _HAN_NUMERAL.finditer(folded.replace("百分之", "   ")):
        read = numerals.read_chinese(run.group(), 0)
        if read is None or read[0] != len(run.group()):
            return True
    return False
