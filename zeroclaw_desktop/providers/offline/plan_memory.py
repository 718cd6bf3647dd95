"""'remember that …', 'what do you remember about …', 'forget that …': calls to the memory, nothing moves.

Only sentences that are such a wish from their first word on are taken; all others go to the grammar, and so
does one that also stops or moves something, so that no order is lost in it.
"""

from __future__ import annotations

import re

from zeroclaw_desktop.providers.offline.clauses import clauses_of
from zeroclaw_desktop.providers.offline.intents import best_rule, features_of
from zeroclaw_desktop.providers.offline.model import PlannedCall, Token

STORE, RECALL, FORGET = "memory_store", "memory_recall", "memory_forget"
_POLITE = r"(?:please[, ]+|can you |could you |请|麻烦)?"
_FORMS: tuple[tuple[str, str, str], ...] = (
    (STORE, "text", r"(?:remember|note|keep in mind) that (?P<topic>.+)"),
    (STORE, "text", r"(?:remember|note)\s*[:：]\s*(?P<topic>.+)"),
    (STORE, "text", r"(?:你要|帮我)?(?:记住|记一下|记着)[，,：:\s]*(?P<topic>.+)"),
    (RECALL, "question", r"what do you (?:know|remember) (?:about|of) (?P<topic>.+)"),
    (RECALL, "question", r"(?:do you remember|recall) (?P<topic>.+)"),
    (RECALL, "question", r"(?:你还?记得)(?P<topic>[^吗么]+?)的?(?:什么|事情|事)?(?:吗|么)?"),
    (RECALL, "question", r"(?:关于)(?P<topic>.+?)你?(?:知道|记得|记住了)(?:些|一些)?什么"),
    (FORGET, "text", r"forget (?:that|what i (?:said|told you) about) (?P<topic>.+)"),
    (FORGET, "text", r"(?:忘记|忘了|忘掉)[，,：:\s]*(?P<topic>.+)"),
)
_COMPILED = tuple(
    (tool, name, re.compile(_POLITE + form, re.IGNORECASE | re.DOTALL)) for tool, name, form in _FORMS
)
_KEPT_OUT = frozenset({"estop", "stop", "inject"})
SAYS = {STORE: "say_remember", RECALL: "say_recall", FORGET: "say_forget"}


def plan_memory(sentence: str, tokens: tuple[Token, ...]) -> PlannedCall | None:
    """The call to the memory that a sentence asks for; None when it is something else.

    Args:
        sentence: as it was written: what is remembered keeps its letters.
        tokens: of the same sentence.
    """
    found = _wish(" ".join(sentence.split()))
    if found is None or any(token.kind == "concept" and token.value in _KEPT_OUT for token in tokens):
        return None
    clauses = clauses_of(tokens)
    rules = [best_rule(features_of(clause.tokens))[0] for clause in clauses]
    if len(clauses) > 1 and any(rule is not None and rule.policy == "act" for rule in rules):
        return None
    return found


def _wish(sentence: str) -> PlannedCall | None:
    for tool, name, form in _COMPILED:
        found = form.fullmatch(sentence.rstrip(" ?.!？。！"))
        topic = found["topic"].strip(" ,，") if found is not None else ""
        if topic and any(character.isalnum() for character in topic):
            return PlannedCall(tool, {name: topic})
    return None
