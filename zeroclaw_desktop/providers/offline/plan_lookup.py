"""'what do the data sheets say about the fan?': looks into the person's data sheets and moves nothing.

Only sentences that are such a question from their first word on are taken; all others go to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroclaw_desktop.providers.offline.clauses import clauses_of
from zeroclaw_desktop.providers.offline.intents import best_rule, features_of
from zeroclaw_desktop.providers.offline.model import BoardFacts, PlannedCall, Token

TOOL = "datasheet_search"
_SHEETS = r"(?:the |my |your )?data ?sheets?"
_FORMS = (
    rf"what (?:do|does) {_SHEETS} (?:say|tell|know)(?: me)?(?: about| on| of)? (?P<topic>.+)",
    rf"(?:search|look in|look into|check|ask) {_SHEETS} (?:for|about|on) (?P<topic>.+)",
    rf"(?:search for|search|look up|look for|find) (?P<topic>.+?) in {_SHEETS}",
    r"(?:查一下|查查|查找|查询|查|搜索|搜)数据手册(?:里|中|上)?的?(?:关于)?(?P<topic>.+)",
    r"在?数据手册(?:里|中|上)(?:查一下|查查|查找|查询|查|搜索|搜|找)(?P<topic>.+)",
    r"数据手册(?:里|中|上)?(?:对|关于)?(?P<topic>.+?)(?:是怎么说的|怎么说的|怎么说|怎么写的|怎么写)",
)
_FORM = tuple(re.compile(rf"(?:please |can you |could you |请)?{form}") for form in _FORMS)
_STOPS = frozenset({"estop", "stop"})


def looked_up(text: str) -> str:
    """What a normalised sentence wants to know from the data sheets; '' when it is no such question."""
    for form in _FORM:
        found = form.fullmatch(text.rstrip(" ?.!"))
        if found is not None:
            return found["topic"].strip(" ,")
    return ""


def plan_lookup(text: str, tokens: tuple[Token, ...], boards: Sequence[BoardFacts]) -> PlannedCall | None:
    """The call that answers a question to the data sheets; None when the sentence is something else.

    A sentence that also stops or moves something is left to the grammar, so that no order is lost in it.
    """
    topic = looked_up(text)
    if not topic or any(token.kind == "concept" and token.value in _STOPS for token in tokens):
        return None
    clauses = clauses_of(tokens)
    rules = [best_rule(features_of(clause.tokens))[0] for clause in clauses]
    if len(clauses) > 1 and any(rule is not None and rule.policy == "act" for rule in rules):
        return None
    arguments: dict[str, object] = {"question": topic}
    if len(boards) == 1:
        arguments["board_type"] = boards[0].board_type
    return PlannedCall(TOOL, arguments)
