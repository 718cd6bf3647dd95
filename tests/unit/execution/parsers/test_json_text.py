"""EX-1, EX-2: JSON payloads: strict reading, and the place of every fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.execution.parsers.faults import place, refusal, refusals
from zeroclaw_desktop.execution.error_table import Code, explain_error
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.envelope import MAX_DEPTH
from zeroclaw_desktop.execution.parsers.json_text import MAX_CHARACTERS, JsonParser, decode_json
from zeroclaw_desktop.execution.parsers.places import place_text

PARSER = JsonParser()


def test_the_form_of_the_specification_is_read() -> None:
    """EX-2."""
    (payload,) = PARSER.parse('{"action": "servo_move", "params": {"angle": 90}}', source="agent")
    assert (payload.action, payload.params, payload.source) == ("servo_move", {"angle": 90}, "agent")


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ('{"action": }', (1, 12), "a value"),
        ('{\n  "action": "a"\n  "params": {}\n}', (3, 3), "','"),
        ('{"action" "a"}', (1, 11), "':'"),
        ("{action: 1}", (1, 2), "name in double quotes"),
        ('{"action": "a",}', (1, 16), "name in double quotes"),
        ('{"action": "a"} x', (1, 17), "nothing more"),
        ('{"action": "a', (1, 12), "closing double quote"),
        ('{"action": "\\q"}', (1, 13), "escape"),
        ('{"action": "a\tb"}', (1, 14), "escape"),
        ("", (1, 1), "JSON object"),
        ("\n\n [1]", (3, 2), "JSON object"),
        ("turn on the led", (1, 1), "JSON object"),
        ('{"params": {"angle": NaN}}', (1, 22), "finite number"),
        ('{"params":\n {"a": 1,\n  "b": -1e999}}', (3, 8), "finite number"),
        ('{"params": {"angle": 1' + "0" * 300 + "}}", (1, 22), "finite number"),
        ('{"action": "a",\n "action": "b"}', (2, 2), "each name once"),
        ('{"a": {"x": 1}, "b": {"x": 1, "x": 2}}', (1, 31), "each name once"),
        ('{"a": "\\udc00"}', (1, 8), "written down"),
    ],
)
def test_a_fault_says_what_was_expected_and_where(text: str, where: tuple[int, int], expected: str) -> None:
    """EX-2: counted by hand from 1, columns in characters."""
    fault = refusal(PARSER, text)
    assert fault.code == Code.UNREADABLE_TEXT
    assert place(fault) == where
    assert expected in fault.details["expected"]
    assert f"Line {where[0]}, column {where[1]}" in explain_error(fault.code, "en", fault.details)
    assert f"第 {where[0]} 行第 {where[1]} 列" in explain_error(fault.code, "zh", fault.details)


@pytest.mark.parametrize("newline", ["\\n", "é", "😀"])
def test_columns_count_characters_not_bytes(newline: str) -> None:
    """EX-2: characters beyond ASCII count once."""
    text = f'{{"a": "{newline}", "action": }}'
    assert place(refusal(PARSER, text)) == (1, text.index("}") + 1)


def test_faults_of_the_envelope_have_their_places_too() -> None:
    """EX-1, EX-2: all of them, each at the name of its field."""
    text = '{"action": "a",\n "params": [],\n "constraints": {"retries": 99,\n  "dry": 1},\n "foo": 1}'
    found = {fault.param: place(fault) for fault in refusals(PARSER, text)}
    assert found == {
        "foo": (5, 2),
        "params": (2, 2),
        "constraints.dry": (4, 3),
        "constraints.retries": (3, 18),
    }


def test_a_field_that_is_missing_is_told_at_the_object() -> None:
    """EX-1."""
    fault = refusal(PARSER, '\n  {"params": {}}')
    assert (fault.param, place(fault)) == ("action", (2, 3))
    assert place_text(fault) == "line 2, column 3"
    assert place_text(fault, "zh") == "第 2 行第 3 列"


def test_depth_and_length_are_bounded() -> None:
    """EX-1: nesting within the limit is read, one level more is refused at its bracket."""
    fits = '{"action": "a", "params": {"p": ' + "[" * (MAX_DEPTH - 2) + "]" * (MAX_DEPTH - 2) + "}}"
    assert PARSER.parse(fits, source="manual")[0].action == "a"
    deep = fits.replace("[]", "[[]]")
    assert place(refusal(PARSER, deep)) == (1, deep.index("[[]]") + 2)
    many_flat = '{"action": "a", "params": {"p": [' + ",".join(["[]"] * 50) + "]}}"
    assert len(PARSER.parse(many_flat, source="manual")[0].params["p"]) == 50
    assert "characters" in refusal(PARSER, " " * (MAX_CHARACTERS + 1)).details["got"]


def test_brackets_within_text_are_no_nesting() -> None:
    """EX-1."""
    text = json.dumps({"action": "serial_send", "params": {"text": "[{" * 100}})
    assert PARSER.parse(text, source="manual")[0].params == {"text": "[{" * 100}


@pytest.mark.parametrize("source", ["agent", "schedule", "sop", "webhook", "channel"])
def test_only_a_person_may_speak_for_another_source(source: Any) -> None:
    """EX-6: otherwise a model could write itself a higher ceiling."""
    fault = refusal(PARSER, '{"action": "a", "source": "manual"}', source)
    assert (fault.code, fault.param) == (Code.MALFORMED_PAYLOAD, "source")
    (payload,) = PARSER.parse(json.dumps({"action": "a", "source": source}), source="manual")
    assert payload.source == source


@pytest.mark.parametrize("text", ['"' + '\\"' * 30_000, '{"a":"' * 5_000, "[" * 60_000, "{" * 60_000 + '"'])
def test_hostile_texts_are_refused_in_linear_time(text: str) -> None:
    """EX-2: a quadratic walk over these would take minutes."""
    assert refusal(PARSER, text).code == Code.UNREADABLE_TEXT


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


@given(plain)
def test_what_json_can_write_is_read_back_the_same(value: Any) -> None:
    """EX-2: strictness takes nothing away from good JSON."""
    assert decode_json(json.dumps(value)) == value


@given(st.text(alphabet='{}[]":,\\ntrue0123456789.eE+-u d8ab', max_size=60))
def test_any_text_gives_a_value_or_a_fault_with_a_place_within_it(text: str) -> None:
    """EX-2; agrees with the standard decoder on what is JSON at all."""
    try:
        value = decode_json(text)
    except FaultError as error:
        line, column = place(error.faults[0])
        assert 1 <= line <= text.count("\n") + 1
        assert 1 <= column <= len(text) + 1
    else:
        assert json.loads(text) == value
