"""HW-2: obstacles, mends and answers of ports are said in both languages, and say what they are about."""

from __future__ import annotations

import pytest

from zeroclaw_desktop.bridge.port_words import (
    access_view,
    answer_view,
    mend_view,
    mended_sentence,
    step_sentence,
)
from zeroclaw_desktop.contracts.language import Language
from zeroclaw_desktop.runtime.port_access import AccessProblem
from zeroclaw_desktop.runtime.port_identification import Identified
from zeroclaw_desktop.runtime.port_mending import join_group, stop_brltty, udev_rule

BOTH: tuple[Language, Language] = ("en", "zh")
MENDS = (udev_rule(), join_group("maker", "dialout"), stop_brltty())
PROBLEMS = (
    AccessProblem("p", "not_in_group", "dialout", mend=udev_rule()),
    AccessProblem("p", "login_needed", "dialout"),
    AccessProblem("p", "closed", "root", mend=udev_rule()),
    AccessProblem("p", "held", "screen (4711)"),
    AccessProblem("p", "modem_manager", "ModemManager", mend=udev_rule()),
    AccessProblem("1-4", "brltty", "CH340", "1a86:7523", stop_brltty()),
    AccessProblem("1-4", "no_driver", "CP2102", "10c4:ea60"),
)


def facts(key: str) -> tuple[str, str]:
    return {"arduino-uno": ("Arduino Uno", "ATmega328P"), "arduino-nano": ("Arduino Nano", "ATmega328P")}[key]


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
def test_each_obstacle_says_what_it_is_about_and_offers_its_mend(problem: AccessProblem) -> None:
    english, chinese = (access_view(problem, language) for language in BOTH)
    if problem.kind != "closed":
        assert problem.subject in english.sentence
        assert problem.subject in chinese.sentence
    assert is_chinese(chinese.sentence)
    assert bool(english.mend) == bool(chinese.mend) == (problem.mend is not None)
    assert english.serious == (problem.kind != "modem_manager")


@pytest.mark.parametrize("mend", MENDS, ids=lambda mend: mend.key)
def test_a_mend_shows_every_command_before_it_runs(mend: object) -> None:
    view = mend_view(mend, "/etc/udev/rules.d/60-zeroclaw.rules", "en")  # type: ignore[arg-type]
    assert view.commands == mend.shell_text  # type: ignore[attr-defined]
    assert view.content == mend.content  # type: ignore[attr-defined]
    assert bool(view.file_name) == bool(view.content)
    assert is_chinese(mend_view(mend, "", "zh").explanation)  # type: ignore[arg-type]
    assert is_chinese(mended_sentence(view.key, "zh"))
    assert not is_chinese(mended_sentence(view.key, "en"))


def test_a_group_needs_a_new_login_and_the_rule_does_not() -> None:
    assert "Log out" in mend_view(MENDS[1], "", "en").afterwards
    assert mend_view(MENDS[0], "x", "en").afterwards == ""


@pytest.mark.parametrize("language", BOTH)
def test_only_the_firmwares_word_is_certain(language: Language) -> None:
    sure = answer_view("p", Identified(("arduino-uno",), True, "zeroclaw-arduino 1.1.0"), facts, language)
    assert sure.certain
    assert "Arduino Uno" in sure.sentence
    kinds = ("arduino-uno", "arduino-nano")
    maybe = answer_view("p", Identified(kinds, False, "", "m328p", True), facts, language)
    assert not maybe.certain
    assert maybe.kinds == (("arduino-uno", "Arduino Uno"), ("arduino-nano", "Arduino Nano"))
    assert "ATmega328P" in maybe.sentence


def test_each_other_answer_has_words_of_its_own() -> None:
    found = (
        Identified(chip="1e9999"),
        Identified(firmware="firmata 2.5"),
        Identified(prints=True),
        Identified(),
    )
    texts = {
        language: [answer_view("p", one, facts, language).sentence for one in found] for language in BOTH
    }
    assert len(set(texts["en"])) == len(set(texts["zh"])) == len(found)
    assert "1e9999" in texts["en"][0]
    assert "firmata 2.5" in texts["zh"][1]


@pytest.mark.parametrize("language", BOTH)
def test_the_step_names_the_boot_loader(language: Language) -> None:
    assert "Espressif" in step_sentence("Espressif", language)
    assert step_sentence("firmware", language) != step_sentence("Espressif", language)
