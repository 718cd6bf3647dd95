"""From a sentence to calls, a question or an answer: the one entry of the offline assistant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from zeroclaw_desktop.providers.offline import plan_motion, plan_outputs, plan_reading, plan_talk
from zeroclaw_desktop.providers.offline.boards import NO_BOARD, named_boards, names_for
from zeroclaw_desktop.providers.offline.clauses import Clause, clauses_of
from zeroclaw_desktop.providers.offline.frame import Frame, Step, plain
from zeroclaw_desktop.providers.offline.grammar import IntentRule, grammar
from zeroclaw_desktop.providers.offline.intents import best_rule, features_of, unknown_words
from zeroclaw_desktop.providers.offline.lexer import tokenize
from zeroclaw_desktop.providers.offline.limits import MAX_CALLS, MAX_SENTENCE
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    DialogueState,
    Pending,
    PlannedCall,
    Token,
    Understanding,
)
from zeroclaw_desktop.providers.offline.normalize import language_of, normalize
from zeroclaw_desktop.providers.offline.replies import answer_tokens

_PLANNERS: dict[str, Callable[[Frame], Step]] = {
    "switch": plan_outputs.plan_switch,
    "blink": plan_outputs.plan_blink,
    "breathe": plan_outputs.plan_breathe,
    "pwm": plan_outputs.plan_pwm,
    "tone": plan_outputs.plan_tone,
    "pin_mode": plan_outputs.plan_mode,
    "toggle": plan_outputs.plan_toggle,
    "servo_move": plan_motion.plan_servo,
    "stop": plan_motion.plan_stop,
    "estop": plan_motion.emergency_stop,
    "tweak": plan_motion.plan_tweak,
    "again": plan_motion.plan_again,
    "undo": plan_motion.plan_undo,
    "read_analog": plan_reading.plan_read_analog,
    "read_sensor": plan_reading.plan_read_sensor,
    "read_state": plan_reading.plan_read_state,
    "plot": plan_reading.plan_plot,
    "device_list": plan_reading.plan_list,
    "board_info": plan_reading.plan_info,
    "board_reset": plan_reading.plan_reset,
    "explain_last": plan_reading.plan_explain,
    "flash_firmware": plan_reading.plan_flash,
    "meaning": plan_talk.plan_meaning,
    "howto": plan_talk.plan_howto,
    "hypothetical": plan_talk.plan_hypothetical,
    "name_pin": plan_talk.plan_name,
    "flash_unclear": plan_talk.plan_flash_unclear,
    "wait": plan_talk.plan_wait,
    "device_only": plan_talk.plan_device_only,
}
_TEXT_OF = {  # intents that are answered by one fixed text
    "refused": "talk_refused", "negated": "talk_negated", "release": "talk_release",
    "automation": "talk_automation", "statement": "talk_statement", "quoted": "talk_quoted",
    "all_pins": "talk_all_pins", "greeting": "talk_greeting", "thanks": "talk_thanks", "bye": "talk_bye",
    "help": "talk_help", "cancel": "talk_cancel", "yes": "talk_yes",
}  # fmt: skip
_BOARDLESS = frozenset({"device_list", "explain_last", "estop", "wait"})
_ONCE = frozenset(
    {"tone", "servo_move", "breathe", "pwm", "pin_mode", "read_analog", "read_sensor", "read_state"}
)  # intents whose commands have no count
_READS = frozenset({"digital_read", "analog_read", "plot_series", "device_list", "board_info"})
_MAX_UNKNOWN = 3


@dataclass(frozen=True)
class _Situation:
    """The sentence's surroundings while it is being understood."""

    boards: Sequence[BoardFacts]
    state: DialogueState
    language: str
    reasons: list[str] = field(default_factory=list)

    def text(self, key: str, **values: object) -> str:
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


