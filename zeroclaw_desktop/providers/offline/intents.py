"""Finds the intent of a clause: features of its tokens against the rules of ``intents.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zeroclaw_desktop.providers.offline.grammar import IntentRule, grammar
from zeroclaw_desktop.providers.offline.model import Token

POINTS_FOR_FEATURE = 3.0
SENSOR_NOUNS = frozenset({"temperature", "humidity", "brightness_sensor", "potentiometer", "sensor"})
DEVICE_NOUNS = SENSOR_NOUNS | {
    "led", "servo", "buzzer", "fan", "pump", "relay", "motor", "heater", "valve", "button",
}  # fmt: skip


def alias_concept(name: str) -> str:
    """Return the device noun that a pin's name stands for ('风扇' is 'fan'), '' when it is none."""
    concepts = grammar().phrases.get(name, ())
    if concepts:
        return concepts[0] if concepts[0] in DEVICE_NOUNS else ""
    words = [grammar().phrases.get(word, ("",))[0] for word in name.split()]
    return words[-1] if words and words[-1] in DEVICE_NOUNS else ""


def _asserts(tokens: Sequence[Token]) -> bool:
    """Whether 'is' states something: it follows the thing ('the LED is on') and nothing else asks."""
    for token in tokens:
        asking = token.value in ("read", "what") or (token.kind == "break" and token.value == "asked")
        if asking or (token.value == "is" and not token.text.isascii()):
            return False
    for token in tokens:
        if token.value == "is" and token.kind == "concept":
            return False
        if token.text.isascii() and (token.kind in ("pin", "alias") or token.value in DEVICE_NOUNS):
            return True
    return False


def _is_done(tokens: Sequence[Token], found: set[str]) -> bool:
    """Whether '了' tells that something has happened ('灯开了'), not that it should ('把灯关了')."""
    if found & {"take", "polite", "ma", "is", "read", "what"} or not found & (
        DEVICE_NOUNS | {"#pin", "#alias"}
    ):
        return False
    return any(token.value in ("on", "off") and token.text.endswith("了") for token in tokens)


def features_of(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the features of a clause: its concepts, and '#kind' for numbers, pins, names and the rest."""
    found: set[str] = set()
    for token in tokens:
        if token.kind == "concept":
            found.add(str(token.value))
        elif token.kind == "number":
            found.add(f"#{token.unit or 'bare'}")
            if token.unit == "" and 0 < float(token.value) < 1:
                found.add("#share")
        elif token.kind == "break":
            found.add("#asked" if token.value == "asked" else "")
        else:
            found.add(f"#{token.kind}")
        if token.kind == "alias":
            found.add(alias_concept(str(token.value)))
    if "on_pin" in found or "on_analog" in found:
        found.add("pin")
    if _is_done(tokens, found) or ("is" in found and _asserts(tokens)):
        found = (found - {"is"}) | {"asserted"}
    found.discard("")
    return frozenset(found)


def best_rule(features: frozenset[str]) -> tuple[IntentRule | None, float]:
    """Return the rule with the highest score and that score; (None, 0.0) when none fits."""
    best: IntentRule | None = None
    best_score = 0.0
    for rule in grammar().intents:
        if rule.forbids & features:
            continue
        size = max((len(pattern) for pattern in rule.patterns if pattern <= features), default=0)
        score = rule.weight + POINTS_FOR_FEATURE * size
        if size and score > best_score:
            best, best_score = rule, score
    return best, best_score


def unknown_words(tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the words that mean nothing to the assistant, as the sentence said them."""
    return tuple(token.text for token in tokens if token.kind in ("word", "quoted", "file"))
