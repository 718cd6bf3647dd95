"""EX-5: types, limits, choices, unknown names, numeric text, NaN, nesting; all faults together."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.execution.error_table import Code
from zeroclaw_desktop.execution.params import Param, check_params, json_schema

INT = {"n": Param("int", required=True, minimum=0, maximum=180)}
FLOAT = {"x": Param("float", required=True, minimum=0.1, maximum=1.0, unit="s")}


def codes(schema: dict[str, Param], given_params: dict[str, Any], source: Any = "agent") -> list[int]:
    return [fault.code for fault in check_params(schema, given_params, source).faults]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, []),
        (180, []),
        (-1, [Code.OUT_OF_RANGE]),
        (181, [Code.OUT_OF_RANGE]),
        (True, [Code.WRONG_TYPE]),
        (1.0, [Code.WRONG_TYPE]),
        ("90", [Code.WRONG_TYPE]),
        (None, [Code.WRONG_TYPE]),
        ([90], [Code.WRONG_TYPE]),
        (10**400, [Code.OUT_OF_RANGE]),
    ],
)
def test_an_int_from_a_model_must_be_an_int_within_its_limits(value: Any, expected: list[int]) -> None:
    assert codes(INT, {"n": value}) == expected


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "0.5", None, 10**400])
def test_a_float_that_is_no_finite_number_is_refused(value: Any) -> None:
    assert codes(FLOAT, {"x": value}) == [Code.WRONG_TYPE]


def test_an_int_is_a_good_float() -> None:
    checked = check_params(FLOAT, {"x": 1}, "agent")
    assert checked.values == {"x": 1.0}
    assert isinstance(checked.values["x"], float)


@pytest.mark.parametrize(("text", "value"), [("90", 90), (" 7 ", 7), ("+3", 3)])
def test_a_person_may_type_a_number(text: str, value: int) -> None:
    assert check_params(INT, {"n": text}, "manual").values == {"n": value}


@pytest.mark.parametrize("text", ["9.5", "ninety", "", "0x10", "1e2", "٣", "1_0", "--3", "9" * 30])
def test_text_that_would_lose_something_is_refused_from_a_person_too(text: str) -> None:
    assert codes(INT, {"n": text}, "manual") == [Code.WRONG_TYPE]


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "0,5", "infinity"])
def test_text_that_is_no_finite_number_is_refused_for_a_float(text: str) -> None:
    assert codes(FLOAT, {"x": text}, "manual") == [Code.WRONG_TYPE]


@pytest.mark.parametrize("source", ["agent", "schedule", "sop", "webhook", "channel"])
def test_only_a_person_may_type_numbers_as_text(source: str) -> None:
    assert codes(INT, {"n": "90"}, source) == [Code.WRONG_TYPE]


def test_unknown_names_are_refused_with_a_suggestion() -> None:
    schema = {"angle": Param("int", required=True)}
    faults = check_params(schema, {"angel": 90}, "agent").faults
    assert [fault.code for fault in faults] == [Code.UNKNOWN_PARAMETER, Code.MISSING_PARAMETER]
    assert "angle" in faults[0].message


def test_all_faults_of_one_payload_come_together() -> None:
    schema = {
        "a": Param("int", required=True),
        "b": Param("float", maximum=1.0),
        "c": Param("str", choices=("x", "y")),
    }
    assert codes(schema, {"b": 2.0, "c": "z", "d": 1}) == [
        Code.UNKNOWN_PARAMETER,
        Code.MISSING_PARAMETER,
        Code.OUT_OF_RANGE,
        Code.NOT_A_CHOICE,
    ]


def test_defaults_fill_what_is_not_given() -> None:
    schema = {"count": Param("int", default=3), "pin": Param("int")}
    assert check_params(schema, {}, "agent").values == {"count": 3}


def test_nested_lists_and_dicts_are_checked_with_their_path() -> None:
    schema = {
        "points": Param("list", required=True, items=Param("int", minimum=0), maximum=3),
        "size": Param("dict", fields={"w": Param("int", required=True)}),
    }
    faults = check_params(schema, {"points": [1, -2, "x"], "size": {"h": 1}}, "agent").faults
    assert [fault.param for fault in faults] == ["points[1]", "points[2]", "size.h", "size.w"]


def test_a_list_has_a_length_limit() -> None:
    schema = {"points": Param("list", required=True, minimum=1, maximum=2)}
    assert codes(schema, {"points": []}) == [Code.OUT_OF_RANGE]
    assert codes(schema, {"points": [1, 2, 3]}) == [Code.OUT_OF_RANGE]


def test_a_pattern_must_match_the_whole_text() -> None:
    schema = {"pin": Param("str", required=True, pattern=r"A\d")}
    assert codes(schema, {"pin": "A0"}) == []
    assert codes(schema, {"pin": "A0; rm"}) == [Code.BAD_FORMAT]


def test_a_choice_of_numbers_does_not_take_bools() -> None:
    schema = {"value": Param("int", required=True, choices=(0, 1))}
    assert codes(schema, {"value": True}) == [Code.WRONG_TYPE]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(params=st.dictionaries(st.sampled_from(["n", "x", "s", "l", "zz"]), json_values, max_size=5))
def test_whatever_comes_is_either_within_the_schema_or_refused(params: dict[str, Any]) -> None:
    schema = {
        "n": Param("int", required=True, minimum=-5, maximum=5),
        "x": Param("float", minimum=0.0, maximum=1.0),
        "s": Param("str", maximum=4),
        "l": Param("list", items=Param("int", minimum=0)),
    }
    checked = check_params(schema, params, "agent")
    if checked.faults:
        return
    assert set(params) <= set(schema)
    assert type(checked.values["n"]) is int
    assert -5 <= checked.values["n"] <= 5
    if "x" in checked.values:
        assert 0.0 <= checked.values["x"] <= 1.0
    if "l" in checked.values:
        assert all(type(item) is int and item >= 0 for item in checked.values["l"])


def test_the_json_schema_tells_models_the_same_limits() -> None:
    row = json_schema({"angle": Param("float", "Target", True, None, 0.0, 180.0, unit="degrees")})
    assert row["required"] == ["angle"]
    assert row["additionalProperties"] is False
    assert row["properties"]["angle"] == {
        "type": "number",
        "description": "Target [degrees]",
        "minimum": 0.0,
        "maximum": 180.0,
    }
