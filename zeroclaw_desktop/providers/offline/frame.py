"""One clause with everything a planner may ask: its numbers, what it is about, the board, the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from zeroclaw_desktop.providers.offline.grammar import grammar
from zeroclaw_desktop.providers.offline.intents import DEVICE_NOUNS, alias_concept, features_of
from zeroclaw_desktop.providers.offline.model import BoardFacts, DialogueState, PlannedCall, Target, Token
from zeroclaw_desktop.providers.offline.normalize import normalize


@dataclass(frozen=True)
class Step:
    """What a planner decided for one clause: calls, or a question, or an answer in words.

    Args:
        calls: the calls to make.
        say: said before the calls, or the whole answer.
        question: asked back instead of acting.
        slot: what the question asks for.
        keep: tokens of the clause that stay valid when the question is answered; None keeps all.
        name: a part's name that the answer will give a pin to.
        target: what 'it' means from now on.
        angle: servo angle asked for.
        release: calls that a plain 'yes' to the question makes.
        names: pin names learned.
    """

    calls: tuple[PlannedCall, ...] = ()
    say: str = ""
    question: str = ""
    slot: str = ""
    keep: tuple[Token, ...] | None = None
    name: str = ""
    target: Target | None = None
    angle: float | None = None
    release: tuple[PlannedCall, ...] = ()
    names: tuple[tuple[str, int], ...] = ()


def plain(value: float) -> str:
    """Write a number for a person: 0.3, 90, 440."""
    return f"{value:.6g}"


def capitalized(text: str) -> str:
    """The text with a capital first letter, as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def times_text(count: object, language: str) -> str:
    """How often, in words: 'once', 'twice', 'three times'; larger numbers in digits."""
    data = grammar()
    if count in (1, 2):
        return data.text("times_one" if count == 1 else "times_two", language)
    words = {value: word for word, value in data.numbers.ones.items() if value <= 12}
    shown = words.get(count, count) if language == "en" and isinstance(count, int) else count
    return data.text("times_many", language, count=shown)


