"""Splits the tokens of a sentence into clauses, one for each thing to do, with the waits between them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zeroclaw_desktop.providers.offline.intents import DEVICE_NOUNS, best_rule, features_of
from zeroclaw_desktop.providers.offline.model import Token

_WEAK = frozenset({"wait", "yes", "cancel", "greeting", "thanks", "bye", "device_only"})
_SOCIAL = frozenset({"yes", "cancel", "greeting", "thanks", "bye"})
_PARAMETERS = frozenset({
    "every", "for", "from", "to", "by", "more", "less", "fast", "slow", "speed", "briefly", "few", "forever",
    "inside", "per", "turn", "set", "polite", "prep_on", "again", "maximum", "minimum", "duty", "take",
})  # fmt: skip
_SINGLE = frozenset(
    {
        "switch",
        "blink",
        "breathe",
        "pwm",
        "pin_mode",
        "read_analog",
        "read_state",
        "read_sensor",
        "tone",
        "toggle",
    }
)  # intents that are about one pin
_TARGETS = ("pin", "analog", "alias")


@dataclass(frozen=True)
class Clause:
    """A part of the sentence that asks for one thing.

    Args:
        tokens: its tokens without joining words.
        joiner: what led to it: 'start', 'and', 'then', 'comma', 'stop', 'newline'.
        delay: seconds that the sentence wants to wait before it.
    """

    tokens: tuple[Token, ...]
    joiner: str = "start"
    delay: float = 0.0


def _mark_delays(tokens: tuple[Token, ...]) -> list[Token]:
    """Turn 'wait 3 seconds', 'after 3 seconds', 'in 3 seconds' and '3秒后' into one delay token."""
    marked: list[Token] = []
    index = 0
    while index < len(tokens):
        token, rest = tokens[index], tokens[index + 1 :]
        if token.kind == "concept" and token.value in ("wait", "after"):
            skip = 1 if rest and rest[0].value == "for" else 0
            if len(rest) > skip and rest[skip].unit == "s":
                marked.append(Token("delay", rest[skip].value, "s", token.text))
                index += 2 + skip
                if index < len(tokens) and tokens[index].value == "after":
                    index += 1
                continue
        if token.unit == "s" and rest and rest[0].value == "after" and rest[0].text != "in":
            marked.append(Token("delay", token.value, "s", token.text))
            index += 2
            continue
        if token.value == "after" and token.kind == "concept":
            token = _lone_after(token)
        if token is not None:
            marked.append(token)
        index += 1
    return marked


def _lone_after(token: Token) -> Token:
    """'after' without a time: '后' joins two steps, English 'in' says nothing, 'after' is not understood."""
    if token.text == "in":
        return Token("concept", "inside", "", token.text)
    if token.text.isascii():
        return Token("word", token.text, "", token.text)
    return Token("concept", "then", "", token.text)


def split(tokens: tuple[Token, ...]) -> tuple[Clause, ...]:
    """Cut at joining words, punctuation and waits; empty parts vanish."""
    clauses: list[Clause] = []
    part: list[Token] = []
    joiner, delay = "start", 0.0

    def close(next_joiner: str) -> None:
        nonlocal joiner, delay
        if part:
            clauses.append(Clause(tuple(part), joiner, delay))
            part.clear()
            joiner, delay = next_joiner, 0.0
        elif next_joiner != "comma" or joiner == "start":
            joiner = next_joiner if clauses else joiner

    for token in _mark_delays(tokens):
        if token.kind == "concept" and token.value in ("then", "and"):
            if not clauses and not part and token.text == "再":
                part.append(Token("concept", "more", "", token.text))
                continue
            close(str(token.value))
        elif token.kind == "break" and token.value != "asked":
            close(str(token.value))
        elif token.kind == "delay":
            close("then")
            delay += float(token.value)
        else:
            part.append(token)
            if token.kind == "break":
                close("stop")
    close("stop")
    if delay:
        clauses.append(Clause((), "then", delay))
    return tuple(clauses)


def _is_parameter(token: Token) -> bool:
    return token.kind in ("number", "board") or (token.kind == "concept" and token.value in _PARAMETERS)


def _is_target(token: Token) -> bool:
    return token.kind in _TARGETS or (token.kind == "concept" and token.value in DEVICE_NOUNS)


def _with_target(clause: Clause, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The clause's words with its device replaced by another one."""
    return (*(token for token in clause.tokens if not _is_target(token)), *tokens)


def _as_pins(tokens: tuple[Token, ...], before: tuple[Token, ...]) -> tuple[Token, ...]:
    """After 'pin 5 and', a plain number is a pin too; after 'A0 and', a plain number is an input."""
    last = before[-1] if before else None
    if (
        last is None
        or not tokens
        or tokens[0].kind != "number"
        or tokens[0].unit
        or last.kind not in ("pin", "analog")
    ):
        return tokens
    number = int(float(tokens[0].value))
    value: str | int = number if last.kind == "pin" else f"A{number}"
    return (Token(last.kind, value, "", tokens[0].text), *tokens[1:])


