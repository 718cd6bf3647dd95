"""From a sentence to calls, a question or an answer: the one entry of the offline assistant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroclaw_desktop.providers.offline.boards import NO_BOARD, named_boards, names_for
from zeroclaw_desktop.providers.offline.clauses import Clause, clauses_of
from zeroclaw_desktop.providers.offline.frame import Frame
from zeroclaw_desktop.providers.offline.grammar import IntentRule, grammar
from zeroclaw_desktop.providers.offline.intents import best_rule, features_of
from zeroclaw_desktop.providers.offline.lexer import tokenize
from zeroclaw_desktop.providers.offline.limits import MAX_SENTENCE
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    DialogueState,
    Pending,
    PlannedCall,
    Token,
    Understanding,
)
from zeroclaw_desktop.providers.offline.normalize import language_of, normalize
from zeroclaw_desktop.providers.offline.plan_firmware import asks_for_firmware, plan_firmware_request
from zeroclaw_desktop.providers.offline.plan_lookup import plan_lookup
from zeroclaw_desktop.providers.offline.plan_memory import SAYS, STORE, plan_memory
from zeroclaw_desktop.providers.offline.planning import PLANNERS, TEXT_OF, Plan
from zeroclaw_desktop.providers.offline.replies import answer_tokens
from zeroclaw_desktop.providers.offline.situation import Situation, unsupported

_BOARDLESS = frozenset({"device_list", "explain_last", "estop", "wait"})


def _prepared(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Make pins of plain numbers that can only be pins: 'blink the LED on 8', 'turn LED 5 on'."""
    features = features_of(tokens)
    acting = not features.isdisjoint({"blink", "flash", "breathe", "tone", "pwm"})
    states = not features.isdisjoint({"on", "off", "high", "low"})
    result = list(tokens)
    index = 0
    while index + 1 < len(result):
        first, second = result[index], result[index + 1]
        bare = second.kind == "number" and second.unit == "" and float(second.value) in range(100)
        if bare and acting and first.value == "on" and first.text == "on":
            result[index : index + 2] = [Token("pin", int(float(second.value)), "", second.text)]
        elif bare and states and not acting and first.value == "led" and first.kind == "concept":
            result[index + 1] = Token("pin", int(float(second.value)), "", second.text)
        index += 1
    return tuple(result)


def _stops_first(clauses: Sequence[Clause]) -> bool:
    """Whether the sentence begins with the emergency stop: then nothing that follows can weaken it."""
    for token in clauses[0].tokens if clauses else ():
        if token.value == "estop" and token.kind == "concept":
            return True
        if token.kind != "break" and token.value not in ("polite", "yes"):
            return False
    return False


def _merged_pulses(clauses: Sequence[Clause]) -> list[Clause]:
    """'on', wait 3 s, 'off' becomes 'on for 3 s'."""
    merged: list[Clause] = []
    for clause in clauses:
        last = merged[-1] if merged else None
        if last is not None and _turns(last, "on") and _turns(clause, "off") and not _differs(last, clause):
            seconds = [token for token in last.tokens if token.unit == "s"]
            if bool(seconds) != bool(clause.delay):
                extra = () if seconds else (Token("number", clause.delay, "s"),)
                merged[-1] = replace(last, tokens=last.tokens + extra)
                continue
        merged.append(clause)
    return merged


def _turns(clause: Clause, way: str) -> bool:
    rule, _ = best_rule(features_of(clause.tokens))
    return rule is not None and rule.name == "switch" and way in features_of(clause.tokens)


def _differs(first: Clause, second: Clause) -> bool:
    """Whether the second clause names another thing than the first."""
    named = [(t.kind, t.value) for t in second.tokens if t.kind in ("pin", "alias", "analog")]
    return any(target not in [(t.kind, t.value) for t in first.tokens] for target in named)


