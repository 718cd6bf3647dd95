"""Plans the clauses of a sentence for one board: each clause by its intent's planner, then the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from zeroclaw_desktop.providers.offline import plan_motion, plan_outputs, plan_reading, plan_talk
from zeroclaw_desktop.providers.offline.clauses import Clause
from zeroclaw_desktop.providers.offline.frame import Frame, Step, plain
from zeroclaw_desktop.providers.offline.grammar import IntentRule
from zeroclaw_desktop.providers.offline.intents import best_rule, features_of, unknown_words
from zeroclaw_desktop.providers.offline.limits import MAX_CALLS
from zeroclaw_desktop.providers.offline.model import (
    BoardFacts,
    DialogueState,
    Pending,
    PlannedCall,
    Understanding,
)
from zeroclaw_desktop.providers.offline.situation import Situation, unsupported

PLANNERS: dict[str, Callable[[Frame], Step]] = {
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
TEXT_OF = {  # intents that are answered by one fixed text
    "refused": "talk_refused", "negated": "talk_negated", "release": "talk_release",
    "automation": "talk_automation", "statement": "talk_statement", "quoted": "talk_quoted",
    "all_pins": "talk_all_pins", "greeting": "talk_greeting", "thanks": "talk_thanks", "bye": "talk_bye",
    "help": "talk_help", "cancel": "talk_cancel", "yes": "talk_yes",
}  # fmt: skip
_ONCE = frozenset(
    {"tone", "servo_move", "breathe", "pwm", "pin_mode", "read_analog", "read_sensor", "read_state"}
)  # intents whose commands have no count
_READS = frozenset({"digital_read", "analog_read", "plot_series", "device_list", "board_info"})
_MAX_UNKNOWN = 3


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


class Plan:
    """Plans the clauses of one sentence for one board."""

    def __init__(self, situation: Situation, board: BoardFacts, clauses: Sequence[Clause]) -> None:
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
        """Plan all clauses; a clause that must be asked about ends the plan."""
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
            return unsupported(self.situation, clause)
        self.situation.reasons.append(f"{rule.name} ({score:g})")
        self.intents.append(rule.name)
        if rule.name in TEXT_OF:
            return self._talk(rule, clause)
        acts = rule.policy == "act"
        frame = Frame(clause.tokens, self.board, self.state, self.situation.language, acts)
        unknown = unknown_words(clause.tokens) if rule.name not in ("flash_firmware", "name_pin") else ()
        if len(unknown) > rule.strays and len(unknown) > _MAX_UNKNOWN:
            return unsupported(self.situation, clause)
        step = _repeated(frame, rule, PLANNERS[rule.name](frame))
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
            return unsupported(self.situation, clause)
        if len(self.clauses) == 1 or rule.name not in ("greeting", "thanks", "bye", "yes", "cancel"):
            self.says.append(self.situation.text(TEXT_OF[rule.name]))
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
            return unsupported(situation, self.clauses[0])
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
