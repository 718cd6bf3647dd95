"""AG-5: arguments are changed only where it cannot be wrong, and every misfit is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.agent.toolcalls.schema_fit import fit_arguments


def fit_one(schema: dict[str, Any], value: Any, **options: bool) -> Any:
    """The value as the tool takes it, or the words of the misfit."""
    fit = fit_arguments({"properties": {"x": schema}, "required": ["x"]}, {"x": value}, **options)
    return "; ".join(fit.faults) if fit.faults else fit.arguments["x"]


@pytest.mark.parametrize(
    ("kind", "given_value", "taken"),
    [
        ("integer", "13", 13),
        ("integer", " -13 ", -13),
        ("integer", 13.0, 13),
        ("integer", "0x3C", 60),
        ("number", "1.5", 1.5),
        ("number", "-2e3", -2000.0),
        ("number", 3, 3),
        ("boolean", "true", True),
        ("boolean", "False", False),
        ("string", 13, "13"),
        ("array", "[1, 2]", [1, 2]),
        ("object", '{"a": 1}', {"a": 1}),
        ("null", None, None),
    ],
)
def test_a_form_that_means_only_one_thing(kind: str, given_value: Any, taken: Any) -> None:
    found = fit_one({"type": kind}, given_value)
    assert found == taken
    assert type(found) is type(taken)


@pytest.mark.parametrize(
    ("kind", "given_value"),
    [
        ("integer", "low"),
        ("integer", "13 ms"),
        ("integer", "1.5"),
        ("integer", 1.5),
        ("integer", True),
        ("integer", ""),
        ("integer", "１３"),
        ("integer", "1_000"),
        ("integer", [13]),
        ("number", "nan"),
        ("number", "1e999"),
        ("number", "inf"),
        ("number", False),
        ("boolean", "1"),
        ("boolean", 1),
        ("boolean", "on"),
        ("boolean", "开"),
        ("string", True),
        ("string", 1.5),
        ("string", ["a"]),
        ("array", "1, 2"),
        ("object", "[1]"),
        ("object", "{a: 1}"),
    ],
)
def test_what_could_be_wrong_is_not_changed(kind: str, given_value: Any) -> None:
    assert "'x' must be" in fit_one({"type": kind}, given_value)


def test_chinese_words_are_true_and_false_for_tools_that_look_only() -> None:
    """C1 row 51."""
    assert fit_one({"type": "boolean"}, "开", only_looks=True) is True
    assert fit_one({"type": "boolean"}, "假", only_looks=True) is False


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 180}, 180, 181),
        ({"type": "number", "exclusiveMinimum": 0}, 0.1, 0),
        ({"type": "number", "exclusiveMaximum": 1}, 0.9, 1),
        ({"type": "string", "maxLength": 2}, "ab", "abc"),
        ({"type": "string", "minLength": 1}, "a", ""),
        ({"type": "string", "pattern": "^A[0-5]$"}, "A0", "A9"),
        ({"type": "array", "maxItems": 1}, [1], [1, 2]),
        ({"type": "array", "items": {"type": "integer"}}, [1], ["a"]),
        ({"enum": ["low", "high"]}, "low", "lo"),
        ({"enum": [0, 1]}, 1, True),
        ({"const": 3}, 3, 4),
    ],
)
def test_limits(schema: dict[str, Any], good: Any, bad: Any) -> None:
    assert fit_one(schema, good) == good
    assert "'x" in fit_one(schema, bad)


def test_a_pattern_that_nobody_can_read_is_left_to_the_tool() -> None:
    assert fit_one({"type": "string", "pattern": "("}, "a") == "a"


@pytest.mark.parametrize(
    ("value", "taken"), [("42", 42), (42, 42), ("low", "low"), (None, None), ("true", "true")]
)
def test_any_of_takes_the_value_as_it_is_first(value: Any, taken: Any) -> None:
    schemas = [{"type": "integer"}, {"type": "null"}, {"type": "string"}]
    expected = value if isinstance(value, str) else taken
    assert fit_one({"anyOf": schemas}, value) == expected
    without_text = [{"type": "integer"}, {"type": "null"}]
    if value == "42":
        assert fit_one({"oneOf": without_text}, value) == taken


SCHEMA = {
    "type": "object",
    "properties": {
        "pin": {"type": "integer"},
        "name": {"type": "string"},
        "place": {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False},
    },
    "required": ["pin"],
    "additionalProperties": False,
}


def test_every_fault_is_told_with_what_was_perhaps_meant() -> None:
    fit = fit_arguments(SCHEMA, {"pim": 1, "name": [], "place": {"y": 1, "x": "a"}})
    words = "; ".join(fit.faults)
    for part in (
        "'pim' is no parameter; did you mean 'pin'?",
        "'pin' is missing",
        "'name' must be a text",
        "'place.y' is no parameter",
        "'place.x' must be a whole number",
    ):
        assert part in words


def test_null_for_something_optional_counts_as_left_out() -> None:
    fit = fit_arguments(SCHEMA, {"pin": 1, "name": None})
    assert (fit.arguments, fit.faults, len(fit.changes)) == ({"pin": 1}, [], 1)
    assert fit_arguments(SCHEMA, {"pin": None}).faults


@pytest.mark.parametrize("name", ["approved", "confirm", "risk", "Approved"])
def test_a_call_cannot_approve_itself(name: str) -> None:
    """C1 row 36."""
    fit = fit_arguments(SCHEMA, {"pin": 1, name: True})
    assert (fit.arguments, fit.faults, len(fit.changes)) == ({"pin": 1}, [], 1)
    kept = fit_arguments({"properties": {name: {"type": "boolean"}}}, {name: True})
    assert kept.arguments == {name: True}


@given(
    st.dictionaries(st.sampled_from(["pin", "name", "place", "zz"]), st.text() | st.integers() | st.floats())
)
def test_what_fits_needs_no_second_change(arguments: dict[str, Any]) -> None:
    fit = fit_arguments(SCHEMA, arguments)
    if not fit.faults:
        again = fit_arguments(SCHEMA, fit.arguments)
        assert (again.arguments, again.changes, again.faults) == (fit.arguments, [], [])


def test_a_value_nested_too_deep_is_told_and_ends_nothing() -> None:
    """B5 row 110."""
    deep: Any = []
    for _ in range(20_000):
        deep = [deep]
    assert "'x' must be a whole number" in fit_one({"type": "integer"}, deep)