def _chosen_boards(situation: Situation, tokens: tuple[Token, ...]) -> list[BoardFacts] | None:
    """The boards that the sentence is for; None when it must be asked (several, or one that is not there)."""
    boards = situation.boards
    named = named_boards(tokens, boards)
    if named is None:
        if len(boards) == 1:
            return [boards[0]]
        return [board for board in boards if board.board_id == situation.state.board_id] or None
    if len(named) > 1 and any(token.value == "all_boards" for token in tokens):
        return named
    if len(named) > 1:
        return [board for board in named if board.board_id == situation.state.board_id] or None
    return named or None


def _whole_answer(
    situation: Situation, clauses: Sequence[Clause], rules: Sequence[IntentRule | None]
) -> Understanding | None:
    """The answer when one clause decides over the whole sentence (a stop, a condition, a negation ...)."""
    deciding = [
        (best_rule(features_of(c.tokens))[1], c, r)
        for c, r in zip(clauses, rules, strict=True)
        if r and r.policy == "whole"
    ]
    if not deciding:
        return None
    _, clause, rule = max(deciding, key=lambda row: row[0])
    if _stops_first(clauses):
        clause = clauses[0]
        rule = next(r for r in grammar().intents if r.name == "estop")
    situation.reasons.append(f"'{rule.name}' decides over the whole sentence")
    if rule.name in TEXT_OF:
        return situation.done(rule.name, say=situation.text(TEXT_OF[rule.name]))
    board = situation.boards[0] if situation.boards else NO_BOARD
    step = PLANNERS[rule.name](Frame(clause.tokens, board, situation.state, situation.language))
    if rule.name != "estop":
        return situation.done(rule.name, say=step.say)
    say = situation.text("say_estop_only") if len(clauses) > 1 else step.say
    state = replace(situation.state, pending=None, calls=step.calls, intent="estop", clauses=())
    return situation.done("estop", calls=step.calls, say=say, state=state)


def _planned(situation: Situation, tokens: tuple[Token, ...], clauses: Sequence[Clause]) -> Understanding:
    """Decide on the board and plan the clauses for it."""
    if not clauses:
        return unsupported(situation, Clause(tokens))
    rules = [best_rule(features_of(clause.tokens))[0] for clause in clauses]
    whole = _whole_answer(situation, clauses, rules)
    if whole is not None:
        return whole
    needs = [
        r for r in rules if r is not None and r.policy in ("act", "read", "name") and r.name not in _BOARDLESS
    ]
    if not needs:
        return Plan(situation, situation.boards[0] if situation.boards else NO_BOARD, clauses).run()
    if any(rule is None and clause.tokens for rule, clause in zip(rules, clauses, strict=True)):
        return unsupported(situation, next(c for r, c in zip(rules, clauses, strict=True) if r is None))
    rows = tuple(clause.tokens for clause in clauses)
    intent = needs[0].name
    pending = Pending("board", rows, 0, (), intent)
    if not situation.boards:
        situation.reasons.append("no board is connected")
        return situation.ask(intent, situation.text("ask_no_board"), pending)
    chosen = _chosen_boards(situation, tokens)
    if chosen is None:
        return _ask_board(situation, tokens, pending)
    results = [Plan(situation, board, _merged_pulses(clauses)).run() for board in chosen]
    return results[0] if len(results) == 1 else _together(results)


def _ask_board(situation: Situation, tokens: tuple[Token, ...], pending: Pending) -> Understanding:
    boards = situation.text("list_join").join(board.board_name for board in situation.boards)
    unknown = named_boards(tokens, situation.boards) == []
    key = "ask_board_unknown" if unknown else "ask_board"
    rows = tuple(
        tuple(t for t in row if t.value not in ("board_type", "simulator") and t.kind != "board")
        for row in pending.clauses
    )
    return situation.ask(pending.intent, situation.text(key, boards=boards), replace(pending, clauses=rows))


def _together(results: Sequence[Understanding]) -> Understanding:
    """The same request for several boards: all calls, or the first question."""
    asking = next((result for result in results if result.question), None)
    if asking is not None:
        return asking
    calls = tuple(call for result in results for call in result.calls)
    return replace(results[0], calls=calls, state=replace(results[-1].state, calls=calls))