@dataclass(frozen=True)
class Frame:
    """A clause in its situation; ``acts`` tells a command from a question."""

    tokens: tuple[Token, ...]
    board: BoardFacts
    state: DialogueState
    language: str
    acts: bool = True

    @cached_property
    def features(self) -> frozenset[str]:
        """Concepts and '#kinds' of the clause."""
        return features_of(self.tokens)

    def has(self, *names: str) -> bool:
        """Whether any of the features is there."""
        return not self.features.isdisjoint(names)

    def text(self, key: str, **values: object) -> str:
        """A text of the grammar in the clause's language."""
        return grammar().text(key, self.language, **values)

    def numbers(self, *units: str) -> list[float]:
        """The numbers with one of the units ('' for bare ones), in order."""
        return [float(t.value) for t in self.tokens if t.kind == "number" and t.unit in units]

    def number(self, *units: str) -> float | None:
        """The first number with one of the units."""
        found = self.numbers(*units)
        return found[0] if found else None

    def several(self, *units: str) -> bool:
        """Whether the clause gives more than one value where one is wanted ('3 to 5 times')."""
        return len(set(self.numbers(*units))) > 1

    def after(self, concept: str, *units: str) -> float | None:
        """The number that stands right after a concept ('every' + 0.2 s)."""
        for first, second in zip(self.tokens, self.tokens[1:], strict=False):
            if first.value == concept and second.kind == "number" and second.unit in units:
                return float(second.value)
        return None

    def without(self, drop: Callable[[Token], bool]) -> tuple[Token, ...]:
        """The tokens but those for which ``drop`` says so: what stays valid while a question is open."""
        return tuple(token for token in self.tokens if not drop(token))

    def without_numbers(self, *units: str) -> tuple[Token, ...]:
        """The tokens without the numbers of these units."""
        return self.without(lambda token: token.kind == "number" and token.unit in units)

    def without_targets(self) -> tuple[Token, ...]:
        """The tokens without pins, inputs and names."""
        return self.without(lambda token: token.kind in ("pin", "analog", "alias") or token.value == "color")

    # --- what the clause is about
    def target(self) -> Target | None:
        """The thing that the clause names, or that 'it' stands for; None when it names nothing known."""
        named = self.named_target()
        if named is not None:
            return named
        if self.unplaced_name():
            return None
        if self.has("led"):
            return Target("led")
        return self.earlier() if self.has("it") else None

    def earlier(self) -> Target | None:
        """What 'it' means: in a command the output used last, in a question the thing spoken of last."""
        if not self.acts:
            return self.state.target
        if self.state.output is not None or self.state.target is None:
            return self.state.output
        return None if self.state.target.kind == "analog" else self.state.target

    def named_target(self) -> Target | None:
        """The pin, input or given name in the clause; with the word LED it is an LED."""
        for token in self.tokens:
            if token.kind == "pin":
                return Target("led" if self.has("led") else "pin", int(token.value))
            if token.kind == "analog":
                return Target("analog", None, str(token.value))
            if token.kind == "alias":
                name = str(token.value)
                pin = int(token.unit)
                if alias_concept(name) != "led":
                    return Target("pin", pin, "", name)
                return Target("led") if pin == self.board.led_pin else Target("led", pin, "", name)
        return None

    def unplaced_name(self) -> str:
        """A part that the clause names but whose pin is unknown ('fan', 'red led'), as said; '' when none."""
        for index, token in enumerate(self.tokens):
            if token.kind != "concept":
                continue
            if token.value == "color" and self.has("led"):
                led = next((t.text for t in self.tokens[index:] if t.value == "led"), "led")
                gap = " " if token.text.isascii() else ""
                return f"{token.text}{gap}{led}"
            if token.value in DEVICE_NOUNS and token.value not in ("led", "servo"):
                return token.text
        return ""

    def alias_for(self, concept: str) -> Target | None:
        """The named part of a kind ('buzzer') that the board has, though the clause does not name it."""
        for name, pin in {**self.board.aliases, **dict(self.state.names)}.items():
            if alias_concept(normalize(name)) == concept:
                return Target("pin", pin, "", name)
        return None

    # --- words for things
    def thing(self, target: Target) -> str:
        """The name of a target in a sentence."""
        if target.name and target.pin is not None:
            return self.text("thing_name", name=target.name, pin=target.pin)
        if target.kind == "led":
            if target.pin is None:
                return self.text("thing_led")
            return self.text("thing_led_pin", pin=target.pin)
        return self.text("thing_pin", pin=target.analog or target.pin)

    def listed(self, values: tuple[int, ...] | tuple[str, ...]) -> str:
        """Pins or names in one row."""
        return self.text("list_join").join(str(value) for value in values)

    def times(self, count: object) -> str:
        """'once', 'three times', '3 次'."""
        return times_text(count, self.language)

    # --- checks
    def ask(self, key: str, slot: str, *, keep: tuple[Token, ...] | None = None, **values: object) -> Step:
        """A step that asks the text ``key`` and waits for ``slot``."""
        return Step(question=self.text(key, **values), slot=slot, keep=keep)

    def analog_as_digital(self, analog: str) -> int | None:
        """The digital number of an analog pin, where the board's pin map is known and has it."""
        for word, first in grammar().analog_as_digital.items():
            if word in self.board.board_type.lower() or word in self.board.board_name.lower():
                pin = first + int(analog[1:])
                return pin if pin in self.board.digital_pins else None
        return None

    def digital_target(self) -> Target | Step:
        """The target as a digital pin or LED, or the question that finds it out."""
        target = self.target()
        if target is None and self.unplaced_name():
            name = self.unplaced_name()
            return Step(question=self.text("ask_pin_name", name=name), slot="pin", name=name)
        if target is None:
            return self.ask("ask_what", "pin")
        if target.kind == "analog":
            pin = self.analog_as_digital(target.analog)
            if pin is None:
                return self._no_such_pin(target.analog)
            return Target("pin", pin, "", target.name)
        if target.pin is not None and target.pin not in self.board.digital_pins:
            return self._no_such_pin(target.pin)
        return self.led_target(target) if target.kind == "led" else target

    def led_target(self, target: Target) -> Target | Step:
        """An LED target that the board can reach, or the question for its pin."""
        if target.pin is None and self.board.led_pin is None:
            return self.ask("ask_led_pin", "pin")
        return target

    def _no_such_pin(self, value: str | int) -> Step:
        pins = self.listed(self.board.digital_pins)
        return self.ask("ask_pin_range", "pin", keep=self.without_targets(), value=value, pins=pins)
