"""AG-5: JSON is read strictly first; only punctuation is repaired, and what would be a guess is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.agent.toolcalls.json_calls import read_arguments, read_value, read_values
from zeroclaw_desktop.agent.toolcalls.json_repair import RepairingReader
from zeroclaw_desktop.agent.toolcalls.json_strict import JsonFaultError, decode

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(VALUES, st.booleans())
def test_good_json_is_read_the_same_by_both_readers(value: Any, plain: bool) -> None:
    """The reader of the standard library is the judge."""
    text = json.dumps(value, ensure_ascii=plain)
    assert decode(text) == value
    reader = RepairingReader(text)
    found, end = reader.read(0)
    assert (found, end) == (value, len(text))
    assert set(reader.repairs) <= {"line break or tab in a text"}


@given(st.text(st.sampled_from("{}[]\"'“”：，:,\\ anx01.-e\n真"), max_size=30))
def test_whatever_comes_is_a_value_or_a_fault(text: str) -> None:
    fault = None
    try:
        read_value(text, 0)
    except JsonFaultError as error:
        fault = error
    assert fault is None or (fault.code and fault.reason)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("[1, 2,]", [1, 2]),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ('{"a"：1，"b"：［2］}', {"a": 1, "b": [2]}),
        ("｛“a”: “b”｝", {"a": "b"}),
        ("{a: True, b: None}", {"a": True, "b": None}),
        ('{"text"："他说“你好”"}', {"text": "他说“你好”"}),
        ('{"a": "x\ny"}', {"a": "x\ny"}),
        ('{"a": 0x3C}', {"a": "0x3C"}),
        ('{"a": GPIO13}', {"a": "GPIO13"}),
        ("{'a': '\\ud83d\\ude00'}", {"a": "😀"}),
    ],
)
def test_punctuation_is_repaired_and_told(text: str, value: Any) -> None:
    found, end, repairs = read_value(text, 0)
    assert (found, end) == (value, len(text))
    assert repairs


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"pin":13,"value":', "truncated"),
        ('{"pin": 13, "val', "truncated"),
        ('{"a": [1, 2', "truncated"),
        ("{'a': 'b", "truncated"),
        ('{"delay":500ms}', "syntax"),
        ('{"a": 1 "b": 2}', "syntax"),
        ('{"a" 1}', "syntax"),
        ('{"a": "x" + "y"}', "syntax"),
        ('{"a": "C:\\Users"}', "syntax"),
        ('{"a": [1}', "syntax"),
        ("{'a': 1, 'a': 2}", "duplicate_key"),
        ('{"a": 1, "a": 1}', "duplicate_key"),
        ('{"a": NaN}', "not_finite"),
        ("{'a': -Infinity}", "not_finite"),
        ("{'a': 1e999}", "not_finite"),
        (f'{{"a": {"9" * 5000}}}', "not_finite"),
        (f"{{'a': {'9' * 5000}}}", "not_finite"),
        ("[" * 3000, "too_deep"),
        ("［" * 3000, "too_deep"),
    ],
)
def test_guesses_are_refused(text: str, code: str) -> None:
    """C1 rows 39 to 55."""
    with pytest.raises(JsonFaultError) as caught:
        read_values(text)
    assert caught.value.code == code


def test_two_values_are_two_candidates() -> None:
    """C1 row 52."""
    assert [value for value, _ in read_values('{"a":1}{"b":2}')] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("given_value", "taken"),
    [
        (None, {}),
        ("", {}),
        ("null", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (json.dumps(json.dumps({"a": 1})), {"a": 1}),
        ("{'a': 1,}", {"a": 1}),
    ],
)
def test_arguments_are_unwrapped(given_value: Any, taken: dict[str, Any]) -> None:
    """C1 row 17."""
    assert read_arguments(given_value)[0] == taken


@pytest.mark.parametrize(
    "given_value", ["hello", "[1]", [1], 5, True, '{"a": 1} and more', '"x"', "{'a': 1} x"]
)
def test_arguments_that_are_no_object_are_a_fault(given_value: Any) -> None:
    with pytest.raises(JsonFaultError):
        read_arguments(given_value)