def _prepared(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Make pins of plain numbers that can only be pins: 'blink the LED on 8', 'turn LED 5 on'."""
    features = features_of(tokens)
    acting = not features.isdisjoint({"blink", "flash", "breathe", "tone", "pwm"})
    states = not features.isdisjoint({"on", "off", "high", "low"})
    result = list(tokens)
    index = 0
    while index + 1 < len(result):
        first, second = result[index], result[index + 1]
        bare = second.kind == "number" and second.unit == "" and 0 <= float(second.value) < 100
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


def _chosen_boards(situation: _Situation, tokens: tuple[Token, ...]) -> list[BoardFacts] | None:
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


def _addressed(
    calls: tuple[PlannedCall, ...], board: BoardFacts, boards: Sequence[BoardFacts]
) -> tuple[PlannedCall, ...]:
    """Add ``device_id`` where several boards are connected."""
    if len(boards) < 2:
        return calls
    everywhere = ("device_list", "explain_last", "motor_emergency_stop")
    return tuple(
        call
        if call.name in everywhere
        else PlannedCall(call.name, {**call.arguments, "device_id": board.board_id})
        for call in calls
    )


def _repeated(frame: Frame, rule: IntentRule, step: Step) -> Step:
    """A count that the planner has no use for: readings are taken so often, other things are asked about."""
    count = frame.number("times") or 1.0
    if rule.name not in _ONCE or not step.calls or count <= 1:
        return step
    if rule.policy == "read" and count == int(count) and count <= MAX_CALLS:
        return replace(step, calls=step.calls * int(count))
    question = frame.text("ask_once", plan=step.say)
    return Step(question=question, slot="confirm", release=step.calls, target=step.target, angle=step.angle)


def _after(state: DialogueState, step: Step, intent: str, clause: Clause) -> DialogueState:
    """The dialogue state after one step."""
    reads = all(call.name in _READS for call in step.calls)
    return replace(
        state,
        intent=intent,
        calls=step.calls or state.calls,
        target=step.target or state.target,
        output=step.target if step.target and not reads else state.output,
        angle=state.angle if step.angle is None else step.angle,
        names=tuple({**dict(state.names), **dict(step.names)}.items()),
    )


def _whole_answer(
    situation: _Situation, clauses: Sequence[Clause], rules: Sequence[IntentRule | None]
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
    if rule.name in _TEXT_OF:
        return situation.done(rule.name, say=situation.text(_TEXT_OF[rule.name]))
    board = situation.boards[0] if situation.boards else NO_BOARD
    step = _PLANNERS[rule.name](Frame(clause.tokens, board, situation.state, situation.language))
    if rule.name != "estop":
        return situation.done(rule.name, say=step.say)
    say = situation.text("say_estop_only") if len(clauses) > 1 else step.say
    state = replace(situation.state, pending=None, calls=step.calls, intent="estop", clauses=())
    return situation.done("estop", calls=step.calls, say=say, state=state)


class _Plan:
    """Plans the clauses of one sentence for one board."""

    def __init__(self, situation: _Situation, board: BoardFacts, clauses: Sequence[Clause]) -> None:
        self.situation = situation
        self.board = board
        self.clauses = list(clauses)
        self.state = replace(situation.state, pending=None)
        self.calls: list[PlannedCall] = []
        self.says: list[str] = []
        self.intents: list[str] = []
        self.unknown: list[str] = []
        self.asks = False

    def run(self) -> Understanding:
        for index in range(len(self.clauses)):
            ended = self._clause(index)
            if ended is not None:
                return ended
        return self._finish()

    def _clause(self, index: int) -> Understanding | None:
        clause = self._expanded(index)
        rule, score = best_rule(features_of(clause.tokens))
        if rule is None:
            if not clause.tokens:
                return None
            return _unsupported(self.situation, clause)
        self.situation.reasons.append(f"{rule.name} ({score:g})")
        self.intents.append(rule.name)
        if rule.name in _TEXT_OF:
            return self._talk(rule, clause)
        acts = rule.policy == "act"
        frame = Frame(clause.tokens, self.board, self.state, self.situation.language, acts)
        unknown = unknown_words(clause.tokens) if rule.name not in ("flash_firmware", "name_pin") else ()
        if len(unknown) > rule.strays and len(unknown) > _MAX_UNKNOWN:
            return _unsupported(self.situation, clause)
        step = _repeated(frame, rule, _PLANNERS[rule.name](frame))
        if step.question:
            return self._ask(index, step, unknown)
        if len(unknown) > rule.strays:
            self.unknown.extend(unknown)
        self.asks = self.asks or (
            rule.policy == "act" and frame.has("#asked", "ma") and not frame.has("polite")
        )
        self.calls.extend(step.calls)
        self.says.append(step.say)
        self.state = _after(self.state, step, rule.name, clause)
        return None

    def _expanded(self, index: int) -> Clause:
        """'again 5 times' becomes the last clause with five in the place of its number."""
        clause = self.clauses[index]
        rule, _ = best_rule(features_of(clause.tokens))
        changes = [
            t
            for t in clause.tokens
            if t.kind in ("number", "pin", "alias", "analog") or t.value in ("fast", "slow")
        ]
        if rule is None or rule.name != "again" or not changes or not self.situation.state.clauses:
            return clause
        units = {token.unit for token in changes if token.kind == "number"}
        moved = any(token.kind in ("pin", "alias", "analog") for token in changes)
        kept = [
            token
            for token in self.situation.state.clauses[-1]
            if not (token.kind == "number" and token.unit in units)
            and not (moved and token.kind in ("pin", "alias", "analog"))
        ]
        self.clauses[index] = replace(clause, tokens=(*kept, *changes))
        return self.clauses[index]

    def _talk(self, rule: IntentRule, clause: Clause) -> Understanding | None:
        if len(unknown_words(clause.tokens)) > rule.strays:
            return _unsupported(self.situation, clause)
        if len(self.clauses) == 1 or rule.name not in ("greeting", "thanks", "bye", "yes", "cancel"):
            self.says.append(self.situation.text(_TEXT_OF[rule.name]))
        return None

    def _ask(self, index: int, step: Step, unknown: tuple[str, ...]) -> Understanding:
        situation = self.situation
        if unknown:
            words = " ".join(unknown)
            return situation.done("+".join(self.intents), question=situation.text("ask_words", words=words))
        rows = [clause.tokens for clause in self.clauses]
        if step.keep is not None:
            rows[index] = step.keep
        calls = _addressed(step.release, self.board, situation.boards)
        pending = Pending(step.slot, tuple(rows), index, calls, self.intents[-1], step.name)
        state = replace(self.state, board_id=self.board.board_id, calls=situation.state.calls)
        return situation.ask("+".join(self.intents), step.question, pending, state)

    def _finish(self) -> Understanding:
        situation = self.situation
        intent = "+".join(dict.fromkeys(self.intents)) or "unsupported"
        say = ("" if situation.language == "zh" else " ").join(filter(None, self.says)) or None
        if len(self.calls) > MAX_CALLS:
            return situation.done(intent, question=situation.text("ask_too_many", limit=MAX_CALLS))
        if not self.calls and say is None:
            if any(clause.delay for clause in self.clauses):
                return situation.done("wait", say=situation.text("talk_wait"))
            return _unsupported(situation, self.clauses[0])
        calls = _addressed(tuple(self.calls), self.board, situation.boards)
        state = replace(self.state, board_id=self.board.board_id)
        question = self._objection(say or "")
        if question and calls:
            pending = Pending("confirm", tuple(c.tokens for c in self.clauses), 0, calls, intent)
            return situation.ask(intent, question, pending, replace(state, calls=situation.state.calls))
        if calls:
            rows = tuple(c.tokens for c in self.clauses)
            repeats = self.intents[-1] in ("again", "tweak", "undo")
            state = replace(state, calls=calls, clauses=situation.state.clauses if repeats else rows)
        return situation.done(intent, calls=calls, say=say, state=state)

    def _objection(self, plan: str) -> str | None:
        """Why the calls are not made at once: unknown words, a wait, or a question mark."""
        delay = sum(clause.delay for clause in self.clauses)
        if self.unknown:
            words = " ".join(self.unknown)
            return self.situation.text("ask_confirm_words", words=words, plan=plan)
        if delay:
            return self.situation.text("ask_wait", seconds=plain(delay))
        return self.situation.text("ask_confirm", plan=plan) if self.asks else None


def _unsupported(situation: _Situation, clause: Clause) -> Understanding:
    words = " ".join(unknown_words(clause.tokens))
    situation.reasons.append(f"not understood: {words or 'no known request'}")
    return situation.done("unsupported", say=situation.text("talk_unsupported"))


def _planned(situation: _Situation, tokens: tuple[Token, ...], clauses: Sequence[Clause]) -> Understanding:
    """Decide on the board and plan the clauses for it."""
    if not clauses:
        return _unsupported(situation, Clause(tokens))
    rules = [best_rule(features_of(clause.tokens))[0] for clause in clauses]
    whole = _whole_answer(situation, clauses, rules)
    if whole is not None:
        return whole
    needs = [
        r for r in rules if r is not None and r.policy in ("act", "read", "name") and r.name not in _BOARDLESS
    ]
    if not needs:
        return _Plan(situation, situation.boards[0] if situation.boards else NO_BOARD, clauses).run()
    if any(rule is None and clause.tokens for rule, clause in zip(rules, clauses, strict=True)):
        return _unsupported(situation, next(c for r, c in zip(rules, clauses, strict=True) if r is None))
    rows = tuple(clause.tokens for clause in clauses)
    intent = needs[0].name
    pending = Pending("board", rows, 0, (), intent)
    if not situation.boards:
        situation.reasons.append("no board is connected")
        return situation.ask(intent, situation.text("ask_no_board"), pending)
    chosen = _chosen_boards(situation, tokens)
    if chosen is None:
        return _ask_board(situation, tokens, pending)
    results = [_Plan(situation, board, _merged_pulses(clauses)).run() for board in chosen]
    return results[0] if len(results) == 1 else _together(results)


def _ask_board(situation: _Situation, tokens: tuple[Token, ...], pending: Pending) -> Understanding:
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


def _reply(situation: _Situation, tokens: tuple[Token, ...]) -> Understanding | None:
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


def _confirmed(situation: _Situation, pending: Pending) -> Understanding:
    situation.reasons.append("the question was answered with yes")
    state = replace(
        situation.state, pending=None, calls=pending.calls, clauses=pending.clauses, intent=pending.intent
    )
    return situation.done(pending.intent, calls=pending.calls, state=state)


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
    situation = _Situation(boards, state, language)
    if not any(char.isalnum() for char in text):
        return situation.done("empty", say=situation.text("talk_empty"), state=state)
    if len(text) > MAX_SENTENCE:
        return situation.done("too_long", say=situation.text("talk_too_long", length=len(text)))
    tokens = tokenize(text, names_for(boards, state))
    if len(boards) > 1:
        chosen = _chosen_boards(situation, tokens)
        tokens = tokenize(text, names_for(boards, state, chosen[0])) if chosen else tokens
    tokens = _prepared(tokens)
    typos = [token.text for token in tokens if token.unit == "typo"]
    if typos:
        situation.reasons.append(f"read as slips of the pen: {', '.join(typos)}")
    return _reply(situation, tokens) or _planned(situation, tokens, clauses_of(tokens))