def _one_target_each(clause: Clause) -> list[Clause]:
    """'pins 5 6 7 high' is three clauses, '3号到6号引脚' four; plots and names keep what belongs together."""
    rule, _ = best_rule(features_of(clause.tokens))
    places = [index for index, token in enumerate(clause.tokens) if token.kind in _TARGETS]
    if rule is None or rule.name not in _SINGLE or len(places) < 2:
        return [clause]
    targets: list[Token] = []
    for index, place in enumerate(places):
        token = clause.tokens[place]
        before = clause.tokens[places[index - 1]] if index else token
        through = index and clause.tokens[place - 1].value == "to" and before.kind == token.kind == "pin"
        if through:
            numbers = range(int(before.value) + 1, int(token.value))
            targets.extend(Token("pin", number, "", str(number)) for number in numbers)
        targets.append(token)
    first, rest = places[0], set(places)
    head = clause.tokens[:first]
    tail = tuple(
        token
        for index, token in enumerate(clause.tokens)
        if index > first and index not in rest and not (token.value == "to" and index + 1 in rest)
    )
    delays = [clause.delay, *[0.0] * (len(targets) - 1)]
    return [
        replace(clause, tokens=(*head, target, *tail), delay=delay)
        for target, delay in zip(targets, delays, strict=True)
    ]


def _only_targets(tokens: tuple[Token, ...]) -> bool:
    """Whether a fragment names things and says nothing about them ('the servo,')."""
    beside = ("pin", "digital", "it", "take")
    named = any(_is_target(token) for token in tokens)
    return named and all(_is_target(t) or t.kind == "break" or t.value in beside for t in tokens)


class _Joiner:
    """Gives every fragment ('and 6', 'every 200 ms', 'the servo,') to the clause that it belongs to."""

    def __init__(self) -> None:
        self.done: list[Clause] = []
        self.held: Clause | None = None

    def take(self, clause: Clause) -> None:
        previous = self.done[-1] if self.done else None
        if self.held is not None:
            clause = self._after_held(clause)
        if previous is not None and clause.joiner in ("and", "comma"):
            clause = replace(clause, tokens=_as_pins(clause.tokens, previous.tokens))
        rule, _ = best_rule(features_of(clause.tokens))
        name = rule.name if rule else ""
        if _only_targets(clause.tokens):
            self._target_only(clause, previous)
        elif rule is not None and name not in _WEAK:
            self._own(clause, previous, name)
        elif clause.tokens and all(map(_is_parameter, clause.tokens)):
            self._parameters(clause, previous)
        elif name in _SOCIAL or name == "wait" or not clause.tokens:
            self.done.append(clause)
        elif previous is not None and clause.joiner in ("comma", "and"):
            self.done[-1] = replace(previous, tokens=previous.tokens + clause.tokens)
        else:
            self.done.append(clause)

    def _after_held(self, clause: Clause) -> Clause:
        held = self.held
        self.held = None
        if held is None:
            return clause
        tokens = _as_pins(clause.tokens, held.tokens) if clause.joiner in ("and", "comma") else clause.tokens
        listed = clause.joiner in ("and", "comma")
        if listed and _only_targets(tokens):
            return Clause(held.tokens + tokens, held.joiner, held.delay)
        if listed and any(_is_target(token) for token in tokens):
            copy = Clause(_with_target(Clause(tokens), held.tokens), held.joiner, held.delay)
            self.done.append(copy)
            return replace(clause, tokens=tokens)
        return Clause(held.tokens + tokens, held.joiner, held.delay)

    def _target_only(self, clause: Clause, previous: Clause | None) -> None:
        if previous is None or clause.joiner not in ("and", "comma"):
            self.held = clause
            return
        rule, _ = best_rule(features_of(previous.tokens))
        if rule is not None and rule.name == "plot":
            self.done[-1] = replace(previous, tokens=previous.tokens + clause.tokens)
        elif rule is not None and rule.name not in _WEAK:
            self.done.append(replace(clause, tokens=_with_target(previous, clause.tokens)))
        else:
            self.held = clause

    def _own(self, clause: Clause, previous: Clause | None, name: str) -> None:
        before = best_rule(features_of(previous.tokens))[0] if previous else None
        adds_signal = name in ("plot", "read_analog") and clause.joiner in ("and", "comma")
        if previous is not None and before is not None and before.name == "plot" and adds_signal:
            self.done[-1] = replace(previous, tokens=previous.tokens + clause.tokens)
            return
        self.done.append(clause)

    def _parameters(self, clause: Clause, previous: Clause | None) -> None:
        if previous is None or not previous.tokens:
            self.held = clause
            return
        units = {token.unit for token in clause.tokens if token.kind == "number"}
        repeated = any(token.kind == "number" and token.unit in units for token in previous.tokens)
        if units and (repeated or clause.joiner == "then"):
            kept = tuple(t for t in previous.tokens if not (t.kind == "number" and t.unit in units))
            self.done.append(replace(clause, tokens=kept + clause.tokens))
        else:
            self.done[-1] = replace(previous, tokens=previous.tokens + clause.tokens)

    def finish(self) -> tuple[Clause, ...]:
        if self.held is not None:
            self.done.append(self.held)
        telling = [c for c in self.done if not self._social(c)]
        return tuple(one for c in telling or self.done[:1] for one in _one_target_each(c))

    @staticmethod
    def _social(clause: Clause) -> bool:
        rule, _ = best_rule(features_of(clause.tokens))
        if rule is None:
            return not clause.delay and all(t.kind == "break" or t.value == "polite" for t in clause.tokens)
        return rule.name in _SOCIAL


def clauses_of(tokens: tuple[Token, ...]) -> tuple[Clause, ...]:
    """Return the clauses of a sentence; greetings beside a request are left out."""
    joiner = _Joiner()
    for clause in split(tokens):
        joiner.take(clause)
    return joiner.finish()
