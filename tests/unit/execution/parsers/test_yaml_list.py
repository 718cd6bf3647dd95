"""EX-2: YAML lists of actions: the unambiguous part of YAML, nothing constructed, lines in every fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.execution.parsers.faults import place, refusal, refusals
from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.yaml_list import MAX_ACTIONS, YamlListParser

PARSER = YamlListParser()


def value(written: str) -> Any:
    """What a parameter gets that is written so."""
    text = f"- action: a\n  params:\n    p: {written}\n"
    return PARSER.parse(text, source="manual")[0].params["p"]


def test_a_list_is_read_in_its_order() -> None:
    """EX-2."""
    text = "- action: led_set\n  params: {state: 1}\n- action: servo_move\n  params:\n    angle: 45.5\n"
    payloads = PARSER.parse(text, source="sop")
    assert [(one.action, dict(one.params), one.source) for one in payloads] == [
        ("led_set", {"state": 1}, "sop"),
        ("servo_move", {"angle": 45.5}, "sop"),
    ]
    assert len({one.task_id for one in payloads}) == 2


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("90", 90),
        ("-1", -1),
        ("0", 0),
        ("0.5", 0.5),
        ("1e2", 100.0),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("A0", "A0"),
        ("'on'", "on"),
        ('"90"', "90"),
        ("a b c", "a b c"),
        ("[1, x, {y: 2}]", [1, "x", {"y": 2}]),
        ("|\n      two\n      lines", "two\nlines\n"),
        ('"\\u4f60"', "你"),
        ('"\\ud83d\\ude00"', "😀"),
    ],
)
def test_scalars_mean_what_yaml_1_2_says(written: str, expected: Any) -> None:
    """EX-2: YAML 1.2.2, 10.2 JSON schema; 10.3 for what is plain text."""
    read = value(written)
    assert read == expected
    assert type(read) is type(expected)


@pytest.mark.parametrize(
    "written",
    [
        "010",
        "0o10",
        "0x10",
        "0b1",
        "1_000",
        "1:30",
        "+5",
        ".5",
        "5.",
        ".inf",
        "-.INF",
        ".nan",
        "1,5",
        "2026-01-31",
    ],
)
def test_numbers_that_readers_of_yaml_take_differently_are_refused(written: str) -> None:
    """EX-2: 010 is 8 for YAML 1.1 and 10 for YAML 1.2; a servo must not depend on that."""
    text = f"- action: a\n  params:\n    p: {written}\n"
    fault = refusal(PARSER, text)
    assert place(fault) == (3, 8)
    assert written in fault.details["got"]


@pytest.mark.parametrize(
    "written", ["on", "off", "yes", "no", "On", "YES", "y", "N", "True", "FALSE", "NULL"]
)
def test_words_that_are_booleans_for_some_are_refused(written: str) -> None:
    """EX-2."""
    assert place(refusal(PARSER, f"- action: a\n  params: {{p: {written}}}\n")) == (2, 15)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("- action: &a x\n- action: *a\n", (1, 11)),
        ("- action: x\n  params: *a\n", (2, 11)),
        ("- !!python/object/apply:os.system ['true']\n", (1, 3)),
        ("- action: !!str x\n", (1, 11)),
        ("- action: x\n  params: {a: 1, a: 2}\n", (2, 18)),
        ("- action: a\n- action: b\n  action: c\n", (3, 3)),
        ("- action: x\n---\n- action: b\n", (2, 1)),
        ("action: x\n", (1, 1)),
        ("- x\n", (1, 3)),
        ("- action: a\n- [b]\n", (2, 3)),
        ("- {1: x}\n", (1, 4)),
        ("- {[x]: y}\n", (1, 4)),
        ("- action: x\n params: {}\n", (2, 2)),
        ("- action: 'x\n", (2, 1)),
        ("- action: \x07\n", (1, 11)),
    ],
)
def test_a_fault_says_the_line_and_the_column(text: str, where: tuple[int, int]) -> None:
    """EX-2: counted by hand."""
    fault = refusal(PARSER, text)
    assert (fault.code, place(fault)) == (Code.UNREADABLE_TEXT, where)


def test_a_bomb_of_references_is_refused_at_its_first_anchor() -> None:
    """EX-2: nine lines that would become a thousand million values."""
    lines = ["- &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"- &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10)]
    assert place(refusal(PARSER, "\n".join(lines))) == (1, 3)


def test_the_faults_of_all_actions_come_together() -> None:
    """EX-2, EX-5."""
    text = "- action: ''\n- action: a\n  parms: {}\n- action: b\n  constraints:\n    timeout: -1\n"
    found = [(fault.param, place(fault)) for fault in refusals(PARSER, text)]
    assert found == [("action", (1, 3)), ("parms", (3, 3)), ("constraints.timeout", (6, 5))]


def test_a_list_may_be_long_but_not_endless() -> None:
    """EX-2."""
    assert len(PARSER.parse("- action: a\n" * MAX_ACTIONS, source="manual")) == MAX_ACTIONS
    fault = refusal(PARSER, "- action: a\n" * (MAX_ACTIONS + 1))
    assert place(fault) == (MAX_ACTIONS + 1, 3)


@pytest.mark.parametrize("text", ["- " * 16_000, "[" * 30_000, "{" * 30_000, "? " * 16_000, "- [" * 10_000])
def test_deep_nesting_is_refused_and_not_fatal(text: str) -> None:
    """EX-2."""
    assert refusal(PARSER, text).code == Code.UNREADABLE_TEXT


names = st.text(alphabet="abcdefghij", min_size=1, max_size=5)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(-1e9, 1e9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(names, plain, max_size=3), min_size=1, max_size=3))
def test_json_is_read_as_yaml_the_same(params: list[dict[str, Any]]) -> None:
    """EX-2: YAML 1.2 contains JSON; a list written by a JSON writer comes back value by value."""
    text = json.dumps([{"action": "a", "params": row} for row in params])
    assert [one.params for one in PARSER.parse(text, source="manual")] == params


@given(st.text(alphabet="-:[]{}&*!|>'\"#%@`,? \n\tabn01.~", max_size=60))
def test_any_text_gives_actions_or_faults_within_it(text: str) -> None:
    """EX-2; what is read is a list for the standard loader as well."""
    try:
        payloads = PARSER.parse(text, source="agent")
    except FaultError as error:
        for fault in error.faults:
            line, column = place(fault)
            assert 1 <= line <= len(text.splitlines()) + 1
            assert column >= 1
    else:
        assert len(yaml.safe_load(text)) == len(payloads)
