"""Reads a short sentence as the answer to the question that is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroclaw_desktop.providers.offline.model import Token

# What a reply may consist of, by slot: concepts that carry the answer, and the unit that a plain number gets.
_ANSWERS = {
    "pin": frozenset({"led"}),
    "angle": frozenset({"middle", "minimum", "maximum"}),
    "state": frozenset({"on", "off", "high", "low"}),
    "duty": frozenset({"middle", "minimum", "maximum"}),
    "mode": frozenset({"input", "output", "pullup"}),
    "count": frozenset({"few", "briefly"}),
    "flash": frozenset({"led", "blink", "firmware", "board", "upload"}),
    "firmware": frozenset({"default", "blink"}),
}
_NUMBER_UNITS = {
    "angle": ("deg", ("deg", "", "times")),
    "count": ("times", ("times", "")),
    "interval": ("s", ("s", "")),
    "duration": ("s", ("s", "")),
    "frequency": ("hz", ("hz", "")),
    "duty": ("percent", ("percent", "fraction", "")),
    "speed": ("fraction", ("percent", "fraction", "")),
    "state": ("", ("",)),
}
_KINDS = {
    "pin": ("pin", "alias", "analog"),
    "analog": ("analog", "alias"),
    "firmware": ("word", "file", "quoted"),
    "board": ("board",),
}
_BESIDE = frozenset({
    "is", "it", "take", "on_pin", "pin", "digital", "analog", "on", "to", "turn", "set", "move", "servo",
    "led", "firmware", "board", "yes", "polite", "named", "for", "every", "prep_on", "asserted", "angle",
})  # fmt: skip
_ORDINALS = frozenset({"ordinal_1", "ordinal_2", "ordinal_3", "all_boards"})


def _number_as(slot: str, token: Token) -> Token | None:
    """The number as the slot wants it, None when it does not fit."""
    value = float(token.value)
    if slot in ("pin", "analog") and token.unit in ("", "times") and value == int(value) and value >= 0:
        return Token(slot, int(value) if slot == "pin" else f"A{int(value)}", "", token.text)
    unit, accepted = _NUMBER_UNITS.get(slot, ("", ()))
    if token.unit not in accepted:
        return None
    if slot == "duty" and token.unit == "" and value > 1:
        value /= 100
    return replace(token, value=value, unit=token.unit or unit)


def _carries_answer(slot: str, token: Token) -> bool:
    """Whether a token that is no number answers the slot."""
    if token.kind != "concept":
        return token.kind in _KINDS.get(slot, ())
    return token.value in _ANSWERS.get(slot, ()) or (slot == "board" and token.value in _ORDINALS)


def answer_tokens(slot: str, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens that answer the slot; empty when the sentence is no answer but something new."""
    answers: list[Token] = []
    for token in tokens:
        if token.kind == "number":
            fitting = _number_as(slot, token)
            if fitting is None:
                return ()
            answers.append(fitting)
        elif _carries_answer(slot, token):
            answers.append(token)
        elif token.kind == "break" or (token.kind == "concept" and token.value in _BESIDE):
            continue
        else:
            return ()
    return tuple(answers)
