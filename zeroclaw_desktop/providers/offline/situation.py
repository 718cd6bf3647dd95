"""The sentence's surroundings while it is being understood, and the results that end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zeroclaw_desktop.providers.offline.clauses import Clause
from zeroclaw_desktop.providers.offline.grammar import grammar
from zeroclaw_desktop.providers.offline.intents import unknown_words
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    DialogueState,
    Pending,
    PlannedCall,
    Understanding,
)


@dataclass(frozen=True)
class Situation:
    """What surrounds a sentence: the boards, what was said before, the language, and why it is read so."""

    boards: Sequence[BoardFacts]
    state: DialogueState
    language: str
    reasons: list[str] = field(default_factory=list)

    def text(self, key: str, **values: object) -> str:
        """A text of the grammar in the sentence's language."""
        return grammar().text(key, self.language, **values)

    def done(
        self,
        intent: str,
        *,
        calls: tuple[PlannedCall, ...] = (),
        say: str | None = None,
        question: str | None = None,
        state: DialogueState | None = None,
    ) -> Understanding:
        """The result; whatever was pending before is over unless ``state`` says otherwise."""
        following = replace(state or replace(self.state, pending=None), language=self.language)
        return Understanding(intent, calls, question, self.language, say, "; ".join(self.reasons), following)

    def ask(
        self, intent: str, question: str, pending: Pending, state: DialogueState | None = None
    ) -> Understanding:
        """A question that waits for its answer."""
        following = replace(state or self.state, pending=pending)
        return self.done(intent, question=question, state=following)


def unsupported(situation: Situation, clause: Clause) -> Understanding:
    """The honest answer to what is not understood."""
    words = " ".join(unknown_words(clause.tokens))
    situation.reasons.append(f"not understood: {words or 'no known request'}")
    return situation.done("unsupported", say=situation.text("talk_unsupported"))
