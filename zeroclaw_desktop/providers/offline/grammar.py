"""Loads the grammar data of the offline assistant once, when it is first needed.

The files are ``resources/prompts/offline/lexicon.toml`` (words by concept, units, number words),
``intents.toml`` (which concepts make which intent) and ``texts.toml`` (what the assistant says).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from zeroclaw_desktop.foundation.assets import resource_path

_FOLDER = "prompts/offline/"


@dataclass(frozen=True)
class Unit:
    """A unit of measure: the quantity it measures ('s', 'deg' ...) and the factor to the base unit."""

    quantity: str
    scale: float


@dataclass(frozen=True)
class IntentRule:
    """When an intent fits a clause.

    Args:
        name: the intent.
        weight: base score; more matched features add to it.
        patterns: alternatives; each is a set of features that must all be there.
        forbids: features that rule the intent out.
        policy: 'act' (moves hardware: every word must be understood), 'read', or 'talk'.
        strays: how many unknown words are tolerated.
    """

    name: str
    weight: float
    patterns: tuple[frozenset[str], ...]
    forbids: frozenset[str]
    policy: str
    strays: int


@dataclass(frozen=True)
class NumberWords:
    """English and Chinese number words with their values."""

    ones: Mapping[str, int]
    scales: Mapping[str, int]
    times: Mapping[str, int]
    fractions: Mapping[str, float]
    pairs: Mapping[str, int]
    zh_digits: Mapping[str, int]
    zh_scales: Mapping[str, int]


@dataclass(frozen=True)
class Grammar:
    """All grammar data in the form in which it is used."""

    phrases: Mapping[str, tuple[str, ...]]
    longest: int
    units: Mapping[str, Unit]
    longest_unit: int
    lone_units: Mapping[str, Unit]
    numbers: NumberWords
    keywords: frozenset[str]
    not_typos: frozenset[str]
    simplified: Mapping[int, int]
    intents: tuple[IntentRule, ...]
    texts: Mapping[str, Mapping[str, str]]
    analog_as_digital: Mapping[str, int]

    def text(self, key: str, language: str, **values: object) -> str:
        """Return the text ``key`` in ``language`` ('en' or 'zh') with its ``{placeholders}`` filled in."""
        return self.texts[language][key].format(**values)


def _entries(row: str) -> list[str]:
    return [entry for entry in (part.strip() for part in row.split("|")) if entry]


def _pairs(row: str) -> dict[str, int]:
    return {word: int(value) for word, value in (entry.split(":") for entry in _entries(row))}


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads(resource_path(_FOLDER + name).read_text(encoding="utf-8"))


def _phrases(lexicon: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    phrases: dict[str, tuple[str, ...]] = {}
    for language in ("en", "zh"):
        for concept, row in lexicon[language].items():
            for entry in _entries(row):
                phrases.setdefault(entry, tuple(concept.split("+")))
    return phrases


def _is_keyword(phrase: str, concepts: tuple[str, ...]) -> bool:
    """Whether a slip of the pen may be corrected to the phrase: one English word that asks for something."""
    return len(phrase) >= 4 and phrase.isascii() and phrase.isalpha() and concepts != ("past",)


def _units(lexicon: Mapping[str, Any]) -> tuple[dict[str, Unit], dict[str, Unit]]:
    units: dict[str, Unit] = {}
    alone: dict[str, Unit] = {}
    for name, row in lexicon["units"].items():
        unit = Unit(row.get("quantity", name), float(row["scale"]))
        units.update(dict.fromkeys(_entries(row["names"]), unit))
        alone.update(dict.fromkeys(_entries(row.get("alone", "")), unit))
    return units, alone


def _number_words(rows: Mapping[str, str]) -> NumberWords:
    fractions = {w: float(v) for w, v in (entry.split(":") for entry in _entries(rows["fractions"]))}
    return NumberWords(
        ones=_pairs(rows["ones"]),
        scales=_pairs(rows["scales"]),
        times=_pairs(rows["times"]),
        fractions=fractions,
        pairs=_pairs(rows["pairs"]),
        zh_digits=_pairs(rows["zh_digits"]),
        zh_scales=_pairs(rows["zh_scales"]),
    )


def _intents(rows: list[dict[str, Any]]) -> tuple[IntentRule, ...]:
    return tuple(
        IntentRule(
            name=row["name"],
            weight=float(row["weight"]),
            patterns=tuple(frozenset(pattern.split()) for pattern in _entries(row["when"])),
            forbids=frozenset(row.get("not", "").split()),
            policy=row["policy"],
            strays=int(row.get("strays", 0)),
        )
        for row in rows
    )


@cache
def grammar() -> Grammar:
    """Return the grammar, loaded on the first call; raises AssetMissingError when a file is missing."""
    lexicon, rules, texts = _load("lexicon.toml"), _load("intents.toml"), _load("texts.toml")
    phrases = _phrases(lexicon)
    units, lone_units = _units(lexicon)
    traditional = lexicon["traditional"]
    return Grammar(
        phrases=phrases,
        longest=max(map(len, phrases)),
        units=units,
        longest_unit=max(map(len, units)),
        lone_units=lone_units,
        numbers=_number_words(lexicon["number_words"]),
        keywords=frozenset(p for p in phrases if _is_keyword(p, phrases[p])),
        not_typos=frozenset(_entries(lexicon["typing"]["not_typos"])),
        simplified=str.maketrans(traditional["from"], traditional["to"]),
        intents=_intents(rules["intent"]),
        texts={"en": texts["en"], "zh": texts["zh"]},
        analog_as_digital=rules["analog_as_digital"],
    )