def _reply(situation: Situation, tokens: tuple[Token, ...]) -> Understanding | None:
    """The result when the sentence answers the open question, else None."""
    pending = situation.state.pending
    if pending is None:
        return None
    features = features_of(tokens)
    if features and features <= {"no", "cancel", "polite", "thanks", "not"}:
        situation.reasons.append("the question was declined")
        return situation.done("cancel", say=situation.text("talk_cancel"))
    agreed = bool(features) and features <= {"yes", "polite", "thanks", "it", "again"}
    if pending.slot == "confirm":
        return _confirmed(situation, pending) if agreed else None
    if pending.slot == "board" and situation.boards and agreed:
        return _planned(
            replace(situation, state=replace(situation.state, pending=None)), (), _clauses(pending.clauses)
        )
    answers = answer_tokens(pending.slot, tokens)
    if not answers:
        return None
    situation.reasons.append(f"answer for '{pending.slot}'")
    rows = list(pending.clauses)
    rows[pending.index] = rows[pending.index] + answers
    state = replace(situation.state, pending=None)
    pins = [token for token in answers if token.kind == "pin"]
    if pending.name and pins:
        state = replace(state, names=(*state.names, (pending.name, int(pins[0].value))))
    board_tokens = answers if pending.slot == "board" else ()
    return _planned(replace(situation, state=state), board_tokens, _clauses(rows))


def _confirmed(situation: Situation, pending: Pending) -> Understanding:
    situation.reasons.append("the question was answered with yes")
    state = replace(
        situation.state, pending=None, calls=pending.calls, clauses=pending.clauses, intent=pending.intent
    )
    return situation.done(pending.intent, calls=pending.calls, state=state)


def _remembered(situation: Situation, tokens: tuple[Token, ...], call: PlannedCall) -> Understanding:
    """A call to the memory; 'remember that the fan is on pin 5' names the pin in this conversation too."""
    if call.name == STORE and situation.boards:
        rule, _ = best_rule(features_of(tokens))
        named = _planned(situation, tokens, clauses_of(tokens)) if rule and rule.name == "name_pin" else None
        if named is not None and named.question is None and not named.calls:
            return replace(named, calls=(call,))
    return situation.done("memory", calls=(call,), say=situation.text(SAYS[call.name]))


def _clauses(rows: Sequence[tuple[Token, ...]]) -> list[Clause]:
    return [Clause(row) for row in rows]


def understand(
    sentence: str, *, boards: Sequence[BoardFacts], state: DialogueState | None = None
) -> Understanding:
    """Understand one sentence, in English or Chinese. Pure and deterministic; never raises for a text.

    Args:
        sentence: what the person wrote.
        boards: the connected boards, possibly none.
        state: the ``state`` of the understanding before; None at the start of a conversation.
    """
    state = state or DialogueState()
    text = normalize(sentence)
    lettered = any(char.isalpha() for char in text)
    language = language_of(sentence) if lettered or not state.language else state.language
    situation = Situation(boards, state, language)
    if not any(char.isalnum() for char in text):
        return situation.done("empty", say=situation.text("talk_empty"), state=state)
    if len(text) > MAX_SENTENCE:
        return situation.done("too_long", say=situation.text("talk_too_long", length=len(text)))
    tokens = tokenize(text, names_for(boards, state))
    if len(boards) > 1:
        chosen = _chosen_boards(situation, tokens)
        tokens = tokenize(text, names_for(boards, state, chosen[0])) if chosen else tokens
    if asks_for_firmware(text) and state.pending is None:
        return plan_firmware_request(situation, sentence, _chosen_boards(situation, tokens))
    tokens = _prepared(tokens)
    lookup = plan_lookup(text, tokens, boards)
    if lookup is not None:
        return situation.done("datasheet", calls=(lookup,), say=situation.text("say_datasheet"))
    remembering = plan_memory(sentence, tokens)
    if remembering is not None:
        return _remembered(situation, tokens, remembering)
    typos = [token.text for token in tokens if token.unit == "typo"]
    if typos:
        situation.reasons.append(f"read as slips of the pen: {', '.join(typos)}")
    return _reply(situation, tokens) or _planned(situation, tokens, clauses_of(tokens))
