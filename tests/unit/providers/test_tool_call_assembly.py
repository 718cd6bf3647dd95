"""Calls of tools from their pieces: whole or broken, never guessed (AG-5, cases 32, 33, 44)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.contracts.chat import ToolCall, ToolCallBroken, ToolCallRequested
from zeroclaw_desktop.providers.pricing import cost_of
from zeroclaw_desktop.providers.tool_call_assembly import CallAssembly, read_arguments

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), st.integers(1, 20))
def test_arguments_are_the_same_for_every_size_of_the_pieces(arguments: dict[str, object], size: int) -> None:
    text = json.dumps(arguments, ensure_ascii=False)
    assembly = CallAssembly()
    assembly.add(0, "c1", "tool", "")
    for at in range(0, len(text), size):
        assembly.add(0, "", "", text[at : at + size])
    assert assembly.finish(cut=False) == [ToolCallRequested(ToolCall("c1", "tool", arguments))]


def test_missing_and_double_ids_are_replaced_and_the_order_is_kept() -> None:
    assembly = CallAssembly()
    for index, call_id in enumerate(("same", "", "same")):
        assembly.add(index, call_id, f"tool{index}", "{}")
    calls = [event.call for event in assembly.finish(cut=False) if isinstance(event, ToolCallRequested)]
    assert [call.name for call in calls] == ["tool0", "tool1", "tool2"]
    assert calls[0].call_id == "same"
    assert len({call.call_id for call in calls}) == 3


def test_only_the_last_call_of_a_cut_answer_is_broken() -> None:
    assembly = CallAssembly()
    assembly.add(0, "a", "first", '{"pin": 1}')
    assembly.add(1, "b", "second", '{"pin": 1')
    first, second = assembly.finish(cut=True)
    assert isinstance(first, ToolCallRequested)
    assert isinstance(second, ToolCallBroken)
    assert second.arguments == '{"pin": 1'


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_no_arguments_are_an_empty_object(text: str) -> None:
    assert read_arguments(text) == ({}, "")


@pytest.mark.parametrize(
    "text",
    ['{"pin":13,"value":', '{"a": NaN}', '{"a": -Infinity}', "[1]", '"x"', "13", "{'a': 1}", "[" * 100_000],
)
def test_what_is_no_json_object_is_refused(text: str) -> None:
    arguments, fault = read_arguments(text)
    assert arguments == {}
    assert fault


def test_cost_counts_cached_tokens_at_their_own_price() -> None:
    prices = {"input": 2e-6, "output": 8e-6, "cached": 5e-7}
    usage = {"input": 1_000, "cached": 400, "output": 50}
    # 600 fresh at 2 USD, 400 cached at 0.5 USD, 50 out at 8 USD a million tokens.
    assert cost_of(usage, prices) == pytest.approx((600 * 2 + 400 * 0.5 + 50 * 8) / 1e6)
    assert cost_of(usage, {"input": 2e-6, "output": 8e-6}) == pytest.approx((1_000 * 2 + 50 * 8) / 1e6)
    assert cost_of(usage, None) is None
