"""The plain values that go into and come out of the offline assistant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class BoardFacts:
    """What the assistant knows of one connected board.

    Args:
        board_id: identifier used as ``device_id`` in calls.
        board_name: the name that a person sees ('Simulated Arduino Uno').
        board_type: model of the board ('arduino-uno').
        led_pin: pin of the built-in LED, None when it has none.
        digital_pins: pins that may be read and written.
        analog_pins: names of the analog inputs, 'A0' upwards.
        pwm_pins: pins with a hardware PWM output.
        servo_pins: pins that can drive a servo.
        aliases: names given by the person, mapped to pin numbers ('fan' -> 5).
    """

    board_id: str
    board_name: str
    board_type: str
    led_pin: int | None
    digital_pins: tuple[int, ...]
    analog_pins: tuple[str, ...]
    pwm_pins: tuple[int, ...]
    servo_pins: tuple[int, ...]
    aliases: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Token:
    """One meaningful piece of a sentence.

    Args:
        kind: 'concept', 'number', 'pin', 'analog', 'alias', 'board', 'quoted' or 'word' (not understood).
        value: the concept's name, the number in base units, the pin, the alias or the raw text.
        unit: for numbers: 's', 'times', 'deg', 'percent', 'hz', 'volt', 'fraction', 'pin', 'clock' or ''.
        text: how the sentence said it.
    """

    kind: str
    value: str | int | float
    unit: str = ""
    text: str = ""


@dataclass(frozen=True)
class PlannedCall:
    """A tool call that the assistant wants made: the command's name and its arguments."""

    name: str
    arguments: dict[str, object]


@dataclass(frozen=True)
class Target:
    """The thing that a sentence is about, so that 'it' can mean it later.

    Args:
        kind: 'led', 'pin', 'servo' or 'analog'.
        pin: digital pin; None for the board's own LED, the default servo pin or an analog input.
        analog: name of the analog input ('A0') or empty.
        name: what the person called it, or empty.
    """

    kind: str
    pin: int | None = None
    analog: str = ""
    name: str = ""


@dataclass(frozen=True)
class Pending:
    """A question that was asked, with the request it belongs to.

    Args:
        slot: what is missing: 'pin', 'analog', 'angle', 'state', 'count', 'duty', 'board', 'confirm' ...
        clauses: the request's clauses, each a row of tokens.
        index: which clause lacks the slot.
        calls: for 'confirm': the calls that a yes releases.
        intent: the intent of the request, kept for the answer.
        name: for 'pin': the name that the answer gives a pin to.
    """

    slot: str
    clauses: tuple[tuple[Token, ...], ...] = ()
    index: int = 0
    calls: tuple[PlannedCall, ...] = ()
    intent: str = ""
    name: str = ""


@dataclass(frozen=True)
class DialogueState:
    """What was said before. Immutable; every understanding carries the next one.

    Args:
        language: language of the last sentence, 'en' or 'zh'.
        intent: intent of the last sentence that led to calls.
        clauses: that sentence's clauses as tokens, for 'again' and 'faster'.
        calls: the last planned calls.
        target: the thing that was spoken of last; 'it' in a question.
        output: the thing that was moved or switched last; 'it' in a command.
        board_id: the board used last.
        angle: the servo angle asked for last, degrees.
        names: pin names learned in this conversation.
        pending: the open question, if any.
    """

    language: str = ""
    intent: str = ""
    clauses: tuple[tuple[Token, ...], ...] = ()
    calls: tuple[PlannedCall, ...] = ()
    target: Target | None = None
    output: Target | None = None
    board_id: str = ""
    angle: float | None = None
    names: tuple[tuple[str, int], ...] = ()
    pending: Pending | None = None


@dataclass(frozen=True)
class Understanding:
    """What a sentence means to the assistant.

    Args:
        intent: name of the intent; several are joined by '+'.
        calls: the tool calls to make, in order; empty when nothing is to be done.
        question: what to ask back, None when nothing is unclear.
        language: 'en' or 'zh', the language to answer in.
        say: a sentence to say before the calls, or the whole answer when there are none.
        reason: why it was understood so, for inspection.
        state: the dialogue state to hand in with the next sentence.
    """

    intent: str
    calls: tuple[PlannedCall, ...]
    question: str | None
    language: str
    say: str | None
    reason: str
    state: DialogueState


@dataclass(frozen=True)
class CallOutcome:
    """How one planned call ended.

    Args:
        name: the command's name.
        arguments: the arguments it was called with.
        status: 'ok', 'failed', 'refused' (policy or person), 'cancelled' or 'skipped' (not tried).
        result: what the command returned, when it went well.
        error_code: code of the error table, None when none.
        error: one sentence for a person: what went wrong.
        hint: what the person can do next.
        dry_run: everything was checked, but nothing was sent to a board.
    """

    name: str
    arguments: Mapping[str, object]
    status: str = "ok"
    result: Mapping[str, object] | None = None
    error_code: int | None = None
    error: str = ""
    hint: str = ""
    dry_run: bool = False
